// Package step ends a sequence of steps at the first error, so that functions need not return errors. Check
// and Must panic. Try recovers and returns the error. Each goroutine needs its own Try.
//
// Only the commands in bench use it. Packages that others import return errors.
package step

import (
	"fmt"
	"strings"
)

type fault struct{ error }

// Check ends the steps if err is not nil. It prefixes the error with at, which names the operation.
func Check(err error, at ...string) {
	if err != nil {
		if len(at) > 0 {
			err = fmt.Errorf("%s: %w", strings.Join(at, ": "), err)
		}
		panic(fault{err})
	}
}

// Must returns v, or ends the steps if err is not nil.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Try calls do and returns the error that ended the steps in do.
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
