package step

import (
	"errors"
	"testing"
)

func TestStepsEndAtTheFirstError(t *testing.T) {
	cause := errors.New("no space left")
	for _, test := range []struct {
		rule string
		step func()
		want string // "" for no error
	}{
		{"steps without an error reach their end", func() { Check(nil, "writing") }, ""},
		{"Try returns the error", func() { Check(cause) }, "no space left"},
		{"the error has the operation", func() { Check(cause, "bleve", "writing") }, "bleve: writing: no space left"},
		{"Must returns the error of a value", func() { Must(0, cause) }, "no space left"},
	} {
		ended := false
		err := Try(func() {
			test.step()
			ended = true
		})
		if ended != (test.want == "") || (err != nil) != !ended || err != nil &&
			(err.Error() != test.want || !errors.Is(err, cause)) {
			t.Errorf("%s: got %v, end reached: %t, want %q", test.rule, err, ended, test.want)
		}
	}
	defer func() { _ = recover() }()
	err := Try(func() { panic("a bug") })
	t.Errorf("Try recovers a panic that is not an error of a step: %v", err)
}
