package table

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

var update = flag.Bool("update", false, "write docs/table-columns.md anew")

func TestColumnOf(t *testing.T) {
	tests := []struct{ headers, want string }{
		{"125|125 Hz|125Hz|f125|f_125|Freq. 125|α 125 Hz|a125|alpha 125|125 Hz*|125.0", "125 Hz"},
		{"1k|f1k|1 kHz|1.000 Hz|1 000 Hz|1.000|1000|1'000 Hz|1 KHZ", "1000 Hz"},
		{"1k25|1,25 kHz|1.25k|1.250|1,250 Hz|1250", "1250 Hz"},
		{"125 Hz [%]|125 (%)|125 Hz in %|125 %|125 Hz in Prozent", "125 Hz %"},
		{"αs 125Hz|alpha_s 125|αs (125 Hz)|125 Hz (αs)|Schallabsorptionsgrad αs bei 125 Hz|Schallabsorptionsgrad 125 Hz nach ISO 354", "alpha_s 125 Hz"},
		{"as 125 Hz|as_125", "alpha_s 125 Hz"},
		{"ap 250 Hz|αp 250 Hz|alpha p 250|α_p,250 Hz|absorption_octave 250 Hz|Praktischer Schallabsorptionsgrad αp 250 Hz", "absorption_octave 250 Hz"},
		{"s_125|s 125 Hz|scattering 125|Streugrad 125 Hz|Streukoeffizient bei 125 Hz", "scatter 125 Hz"},
		{"d 500|δ 500 Hz|Diffusionsgrad 500|Diffusion coefficient (500 Hz)", "diffusion 500 Hz"},
		{"d_n 500|normalised diffusion coefficient 500 Hz", "normalized_diffusion 500 Hz"},
		{"dψ 500 Hz|d_θ 500|directional diffusion 500 Hz", "directional_diffusion 500 Hz"},
		{"dψ,n 500 Hz|normalized directional diffusion 500", "normalized_directional_diffusion 500 Hz"},
		{"125 Hz Terz|1/3 octave 125 Hz|1/3-Oktave 125|Third-octave band 125 Hz", "third_octave 125 Hz"},
		{"125 Hz Oktave|Octave 125 Hz|1/1 125 Hz", "octave 125 Hz"},
		{"Bezeichnung|BEZEICHNUNG:|Artikel-Bezeichnung|Produkt Name|product_name|Name (DE)", "label"},
		{"Name (EN)|label_en|Bezeichnung englisch", "label_en"},
		{"Art.-Nr.|Art. Nr|Artikel-Nr.:|ArtikelNr|Item no.|SKU|Bestell-Nr.", "article_number"},
		{"Hersteller|Hersteller/Marke|Brand / Manufacturer|Hersteller (Name)|MANUFACTURER", "manufacturer"},
		{"Stärke|Staerke|Starke|Sta\u0308rke|thickness|Dicke / Thickness|Dicke Thickness", "thickness"},
		{"Stärke (mm)|STÄRKE IN MM|Dicke [mm]|d [mm]|t/mm|thickness_mm|Dicke\nThickness\n[mm]|Dicke, mm|Dicke¹ (mm)", "thickness_mm"},
		{"Dicke [cm]|thickness_cm", "thickness_cm"},
		{"Thickness (inch)|Dicke [Zoll]", "thickness_in"},
		{"Abhängehöhe|Luftspalt|air gap|Cavity depth|Deckenabstand", "air_gap"},
		{"Konstruktionshöhe|Aufbauhöhe|o.d.s.|overall depth of system", "overall_depth"},
		{"Montageart nach EN ISO 354 Anhang B|Montage|Mounting type (ASTM E795)|Einbauart", "mounting"},
		{"Baustoffklasse nach EN 13501-1|Brand-\nverhalten|Reaction to fire (EN 13501-1)|DIN EN 13501-1|Euroclass", "fire_class"},
		{"αw|α_w|alpha w|aw|αw [-]|αw*|αw 1)|α w (EN ISO 11654)|bewerteter Schallabsorptionsgrad αw|αw nach ISO 11654", "alpha_w"},
		{"αw [%]", "alpha_w %"},
		{"Absorberklasse|Sound absorption class|Absorberklasse nach EN ISO 11654", "absorption_class"},
		{"Formindikator|Formindikator (L, M, H)|Shape indicator", "shape_indicators"},
		{"NRC|NRC (ASTM C423)|noise reduction coefficient", "nrc"},
		{"Prüfbericht|Prüfbericht-Nr.|Quelle|Test report", "source"},
		{"Bild|Bild 1|Bild-URL|Image 2", "images"},
		{"Frequenz|frequency", "frequency"},
		{"f [Hz]|Frequenz in Hz|f / Hz", "frequency_hz"},
		{"Terzmittenfrequenz [Hz]", "third_octave_frequency_hz"},
		{"αs|alpha_s|Schallabsorptionsgrad|Schallabsorptionsgrad nach ISO 354", "alpha_s"},
		{"Höhe (mm)|Länge [mm]", "height_mm"},
		{"Maße (B x H x T) mm|Abmessungen [mm]", "size_mm"},
		// What says nothing, or something else.
		{"|Preis|Dicke [µm]|Dicke/Abhängehöhe|125 mm|E-400|125 €|0.125|2019|40|12500|31.5|d|s|Gewicht [kg/m²]|Masse|Produkt / Hersteller|Panel 125|NRC 125 Hz", ""},
		{"α0 500 Hz|a0 500 Hz|alpha_N 500 Hz|Δα 125 Hz|Delta alpha 125 Hz|s(αs) 500 Hz|n 500 Hz|P 500 Hz|A1|d2|α1|Wert 1", ""},
		{strings.Repeat("Name ", 60), ""},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := columnOf(header); c.String() != test.want || c.StrayHz != 0 {
				t.Errorf("%q is read as %q, %+v, want %q", header, c.String(), c, test.want)
			}
		}
	}
}

