package serve

import (
	"errors"
	"testing"

	"sabine/runtime"
)

type faultAt uintptr

func (f faultAt) Addr() uintptr { return uintptr(f) }

func TestDamageOfTheSnapshotIsDistinguishedFromABug(t *testing.T) {
	for _, test := range []struct {
		rule   string
		reason any
		want   bool
	}{
		{"a body that does not fit", &runtime.DamagedBody{}, true},
		{"a fault in a mapping", faultAt(4096), true},
		{"another error", errors.New("a bug"), false},
		{"no error at all", "a bug", false},
	} {
		if got := isDamage(test.reason); got != test.want {
			t.Errorf("%s: got %t", test.rule, got)
		}
	}
}
