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

	byHeader map[string]Column // Columns by header, set by ReadMap
}

// MapColumns are the columns of a table in order. In JSON they are an object.
type MapColumns []MapColumn

// A MapColumn defines the columns with a given name.
type MapColumn struct {
	Header string // name as in Column.Header
	Is     string // meaning as in Column.String, or MapMeta
}

// Values of MapColumn.Is in addition to fields and bands.
const (
	MapMeta    = "structured_meta"
	MapIgnored = "-"
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

// Names reports whether a table in the map has a column with this name.
func (m *Map) Names(header string) bool {
	has := func(t TableMap) bool { _, ok := t.Is(strings.TrimSpace(header)); return ok }
	return m != nil && slices.ContainsFunc(m.Tables, has)
}

// fits reports whether a name matches a pattern in a map.
func fits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == "" || ok && err == nil
}

// Literally returns a pattern that matches only the given name.
var Literally = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace

// Is returns the definition of a column. It returns false if the map is nil or lacks the column.
func (t *TableMap) Is(header string) (c Column, ok bool) {
	if t != nil {
		c, ok = t.byHeader[header]
	}
	return c, ok
}

// Column returns the column that the map defines for a name. Columns not in the map go to
// structured_meta, except private ones.
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

// MarshalJSON returns an object whose members are in column order.
func (c MapColumns) MarshalJSON() ([]byte, error) {
	var j jsonwriter.Text
	j.Object(func() {
		for i := range c {
			j.Key(c[i].Header).String(c[i].Is)
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
