package products_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/products"
)

// randomRows draws rows of two tables with different columns, for few products and set-ups, so that many rows
// belong together.
func randomRows(t *rapid.T) (list []*cells.Row) {
	values := map[string][]string{
		"id": {"", "", "", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}, "label": {"Alpha", "Beta", ""},
		"manufacturer": {"Müller", "mueller", "Werk", ""}, "article_number": {"", "", "4711"}, "material": {"", "Filz"},
		"description": {"", "weich", "hart"}, "material_category": {"", "Stoff", "textil", "Granit"},
		"installation_types": {"", "Wand", "ceiling, wall", "Wand; Decke"}, "alpha_w": {"", "0.15", "0.65"},
		"nrc":       {"", "0.95"},
		"published": {"", "true", "false"}, "updated_at": {"", "2026-01-31T00:00:00Z", "2026-02-01T00:00:00+02:00"},
		"absorption_class": {"", "A", "C"}, "thickness_mm": {"", "20", "40"}, "air_gap_mm": {"", "100"},
		"series":   {"", "Basis", "Pro"},
		"mounting": {"", "E-400", "A", "Typ A"}, "entry_id": {"", "", "x2", "x10"}, "entry_number": {"", "", "1", "2"},
		"measuring_option": {"", "", "mit Vlies"}, "source_kind": {"", "measured", "literature"},
		"norm": {"", "", "ISO 354", "ISO 17497-1"}, "Farbe": {"", "rot", "blau"}, "Bemerkung": {"", "neu"},
		"limit_frequency_hz": {"", "", "4000"}, "empty": {"", "", "description alpha_s_octave"},
	}
	coefficients := []string{"", "0.1", "0.1", "0.2"}
	for table := range 2 {
		header := rapid.Permutation(slices.Sorted(maps.Keys(values))).Draw(t, "columns")
		header = header[:rapid.IntRange(5, len(values)).Draw(t, "count")]
		header = append(header, rapid.SampledFrom([][]string{
			{"alpha_s_octave 250", "alpha_s_octave 500"}, {"alpha_s_octave 250", "alpha_s_third_octave 315"}, {"alpha_s 500"},
			{"alpha_s 630"}, {"alpha_p 250", "scatter_octave 500"}, {"diffusion_octave 250"}, {"alpha_p 500"}, {},
		}).Draw(t, "bands")...)
		lines := []string{strings.Join(header, "|")}
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			var line []string
			for _, c := range header {
				of, ok := values[c]
				if !ok {
					of = coefficients
				}
				line = append(line, rapid.SampledFrom(of).Draw(t, c))
			}
			lines = append(lines, strings.Join(line, "|"))
		}
		list = append(list, rowsOf(fmt.Sprintf("%d.csv", table), strings.Join(lines, "\n"))...)
	}
	return list
}

// TestNothingDependsOnTheOrderOfRows compares records, messages and their places.
func TestNothingDependsOnTheOrderOfRows(t *testing.T) {
	for _, o := range []products.Options{{Manufacturer: "Sonst"}, {}, {Partial: true}} {
		rapid.Check(t, func(r *rapid.T) {
			rows := randomRows(r)
			want := outcomeOf(t, o, rows...)
			got := outcomeOf(t, o, rapid.Permutation(rows).Draw(r, "order")...)
			for _, of := range [][2][]string{{got.records, want.records}, {got.faults, want.faults},
				{got.warnings, want.warnings}} {
				if !slices.Equal(of[0], of[1]) {
					r.Fatalf("got\n%s\nwant\n%s", strings.Join(of[0], "\n"), strings.Join(of[1], "\n"))
				}
			}
		})
	}
}

func TestEveryCellIsInARecordAFaultOrAWarning(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows := randomRows(r)
		out := outcomeOf(t, products.Options{Manufacturer: "Sonst"}, rows...)
		all := strings.Join(out.records, "\n") + strings.Join(out.faults, "\n") + strings.Join(out.warnings, "\n")
		for _, row := range rows {
			place := row.Table.Place(row.Number, row.Line, 1).String()
			if strings.Contains(all, place+": this row names no product") || strings.Contains(all, place+": missing manufacturer in") ||
				len(row.Curves) == 0 && strings.Contains(all, "in a table of bands: left out") {
				continue // the row has no product, or a product that is left out
			}
			for _, v := range row.Values {
				switch v.Field {
				case columns.Category, columns.Installation: // in the words of the vocabulary
				case columns.Published, columns.Empty, columns.EntryNumber, columns.Updated, columns.Norm: // not visible as text
				default:
					if !strings.Contains(all, v.Text) {
						r.Fatalf("%s %q is in none of\n%s", v.Header, v.Text, all)
					}
				}
			}
			for _, l := range []cells.Length{row.Thickness, row.AirGap} {
				if l.Known && !strings.Contains(all, columns.FormatNumber(l.MM)) {
					r.Fatalf("%s is in none of\n%s", l, all)
				}
			}
		}
	})
}

// FuzzRows checks that rows cause no panic or invalid JSON, and result in equal products in any order.
func FuzzRows(f *testing.F) {
	f.Add("label|manufacturer|alpha_s_octave 500\nA|X|.5\nA|X|.6", "article_number|alpha_s 500\n47|.5")
	f.Add(
		"id|label|manufacturer|geometry|images|structured_meta\n6ba7b810-9dad-11d1-80b4-00c04fd430c8|A|X|{}|[]|{\"a\":1}",
		"id\nx")
	f.Add("label|manufacturer|alpha_p 500|mounting|norm\nA|X|.5|Typ A|ISO 17497-2\nA||.6|A|",
		"label|alpha_w|absorption_class\nA|1e9|C\nA|.3|")
	f.Add("label|manufacturer|installation_types|size|shape\nA|X|[\"wall\",\"\"]|1 x 2 x 3|box",
		"label|Farbe|alpha_s 500|alpha_s 630\nA|rot|.1|\nA|blau||.2")
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) > 1<<12 {
			return
		}
		var rows []*cells.Row
		for i, text := range []string{one, other} {
			header, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
			for line := range strings.SplitSeq(text, "\n") {
				if strings.Count(line, "|") > strings.Count(header, "|") {
					return
				}
			}
			rows = append(rows, rowsOf(string(rune('a'+i)), text)...)
		}
		want := outcomeOf(t, products.Options{}, rows...)
		for _, record := range want.records {
			if !json.Valid([]byte(record)) {
				t.Errorf("no JSON: %s", record)
			}
		}
		slices.Reverse(rows)
		if got := outcomeOf(t, products.Options{}, rows...); !slices.Equal(got.records, want.records) {
			t.Errorf("got %q, want %q", got.records, want.records)
		}
		outcomeOf(t, products.Options{Manufacturer: "M", Partial: true, Vocabulary: vocabulary}, rows...)
	})
}
