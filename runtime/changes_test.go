package runtime_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"sabine/runtime"
)

func always(int) bool { return true }

// TestCompareEndsWhereItIsTold: also between generations that are alike, which give nothing to stop at.
func TestCompareEndsWhereItIsTold(t *testing.T) {
	g, h := numbered(300).open(t), numbered(300).open(t)
	looks := 0
	if c := runtime.Compare(g, h, func(int) bool { looks++; return looks < 3 }); c != nil || looks != 3 {
		t.Errorf("got %v after %d looks, want nothing after 3", c, looks)
	}
	last := -1
	if c := runtime.Compare(g, h, func(products int) bool {
		if products <= last || products >= 600 {
			t.Errorf("%d products behind %d", products, last)
		}
		last = products
		return true
	}); c == nil || c.Len() != 0 {
		t.Errorf("got %v", c)
	}
}

// TestCompareOfDifferentSizes: whichever ends first.
func TestCompareOfDifferentSizes(t *testing.T) {
	small, large := numbered(3).open(t), numbered(200).open(t)
	for _, tt := range []struct {
		before, after           *runtime.Generation
		added, changed, removed int
	}{
		{small, large, 197, 3, 0}, // labels say how many products there are
		{large, small, 0, 3, 197},
		{large, large, 0, 0, 0},
	} {
		added, changed, removed := runtime.Compare(tt.before, tt.after, always).Counts()
		if added != tt.added || changed != tt.changed || removed != tt.removed {
			t.Errorf("from %d to %d products: got %d, %d, %d", tt.before.Products(), tt.after.Products(), added, changed, removed)
		}
	}
}

// A failingWriter takes some bytes and no more.
type failingWriter struct{ left int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

func TestChangesThatCannotBeWritten(t *testing.T) {
	g, h := numbered(1000).open(t), numbered(2000).open(t)
	changes := runtime.Compare(g, h, always)
	var whole bytes.Buffer
	if err := changes.Write(&whole, false); err != nil || !strings.HasSuffix(whole.String(), `"removed":[]}`) {
		t.Fatalf("%v, ...%s", err, whole.Bytes()[whole.Len()-50:])
	}
	for _, most := range []int{0, whole.Len() / 2, whole.Len() - 1} {
		if err := changes.Write(&failingWriter{most}, false); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d of %d bytes: %v", most, whole.Len(), err)
		}
	}
}
