package step

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
		{"a step without an error goes to its end", func() { Check(nil, "writing") }, ""},
		{"an error is the caller's", func() { Check(cause) }, "no space left"},
		{"with what was being done", func() { Check(cause, "bleve", "writing") }, "bleve: writing: no space left"},
		{"so is that of a value", func() { Must(0, cause) }, "no space left"},
	} {
		ended := false
		err := Try(func() {
			test.step()
			ended = true
		})
		if ended != (test.want == "") || (err != nil) != !ended || err != nil &&
			(err.Error() != test.want || !errors.Is(err, cause)) {
			t.Errorf("%s: got %v, to its end %t, want %q", test.rule, err, ended, test.want)
		}
	}
	defer func() { _ = recover() }()
	err := Try(func() { panic("a bug") })
	t.Errorf("a panic that is no error of a step is rescued: %v", err)
}
