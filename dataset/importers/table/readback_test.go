package table_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/table"
)

// imported returns the records from tables, with faults and warnings.
func imported(t *testing.T, o table.Options, inputs ...dataset.Input) (records, messages []string) {
	t.Helper()
	r := dataset.NewReader([]dataset.Input{table.Input(inputs, o)})
	for raw, err := range r.Records() {
		if err != nil {
			messages = append(messages, err.Error())
			continue
		}
		parsed := dataset.Parse(raw)
		for _, f := range append(parsed.Faults, parsed.Warnings...) {
			messages = append(messages, f.Error())
		}
		records = append(records, string(raw.JSON))
	}
	for _, f := range r.Warnings() {
		messages = append(messages, f.Error())
	}
	return records, messages
}

// sameJSON compares records with expected ones, ignoring the order of members.
func sameJSON(t *testing.T, got []string, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte("["+strings.Join(got, ",")+"]"), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), want)
	}
}

func TestTheTemplateImportsWithoutMessages(t *testing.T) {
	records, messages := imported(t, table.Options{}, bytesInput("table.csv", []byte(table.Template)))
	if len(messages) > 0 {
		t.Errorf("messages: %s", strings.Join(messages, "\n"))
	}
	sameJSON(t, records, `[{
		"id": "11493a8e-1347-55a6-9bd6-d6473873311c", "label": "Deckensegel 600", "manufacturer": "Beispiel Akustik",
		"description": "Segel aus Polyestervlies",
		"material_category": "textil", "absorption_character": "breitband", "installation_types": ["ceiling"], "fire_class": "B",
		"url": "https://example.org/deckensegel-600",
		"structured_meta": {"Artikelnummer": "BS-600", "Prüfdatum": "2026-01-31", "Prüfinstitut": "Beispiel Prüfstelle"},
		"measurements": {"absorption_iso_354": [
			{"id": "abs-e-200-t40-g160", "source_kind": "measured", "mounting": "E-200", "thickness_mm": 40, "air_gap_mm": 160,
				"alpha_s_octave": {"125": 0.25, "250": 0.55, "500": 0.85, "1000": 0.95, "2000": 0.95, "4000": 0.9}},
			{"id": "abs-e-400-t40-g360", "source_kind": "measured", "mounting": "E-400", "thickness_mm": 40, "air_gap_mm": 360,
				"alpha_s_octave": {"125": 0.4, "250": 0.65, "500": 0.8, "1000": 0.95, "2000": 0.95, "4000": 0.9}}]}}]`)
}

// TestTheExplorersTableReadsBack reads the file with which the explorer's tests compare their table.
func TestTheExplorersTableReadsBack(t *testing.T) {
	text, err := os.ReadFile("testdata/explorer.csv")
	if err != nil {
		t.Fatal(err)
	}
	records, messages := imported(t, table.Options{}, bytesInput("explorer.csv", text))
	if want := "negative"; len(messages) != 2 || !strings.Contains(strings.Join(messages, ""), want) {
		t.Errorf("messages: %s", strings.Join(messages, "\n"))
	}
	sameJSON(t, records, `[{
		"id": "5b1c2a53-7f0e-4c3e-9a51-0d6b7a4f0c11", "slug": "paneel-40", "label": "Paneel; 40", "manufacturer": "M",
		"installation_types": ["wall", "ceiling"], "alpha_w": 0.9, "alpha_w_min": 0, "structured_meta": {"Farbe": "weiß"},
		"measurements": {"absorption_iso_354": [
			{"id": "b", "label": "Absorption 1", "source_kind": "measured", "source_norm": "ISO 354", "mounting": "E", "thickness_mm": 40.5,
				"alpha_s_octave": {"125": 0.25, "250": 0.55, "500": 0.85, "1000": 0.95, "2000": 0.95, "4000": 0.9}},
			{"id": "a", "label": "Absorption 1", "source_kind": "measured", "source_norm": "ISO 354", "mounting": "", "thickness_mm": 40.5, "air_gap_mm": 200,
				"alpha_s_third_octave": {"100": 0.1, "125": 1e-7, "5000": -0.05}}]}}]`)
}

