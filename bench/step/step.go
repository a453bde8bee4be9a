// Package step ends what is done step by step at its first error, so that functions return only values: Check
// and Must end the steps, and Try returns the error where they begin, on a goroutine of their own above all.
//
// It is for the commands of bench, and for no package that others import.
package step

import (
	"fmt"
	"strings"
)

type fault struct{ error }

// Check ends the step unless an error is nil; at says what was being done.
func Check(err error, at ...string) {
	if err != nil {
		if len(at) > 0 {
			err = fmt.Errorf("%s: %w", strings.Join(at, ": "), err)
		}
		panic(fault{err})
	}
}

// Must returns a value that comes without an error.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Try does something and returns the error that ended it.
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
