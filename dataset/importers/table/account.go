package table

import (
	"cmp"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// An Account reports how tables were read.
type Account struct {
	Tables []AccountEntry `json:"tables"`
}

// An AccountEntry reports how one table was read.
type AccountEntry struct {
	Input    string           `json:"input"`
	Sheet    string           `json:"sheet,omitempty"`
	Layout   columns.Layout   `json:"layout"`
	Header   []int            `json:"header_rows"`
	Quantity columns.Quantity `json:"quantity"` // quantity of coefficients without one in their row or column
	// Manufacturer and SourceKind apply to rows without them.
	Manufacturer string          `json:"manufacturer,omitempty"`
	SourceKind   string          `json:"source_kind,omitempty"`
	Rows         int             `json:"rows"`    // number of rows below the header
	Columns      []ColumnAccount `json:"columns"` // columns of the table, then columns from its context rows
	contexts     int             // number of Columns from context rows
	Unused       []string        `json:"unused"` // unused strings with their cells: titles, notes, sheets without a table
}

// A ColumnAccount reports the use of a column.
type ColumnAccount struct {
	Header  string `json:"header"`
	Cell    string `json:"cell"`    // position of the name
	Became  string `json:"became"`  // field or band, as in a map
	Example string `json:"example"` // first value, unchanged; "" for none
	Value   string `json:"value"`   // result of reading Example: "0.85" for "85 %"
}

// columnsOf returns the accounts for the columns of a table, without examples.
func columnsOf(t *layout.Table) []ColumnAccount {
	accounts := make([]ColumnAccount, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		became := cmp.Or(c.String(), columns.MapMeta)
		if c.LeftOut != "" {
			became = columns.MapIgnored
		}
		accounts[i] = ColumnAccount{Header: c.Header, Cell: workbook.WithoutSheet(c.Place.Cell), Became: became}
	}
	return accounts
}

// addExamples uses a row's values as examples for columns that have none. It returns the number of
// columns that still have none.
func addExamples(accounts []ColumnAccount, row *layout.Row, read *cells.Row) (missing int) {
	for i := range accounts {
		c := &accounts[i]
		if c.Example != "" {
			continue
		}
		if c.Example = strings.TrimSpace(row.Cells[i].Text); c.Example == "" {
			missing++
		} else {
			c.Value = valueOf(read, &read.Table.Columns[i].Column)
		}
	}
	return missing
}

// valueOf returns the value of a column in a row, or "" if there is none.
func valueOf(r *cells.Row, c *columns.Column) string {
	for _, k := range r.Curves {
		isQuantity := c.Quantity == "" || c.Quantity == k.Quantity
		isResolution := c.Resolution == columns.AnyResolution || c.Resolution == k.Resolution
		if v, ok := k.Points.At(c.BandHz); ok && isQuantity && isResolution {
			return columns.FormatNumber(v)
		}
	}
	isPoint := len(r.Curves) > 0 && len(r.Curves[0].Points) == 1 // as in a row of a long table
	switch {
	case c.BandHz > 0:
		return ""
	case c.Field == columns.Thickness && r.Thickness.Known:
		return columns.FormatNumber(r.Thickness.MM)
	case c.Field == columns.AirGap && r.AirGap.Known:
		return columns.FormatNumber(r.AirGap.MM)
	case c.Field == columns.Coefficient && isPoint && len(r.Curves) == 1:
		return columns.FormatNumber(r.Curves[0].Points[0].Value)
	case c.Field == columns.Frequency && isPoint:
		return strconv.Itoa(r.Curves[0].Points[0].BandHz)
	}
	for _, v := range r.Values {
		if v.Field == c.Field && c.Field != columns.None || v.Field == columns.None && v.Header == c.Header {
			return v.Text
		}
	}
	return ""
}

// accountOf returns the account for a table after its last row.
func (o *Options) accountOf(t *layout.Table, accounts []ColumnAccount, end *layout.End) AccountEntry {
	a := AccountEntry{
		Input: t.Input, Sheet: t.Sheet, Layout: t.Layout, Header: t.Header, Rows: end.Rows, Unused: end.Unused,
		Quantity: cells.TableQuantity(t), Manufacturer: o.Manufacturer, Columns: accounts, contexts: len(end.Contexts),
	}
	if o.SourceKind != DefaultSourceKind {
		a.SourceKind = o.SourceKind
	}
	if t.Map != nil {
		a.Manufacturer, a.SourceKind = cmp.Or(t.Map.Manufacturer, a.Manufacturer), cmp.Or(t.Map.SourceKind, a.SourceKind)
	}
	for _, f := range end.Contexts {
		a.Columns = append(a.Columns, ColumnAccount{
			Header: f.Column.Header, Cell: workbook.WithoutSheet(t.Place(0, 0, f.Number).Cell), Became: f.Column.String(),
			Example: f.Cell.Text, Value: f.Cell.Text,
		})
	}
	return a
}

// Map returns a map with which later imports read the tables in the same way. It names files if their tables
// differ, and sheets unless all sheets have equal tables.
func (a *Account) Map() *columns.Map {
	m := &columns.Map{Tables: []columns.TableMap{}}
	for i := range a.Tables {
		if len(a.Tables[i].Columns) > 0 {
			m.Tables = append(m.Tables, a.Tables[i].tableMap())
		}
	}
	haveOne := func(value func(columns.TableMap) any) bool {
		return !slices.ContainsFunc(m.Tables, func(t columns.TableMap) bool {
			return !reflect.DeepEqual(value(t), value(m.Tables[0]))
		})
	}
	oneFile := haveOne(func(t columns.TableMap) any { return t.File })
	oneSheet := haveOne(func(t columns.TableMap) any { return t.Sheet })
	alike := len(m.Tables) == len(a.Tables) &&
		haveOne(func(t columns.TableMap) any { t.File, t.Sheet = "", ""; return t })
	if alike {
		m.Tables = m.Tables[:min(1, len(m.Tables))]
	}
	for i := range m.Tables {
		t := &m.Tables[i]
		if alike || oneFile {
			t.File = ""
		}
		if alike && !oneSheet {
			t.Sheet = ""
		}
	}
	return m
}

// tableMap returns the map for this table. If several columns have the same name, the first applies, as in
// the table.
func (a *AccountEntry) tableMap() columns.TableMap {
	t := columns.TableMap{
		File: columns.Literally(filepath.Base(a.Input)), Sheet: columns.Literally(a.Sheet),
		Layout: a.Layout, Header: a.Header, Quantity: a.Quantity, Manufacturer: a.Manufacturer, SourceKind: a.SourceKind,
	}
	own := len(a.Columns) - a.contexts
	seen := map[string]bool{}
	for _, c := range a.Columns[:own] {
		if !seen[c.Header] {
			t.Columns = append(t.Columns, columns.MapColumn{Header: c.Header, Meaning: c.Became})
		}
		seen[c.Header] = true
	}
	for _, c := range a.Columns[own:] { // a context row of a transposed table replaces its column
		if i := slices.Index(t.Columns, columns.MapColumn{Header: c.Header, Meaning: columns.MapMeta}); i >= 0 {
			t.Columns[i].Meaning = c.Became
		}
	}
	return t
}
