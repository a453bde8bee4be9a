package compiler

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"testing"

	"sabine/dataset"
)

// TestFieldsAreSearchedAsTheTableSays checks the generated table in docs/catalogue.md, which lists the
// product text in which each field is searched. Changing the value of a field must change only that text.
func TestFieldsAreSearchedAsTheTableSays(t *testing.T) {
	page, err := os.ReadFile("../docs/catalogue.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := func(record map[string]any) map[string]any {
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		p := dataset.Parse(dataset.Raw{JSON: text}).Product
		if p == nil {
			t.Fatalf("faults in %s", text)
		}
		d := newAnalyser().document(p)
		return map[string]any{"name": d.Names, "manufacturer": d.ManufacturerKey,
			"category":    [][]string{{d.Category, d.Character}, d.Installations},
			"description": d.Descriptions, "details": d.Details}
	}
	// All other fields are optional.
	others := map[string]any{"id": "0b6f4c3e-58a8-52eb-852b-be809a01c8e1", "label": "Other", "manufacturer": "Other"}
	rows := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|.*\\| ([a-z]*) \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 20 {
		t.Fatalf("docs/catalogue.md has %d fields in its table", len(rows))
	}
	for _, row := range rows {
		field, searched := row[1], row[2]
		var record map[string]any
		if err := json.Unmarshal(records(fullRecord), &record); err != nil {
			t.Fatal(err)
		}
		if field == "published" {
			continue // the snapshot contains no unpublished products
		}
		before := texts(record)
		if delete(record, field); others[field] != nil {
			record[field] = others[field]
		}
		for text, now := range texts(record) {
			if changed := !reflect.DeepEqual(now, before[text]); changed != (text == searched) {
				t.Errorf("%s changes the text of the %s: %t; the table says %q", field, text, changed, searched)
			}
		}
	}
}
