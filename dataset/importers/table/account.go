package table

import (
	"path/filepath"
	"reflect"
	"slices"
)

// An Account tells what was made of tables.
type Account struct {
	Tables []ToldTable `json:"tables"`
}

// A ToldTable tells what was made of one table.
type ToldTable struct {
	Input    string   `json:"input"`
	Sheet    string   `json:"sheet,omitempty"`
	Layout   Layout   `json:"layout"`
	Header   []int    `json:"header_rows"`
	Quantity Quantity `json:"quantity"`
	// Manufacturer and SourceKind are those of rows that name none.
	Manufacturer string       `json:"manufacturer,omitempty"`
	SourceKind   string       `json:"source_kind,omitempty"`
	Rows         int          `json:"rows"` // below the header
	Columns      []ToldColumn `json:"columns"`
	said         int          // how many of them, the last ones, are no columns of the table: lines say them
	Unused       []string     `json:"unused"` // what is used for nothing, each with its cells: titles, notes, sheets without a table
}

// A ToldColumn tells what a column became.
type ToldColumn struct {
	Header  string `json:"header"`
	Cell    string `json:"cell"`    // where its name stands
	Became  string `json:"became"`  // as in a map
	Example string `json:"example"` // its first value as it stands there, "" for none
	Value   string `json:"value"`   // what that became: "0.85" of "85 %"
}

// Map returns the map that holds fast what was made of the tables. It names files where tables of several are not alike, and sheets, except
// where those of several are alike and there is nothing else.
func (a *Account) Map() *Map {
	m := &Map{Tables: []MappedTable{}}
	for i := range a.Tables {
		if len(a.Tables[i].Columns) > 0 {
			m.Tables = append(m.Tables, a.Tables[i].tableMap())
		}
	}
	oneFile := m.oneOf(func(t MappedTable) any { return t.File })
	oneSheet := m.oneOf(func(t MappedTable) any { return t.Sheet })
	alike := m.oneOf(func(t MappedTable) any { t.File, t.Sheet = "", ""; return t }) && len(m.Tables) == len(a.Tables)
	if alike && len(m.Tables) > 1 {
		m.Tables = m.Tables[:1]
	}
	for i := range m.Tables {
		if t := &m.Tables[i]; alike || oneFile {
			t.File = ""
		}
		if t := &m.Tables[i]; alike && !oneSheet {
			t.Sheet = ""
		}
	}
	return m
}

// oneOf reports whether all tables have one value.
func (m *Map) oneOf(value func(MappedTable) any) bool {
	return !slices.ContainsFunc(m.Tables, func(t MappedTable) bool { return !reflect.DeepEqual(value(t), value(m.Tables[0])) })
}

// tableMap returns the map of the table, for it alone. Of columns with one name the first says what it is, as it does in a table.
func (a *ToldTable) tableMap() MappedTable {
	t := MappedTable{
		File: literally(filepath.Base(a.Input)), Sheet: literally(a.Sheet),
		Layout: a.Layout, Header: a.Header, Quantity: a.Quantity, Manufacturer: a.Manufacturer, SourceKind: a.SourceKind,
	}
	own := len(a.Columns) - a.said
	seen := map[string]bool{}
	for _, c := range a.Columns[:own] {
		if !seen[c.Header] {
			t.Columns = append(t.Columns, MapColumn{c.Header, c.Became})
		}
		seen[c.Header] = true
	}
	for _, said := range a.Columns[own:] { // what stood in a column of a transposed table, for all of its products
		if i := slices.Index(t.Columns, MapColumn{said.Header, MapMeta}); i >= 0 {
			t.Columns[i].Is = said.Became
		}
	}
	return t
}
