package table

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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

func TestWhatIsWrongWithAMap(t *testing.T) {
	table := func(members string) string {
		return "{\"tables\": [\n{\"layout\": \"across\", \"header_rows\": [1], \"columns\": {\"a\": \"label\"}},\n{" + members + "}]}"
	}
	with := func(columns string) string {
		return table("\"layout\": \"across\", \"header_rows\": [1], \"columns\": {\n" + columns + "}")
	}
	for _, test := range []struct{ rule, text, want string }{
		{"no JSON", "{\"tables\":\n [}", `m.json:2: not JSON: expected a value`},
		{"nothing", "", `m.json:1: not JSON: expected a value`},
		{"no object", `[]`, `m.json:1: expected an object, got "[]"`},
		{"no tables", `{}`, `m.json:1: expected a member "tables"`},
		{"an empty list", `{"tables": []}`, `m.json:1: tables: expected the tables of the map, one at least, got "[]"`},
		{"a member that there is not", `{"table": [], "tables": null}`, `m.json:1: there is no member "table", the nearest is "tables"|m.json:1: expected a member "tables"`},
		{"a member of a table that there is not", table(`"layout": "long", "header_rows": [2], "columns": {"a": "label"}, "colums": {}`), `m.json:3: tables[1]: there is no member "colums", the nearest is "columns"`},
		{"a member that is missing", table(`"columns": {"a": "label"}`), `m.json:3: tables[1]: expected a member "layout"|m.json:3: tables[1]: expected a member "header_rows"`},
		{"a key that stands twice", with(`"a": "label", "a": "slug"`), `m.json: tables[1].columns.a: the key stands twice`},
		{"a layout", `{"tables": [{"layout": "down", "header_rows": [1], "columns": {"a": "label"}}]}`, `m.json:1: tables[0].layout: expected across, transposed or long, got "down"`},
		{"a quantity", table(`"layout": "long", "header_rows": [2], "columns": {"a": "label"}, "quantity": "alpha_w"`), `m.json:3: tables[1].quantity: expected alpha_s, alpha_p, scatter, diffusion, normalized_diffusion, directional_diffusion or normalized_directional_diffusion, got "alpha_w"`},
		{"a source kind", table(`"layout": "long", "header_rows": [2], "columns": {"a": "label"}, "source_kind": 1`), `m.json:3: tables[1].source_kind: expected measured, literature or simulated, got "1"`},
		{"a pattern", table(`"layout": "long", "header_rows": [2], "columns": {"a": "label"}, "sheet": "[a"`), `m.json:3: tables[1].sheet: expected a name, with * for any characters and ? for any one; a \ stands before a *, ? or [ of the name itself, got "[a"`},
		{"header rows that descend, and none", `{"tables": [{"layout": "long", "header_rows": [2, 1], "columns": {"a": "label"}}, {"layout": "long", "header_rows": [0], "columns": {"a": "label"}}]}`,
			`m.json:1: tables[0].header_rows[1]: expected the 1-based numbers of the rows that name the columns, ascending, got "1"|m.json:1: tables[1].header_rows[0]: expected the 1-based numbers of the rows that name the columns, ascending, got "0"`},
		{"no columns", `{"tables": [{"layout": "long", "header_rows": [2], "columns": {}}]}`, `m.json:1: tables[0].columns: expected the columns of the table, an object of each one's name to what it is, got "{}"`},
		{"a column that is nothing known", with(`"a": "label",` + "\n" + `"125": "lable"`), `m.json:5: tables[1].columns["125"]: expected a field such as "label" or "thickness_mm", or a quantity with its band such as "alpha_s 125 Hz", got "lable", the nearest is "label"`},
		{"a column that is no text", with(`"a": 1`), `m.json:4: tables[1].columns["a"]: expected a text that is not empty, got "1"`},
		{"two columns of one field", with(`"a": "label", "b": "label"`), `m.json:4: tables[1].columns["b"]: "a" is "label" already, expected each once`},
		{"two columns of one band", with(`"a": "alpha_s 125 Hz", "b": "alpha_s 125 Hz %", "c": "alpha_s 250 Hz"`), `m.json:4: tables[1].columns["b"]: "a" is "alpha_s 125 Hz" already, expected each once`},
		{"set-ups side by side have each band once", with(`"A 125": "alpha_s 125 Hz", "A 250": "alpha_s 250 Hz", "E 125": "alpha_s 125 Hz", "E 250": "alpha_s 250 Hz"`), ""},
		{"columns that go to structured_meta or nowhere may be many", with(`"a": "structured_meta", "b": "structured_meta", "c": "-", "d": "-", "e": "label"`), ""},
		{"too many tables", `{"tables": [{}` + strings.Repeat(",{}", maxMapTables) + `]}`, `m.json:1: tables: expected at most 1000 elements, got 1001`},
		{"too many header rows", table(`"layout": "long", "header_rows": [1` + strings.Repeat(",1", maxMapRows) + `], "columns": {"a": "label"}`),
			`m.json:3: tables[1].header_rows: expected at most 100 elements, got 101`},
		{"a long name of a column", with(`"` + strings.Repeat("a", maxMapName+1) + `": "label", "b": "slug"`),
			`m.json:4: tables[1].columns: expected the name of a column of at most 4096 bytes, got "` + strings.Repeat("a", 100) + `…"`},
		{"more faults than are reported", `{"tables": 1` + manyMembers(150) + `}`, manyFaults(100)},
		{"a band of both resolutions", with(`"a": "alpha_s_octave 125 Hz", "b": "alpha_s_third_octave 125 Hz"`), ""},
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

// manyMembers returns so many members that no map has, each on a line of its own.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",\n\"m%d\": 1", i)
	}
	return b.String()
}

