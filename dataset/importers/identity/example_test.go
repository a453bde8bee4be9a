package identity_test

import (
	"fmt"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/identity"
	"sabine/dataset/importers/layout"
)

// A line is the part of a row that a caller retains.
type line struct {
	identity.Origin
	texts map[columns.Field]string
}

func (l *line) From() identity.Origin       { return l.Origin }
func (l *line) Text(f columns.Field) string { return l.texts[f] }

// A row with only an article number belongs to the product of another row with that number.
func Example() {
	table := &layout.Table{Input: "list.csv"}
	s := identity.New[*line](identity.Options{Notes: dataset.Notes{}})
	for i, texts := range []map[columns.Field]string{
		{columns.Article: "47", columns.Label: "Filz", columns.Manufacturer: "Acme"},
		{columns.Article: "47"},
	} {
		r := cells.Row{Table: table, Number: i + 2, Line: i + 2}
		for f, text := range texts {
			r.Values = append(r.Values, cells.Value{Field: f, Text: text})
		}
		key, maker := s.Key(&r)
		s.Add(key, maker, &line{identity.OriginOf(&r), texts})
	}
	for id, g := range s.Groups(nil) {
		fmt.Println(id, "is", g.Named().Article, "of", g.Maker.Name, "with", len(g.Rows), "rows")
	}
	// Output:
	// f00ee257-d412-5f55-87dc-9d639ac724ca is 47 of Acme with 2 rows
}
