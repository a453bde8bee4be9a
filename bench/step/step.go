// Package step ends a sequence of steps at the first error, so that functions return only values. Check and
// Must end the steps with a panic. Try recovers it and returns the error; each goroutine needs its own Try.
//
// It is for the commands in bench, and not for packages that others import.
package step

import (
	"fmt"
	"strings"
)

type fault struct{ error }

// Check ends the steps unless the error is nil. It adds at, which names the operation, to the error.
func Check(err error, at ...string) {
	if err != nil {
		if len(at) > 0 {
			err = fmt.Errorf("%s: %w", strings.Join(at, ": "), err)
		}
		panic(fault{err})
	}
}

// Must returns a value, or ends the steps if there is an error.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Try calls do and returns the error that ended its steps.
func Try(do func()) (err error) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault:
			err = f.error
		default:
			panic(f)
		}
	}()
	do()
	return nil
}
