package main

import (
	"errors"
	"fmt"
	"strings"
)

// A run ends at its first error, so that most functions here return only values: check and must end them, and
// rescue returns the error where a step is called from: in main, at a worker's door and in a goroutine.
type fault struct{ error }

// check ends the step unless an error is nil; at says what was being done.
func check(err error, at ...string) {
	if err != nil {
		if len(at) > 0 {
			err = fmt.Errorf("%s: %w", strings.Join(at, ": "), err)
		}
		panic(fault{err})
	}
}

// must returns a value that comes without an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// rescue, deferred, makes the error that ended a step the result of its caller.
func rescue(err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		*err = errors.Join(f.error, *err)
	default:
		panic(f)
	}
}
