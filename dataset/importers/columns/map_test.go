package columns

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
)

const wholeMap = `{
  "tables": [
    {
      "file": "decken-*.xlsx",
      "sheet": "Stand \\[1\\]",
      "layout": "transposed",
      "header_rows": [
        3,
        4
      ],
      "quantity": "alpha_p",
      "label": "Beispiel 40",
      "manufacturer": "Beispiel & Söhne",
      "source_kind": "measured",
      "columns": {
        "Name <neu>": "label",
        "Dicke [mm]": "thickness_mm",
        "125 Hz": "alpha_s 125 Hz",
        "Bemerkung": "structured_meta",
        "intern": "-"
      }
    },
    {
      "layout": "across",
      "header_rows": [
        1
      ],
      "columns": {
        "b": "label",
        "a": "manufacturer"
      }
    }
  ]
}
`

func TestMapIsWrittenAsItIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "map.json")
	if err := os.WriteFile(file, []byte("\uFEFF"+wholeMap), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := ReadMap(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Tables[1].Columns; !reflect.DeepEqual(got, MapColumns{{"b", "label"}, {"a", "manufacturer"}}) {
		t.Errorf("columns %v", got)
	}
	if err := m.Write(file); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != wholeMap {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestFaultsOfMaps(t *testing.T) {
	table := func(members string) string {
		const first = `{"layout": "across", "header_rows": [1], "columns": {"a": "label"}}`
		return "{\"tables\": [\n" + first + ",\n{" + members + "}]}"
	}
	with := func(columns string) string {
		return table("\"layout\": \"across\", \"header_rows\": [1], \"columns\": {\n" + columns + "}")
	}
	const members = `"layout": "long", "header_rows": [2], "columns": {"a": "label"}, `
	const rows = "expected ascending 1-based numbers of the rows that name the columns, got "
	for _, test := range []struct{ rule, text, want string }{
		{"no JSON", "{\"tables\":\n [}", `m.json:2: invalid JSON: expected a value`},
		{"nothing", "", `m.json:1: invalid JSON: expected a value`},
		{"no object", `[]`, `m.json:1: expected an object, got "[]"`},
		{"no tables", `{}`, `m.json:1: missing member "tables"`},
		{"more than 1 MiB", strings.Repeat(" ", maxMapBytes+1), `m.json:1: the map exceeds the limit of 1 MiB`},
		{"more than 1 MiB with a byte order mark", "\uFEFF" + strings.Repeat(" ", maxMapBytes-2),
			`m.json:1: the map exceeds the limit of 1 MiB`},
		{"an empty list", `{"tables": []}`, `m.json:1: tables: expected an array of at least one table, got "[]"`},
		{"an unknown member", `{"table": [], "tables": null}`,
			`m.json:1: unknown member "table"; the nearest is "tables"|m.json:1: missing member "tables"`},
		{"an unknown member of a table", table(members + `"colums": {}`),
			`m.json:3: tables[1]: unknown member "colums"; the nearest is "columns"`},
		{"an unknown member that is like none", table(members + `"xyz": {}`),
			`m.json:3: tables[1]: unknown member "xyz"; known members: columns, file, header_rows, label, layout, ` +
				`manufacturer, quantity, sheet, source_kind`},
		{"a missing member", table(`"columns": {"a": "label"}`),
			`m.json:3: tables[1]: missing member "layout"|m.json:3: tables[1]: missing member "header_rows"`},
		{"a key twice", with(`"a": "label", "a": "slug"`), `m.json: tables[1].columns.a: duplicate key`},
		{"a layout", `{"tables": [{"layout": "down", "header_rows": [1], "columns": {"a": "label"}}]}`,
			`m.json:1: tables[0].layout: expected across, transposed or long, got "down"`},
		{"a quantity", table(members + `"quantity": "alpha_w"`),
			`m.json:3: tables[1].quantity: expected alpha_s, alpha_p, scatter, diffusion, normalized_diffusion, ` +
				`directional_diffusion or normalized_directional_diffusion, got "alpha_w"`},
		{"a source kind", table(members + `"source_kind": 1`),
			`m.json:3: tables[1].source_kind: expected measured, literature or simulated, got "1"`},
		{"a label that is empty", table(members + `"label": ""`),
			`m.json:3: tables[1].label: expected a non-empty string, got "\"\""`},
		{"a pattern", table(members + `"sheet": "[a"`), `m.json:3: tables[1].sheet: expected a name pattern (* for any characters, ? for one character, \ before a literal *, ? or [), got "[a"`},
		{"header rows that descend, and none", `{"tables": [{"layout": "long", "header_rows": [2, 1], "columns": ` +
			`{"a": "label"}}, {"layout": "long", "header_rows": [0], "columns": {"a": "label"}}]}`,
			`m.json:1: tables[0].header_rows[1]: ` + rows + `"1"|m.json:1: tables[1].header_rows[0]: ` + rows + `"0"`},
		{"no header rows", `{"tables": [{"layout": "long", "header_rows": [], "columns": {"a": "label"}}]}`,
			`m.json:1: tables[0].header_rows: ` + rows + `"[]"`},
		{"a header row beyond all sheets",
			`{"tables": [{"layout": "long", "header_rows": [1048577], "columns": {"a": "id"}}]}`,
			`m.json:1: tables[0].header_rows[0]: ` + rows + `"1048577"`},
		{"no columns", `{"tables": [{"layout": "long", "header_rows": [2], "columns": {}}]}`,
			`m.json:1: tables[0].columns: ` +
				`expected an object that maps column names to fields or bands, got "{}"`},
		{"an unknown column", with(`"a": "label",` + "\n" + `"125": "lable"`), `m.json:5: tables[1].columns["125"]: ` +
			`expected a field such as "label" or "thickness_mm", or a quantity with its band such as ` +
			`"alpha_s 125 Hz", got "lable"; the nearest is "label"`},
		{"a column that is no text", with(`"a": 1`),
			`m.json:4: tables[1].columns["a"]: expected a non-empty string, got "1"`},
		{"two columns of one field", with(`"a": "label", "b": "label"`),
			`m.json:4: tables[1].columns["b"]: "a" is already mapped to "label": expected each field and band only once`},
		{"two columns of one band", with(`"a": "alpha_s 125 Hz", "b": "alpha_s 125 Hz %", "c": "alpha_s 250 Hz"`),
			`m.json:4: tables[1].columns["b"]: "a" is already mapped to "alpha_s 125 Hz": expected each field and band only once`},
		{"set-ups side by side have each band once", with(`"A 125": "alpha_s 125 Hz", "A 250": "alpha_s 250 Hz", ` +
			`"E 125": "alpha_s 125 Hz", "E 250": "alpha_s 250 Hz"`), ""},
		{"columns that go to structured_meta or nowhere may be many",
			with(`"a": "structured_meta", "b": "structured_meta", "c": "-", "d": "-", "e": "label"`), ""},
		{"a band of both resolutions", with(`"a": "alpha_s_octave 125 Hz", "b": "alpha_s_third_octave 125 Hz"`), ""},
		{"too many tables", `{"tables": [{}` + strings.Repeat(",{}", maxMapTables) + `]}`,
			`m.json:1: tables: expected at most 1000 elements, got 1001`},
		{"too many header rows", table(`"layout": "long", "header_rows": [1` + strings.Repeat(",1", maxMapRows) +
			`], "columns": {"a": "label"}`), `m.json:3: tables[1].header_rows: expected at most 100 elements, got 101`},
		{"a long name of a column", with(`"` + strings.Repeat("a", maxMapName+1) + `": "label", "b": "slug"`),
			`m.json:4: tables[1].columns: expected a column name of at most 4096 bytes, got "` +
				strings.Repeat("a", 100) + `…"`},
		{"more faults than are reported", `{"tables": 1` + manyMembers(150) + `}`, manyFaults(100)},
	} {
		_, err := parseMap("m.json", []byte(test.text))
		var got []string
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range joined.Unwrap() {
				var fault *dataset.Fault
				if !errors.As(err, &fault) {
					t.Errorf("%s: %v is no fault", test.rule, err)
				}
				got = append(got, err.Error())
			}
		}
		if got := strings.Join(got, "|"); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.rule, got, test.want)
		}
	}
}

