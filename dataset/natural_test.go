package dataset

import "testing"

func TestNaturalOrder(t *testing.T) {
	for _, test := range []struct{ rule, first, second string }{
		{"numbers are compared by value", "abs-2", "abs-10"},
		{"a prefix precedes the longer text", "abs", "abs-1"},
		{"a number with leading zeros precedes the same number without", "a01", "a1"},
		{"letters are compared as bytes", "A10", "B2"},
		{"the empty text is the first", "", "0"},
	} {
		isBefore := Natural(test.first, test.second) < 0 && Natural(test.second, test.first) > 0
		if !isBefore || Natural(test.first, test.first) != 0 {
			t.Errorf("%s: %q is not before %q", test.rule, test.first, test.second)
		}
	}
}

func TestPlacesAreOrderedByInputLineAndCell(t *testing.T) {
	places := []Place{
		{Input: "a2.csv", Line: 9}, {Input: "a10.csv", Line: 2, Cell: "Z9"},
		{Input: "a10.csv", Line: 10, Cell: "B2"}, {Input: "a10.csv", Line: 10, Cell: "B10"},
	}
	for i := range places[1:] {
		if places[i].Compare(places[i+1]) >= 0 {
			t.Errorf("%v is not before %v", places[i], places[i+1])
		}
	}
}
