package columns

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/renameio/v2"

	"sabine/dataset/jsonwriter"
)

// A Map defines the positions of tables and the meanings of their columns, so that they are always read in
// the same way. Its file is JSON: docs/tables.md describes it, and map_read.go verifies it.
type Map struct {
	Tables []TableMap `json:"tables"`
}

// A TableMap is the map of one table.
type TableMap struct {
	// File and Sheet are patterns as in path.Match for the file name without its folder, and for the sheet
	// name, which is empty in CSV. "" matches every name.
	File  string `json:"file,omitempty"`
	Sheet string `json:"sheet,omitempty"`

	Layout       Layout     `json:"layout"`
	Header       []int      `json:"header_rows"`            // 1-based, ascending; column numbers if Transposed
	Quantity     Quantity   `json:"quantity,omitempty"`     // quantity of coefficients whose columns name none
	Label        string     `json:"label,omitempty"`        // product name in a table without one
	Manufacturer string     `json:"manufacturer,omitempty"` // manufacturer of rows without one
	SourceKind   string     `json:"source_kind,omitempty"`  // source kind of rows without one
	Columns      MapColumns `json:"columns"`

	byHeader map[string]Column // Columns by header, set by ReadMap; the zero Column for MapMeta
}

// MapColumns are the columns of a table in order. In JSON they are an object.
type MapColumns []MapColumn

// A MapColumn defines the columns with a given name.
type MapColumn struct {
	Header  string // name as in Column.Header
	Meaning string // as in Column.String, or MapMeta
}

// Values of MapColumn.Meaning in addition to fields and bands.
const (
	MapMeta    = "structured_meta" // stored in structured_meta, under the column's name
	MapIgnored = "-"               // left out
)

// A Layout is the direction of a table.
type Layout string

// The layouts.
const (
	Across     Layout = "across"     // each row is a set-up, and each band is a column
	Transposed Layout = "transposed" // each column is a set-up, and each band is a row
	Long       Layout = "long"       // each row is a band
)

// Of returns the maps for the tables in a sheet: the first map that matches, and all maps with the same
// patterns. It returns nil if no map matches.
func (m *Map) Of(file, sheet string) (tables []*TableMap) {
	if m == nil {
		return nil
	}
	for i := range m.Tables {
		t := &m.Tables[i]
		if len(tables) == 0 && fits(t.File, filepath.Base(file)) && fits(t.Sheet, sheet) ||
			len(tables) > 0 && t.File == tables[0].File && t.Sheet == tables[0].Sheet {
			tables = append(tables, t)
		}
	}
	return tables
}

// HasColumn reports whether a table in the map has a column with this name.
func (m *Map) HasColumn(header string) bool {
	has := func(t TableMap) bool { _, ok := t.Lookup(strings.TrimSpace(header)); return ok }
	return m != nil && slices.ContainsFunc(m.Tables, has)
}

// fits reports whether a name matches a pattern in a map.
func fits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == "" || ok && err == nil
}

// Literally returns a pattern that matches only the given name.
var Literally = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace

// Lookup returns the definition of a column, without its header. ok is false if the map is nil or lacks the
// column.
func (t *TableMap) Lookup(header string) (c Column, ok bool) {
	if t != nil {
		c, ok = t.byHeader[header]
	}
	return c, ok
}

// Column returns the column that the map defines for a name. A column that is not in the map goes to
// structured_meta under its name, except a private one, which is left out.
func (t *TableMap) Column(header string) Column {
	c, ok := t.Lookup(header)
	parsed := Parse(header)
	switch isMeta := c == (Column{}); {
	case !ok:
		c.Private = parsed.Private
	case isMeta && parsed.Field == Meta: // the column of an export that contains all of structured_meta as JSON
		c = parsed
	}
	c.Header = header
	return c
}

// MarshalJSON returns an object whose members are in column order.
func (c MapColumns) MarshalJSON() ([]byte, error) {
	var j jsonwriter.Text
	j.Object(func() {
		for i := range c {
			j.Key(c[i].Header).String(c[i].Meaning)
		}
	})
	return j.Bytes(), nil
}

// Write replaces a file atomically: readers see either the old map or the new one.
func (m *Map) Write(path string) error {
	text, err := json.Marshal(m, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, append(text, '\n'), 0o644, renameio.WithTempDir(filepath.Dir(path)))
}