// manyMembers returns n unknown members, one per line.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",\n\"m%d\": 1", i)
	}
	return b.String()
}

// manyFaults returns the messages for the members of manyMembers(150) and a fault in line 1; n are listed.
func manyFaults(n int) string {
	faults := []string{`m.json:1: tables: expected an array of at least one table, got "1"`}
	for i := range n - 1 {
		faults = append(faults, fmt.Sprintf(`m.json:%d: unknown member "m%d"; known members: tables`, i+2, i))
	}
	return strings.Join(append(faults, "m.json: 51 more faults"), "|")
}

func TestMapsInTheDocumentationAreMaps(t *testing.T) {
	text, err := os.ReadFile("../../../docs/tables.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```json\n")[1:]
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		if _, err := parseMap("docs/tables.md", []byte(block)); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
	}
	if len(blocks) == 0 {
		t.Error("no map")
	}
}

func TestASheetIsReadByTheFirstTablesThatFitIt(t *testing.T) {
	m := &Map{Tables: []TableMap{{File: "a*.csv"}, {Sheet: "Absorber"}, {File: "b.xlsx", Sheet: "Stand ??"},
		{File: Literally("c[1].csv")}, {Sheet: "Absorber", Label: "second"}}}
	for _, test := range []struct {
		file, sheet string
		want        []int
	}{
		{"/lists/a-2026.csv", "", []int{0}}, {"b.xlsx", "Absorber", []int{1, 4}}, {"b.xlsx", "Stand 11", []int{2}},
		{"b.xlsx", "Stand 2", nil}, {"c[1].csv", "", []int{3}}, {"c1.csv", "", nil},
	} {
		var got []int
		for _, table := range m.Of(test.file, test.sheet) {
			got = append(got, slices.IndexFunc(m.Tables, func(t TableMap) bool { return reflect.DeepEqual(t, *table) }))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s, sheet %q: got the tables %v, want %v", test.file, test.sheet, got, test.want)
		}
	}
	if none := (*Map)(nil); none.Of("a.csv", "") != nil || none.HasColumn("Name") {
		t.Error("a table of no map")
	}
}

