package identity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/identity"
	"sabine/dataset/importers/layout"
)

func TestTheIDOfAProductIsComputedFromManufacturerAndName(t *testing.T) {
	for _, test := range []struct{ rule, table, want string }{
		{"as imports have always made it", "label|manufacturer\nA|X",
			uuid.NewSHA1(identity.Space, []byte("X\x00A")).String()},
		{"by the article number where there is one", "label|manufacturer|article_number\nA|X|4711",
			uuid.NewSHA1(identity.Space, []byte("X\x00\x004711")).String()},
		{"an id does not change", "id|label|manufacturer\n6BA7B810-9dad-11d1-80b4-00c04fd430c8|A|X",
			"6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
		{"none of an id that is no UUID", "id|label|manufacturer\n47|A|X", uuid.Nil.String()},
		{"none without a manufacturer", "label\nA", uuid.Nil.String()},
		{"of the most frequent spelling of the manufacturer", "label|manufacturer\nA|MÜLLER\nB|Müller\nC|Müller",
			uuid.NewSHA1(identity.Space, []byte("Müller\x00A")).String()},
		{"the namespace never changes", "label|manufacturer\nA|X", "984ffe3c-377e-5867-a3ea-779ffe3d1a78"},
	} {
		if out := outcomeOf(identity.Options{Partial: true}, rowsOf(test.table)); !slices.Contains(out.ids, test.want) {
			t.Errorf("%s: got %s, want %s", test.rule, out.ids, test.want)
		}
	}
}

func TestRowsOfOneProductHaveALimit(t *testing.T) {
	rows := rowsOf("label|manufacturer" + strings.Repeat("\nA|X", identity.MaxRows+10))
	s := identity.New[*kept](identity.Options{Notes: dataset.Notes{}})
	for _, r := range rows {
		k, named := s.Key(&r.Row)
		s.Add(k, named, r)
	}
	for _, g := range s.Groups(nil) {
		if len(g.Rows) != identity.MaxRows+1 {
			t.Errorf("got %d rows, want %d and one for the fault", len(g.Rows), identity.MaxRows)
		}
	}
	for range s.Groups(nil) {
		t.Error("got a product of a set that was read, want none")
	}
}

func TestRowsAreInTheOrderOfFilesSheetsAndNumbers(t *testing.T) {
	list, second := &layout.Table{Input: "2.xlsx", Sheet: "A"}, &layout.Table{Input: "2.xlsx", Sheet: "B"}
	inOrder := []identity.Origin{{list, 9, 0}, {list, 10, 0}, {second, 2, 0}, {&layout.Table{Input: "10.xlsx"}, 1, 0}}
	for i := range inOrder[1:] {
		if a, b := inOrder[i], inOrder[i+1]; a.Compare(b) >= 0 || b.Compare(a) <= 0 || a.Compare(a) != 0 {
			t.Errorf("%v and %v are not in order", a.Place(1), b.Place(1))
		}
	}
	if got := inOrder[0].Place(0).String(); got != "2.xlsx[A!A9]" {
		t.Errorf("a finding that is in no one cell is at %s, want the first cell", got)
	}
}
