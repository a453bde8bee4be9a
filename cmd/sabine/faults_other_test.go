//go:build linux && !amd64

package main_test

import "testing"

func TestFaults(t *testing.T) {
	t.Skip("NOT TESTED: faults of file system calls: which calls there are is known for amd64 alone")
}