// manyFaults returns what is reported of 150 such members after a fault in line 1, of which so many in all are told.
func manyFaults(n int) string {
	faults := []string{`m.json:1: tables: expected the tables of the map, one at least, got "1"`}
	for i := range n - 1 {
		faults = append(faults, fmt.Sprintf(`m.json:%d: there is no member "m%d"; there are tables`, i+2, i))
	}
	return strings.Join(append(faults, "m.json: 51 more faults"), "|")
}

func TestMapsInTheDocumentationAreMaps(t *testing.T) {
	text, err := os.ReadFile("../../../docs/table-map.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```json\n")[1:]
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		if _, err := parseMap("docs/table-map.md", []byte(block)); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
	}
	if len(blocks) == 0 {
		t.Error("no map")
	}
}

func TestMapOfASheet(t *testing.T) {
	m := &Map{Tables: []MappedTable{{File: "a*.csv"}, {Sheet: "Absorber"}, {File: "b.xlsx", Sheet: "Stand ??"}, {File: literally("c[1].csv")}}}
	for _, test := range []struct {
		file, sheet string
		want        int
	}{
		{"/lists/a-2026.csv", "", 0}, {"b.xlsx", "Absorber", 1}, {"b.xlsx", "Stand 11", 2}, {"b.xlsx", "Stand 2", -1}, {"c[1].csv", "", 3}, {"c1.csv", "", -1},
	} {
		got := m.of(test.file, test.sheet)
		if test.want < 0 && got != nil || test.want >= 0 && (len(got) != 1 || got[0] != &m.Tables[test.want]) {
			t.Errorf("%s, sheet %q: got %+v, want table %d", test.file, test.sheet, got, test.want)
		}
	}
	if (*Map)(nil).of("a.csv", "") != nil {
		t.Error("a table of no map")
	}
}

func TestAccountNamesSheetsAndFilesOnlyWhereItMust(t *testing.T) {
	table := func(input, sheet, header string) ToldTable {
		return ToldTable{Input: input, Sheet: sheet, Layout: Across, Header: []int{1}, Columns: []ToldColumn{{Header: header, Became: "label"}}}
	}
	note := ToldTable{Input: "x/a.xlsx", Sheet: "Hinweise"}
	for _, test := range []struct {
		rule   string
		tables []ToldTable
		want   string // file, sheet of each
	}{
		{"one table", []ToldTable{table("a.csv", "", "Name")}, "/"},
		{"a sheet", []ToldTable{table("x/a.xlsx", "Neu", "Name")}, "/Neu"},
		{"a sheet among others that are no tables", []ToldTable{table("x/a.xlsx", "Neu", "Name"), note}, "/Neu"},
		{"sheets that are alike", []ToldTable{table("x/a.xlsx", "Neu", "Name"), table("x/a.xlsx", "Alt", "Name")}, "/"},
		{"sheets that are alike, and a note", []ToldTable{table("x/a.xlsx", "Neu", "Name"), note, table("x/a.xlsx", "Alt", "Name")}, "/Neu /Alt"},
		{"sheets that differ", []ToldTable{table("x/a.xlsx", "Neu", "Name"), table("x/a.xlsx", "Alt", "Titel")}, "/Neu /Alt"},
		{"files that are alike", []ToldTable{table("a.csv", "", "Name"), table("b.csv", "", "Name")}, "/"},
		{"files that differ", []ToldTable{table("x/a.csv", "", "Name"), table("b*.csv", "", "Titel")}, `a.csv/ b\*.csv/`},
		{"one sheet of files", []ToldTable{table("a.xlsx", "Neu", "Name"), table("b.xlsx", "Neu", "Name")}, "/Neu"},
	} {
		var got []string
		for _, m := range (&Account{Tables: test.tables}).Map().Tables {
			got = append(got, m.File+"/"+m.Sheet)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func FuzzMap(f *testing.F) {
	f.Add([]byte(wholeMap))
	f.Add([]byte(`{"tables": [{"header_rows": [1e300, -1], "columns": {"": "", "a": null}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMap("m.json", text)
		if err == nil && len(m.Tables) == 0 {
			t.Error("a map without tables and without an error")
		}
	})
}
