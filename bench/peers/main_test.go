package main

import (
	"slices"
	"strings"
	"testing"
)

func TestClassesAreKnown(t *testing.T) {
	got, err := classesOf("sentence; category, facets;one typo")
	if want := []string{"sentence", "category, facets", "one typo"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	for _, text := range []string{"sentences", "sentence,one typo", "sentence;", "category"} {
		if got, err := classesOf(text); err == nil || !strings.Contains(err.Error(), "; sentence; ") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}