// mapOf returns a map with one table, parsed from its columns.
func mapOf(t *testing.T, columns string) *TableMap {
	t.Helper()
	text := `{"tables": [{"layout": "across", "header_rows": [1], "columns": {` + columns + `}}]}`
	m, err := parseMap("m.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &m.Tables[0]
}

func TestColumnsOfAMap(t *testing.T) {
	m := mapOf(t, `"Titel": "label", "Dicke [mm]": "thickness_cm", "125": "alpha_s_octave 125 Hz %", "Farbe": "-",
		"EK-Preis": "structured_meta", "Rabatt": "-", "UVP": "description",
		"meta": "structured_meta", "Name": "structured_meta"`)
	for _, test := range []struct {
		rule string
		want Column
	}{
		{"a field", Column{Header: "Titel", Field: Label}},
		{"a unit of the map before the unit of the name", Column{Header: "Dicke [mm]", Field: Thickness, Unit: "cm"}},
		{"a band", Column{Header: "125", BandHz: 125, Quantity: AlphaS, Resolution: Octave, Percent: true}},
		{"a column that is not used", Column{Header: "Farbe", Ignored: true}},
		{"what a map takes is never private", Column{Header: "EK-Preis"}},
		{"nor is what it makes a field", Column{Header: "UVP", Field: Description}},
		{"a private column that is not used", Column{Header: "Rabatt", Ignored: true}},
		{"texts of our own export", Column{Header: "meta", Field: Meta}},
		{"a field of the name is none of the map", Column{Header: "Name"}},
		{"a column that the map does not have", Column{Header: "Hersteller"}},
		{"a private column that the map does not have", Column{Header: "Lagerbestand", Private: true}},
	} {
		if got := m.Column(test.want.Header); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.rule, got, test.want)
		}
	}
	all := &Map{Tables: []TableMap{*m}}
	if !all.HasColumn(" Titel ") || all.HasColumn("Hersteller") {
		t.Error("the names of a map")
	}
}

// TestAWrittenMapExcludesPrivateColumns checks a map written from a guess.
func TestAWrittenMapExcludesPrivateColumns(t *testing.T) {
	c := Parse("Listenpreis netto")
	m := mapOf(t, strconv.Quote(c.Header)+`: `+strconv.Quote(c.String()))
	if got := m.Column(c.Header); !got.Ignored {
		t.Errorf("got %+v", got)
	}
}

func TestAMapIsARegularFile(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none.json")} {
		if m, err := ReadMap(path); err == nil {
			t.Errorf("%s: got %+v", path, m)
		}
	}
}

func FuzzParseMap(f *testing.F) {
	f.Add([]byte(wholeMap))
	f.Add([]byte(`{"tables": [{"layout": "long", "header_rows": [1],
		"columns": {"f": "frequency", "a": "coefficient"}}]}`))
	f.Add([]byte(`{"tables": [{"header_rows": [1e300, -1], "columns": {"": "", "a": null}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMap("m.json", text)
		if err != nil {
			return
		}
		if len(m.Tables) == 0 {
			t.Fatal("a map without tables and without an error")
		}
		for i := range m.Tables {
			table := &m.Tables[i]
			for _, c := range table.Columns {
				got := table.Column(c.Header)
				is, ok := table.Lookup(c.Header)
				if !ok || cmp.Or(is.String(), MapMeta) != c.Meaning || got.Private || got.Header != c.Header {
					t.Errorf("the column %q is %+v", c.Header, got)
				}
			}
			if len(table.Columns) == 0 || len(table.Header) == 0 || table.Layout == "" {
				t.Errorf("%+v", table)
			}
		}
	})
}
