package products_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/products"
	"sabine/dataset/product"
)

// rowsOf parses a table in a test: cells separated by "|". The first line contains field names, and bands
// such as "alpha_s_octave 500". A band without a resolution ("alpha_s 500") makes it a long table. All other
// names are unknown columns. Cells are in the form that package cells returns.
func rowsOf(name, text string) (rows []*cells.Row) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	t := &layout.Table{Input: name, Long: strings.Contains(lines[0], "alpha_s ")}
	for header := range strings.SplitSeq(lines[0], "|") {
		c := columns.Parse(strings.TrimSpace(header))
		if c.Field != columns.None && string(c.Field) != c.Header {
			c = columns.Column{Header: c.Header}
		}
		t.Columns = append(t.Columns, layout.Column{Column: c})
	}
	for i, line := range lines[1:] {
		rows = append(rows, rowOf(t, i+2, strings.Split(strings.TrimSpace(line), "|")))
	}
	return rows
}

func rowOf(t *layout.Table, number int, texts []string) *cells.Row {
	r := &cells.Row{Table: t, Number: number, Line: number}
	var others []cells.Value
	for i, text := range texts {
		text, c := strings.TrimSpace(text), t.Columns[i].Column
		if text == "" {
			continue
		}
		v, _ := strconv.ParseFloat(text, 64)
		value := cells.Value{Field: c.Field, Text: text, Header: c.Header, Cell: i + 1}
		switch {
		case c.BandHz > 0:
			of := func(k cells.Curve) bool { return k.Quantity == c.Quantity && k.Resolution == c.Resolution }
			n := slices.IndexFunc(r.Curves, of)
			if n < 0 {
				n, r.Curves = len(r.Curves), append(r.Curves, cells.Curve{Quantity: c.Quantity, Resolution: c.Resolution})
			}
			r.Curves[n].Points = append(r.Curves[n].Points, acoustics.Point{BandHz: c.BandHz, Value: v})
		case c.Field == columns.Thickness:
			r.Thickness = cells.Length{MM: v, Known: true}
		case c.Field == columns.AirGap:
			r.AirGap = cells.Length{MM: v, Known: true}
		case c.Field == columns.OverallDepth:
			r.Depth = cells.Length{MM: v, Known: true}
			others = append(others, cells.Value{Text: text + " mm", Header: c.Header, Cell: i + 1})
		case c.Field == columns.None:
			others = append(others, value)
		default:
			r.Values = append(r.Values, value)
		}
	}
	r.Values = append(r.Values, others...)
	return r
}

// An outcome is the result for some rows.
type outcome struct {
	results          []products.Result
	records          []string // JSON
	faults, warnings []string // with their places: from the rows, and from the checks of each record
}

// outcomeOf makes products from rows, and checks their records as a build does.
func outcomeOf(t testing.TB, o products.Options, rows ...*cells.Row) (out outcome) {
	t.Helper()
	s := products.New(o)
	for _, r := range rows {
		s.Add(r)
	}
	checker := dataset.NewChecker()
	for r := range s.Products() {
		if r.Product != nil { // valid until the next result
			kept := *r.Product
			kept.Label, kept.Description = slices.Clone(kept.Label), slices.Clone(kept.Description)
			kept.Measurements.Absorption = slices.Clone(kept.Measurements.Absorption)
			r.Product = &kept
		}
		out.results = append(out.results, r)
		if r.Product == nil {
			out.take(r.Faults, r.Warnings)
			continue
		}
		record := product.AppendSource(nil, r.Product)
		parsed := dataset.Parse(dataset.Raw{Place: r.Place, JSON: record, Faults: r.Faults, Warnings: r.Warnings})
		out.take(parsed.Faults, parsed.Warnings)
		if len(parsed.Unknown) > 0 || !json.Valid(record) {
			t.Errorf("unknown fields %q in %s", parsed.Unknown, record)
		}
		if parsed.Product != nil {
			out.take(checker.Add(r.Place, parsed.Product))
		}
		out.records = append(out.records, string(record))
	}
	out.take(nil, s.Warnings())
	return out
}

func (out *outcome) take(faults, warnings []dataset.Fault) {
	for i := range faults {
		out.faults = append(out.faults, faults[i].Error())
	}
	for i := range warnings {
		out.warnings = append(out.warnings, warnings[i].Error())
	}
}

// expect compares the result for some rows with the expected one.
func (out *outcome) expect(t *testing.T, faults, warnings []string) {
	t.Helper()
	if !slices.Equal(out.faults, faults) {
		t.Errorf("got faults\n%s\nwant\n%s", strings.Join(out.faults, "\n"), strings.Join(faults, "\n"))
	}
	if !slices.Equal(out.warnings, warnings) {
		t.Errorf("got warnings\n%s\nwant\n%s", strings.Join(out.warnings, "\n"), strings.Join(warnings, "\n"))
	}
}

// sameJSON compares a record without its id with JSON, ignoring the order of members.
func sameJSON(t *testing.T, record, want string) {
	t.Helper()
	var got, expected map[string]any
	if err := json.Unmarshal([]byte(record), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		t.Fatalf("%v: %s", err, want)
	}
	if _, ok := expected["id"]; !ok {
		delete(got, "id")
	}
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("got\n%s\nwant\n%s", record, want)
	}
}
