package product

import (
	"slices"
	"testing"
)

func TestMergeAndJoinMeta(t *testing.T) {
	entries := []MetaEntry{{"αw", "MH"}, {"Farbe", "rot"}, {"αw", "0.65"}, {"Farbe", "rot"}}
	if got, want := JoinMeta(entries), "Farbe: rot; αw: 0.65, MH"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []MetaEntry{{"Farbe", "rot"}, {"αw", "0.65; MH"}}
	if got := MergeMeta(entries, "; "); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := JoinMeta(nil) + JoinMeta([]MetaEntry{}); got != "" || MergeMeta(nil, "; ") != nil {
		t.Errorf("got %q for no entries", got)
	}
}
