package table

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// randomReadings draws readings of two tables with columns of their own, about few products and set-ups, so that rows often meet.
func randomReadings(t *rapid.T) []*reading {
	values := map[string][]string{
		"id": {"", "", "", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}, "label": {"Alpha", "Beta", "Alpha "}, "manufacturer": {"Müller", "mueller", "Werk", ""},
		"article_number": {"", "", "4711"}, "material": {"", "Filz"}, "description": {"", "weich", "hart"}, "material_category": {"", "Stoff", "textil", "Granit"},
		"installation_types": {"", "Wand", "ceiling, wall", "Wand; Decke"}, "alpha_w": {"", "0.15", "0.65"}, "nrc": {"", "0.95"}, "published": {"", "true", "false"},
		"updated_at": {"", "2026-01-31T00:00:00Z", "2026-02-01T00:00:00+02:00"}, "absorption_class": {"", "A", "C"}, "thickness_mm": {"", "20", "40"}, "air_gap_mm": {"", "100"},
		"overall_depth_mm": {"", "", "140"}, "mounting": {"", "E-400", "A", "Typ A"}, "entry_id": {"", "", "x2", "x10"}, "entry_number": {"", "", "1", "2"},
		"measuring_option": {"", "", "mit Vlies"}, "source_kind": {"", "measured", "literature"}, "norm": {"", "", "ISO 354", "ISO 17497-1"},
		"Farbe": {"", "rot", "blau"}, "Bemerkung": {"", "neu"}, "limit_frequency_hz": {"", "", "4000"}, "empty": {"", "", "description alpha_s_octave"},
	}
	coefficients := []string{"", "0.1", "0.1", "0.2"}
	var list []*reading
	for table := range 2 {
		columns := rapid.Permutation(slices.Sorted(maps.Keys(values))).Draw(t, "columns")[:rapid.IntRange(5, len(values)).Draw(t, "count")]
		columns = append(columns, rapid.SampledFrom([][]string{
			{"alpha_s_octave 250", "alpha_s_octave 500"}, {"alpha_s_octave 250", "alpha_s_third_octave 315"}, {"alpha_s 500"}, {"alpha_s 630"},
			{"alpha_p_octave 250", "scatter_octave 500"}, {"diffusion_octave 250"}, {"alpha_p_octave 500"}, {},
		}).Draw(t, "bands")...)
		text := strings.Join(columns, "|")
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			text += "\n"
			for i, c := range columns {
				of, ok := values[c]
				if !ok {
					of = coefficients
				}
				if i > 0 {
					text += "|"
				}
				text += rapid.SampledFrom(of).Draw(t, c)
			}
		}
		list = append(list, readingsOf(fmt.Sprintf("%d.csv", table), text)...)
	}
	return list
}

var placePattern = regexp.MustCompile(`\d\.csv(:\d+)?(\[[A-Z]+\d+\])?|-?\(byte -1\)`)

// unplaced returns messages without their places, sorted.
func unplaced(messages []string) []string {
	list := make([]string, len(messages))
	for i, m := range messages {
		list[i] = placePattern.ReplaceAllString(m, "_")
	}
	slices.Sort(list)
	return list
}

func TestNothingDependsOnTheOrderOfRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		readings := randomReadings(r)
		want := recordsOf(t, Options{Manufacturer: "Sonst"}, nil, readings)
		got := recordsOf(t, Options{Manufacturer: "Sonst"}, nil, rapid.Permutation(readings).Draw(r, "order"))
		if !slices.Equal(got.records, want.records) {
			r.Fatalf("got\n%s\nwant\n%s", strings.Join(got.records, "\n"), strings.Join(want.records, "\n"))
		}
		if g, w := unplaced(got.faults), unplaced(want.faults); !slices.Equal(g, w) {
			r.Fatalf("got faults\n%s\nwant\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"))
		}
		if g, w := unplaced(got.warnings), unplaced(want.warnings); !slices.Equal(g, w) {
			r.Fatalf("got warnings\n%s\nwant\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"))
		}
	})
}

func TestEveryCellIsInARecordAFaultOrAWarning(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		readings := randomReadings(r)
		made := recordsOf(t, Options{Manufacturer: "Sonst"}, nil, readings)
		all := strings.Join(made.records, "\n") + strings.Join(made.faults, "\n") + strings.Join(made.warnings, "\n")
		for _, of := range readings {
			if strings.Contains(all, of.place().String()+": no product") {
				continue
			}
			for _, c := range of.texts {
				text := c.text
				switch c.field {
				case FieldCategory, FieldInstallation: // their words are others
					continue
				case FieldPublished, FieldEmpty, FieldEntryNumber, FieldUpdated, FieldNorm: // told by what they do
					continue
				}
				if !strings.Contains(all, text) {
					r.Fatalf("%s %q is in none of\n%s", c.header, text, all)
				}
			}
			for _, m := range of.rest {
				if !strings.Contains(all, m.Value) {
					r.Fatalf("%s %q is in none of\n%s", m.Key, m.Value, all)
				}
			}
			for _, mm := range []*float64{of.thicknessMM, of.airGapMM} {
				if mm != nil && !strings.Contains(all, formatNumber(*mm)) {
					r.Fatalf("%v mm is in none of\n%s", *mm, all)
				}
			}
		}
	})
}
