package main

import (
	"errors"
	"testing"
)

func TestAStepEndsAtItsFirstError(t *testing.T) {
	cause := errors.New("no space left")
	for _, test := range []struct {
		rule string
		step func()
		want string // "": none
	}{
		{"a step without an error goes to its end", func() { check(nil, "writing") }, ""},
		{"an error is the caller's", func() { check(cause) }, "no space left"},
		{"with what was being done", func() { check(cause, "bleve", "writing") }, "bleve: writing: no space left"},
		{"so is that of a value", func() { must(0, cause) }, "no space left"},
	} {
		ended := false
		run := func() (err error) {
			defer rescue(&err)
			test.step()
			ended = true
			return nil
		}
		err := run()
		if ended != (test.want == "") || (err != nil) != !ended || err != nil && (err.Error() != test.want || !errors.Is(err, cause)) {
			t.Errorf("%s: got %v, to its end %t, want %q", test.rule, err, ended, test.want)
		}
	}
	defer func() { _ = recover() }()
	err := func() (err error) {
		defer rescue(&err)
		panic("a bug")
	}()
	t.Errorf("a panic that is no error of a step is rescued: %v", err)
}
