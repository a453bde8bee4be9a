package runtime_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// ofRecords opens the snapshot of a few records, a line each.
func ofRecords(t *testing.T, lines string) *runtime.Generation {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	input := dataset.Input{Name: "records.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(lines)), nil }}
	built, err := compiler.Build(context.Background(), compiler.Options{Inputs: []dataset.Input{input}, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(context.Background(), folder.Path(built.File))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

func TestUnshown(t *testing.T) {
	g := ofRecords(t, `
{"id":"00000000-0000-4000-8000-000000000001","slug":"all","label":{"de":"Wand","en":"Wall"},"manufacturer":{"id":"12345678-1234-4234-8234-123456789abc","slug":"acme-gmbh","name":"Acme GmbH"},"description":{"de":"deutsch","en":""},"data_source":"ptb","purchasable":true,"absorption_character":"tiefton","fire_class":"Bfl-s1","alpha_w":0.5,"alpha_w_min":0.25}
{"id":"00000000-0000-4000-8000-000000000002","slug":"little","label":"Decke","manufacturer":"Müller & Söhne","purchasable":false,"description":"beides"}
`)
	empty := ""
	for _, test := range []struct {
		slug string
		want runtime.Unshown
	}{
		{"all", runtime.Unshown{
			LabelEN: "Wall", DescriptionEN: &empty, DataSource: "ptb", Purchasable: true, AbsorptionCharacter: "tiefton", FireClass: "Bfl-s1", AlphaWMin: 0.25,
			Manufacturer: indexes.Manufacturer{ID: "12345678-1234-4234-8234-123456789abc", Slug: "acme-gmbh", Name: "Acme GmbH"},
		}},
		{"little", runtime.Unshown{LabelEN: "Decke"}},
	} {
		d, _ := g.Lookup(test.slug)
		got := g.Unshown(d)
		if test.want.Manufacturer.ID == "" { // made from the name
			if m := got.Manufacturer; len(m.ID) != 36 || m.Slug != "mueller-soehne" || m.Name != "Müller & Söhne" {
				t.Errorf("%s: manufacturer %+v", test.slug, m)
			}
			got.Manufacturer = indexes.Manufacturer{}
		}
		if a, b := got.DescriptionEN, test.want.DescriptionEN; a != nil && b != nil && *a == *b {
			got.DescriptionEN = b
		}
		if got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.slug, got, test.want)
		}
	}
}

func TestASelectionByCategory(t *testing.T) {
	g := ofRecords(t, `
{"id":"00000000-0000-4000-8000-000000000005","label":"a","manufacturer":"x","updated_at":"2026-01-05T00:00:00Z"}
{"id":"00000000-0000-4000-8000-000000000004","label":"b","manufacturer":"x","material_category":"holz","updated_at":"2026-01-01T00:00:00Z"}
{"id":"00000000-0000-4000-8000-000000000003","label":"c","manufacturer":"x","material_category":"textil"}
{"id":"00000000-0000-4000-8000-000000000002","label":"d","manufacturer":"y","material_category":"textil"}
{"id":"00000000-0000-4000-8000-000000000001","label":"e","manufacturer":"x","material_category":"holz"}
{"id":"00000000-0000-4000-8000-000000000000","label":"f","manufacturer":"x"}
`)
	for _, test := range []struct {
		filters    runtime.Filters
		none, want string
	}{
		{runtime.Filters{}, "", "051423"},
		{runtime.Filters{}, "kork", "140523"},
		{runtime.Filters{}, "uncategorised", "142305"},
		{runtime.Filters{}, "holz", "014523"},
		{runtime.Filters{Categories: []string{"textil"}}, "", "23"},
		{runtime.Filters{Manufacturers: []string{"x"}}, "holz", "01453"},
		{runtime.Filters{Categories: []string{"glas"}}, "", ""},
	} {
		got := ""
		for d := range g.Select(&runtime.Query{Filters: test.filters}).ByCategory(test.none) {
			id := g.ID(d).String()
			got += id[len(id)-1:]
		}
		if got != test.want {
			t.Errorf("%+v, without one %q: got %s, want %s", test.filters, test.none, got, test.want)
		}
	}
}
