package dataset

import (
	"slices"
	"testing"
)

func TestNotesCountAndNameTheFirstPlaces(t *testing.T) {
	n := Notes{}
	spelt := Note{"mounting", "spelt in two ways", "row"}
	for line := 12; line > 0; line-- {
		n.Add(spelt, Place{Input: "a.csv", Line: line, Cell: "B" + formatNumber(float64(line))})
	}
	n.Add(Note{"label", "is missing", "product"}, Place{Input: "b.csv", Line: 7})
	n.Add(Note{"label", "is long", ""}, Place{Input: "b.csv", Line: 9})
	n.Add(Note{"url", "is old", "row"}, Place{Input: "a.csv", Line: 1, Cell: "C1"})
	n.Add(Note{"url", "is old", "row"}, Place{Input: "b.csv", Line: 1, Cell: "C1"})
	var got []string
	for _, f := range n.Warnings() {
		got = append(got, f.Error())
	}
	want := []string{
		"b.csv:9: label: is long",
		"b.csv:7: label: is missing (1 product)",
		"a.csv:1[B1]: mounting: spelt in two ways (12 rows: B1, B2, B3, B4, B5, B6, B7, B8, B9, B10 and 2 more)",
		"a.csv:1[C1]: url: is old (2 rows: C1, b.csv:1[C1])",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
