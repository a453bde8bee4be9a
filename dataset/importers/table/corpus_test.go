package table_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/dataset/product"
)

// corpus is the folder with the files: NAME.xlsx, NAME.csv or NAME.tsv, and NAME.want.json with the expected
// products. Their authors had not read this package. The half in held was not used to develop the rules.
const corpus = "testdata/corpus"

// A wanted file is the content of NAME.want.json. Only the members that it contains are compared.
type wanted struct {
	Options struct {
		Manufacturer string `json:"manufacturer"`
		Sheet        string `json:"sheet"`
		SourceKind   string `json:"source_kind"`
	} `json:"options"`
	Products []map[string]any `json:"products"`
	Faults   []finding        `json:"faults"`
	Warnings []finding        `json:"warnings"` // some of the warnings
}

// A finding is a part of a fault or a warning: the cell and the text.
type finding struct {
	Cell string `json:"cell"`
	Says string `json:"says"`
}

// isIn reports whether one of the messages contains the finding, ignoring case.
func (f finding) isIn(messages []string) bool {
	return slices.ContainsFunc(messages, func(got string) bool {
		return strings.Contains(got, f.Cell) && strings.Contains(strings.ToLower(got), strings.ToLower(f.Says))
	})
}

func TestFilesBecomeTheExpectedProducts(t *testing.T) {
	files := tablesIn(t, corpus)
	if len(files) < 60 {
		t.Fatalf("%d files, expected 60 or more", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(file, corpus+"/"), func(t *testing.T) {
			t.Parallel()
			holds(t, file)
		})
	}
}