// TestAMapGivesTheSameProducts writes the map for each table, reads it, and imports the table with it.
func TestAMapGivesTheSameProducts(t *testing.T) {
	for _, test := range []struct{ what, name, text string }{
		{"wide, below titles and two rows of header", "wide.csv", "Preisliste 2026;;;;;;\n\n;;;;αs;;\n" +
			"Bezeichnung;Dicke [cm];Lager;Farbe;125 Hz;250 Hz;500 Hz\nA;4;x;rot;0,1;0,2;0,3\nB;5;y;blau;0,4;0,5;0,6\n"},
		{"percentages", "percent.csv", "Bezeichnung;125 Hz [%];250 Hz [%]\nA;10;20\n"},
		{
			"practical coefficients and a rating", "octaves.csv",
			"Name;αp 125;αp 250;αp 500;αp 1000;αp 2000;αp 4000;αw\nA;0,1;0,2;0,3;0,4;0,5;0,6;0,35(H)\n",
		},
		{"transposed", "transposed.csv", "Frequenz;A;B\n125;0,1;0,2\n250;0,3;0,4\n500;0,5;0,6\n"},
		{"long", "long.csv", "Produkt;Frequenz [Hz];αs\nA;125;0,1\nA;250;0,2\nB;125;0,3\n"},
		{
			"two tables, one below the other", "two.csv",
			"Produkt;125;250\nA;0,1;0,2\n\nStreugrad\nProdukt;400;500\nA;0,3;0,4\n",
		},
		{
			"the facts of all products of a transposed table", "said.csv",
			"Hersteller;Acme;\nFrequenz;A;B\n125;0,1;0,2\n250;0,3;0,4\n500;0,5;0,6\n",
		},
		{"our own export", "export.csv",
			"id;label;manufacturer;structured_meta;entry_number;norm;empty;alpha_s_octave 125 Hz\n" +
				"5b1c2a53-7f0e-4c3e-9a51-0d6b7a4f0c11;A;M;\"{\"\"a\"\":\"\"b\"\"}\";1;ISO 354;;0,5\n"},
		{"scattering, by its title", "scatter.csv", "Streugrade\nProdukt;400;500;630\nA;0,1;0,2;0,3\n"},
	} {
		in := bytesInput(test.name, []byte(test.text))
		var account table.Account
		want, messages := imported(t, table.Options{Manufacturer: "M", Account: &account}, in)
		if len(want) == 0 {
			t.Errorf("%s: no record, messages %q", test.what, messages)
			continue
		}
		file := filepath.Join(t.TempDir(), "map.json")
		if err := account.Map().Write(file); err != nil {
			t.Fatal(err)
		}
		m, err := columns.ReadMap(file)
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		got, messagesAgain := imported(t, table.Options{Map: m}, in)
		messages = slices.DeleteFunc(messages, func(text string) bool { // as the map requires
			return strings.Contains(text, "unknown columns") || strings.Contains(text, "unless a map includes them")
		})
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(messagesAgain, messages) {
			text, _ := os.ReadFile(file)
			t.Errorf("%s: with %s\ngot  %s\n%s\nwant %s\n%s", test.what, text, strings.Join(got, "\n"),
				strings.Join(messagesAgain, "\n"), strings.Join(want, "\n"), strings.Join(messages, "\n"))
		}
	}
}