func TestStrayBands(t *testing.T) {
	for header, want := range map[string]float64{"300 Hz": 300, "31,5 Hz": 31.5, "31 Hz": 31.5, "αs 40": 40, "12.5 kHz": 12500, "16k": 16000, "f_20k": 20000} {
		if c := columnOf(header); c.StrayHz != want || c.BandHz != 0 || !c.known() {
			t.Errorf("%q is read as %+v, want %v Hz", header, c, want)
		}
	}
}

func TestSettleBands(t *testing.T) {
	tests := []struct{ rule, headers, want string }{
		{"thicknesses of a price list", "20 30 40 50 60 80 100", "0 0 0 0 0 0 0"},
		{"years", "2019 2000 2020", "0 0 0"},
		{"a report from 25 Hz on", "25 31.5 40 50 63 80 100", "25 31.5 40 50 63 80 100"},
		{"a band alone", "125", "125"},
		{"a number that is no band among bands", "125 250 300 1000", "125 250 300 1000"},
		{"kilohertz", "0.125 0.25 0,5 1 2 4", "125 250 500 1000 2000 4000"},
		{"small numbers", "1 2 4", "0 0 0"},
	}
	for _, test := range tests {
		var columns []Column
		for header := range strings.FieldsSeq(test.headers) {
			columns = append(columns, columnOf(header))
		}
		settleBands(columns)
		var got []string
		for _, c := range columns {
			got = append(got, formatNumber(float64(c.BandHz)+c.StrayHz))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s are %s, want %s", test.rule, test.headers, got, test.want)
		}
	}
}

