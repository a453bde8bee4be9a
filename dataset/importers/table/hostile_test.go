package table_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/table"
)

// FuzzGrids reads random tables with realistic names and cells. A build must accept each record without a
// fault.
func FuzzGrids(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(4), uint8(3), "Probe")
	}
	f.Fuzz(func(t *testing.T, seed uint64, columns, rows uint8, own string) {
		text := randomGrid(rand.New(rand.NewPCG(seed, 1)), 1+int(columns%12), 1+int(rows%12), own)
		r := dataset.NewReader([]dataset.Input{table.Input([]dataset.Input{csvText(text)},
			table.Options{Manufacturer: "M", Account: &table.Account{}})})
		for raw, err := range r.Records() {
			if err != nil || len(raw.Faults) > 0 {
				continue
			}
			if parsed := dataset.Parse(raw); slices.ContainsFunc(parsed.Faults, isUnforeseen) {
				t.Errorf("%s\n%s\n%v", text, raw.JSON, parsed.Faults)
			}
		}
	})
}

// TestFarTooManyColumns checks that a row is a fault before all of its cells are read.
func TestFarTooManyColumns(t *testing.T) {
	for _, test := range []struct{ rule, heads, cells string }{
		{"with names of their own", manyNames(), strings.Repeat(";x", 1500)},
		{
			"with one name", strings.Repeat(";Dekor", 1500),
			strings.Repeat(";"+strings.Repeat("x", 1000), 1500),
		},
	} {
		_, messages := imported(t, table.Options{Manufacturer: "M"}, csvText("Name;125 Hz;250 Hz"+test.heads+"\nA;0,1;0,2"+
			test.cells+"\n"))
		if !strings.Contains(strings.Join(messages, "\n"),
			"the values in unknown columns exceed the limit for a product") {
			t.Errorf("%s: %q", test.rule, messages)
		}
	}
}

func manyNames() string {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, ";Spalte %d", i)
	}
	return b.String()
}

// isUnforeseen reports whether a fault in a record is about anything other than the length or number of its
// strings. These limits can be checked only in the finished record.
func isUnforeseen(f dataset.Fault) bool { return !strings.Contains(f.Problem, "at most") }

var (
	gridHeads = strings.Split(
		"Name|Bezeichnung|Hersteller|Artikelnummer|id|slug|Beschreibung|Kategorie|Charakter|Einbau|Brandklasse|Dicke "+
			"[mm]|Dicke|"+
			"thickness cm|Luftabstand|Aufbauhöhe|Montage|αw|αw "+
			"min|NRC|SAA|Klasse|Material|Quelle|Labor|Datum|Geometrie|Bild|URL|Norm|Frequenz|αs|αp|s|d|Wert|"+
			"125|250|500 Hz|1k|2000 Hz|4 kHz|f100|315|630|αs 125|αp 125|αp 250|αp 500|αp 1000|αp 2000|αp 4000|125 %|s "+
			"500|d 1000|Farbe||published|data_source|"+
			"updated_at|source_kind|label_en|entry_id|entry_number|empty|Nutzfläche|has_epd|manufacturer_id|manufacturer_slug|material|commercial name|purchasable", "|")
	gridCells = strings.Split(
		"0,1|0.5|0,85|85 %|85|1,2|-0|1e308|1e-7|NaN|-|x|ja|nein|40|40 mm|4 cm|0,2 "+
			"m|1.250|125|250|500|1000|A|B|Platte|E-400|A2 - s1, d0|"+
			"0,55(MH)|0.6 (L)|αw = "+
			"0,7|2026-01-31|31.01.2026|03/04/2026|99.99.2026|=HYPERLINK(\"x\")|'=cmd|gemessen|literature|αs|αp|s|ISO "+
			"354|ISO 17497-1|C|D|"+
			"https://example.org/a.jpg|00417|3fa85f64-5717-4562-b3fc-2c963f66afa6|\u202e\u200b|\ufeffx|\x00|\u0085|é|\t|abs-1|Wand|Decke|porous|true|7e4|1/2|<b>", "|")
)

// randomGrid returns a table with separators that do not occur in its cells.
func randomGrid(r *rand.Rand, columns, rows int, own string) string {
	var b strings.Builder
	line := func(from []string) {
		for c := range columns {
			cell := from[r.IntN(len(from))]
			switch {
			case r.IntN(30) == 0:
				cell = own
			case r.IntN(5) == 0:
				cell = ""
			}
			if c > 0 {
				b.WriteByte(';')
			}
			b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
		}
		b.WriteByte('\n')
	}
	for range r.IntN(3) {
		line(gridCells)
	}
	line(gridHeads)
	for range rows {
		line(gridCells)
	}
	return b.String()
}
