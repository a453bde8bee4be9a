package runtime_test

import (
	"testing"

	"sabine/runtime"
)

// TestDiffEndsWhereItIsTold: also between generations that are alike, which give no change to stop at.
func TestDiffEndsWhereItIsTold(t *testing.T) {
	g := openSample(t)
	for _, most := range []int{0, 5, g.Products() + 5} {
		looked := 0
		changes := runtime.Diff(g, g, func(int) bool {
			looked++
			return looked <= most
		})
		for change := range changes {
			t.Errorf("got %v, want no change", change)
		}
		if looked != most+1 {
			t.Errorf("%d looks, want %d", looked, most+1)
		}
	}
}