func TestSettleTwins(t *testing.T) {
	tests := []struct{ headers, want string }{
		{"Artikel|Bezeichnung|Lieferant|Hersteller", "article_number|label||manufacturer"},
		{"Artikel|Art.-Nr.|Bezeichnung|Firma", "|article_number|label|manufacturer"},
		{"Produkt|Produktname|Name", "|label|label"},
		{"Artikel|Produkt|Lieferant", "label|label|manufacturer"},
	}
	for _, test := range tests {
		table := contextOf(test.headers)
		var got []string
		for _, c := range table.columns {
			got = append(got, c.String())
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q, want %q", test.headers, got, test.want)
		}
	}
}

func TestIsOther(t *testing.T) {
	tests := []struct {
		texts string
		want  bool
	}{
		{"Nachhallzeit T2|Äquivalente Absorptionsfläche A in m²|absorption-areas|A [m²]|T1 [s]|u(αs)|Standardabweichung der Absorptionsgrade|ISO 10534-2|" +
			"Absorptionsgrad bei senkrechtem Einfall|Schalldämm-Maß R", true},
		{"|αs|Absorber für die Nachhallzeitberechnung|Schallabsorptionsgrad nach ISO 354 im Hallraum, mit Nachhallzeiten|T1|A|Terz|Absorption", false},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if got := isOther(text); got != test.want {
				t.Errorf("%q is other: %v, want %v", text, got, test.want)
			}
		}
	}
}

func TestQuantityOf(t *testing.T) {
	tests := []struct {
		texts      string
		quantity   Quantity
		resolution Resolution
	}{
		{"αs|alpha_s|Schallabsorptionsgrad|ISO 354|DIN EN ISO 354:2003-12|Absorption|Schallabsorptionsgrad nach ISO 354, bewertet nach ISO 11654", AlphaS, AnyResolution},
		{"ISO 11654|αp|praktischer Schallabsorptionsgrad|Practical absorption coefficient|alpha_p.xlsx|absorption_octave", AlphaP, Octave},
		{"Streugrad|scattering coefficient|ISO 17497-1|streuung_panels.csv|Scattering", Scattering, AnyResolution},
		{"Diffusionskoeffizient|ISO 17497-2|diffusion.csv|Diffusionsgrad d", Diffusion, AnyResolution},
		{"Terzwerte αs|αs (1/3 octave)|Third-octave absorption coefficients", AlphaS, ThirdOctave},
		{"Oktavwerte|Octave bands", "", Octave},
		{"Terz|1/3 octave|third octave", "", ThirdOctave},
		{"Terz- und Oktavwerte", "", AnyResolution},
		{"|Diffuser|Akustikplatte mit Streulicht|Absorber|αw nach ISO 11654|bewerteter Schallabsorptionsgrad|Streu- und Diffusionsgrad|" +
			strings.Repeat("ISO 354 ", 40), "", AnyResolution},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if q, r := quantityOf(text); q != test.quantity || r != test.resolution {
				t.Errorf("%q names %q %q, want %q %q", text, q, r, test.quantity, test.resolution)
			}
		}
	}
}

// What a column is called in our own tables and in maps is read as that column.
func TestColumnsAreCalledWhatTheyAre(t *testing.T) {
	names := []string{MapIgnored, "thickness", "thickness_cm", "thickness_in", "size_m", "limit_frequency_khz", "alpha_w %", "coefficient %", "absorption_octave",
		"third_octave_frequency_hz"}
	for _, row := range namedFields() {
		names = append(names, string(row.field))
	}
	for _, q := range append([]Quantity{""}, quantities...) {
		for _, resolution := range []Resolution{AnyResolution, Octave, ThirdOctave} {
			c := Column{Field: FieldCoefficient, Quantity: q, Resolution: resolution}
			if q == AlphaP {
				c.Resolution = Octave
			}
			if q != "" {
				names = append(names, c.String())
			}
			c.Field = FieldNone
			for _, c.BandHz = range acoustics.ThirdBands {
				c.Percent = !c.Percent
				names = append(names, c.String())
			}
		}
	}
	for _, name := range names {
		if c, err := parseColumn(name); err != nil || c.String() != name {
			t.Errorf("%q is read as %+v, which is called %q: %v", name, c, c.String(), err)
		}
	}
}

