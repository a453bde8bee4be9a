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

// A Map defines where tables are and what their columns are, so that a guess that was right once stays right.
// As a file it is JSON; docs/tables.md describes it, map_read.go verifies it.
type Map struct {
	Tables []TableMap `json:"tables"`
}

// A TableMap is the map of one table.
type TableMap struct {
	// File and Sheet are patterns as of path.Match, of the name of the file without its folder and of the
	// name of the sheet, which is empty in CSV; "" fits every name.
	File  string `json:"file,omitempty"`
	Sheet string `json:"sheet,omitempty"`

	Layout       Layout     `json:"layout"`
	Header       []int      `json:"header_rows"`            // 1-based, ascending; with Transposed, columns
	Quantity     Quantity   `json:"quantity,omitempty"`     // of coefficients whose columns name none
	Label        string     `json:"label,omitempty"`        // of the product of a table that names none
	Manufacturer string     `json:"manufacturer,omitempty"` // of rows that name none
	SourceKind   string     `json:"source_kind,omitempty"`  // of rows that name none
	Columns      MapColumns `json:"columns"`

	byHeader map[string]Column // Columns, in a map that was read
}

// MapColumns are the columns of a table in their order, in JSON an object of a column's name to what it is.
type MapColumns []MapColumn

// A MapColumn defines what the columns of a name are.
type MapColumn struct {
	Header string // as Column.Header
	Is     string // as Column.String, or MapMeta
}

// What a column may be in a map besides a field or a band.
const (
	MapMeta    = "structured_meta"
	MapIgnored = "-"
)

// A Layout is the direction of a table.
type Layout string

// The layouts.
const (
	Across     Layout = "across"     // a row a set-up, bands across
	Transposed Layout = "transposed" // a column a set-up, bands downwards
	Long       Layout = "long"       // a row a band
)

// Of returns the maps of the tables of a sheet, nil if there is none: the first whose patterns fit it, and
// all that have the same patterns.
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

// Names reports whether a table of the map has a column of a name.
func (m *Map) Names(header string) bool {
	has := func(t TableMap) bool { _, ok := t.Is(strings.TrimSpace(header)); return ok }
	return m != nil && slices.ContainsFunc(m.Tables, has)
}

// fits reports whether a name fits a pattern of a map.
func fits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == "" || ok && err == nil
}

// Literally returns the pattern that fits one name only.
var Literally = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace

// Is returns what the columns of a name are. It reports false if the map does not have them, or is nil.
func (t *TableMap) Is(header string) (c Column, ok bool) {
	if t != nil {
		c, ok = t.byHeader[header]
	}
	return c, ok
}

// Column returns what the columns of a name are by the map. Columns that the map does not have are kept in
// structured_meta, but for private ones.
func (t *TableMap) Column(header string) Column {
	c, ok := t.Is(header)
	if parsed := Parse(header); ok && c == (Column{}) && parsed.Field == Meta {
		c = parsed
	} else if !ok {
		c.Private = parsed.Private
	}
	c.Header = header
	return c
}

// MarshalJSON returns an object whose members are in the order of the columns.
func (c MapColumns) MarshalJSON() ([]byte, error) {
	var j jsonwriter.Text
	j.Object(func() {
		for i := range c {
			j.Key(c[i].Header).String(c[i].Is)
		}
	})
	return j.Bytes(), nil
}

// Write replaces a file by the map, at once: a reader of the file gets the old one or the new one, whole.
func (m *Map) Write(path string) error {
	text, err := json.Marshal(m, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, append(text, '\n'), 0o644, renameio.WithTempDir(filepath.Dir(path)))
}
