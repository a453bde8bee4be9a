package main

import (
	"slices"
	"strings"
	"testing"

	"sabine/bench/queries"
)

func TestATaskForEveryClassOfTexts(t *testing.T) {
	texts := queries.Names(queries.Strict, queries.Loose)
	for _, name := range texts {
		if tasks[name] == taskText {
			t.Errorf("%s: no task", name)
		}
	}
	if len(tasks) != len(texts) {
		t.Errorf("%d tasks for %d classes of texts", len(tasks), len(texts))
	}
}

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