func TestParseColumnProblems(t *testing.T) {
	for name, want := range map[string]string{
		"":                         `got ""`,
		"thicknes":                 `got "thicknes", the nearest is "thickness_mm"`,
		"Dicke [cm]":               `got "Dicke [cm]", which is called "thickness_cm"`,
		"125":                      `got "125", which is called "125 Hz"`,
		"xyz":                      `got "xyz"`,
		"alpha_s 126 Hz":           `got "alpha_s 126 Hz"`,
		strings.Repeat("x", 10000): `got "` + strings.Repeat("x", 100) + `…"`,
	} {
		want = `expected a field such as "label" or "thickness_mm", or a quantity with its band such as "alpha_s 125 Hz", ` + want
		if c, err := parseColumn(name); err == nil || err.Error() != want || c != (Column{}) {
			t.Errorf("%q: %+v, %v\nwant %s", name, c, err, want)
		}
	}
}

// A field that is misspelt in names.csv, a name that stands there twice, or one that no column can have would do nothing.
func TestNames(t *testing.T) {
	source, err := os.ReadFile("field.go")
	if err != nil {
		t.Fatal(err)
	}
	var fields, named []string
	for _, m := range regexp.MustCompile(`(?m)^\tField\w+ +Field = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		fields = append(fields, m[1])
	}
	known := map[string]string{}
	for _, row := range namedFields() {
		named = append(named, string(row.field))
		for _, name := range slices.Concat([]string{string(row.field)}, row.german, row.english) {
			header, key := name, squeeze(fold(name))
			if len(key) < 2 {
				header += " [mm]" // which it needs
			}
			if row.field == FieldFrequency && len(key) < 2 {
				header = name + " [Hz]"
			}
			if c := columnOf(header); c.Field != row.field {
				t.Errorf("a column %q is read as %+v, not as one of %s", header, c, row.field)
			}
			if before := known[key]; before != "" {
				t.Errorf("%q stands there twice: for %s and for %s", name, before, row.field)
			}
			known[key] = string(row.field)
		}
		if row.values == "" {
			t.Errorf("nothing says what %s may hold", row.field)
		}
	}
	slices.Sort(fields)
	slices.Sort(named)
	if !slices.Equal(named, fields) || len(fields) < 50 {
		t.Errorf("the fields of names.csv are %q, want each of field.go once: %q", named, fields)
	}
}

const columnsPage = "../../../docs/table-columns.md"

// docs/table-columns.md is made of names.csv: go test ./dataset/importers/table -run ColumnsPage -update
func TestColumnsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(pageHead)
	cells := func(names []string) string { return strings.Join(names, ", ") }
	for _, row := range namedFields() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", row.field, strings.ReplaceAll(row.values, "|", `\|`), cells(row.german), cells(row.english))
	}
	b.WriteString(pageTail)
	for _, q := range quantities {
		c := Column{BandHz: 125, Quantity: q}
		norm := q.norm()
		if norm == "" {
			norm = "ISO 11654"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.String(), norm, quantityExamples[q])
	}
	fmt.Fprintf(&b, pageEnd, formatNumber(product.LeastCoefficient), formatNumber(product.AbsorptionLimit), formatNumber(product.ScatteringLimit))
	if *update {
		if err := os.WriteFile(columnsPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(columnsPage)
	if err != nil || string(page) != b.String() {
		t.Errorf("%s is not what names.csv says: run this test with -update (%v)", columnsPage, err)
	}
	for q, examples := range quantityExamples {
		for header := range strings.SplitSeq(strings.ReplaceAll(examples, "`", ""), ", ") {
			if c := columnOf(header); c.Quantity != q || c.BandHz == 0 {
				t.Errorf("the page says that %q is a band of %s: it is read as %+v", header, q, c)
			}
		}
	}
}

