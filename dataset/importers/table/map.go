package table

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"sabine/dataset/jsonwriter"
)

// A Map says where tables lie and what their columns are, so that a guess that was right once is right each night. As a file it is JSON;
// docs/table-map.md describes it, map_read.go checks it.
type Map struct {
	Tables []MappedTable `json:"tables"`
}

// A MappedTable is the map of one table.
type MappedTable struct {
	// File and Sheet are patterns, as path.Match has them, of the name of the file without its folder and of the name of the sheet,
	// which is empty in CSV; "" fits every name.
	File  string `json:"file,omitempty"`
	Sheet string `json:"sheet,omitempty"`

	Layout       Layout     `json:"layout"`                 // which way the table lies
	Header       []int      `json:"header_rows"`            // the 1-based rows that name the columns, ascending; with Transposed, columns
	Quantity     Quantity   `json:"quantity,omitempty"`     // of coefficients whose columns do not say
	Manufacturer string     `json:"manufacturer,omitempty"` // of rows that name none
	SourceKind   string     `json:"source_kind,omitempty"`  // of rows that name none
	Columns      MapColumns `json:"columns"`                // what each column is

	byHeader map[string]string // for is; nil until the first call
}

// MapColumns are the columns of a table in their order. In JSON they are an object, of a column's name to what it is.
type MapColumns []MapColumn

// A MapColumn says what the columns of a name are.
type MapColumn struct {
	Header string // as Column.Header
	Is     string // what Column.String gives, MapMeta or MapIgnored
}

// What a column may be in a map besides a field or a band.
const (
	MapMeta    = "structured_meta"
	MapIgnored = "-"
)

// A Layout is which way a table lies.
type Layout string

// The layouts.
const (
	Across     Layout = "across"     // a row a set-up, bands across
	Transposed Layout = "transposed" // a column a set-up, bands downwards
	Long       Layout = "long"       // a row a band
)

// of returns the maps of the tables of a sheet, nil when there is none: the first whose patterns fit it, and all that have the same patterns.
func (m *Map) of(file, sheet string) (tables []*MappedTable) {
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

// names reports whether the map has a column of a name, in any table.
func (m *Map) names(header string) bool {
	if m == nil {
		return false
	}
	header = strings.TrimSpace(header)
	for i := range m.Tables {
		if _, ok := m.Tables[i].is(header); ok {
			return true
		}
	}
	return false
}

// fits reports whether a name fits a pattern of a map.
func fits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == "" || ok && err == nil
}

// literally returns the pattern that fits one name alone.
var literally = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace

// is returns what the columns of a name are; ok is false if the map does not have them.
func (t *MappedTable) is(header string) (is string, ok bool) {
	if t.byHeader == nil {
		t.byHeader = make(map[string]string, len(t.Columns))
		for _, c := range t.Columns {
			t.byHeader[c.Header] = c.Is
		}
	}
	is, ok = t.byHeader[header]
	return is, ok
}

// MarshalJSON writes an object whose members are in the order of the columns.
func (c MapColumns) MarshalJSON() ([]byte, error) {
	var j jsonwriter.Text
	j.Object(func() {
		for i := range c {
			j.Key(c[i].Header).String(c[i].Is)
		}
	})
	return j.Bytes(), nil
}

// Write writes the map to a file, at once: whoever reads the file sees the old one or the new one, whole.
func (m *Map) Write(path string) error {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	return renameio.WriteFile(path, []byte(text.String()), 0o644, renameio.WithTempDir(filepath.Dir(path)))
}