// tablesIn returns the tables below a folder.
func tablesIn(t *testing.T, folder string) (files []string) {
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".want.json") {
			others, _ := filepath.Glob(strings.TrimSuffix(path, "want.json") + "*")
			others = slices.DeleteFunc(others, func(name string) bool { return name == path })
			if len(others) != 1 {
				t.Errorf("%s: expected one file next to it, got %q", path, others)
			}
			files = append(files, others...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// holds imports a file and compares the result.
func holds(t *testing.T, file string) {
	text, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".want.json")
	if err != nil {
		t.Fatal(err)
	}
	var want wanted
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	inputs, _, err := dataset.Inputs([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var account table.Account
	got, faults, warnings := readCorpus(t, table.Inputs(inputs, table.Options{
		Manufacturer: want.Options.Manufacturer, Sheet: want.Options.Sheet, SourceKind: want.Options.SourceKind,
		Account: &account,
	}))
	defer func() {
		if t.Failed() {
			t.Logf("warnings:\n%s", strings.Join(warnings, "\n"))
		}
	}()
	if want.Faults != nil {
		for _, f := range want.Faults {
			if !f.isIn(faults) {
				t.Errorf("no fault at %q with %q, but\n%s", f.Cell, f.Says, strings.Join(faults, "\n"))
			}
		}
		return
	}
	for _, w := range want.Warnings {
		if !w.isIn(warnings) {
			t.Errorf("no warning at %q with %q", w.Cell, w.Says)
		}
	}
	if len(faults) > 0 {
		t.Errorf("faults:\n%s", strings.Join(faults, "\n"))
	}
	if len(got) != len(want.Products) {
		t.Errorf("%d products, expected %d: %s", len(got), len(want.Products), labels(got))
	}
	// other files have a different vocabulary, and other sheets are not read
	if len(inputs) == 1 && want.Options.Sheet == "" {
		keepsEveryCell(t, file, got, warnings, &account)
	}
	for _, p := range want.Products {
		matches := slices.DeleteFunc(slices.Clone(got), func(r record) bool { return !isOf(r, p) })
		if len(matches) != 1 {
			t.Errorf("%d products are %v of %v with article number %v, expected one of %s", len(matches), p["label"],
				p["manufacturer"], p["article_number"], labels(got))
			continue
		}
		for _, difference := range differences(matches[0], p) {
			t.Errorf("%v: %s", p["label"], difference)
		}
	}
}

// A record is a source record as JSON.
type record map[string]any

// readCorpus returns the records from inputs, with faults and warnings.
func readCorpus(t *testing.T, inputs []dataset.Input) (records []record, faults, warnings []string) {
	reader := dataset.NewReader(inputs)
	for raw, err := range reader.Records() {
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		parsed := dataset.Parse(raw)
		for i := range parsed.Faults {
			faults = append(faults, parsed.Faults[i].Error())
		}
		for i := range parsed.Warnings {
			warnings = append(warnings, parsed.Warnings[i].Error())
		}
		if len(parsed.Unknown) > 0 {
			t.Errorf("unknown fields %q in %s", parsed.Unknown, raw.JSON)
		}
		var r record
		if err := json.Unmarshal(raw.JSON, &r); err != nil {
			t.Fatalf("%v: %s", err, raw.JSON)
		}
		records = append(records, r)
	}
	for _, w := range reader.Warnings() {
		warnings = append(warnings, w.Error())
	}
	return records, faults, warnings
}

func labels(records []record) string {
	var all []string
	for _, r := range records {
		all = append(all, fmt.Sprintf("%v (%v)", german(r["label"]), german(r["manufacturer"])))
	}
	return strings.Join(all, ", ")
}

// german returns a string, or an object's German text or name.
func german(v any) any {
	o, _ := v.(map[string]any)
	for _, key := range []string{"name", product.German} {
		if text, ok := o[key]; ok {
			return text
		}
	}
	return v
}

// meta returns a value in structured_meta.
func meta(r record, key string) any {
	values, _ := r["structured_meta"].(map[string]any)
	return values[key]
}

// isOf reports whether a record is for an expected product.
func isOf(r record, want map[string]any) bool {
	same := func(got any, key string) bool { return want[key] == nil || same(got, want[key]) }
	return same(german(r["label"]), "label") && same(german(r["manufacturer"]), "manufacturer") &&
		same(meta(r, "Artikelnummer"), "article_number")
}

// inMeta maps expected members to members of structured_meta.
var inMeta = map[string]string{
	"article_number": "Artikelnummer", "shape_indicators": "Formindikatoren", "nrc": "NRC", "saa": "SAA",
	"absorption_class": "Absorberklasse",
}

func differences(r record, want map[string]any) (all []string) {
	differ := func(what string, got, want any) {
		all = append(all, fmt.Sprintf("%s: got %v, want %v", what, got, want))
	}
	entries := entriesOf(r)
	for key, value := range want {
		switch key {
		case "label", "manufacturer":
		case "entries":
			list, _ := value.([]any)
			if len(list) != len(entries) {
				differ("number of entries", len(entries), len(list))
			}
			for _, e := range list {
				if e := e.(map[string]any); !slices.ContainsFunc(entries, func(got map[string]any) bool {
					return sameEntry(got, e)
				}) {
					differ("entry", text(entries), text(e))
				}
			}
		case "meta":
			for key, value := range value.(map[string]any) {
				if got := meta(r, key); !same(got, value) && !isOption(entries, value) {
					differ("structured_meta "+key, text(r["structured_meta"]), value)
				}
			}
		case "images":
			var addresses []any
			images, _ := r["images"].([]any)
			for _, image := range images {
				addresses = append(addresses, image.(map[string]any)["url"])
			}
			if !same(addresses, value) {
				differ(key, addresses, value)
			}
		case "geometry":
			var got map[string]any
			if g, ok := r["geometry"].(map[string]any); ok {
				got = map[string]any{"shape": g["shape"]}
				box, _ := g["bounding_box_mm"].(map[string]any)
				for side, mm := range box {
					got[side] = mm
				}
			}
			if !same(got, value) {
				differ(key, got, value)
			}
		default:
			got := german(r[key])
			if name, ok := inMeta[key]; ok {
				got = meta(r, name)
			}
			if !same(got, value) && !isOption(entries, value) {
				differ(key, got, value)
			}
		}
	}
	return all
}

// isOption reports whether a value is in a set-up's measuring option.
func isOption(entries []map[string]any, value any) bool {
	return slices.ContainsFunc(entries, func(e map[string]any) bool {
		option, _ := e["measuring_option"].(string)
		return strings.Contains(option, fmt.Sprint(value))
	})
}

var norms = map[string]string{"absorption_iso_354": "ISO 354", "scatter_iso_17497_1": "ISO 17497-1",
	"diffusion_iso_17497_2": "ISO 17497-2"}

// entriesOf returns a record's entries with their norm.
func entriesOf(r record) (entries []map[string]any) {
	measurements, _ := r["measurements"].(map[string]any)
	for array, norm := range norms {
		list, _ := measurements[array].([]any)
		for _, e := range list {
			e := e.(map[string]any)
			e["norm"] = norm
			entries = append(entries, e)
		}
	}
	return entries
}

// sameEntry reports whether an entry has exactly the expected curves, and the other expected values.
func sameEntry(got, want map[string]any) bool {
	field := map[any]string{"ISO 354": "alpha_s", "ISO 17497-1": "scatter", "ISO 17497-2": "diffusion"}[want["norm"]]
	if variant, ok := want["field"].(string); ok {
		field = variant
	}
	for key, value := range want {
		switch key {
		case "field", "octave", "third_octave":
		default:
			if !same(got[key], value) {
				return false
			}
		}
	}
	return same(got[field+"_octave"], want["octave"]) && same(got[field+"_third_octave"], want["third_octave"])
}

// same compares JSON values, numbers to nine decimals. null equals a missing value, and a number equals
// its text.
func same(got, want any) bool {
	switch want := want.(type) {
	case float64:
		n, ok := got.(float64)
		return ok && math.Abs(n-want) < 1e-9 || fmt.Sprint(got) == fmt.Sprint(want)
	case string:
		return strings.Join(strings.Fields(fmt.Sprint(got)), " ") == strings.Join(strings.Fields(want), " ")
	case []any:
		list, _ := got.([]any)
		return slices.EqualFunc(list, want, same)
	case map[string]any:
		o, _ := got.(map[string]any)
		for key := range want {
			if !same(o[key], want[key]) {
				return false
			}
		}
		return len(o) == len(want)
	}
	return got == want
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