var quantityExamples = map[Quantity]string{
	AlphaS:                "`αs 125 Hz`, `alpha_s 1k`, `Schallabsorptionsgrad 125 Hz`",
	AlphaP:                "`αp 125 Hz`, `alpha p 125`, `absorption_octave 125 Hz`",
	Scattering:            "`s 125 Hz`, `Streugrad 125 Hz`, `scattering coefficient 125`",
	Diffusion:             "`d 125 Hz`, `Diffusionsgrad 125 Hz`, `diffusion 125`",
	NormalizedDiffusion:   "`d_n 125 Hz`, `normalized diffusion coefficient 125`",
	DirectionalDiffusion:  "`dψ 125 Hz`, `directional diffusion coefficient 125`",
	NormalizedDirectional: "`dψ,n 125 Hz`, `normalized directional diffusion 125`",
}

const pageHead = `# Columns of tables

` + "`sabine import table` and `sabine build` know a column by its name. This page is made of their own list, `dataset/importers/table/names.csv`." + `

A table needs ` + "`label`, and `manufacturer` or `--manufacturer NAME`" + `; all others may be left out. ` + "`sabine import table FILE --dry-run`" + ` shows what each column
of a table becomes, ` + "`sabine import template`" + ` prints one to fill in. [tables.md](tables.md) says what becomes of rows and values, [table-map.md](table-map.md) how
a column with another name is made known. Bands are [at the end](#columns-of-coefficients).

Names are compared without regard to case, blanks, hyphens, dots, underscores and line ends; ä may be ae or a. A unit, ` + "`%`" + `, a footnote
(` + "`*`, `¹`, `1)`), `[-]`" + ` and a norm (` + "`nach EN 13501-1`" + `) may stand behind a name, and two names of one field side by side (` + "`Dicke / Thickness`" + `).
A name of one letter needs its unit: ` + "`d [mm]`" + `. What no rule knows goes to structured_meta under its own name, and is named.

| Field | A cell holds | German names | English names |
|---|---|---|---|
`

const pageTail = `
Lengths are in millimetres unless their cell or column says ` + "`mm`, `cm`, `m`, `inch` or `Zoll`" + `. Numbers have a decimal comma or point. Yes and no
are ` + "`ja`, `yes`, `true`, `wahr`, `x`, `1`, `✓` and `nein`, `no`, `false`, `falsch`, `0`" + `. A cell of ` + "`-`, `–`, `/`, `n/a` or `k. A.`" + ` has no value.
What a field can't hold, such as a thickness of ` + "`ca. 40`" + `, goes to structured_meta.

## Columns of coefficients

A band is ` + "`125`, `125 Hz`, `f125`, `1k`, `1k25`, `1,25 kHz` or `1.250 Hz`" + `, the nominal centre of a third-octave band from 50 to 10000 Hz. Numbers alone
are bands where most of those beside them are. 20 to 40 Hz and 12.5 to 20 kHz go to structured_meta; a frequency of no series is a fault.
The quantity stands before or behind the band, in a row above it, in the row's cell for the norm or the quantity, above the table, or in the
name of the sheet or the file; without any it is alpha_s. ` + "`Terz`, `third octave` or `1/3 octave` and `Oktave` or `octave`" + ` say the resolution; else
it is octaves where all bands of a row are octave centres.

| Column | Norm | Names |
|---|---|---|
`

const pageEnd = `
Coefficients are from %s to %s, those of scattering and diffusion to %s. A percentage has ` + "`%%`" + ` in its cell or its column's name, or is stored as one.
`

// BenchmarkColumnOf reads what stands in the first rows of a sheet: few names, many values.
func BenchmarkColumnOf(b *testing.B) {
	texts := []string{"Bezeichnung", "Dicke [mm]", "125 Hz", "Montageart nach EN ISO 354", "0,85", "Akustikplatte 17 mit Vlies", "A-17", "B-s1,d0", "40", "Acme GmbH & Co. KG"}
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			columnOf(text)
			quantityOf(text)
		}
	}
}