func TestMaps(t *testing.T) {
	const mapped = `"layout": "across", "header_rows": [1], "columns": {"a": "label", "b": "alpha_s_octave 500 Hz"}`
	cells := func(lines ...string) (table [][]string) {
		for _, line := range lines {
			table = append(table, strings.Split(line, ";"))
		}
		return table
	}
	csv := func(lines ...string) dataset.Input {
		return bytesInput("list.csv", []byte(strings.Join(lines, "\n")+"\n"))
	}
	book := func(tables ...[][]string) dataset.Input { return xlsxInput("list.xlsx", tables) }
	for _, test := range []struct {
		rule, tables   string
		in             dataset.Input
		want, messages string
	}{
		{"the map defines a column with any name", `{"layout": "across", "header_rows": [2], "manufacturer": "M", "source_kind": "measured",
			"columns": {"Farbe": "label", "x": "alpha_s_octave 500 Hz %", "Name": "-", "Dicke": "structured_meta"}}`,
			csv("Liste;;", "Farbe;Name;x;Dicke", "rot;A;20;4"),
			`{"label":"rot","manufacturer":"M","structured_meta":{"Dicke":"4"},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"measured","alpha_s_octave":{"500":0.2}}]}}`,
			`list.csv:2[A2]: unused cells: A1 "Liste"`},
		{"the quantity is not guessed",
			`{"layout": "across", "header_rows": [2], "quantity": "scatter", "manufacturer": "M", "columns": {"a": "label", "b": "octave 500 Hz"}}`,
			csv("Absorptionsgrade", "a;b", "A;0,2"),
			`{"label":"A","manufacturer":"M","measurements":{"scatter_iso_17497_1":[{"id":"sca","source_kind":"literature","scatter_octave":{"500":0.2}}]}}`, ""},
		{"a column that the map lacks is kept and named", `{` + mapped + `, "manufacturer": "M"}`, csv("a;b;c", "A;0,2;d"),
			`{"label":"A","manufacturer":"M","structured_meta":{"c":"d"},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.2}}]}}`,
			`list.csv:1[A1]: unknown columns are published in structured_meta under their names: "c"`},
		{"a column that the table lacks",
			`{"layout": "across", "header_rows": [1], "columns": {"a": "label", "Dicke [mm]": "thickness_mm", "z": "-"}}`,
			csv("a;b;Dicke (mm)", "A;0,2;40"), "",
			`list.csv: expected the columns of the map in row 1, found none called "Dicke [mm]" (the nearest is "Dicke (mm)"), "z"; columns not in the map: "b", "Dicke (mm)"`},
		{
			"no columns from the map", `{` + mapped + `}`, csv("c;d", "A;0,2"), "",
			`list.csv: expected the columns of the map in row 1, found none of them`,
		},
		{"no such row", `{"layout": "across", "header_rows": [1, 9], "columns": {"a": "label"}}`, csv("a;b", "A;0,2"), "",
			`list.csv: expected the columns of the map in rows 1, 9, found none of them`},
		{
			"no table for the file", `{"file": "other*.csv", ` + mapped + `}`, csv("a;b", "A;0,2"), "",
			`list.csv: the map has no table for this file`,
		},
		{"sheets that are no tables of the map are passed over and named", `{"manufacturer": "M", ` + mapped + `}`,
			book(cells("note"), cells("a;b", "A;0.2")),
			`{"label":"A","manufacturer":"M","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.2}}]}}`,
			`list.xlsx: skipped: sheet "Sheet1" (no columns from the map)`},
		{"a sheet that the map names and is another one", `{"sheet": "Sheet1", ` + mapped + `}`, book(cells("note")), "",
			`list.xlsx[Sheet1]: expected the columns of the map in row 1, found none of them`},
		{"a sheet that the map does not name", `{"manufacturer": "M", "sheet": "*2", ` + mapped + `}`,
			book(cells("a;b", "B;0.2"), cells("a;b", "A;0.2")),
			`{"label":"A","manufacturer":"M","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.2}}]}}`,
			`list.xlsx: skipped: sheet "Sheet1" (not in the map)`},
	} {
		file := filepath.Join(t.TempDir(), "map.json")
		if err := os.WriteFile(file, []byte(`{"tables": [`+test.tables+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := columns.ReadMap(file)
		if err != nil {
			t.Errorf("%s: %v", test.rule, err)
			continue
		}
		records, messages := imported(t, table.Options{Map: m}, test.in)
		for i, r := range records {
			_, r, _ = strings.Cut(r, ",") // the id
			records[i] = "{" + r
		}
		if got, messages := strings.Join(records, "\n"), strings.Join(messages, "\n"); got != test.want ||
			messages != test.messages {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s\n%s", test.rule, got, messages, test.want, test.messages)
		}
	}
}
