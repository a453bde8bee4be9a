package snapshot

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
)

func TestACompareNamesTheFirstDifference(t *testing.T) {
	tests := []struct {
		rule    string
		again   []part
		section Kind  // 0 if there is no difference
		offset  int64 // offset from the start of the section
		left    []Kind
	}{
		{rule: "the same sections", again: small},
		{rule: "the same sections in another order", again: []part{small[4], small[3], small[2], small[1], small[0]}},
		{rule: "sections that were not written", again: small[1:3], left: []Kind{5, 4, 3}},
		{rule: "nothing", left: []Kind{5, 2, 9, 4, 3}},
		{"another first byte", []part{{5, 8, "Acoustic"}}, 5, 0, nil},
		{"another last byte", []part{{5, 8, "acoustic"}, {2, 8, "felt?"}}, 2, 4, nil},
		{"a section that is too short", []part{{2, 8, "felt!!"}}, 2, 5, nil},
		{"a section that is too long", []part{{2, 8, "felt"}, {5, 8, "acoustic"}}, 2, 4, nil},
		{"the last section is too long", []part{{3, 8, "e"}}, 3, 1, nil},
		{"an empty section that is too long", []part{{9, 8, ""}}, 9, 0, nil},
	}
	f, err := OpenBytes("x.snapshot", bytesOf(t, small...))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		for _, piece := range []int{1, 100} { // number of bytes in each write
			left, err := compared(f, test.again, piece)
			var differs *CorruptError
			if errors.As(err, &differs) {
				s := find(f.sections, differs.Section)
				if differs.Section != test.section || differs.Offset != s.Offset+test.offset || differs.Path != "x.snapshot" {
					t.Errorf("%s: %v, want section %d, byte %d", test.rule, err, test.section, s.Offset+test.offset)
				}
			} else if err != nil || test.section != 0 || !slices.Equal(left, test.left) {
				t.Errorf("%s: sections %v left, %v; want %v", test.rule, left, err, test.left)
			}
		}
	}
}

// compared compares sections with those of a file. It writes piece bytes at a time.
func compared(f *File, again []part, piece int) (left []Kind, err error) {
	w := Compare(f)
	for _, p := range again {
		section, err := w.Section(p.kind, p.align)
		if err != nil {
			return nil, err
		}
		for at := 0; at < len(p.bytes); at += piece {
			if _, err := io.WriteString(section, p.bytes[at:min(at+piece, len(p.bytes))]); err != nil {
				return nil, err
			}
		}
	}
	return w.Compared()
}

func TestACompareNamesASectionThatTheFileDoesNotHave(t *testing.T) {
	f, err := OpenBytes("x.snapshot", bytesOf(t, small...))
	if err != nil {
		t.Fatal(err)
	}
	var missing *CorruptError
	if _, err := compared(f, []part{{7, 8, ""}}, 1); !errors.As(err, &missing) || missing.Section != 7 {
		t.Errorf("%v, want an error that section 7 is missing", err)
	}
}

func TestACompareIsAWriter(t *testing.T) {
	f, err := OpenBytes("x.snapshot", bytesOf(t, small...))
	if err != nil {
		t.Fatal(err)
	}
	w := Compare(f)
	if _, err := w.Commit(); err == nil {
		t.Error("a comparison was committed")
	}
	section, err := w.Section(5, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Section(5, 8); err == nil {
		t.Error("a section began twice")
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.Context = ctx
	cancel()
	if _, err := section.Write([]byte("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the error of the context", err)
	}
	w.Abort()
	if _, err := section.Write([]byte("a")); err == nil {
		t.Error("a write after the end succeeded")
	}
}
