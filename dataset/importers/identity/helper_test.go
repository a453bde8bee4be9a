package identity_test

import (
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/identity"
	"sabine/dataset/importers/layout"
)

// A kept is a row in a test.
type kept struct{ cells.Row }

func (k *kept) From() identity.Origin {
	return identity.OriginOf(&k.Row)
}

// rowsOf parses the tables of a test as separate files, a.csv, b.csv and so on: cells separated by "|", below
// the names of their fields.
func rowsOf(tables ...string) (rows []*kept) {
	for i, text := range tables {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		t := &layout.Table{Input: string(rune('a'+i)) + ".csv"}
		for header := range strings.SplitSeq(lines[0], "|") {
			t.Columns = append(t.Columns, layout.Column{Column: columns.Parse(strings.TrimSpace(header))})
		}
		for n, line := range lines[1:] {
			r := &kept{cells.Row{Table: t, Number: n + 2, Line: n + 2}}
			for c, text := range strings.Split(strings.TrimSpace(line), "|") {
				if of := t.Columns[c].Column; text != "" {
					r.Values = append(r.Values, cells.Value{Field: of.Field, Text: text, Header: of.Header, Cell: c + 1})
				}
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// An outcome is the result for some rows.
type outcome struct {
	groups []string // "47 of X: a.csv:2 b.csv:2", in the order of their ids
	ids    []string
	left   []string // rows without a product, by place
	notes  []string
}

// outcomeOf finds the products of rows. companies are in sheets of the last row's file.
func outcomeOf(o identity.Options, rows []*kept, companies ...string) (out outcome) {
	o.Notes = dataset.Notes{}
	s := identity.New[*kept](o)
	reject := func(r *kept, problem string) {
		out.left = append(out.left, r.From().Place(1).String()+": "+problem)
	}
	for _, name := range companies {
		s.NoteCompany(rows[len(rows)-1].Table.Input, name)
	}
	for _, r := range rows {
		if k, named := s.Key(&r.Row); k.Text != "" {
			s.Add(k, named, r)
		} else {
			reject(r, "no product")
		}
	}
	for id, g := range s.Groups(reject) {
		var places []string
		for _, r := range g.Rows {
			places = append(places, strings.TrimSuffix(r.From().Place(1).String(), "[A"+r.From().Place(1).Cell[1:]+"]"))
		}
		slices.Sort(places)
		named := g.Named()
		text := named.ID + named.Article + named.Name + " of " + named.Manufacturer + ": " + strings.Join(places, " ")
		out.groups, out.ids = append(out.groups, text), append(out.ids, id.String())
	}
	slices.Sort(out.left)
	for _, w := range o.Notes.Warnings() {
		out.notes = append(out.notes, w.Error())
	}
	return out
}

// expect compares strings with the expected strings.
func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %s\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
