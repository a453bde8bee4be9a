package columns

import (
	"strings"
	"testing"

	"sabine/dataset/acoustics"
)

func TestNamesOfColumns(t *testing.T) {
	tests := []struct{ rule, headers, want string }{ // headers separated by "|"
		{"case, blanks, hyphens, dots and line ends do not matter",
			"Bezeichnung|BEZEICHNUNG:|Artikel-Bezeichnung|Produkt Name|product_name|Name (DE)", "label"},
		{"a language is part of a name", "Name (EN)|label_en|Bezeichnung englisch", "label_en"},
		{"abbreviations", "Art.-Nr.|Art. Nr|Artikel-Nr.:|ArtikelNr|Item no.|SKU|Bestell-Nr.|Item #|Herst.-Art.-Nr.",
			"article_number"},
		{"two names of one field side by side", "Hersteller/Marke|Brand / Manufacturer|Hersteller (Name)|MANUFACTURER",
			"manufacturer"},
		{"ä may be ae or a", "Stärke|Staerke|Starke|Sta\u0308rke|thickness|Dicke / Thickness|Dicke Thickness",
			"thickness"},
		{"a unit may follow a name", "Stärke (mm)|STÄRKE IN MM|Dicke [mm]|d [mm]|t/mm|thickness_mm|Dicke, mm|thicknessMM",
			"thickness_mm"},
		{"a footnote may follow a name", "Dicke\nThickness\n[mm]|Dicke¹ (mm)|Dicke* [mm]|Dicke† mm", "thickness_mm"},
		{"centimetres", "Dicke [cm]|thickness_cm", "thickness_cm"},
		{"a unit with a dot", "Thickness (in.)|Dicke [in.]|Thickness in.", "thickness_in"},
		{"the prefix of an attribute", "attr_dicke_mm|custom.thickness_mm|Product thickness [mm]|" +
			"attr:dicke_mm|Produkt: Dicke [mm]", "thickness_mm"},
		{"a name next to its Chinese translation", "厚度 Thickness (mm)|Thickness 厚度 [mm]", "thickness_mm"},
		{"inches", "Thickness (inch)|Dicke [Zoll]|Thickness [\"]", "thickness_in"},
		{"air gaps", "Abhängehöhe|Luftspalt|air gap|Cavity depth|Deckenabstand|Distance from wall", "air_gap"},
		{"a norm may follow a name",
			"Montageart nach EN ISO 354 Anhang B|Montage|Mounting type (ASTM E795)|Einbauart|Mounting acc. to ISO 354",
			"mounting"},
		{"classes of EN 13501-1",
			"Baustoffklasse nach EN 13501-1|Brand-\nverhalten|Reaction to fire (EN 13501-1)|DIN EN 13501-1|Euroclass",
			"fire_class"},
		{"ratings", "αw|α_w|alpha w|aw|αw [-]|αw*|αw 1)|αw (-) 1)|α w (EN ISO 11654)|bewerteter Schallabsorptionsgrad αw",
			"alpha_w"},
		{"a percent sign may follow a name", "αw [%]|αw in Prozent", "alpha_w %"},
		{"absorption classes", "Absorberklasse|Sound absorption class|Absorberklasse nach EN ISO 11654", "absorption_class"},
		{"what is in brackets after a name is a remark", "Formindikator|Formindikator (L, M, H)|Shape indicator",
			"shape_indicators"},
		{"NRC", "NRC|NRC (ASTM C423)|noise reduction coefficient|N.R.C.", "nrc"},
		{"reports", "Prüfbericht|Prüfbericht-Nr.|Quelle|Test report|Berichts-Nr.", "source"},
		{"pictures may be numbered", "Bild|Bild 1|Bild-URL|Image 2", "images"},
		{"frequencies of a table with a row a band", "Frequenz|frequency|Hz", "frequency"},
		{"and their unit", "f [Hz]|Frequenz in Hz|f / Hz", "frequency_hz"},
		{"and their resolution", "Terzmittenfrequenz [Hz]|1/3 octave band [Hz]", "third_octave_frequency_hz"},
		{"edges of a face", "Höhe (mm)|Länge [mm]|L [mm]", "height_mm"},
		{"sizes", "Maße (B x H x T) mm|Abmessungen [mm]|L x B [mm]|Dimensions W x H x D (mm)", "size_mm"},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := Parse(header); c.String() != test.want || c.StrayHz != 0 || !c.Known() || c.Header != header {
				t.Errorf("%s: %q is read as %q, %+v, want %q", test.rule, header, c.String(), c, test.want)
			}
		}
	}
}

func TestNamesOfBands(t *testing.T) {
	tests := []struct{ rule, headers, want string }{
		{"125, 125 Hz, f125", "125|125 Hz|125Hz|f125|f_125|Freq. 125|α 125 Hz|a125|alpha 125|125 Hz*|125.0|f=125Hz|" +
			"okt 125|oct 125|coef 125|Koeff 125|c 125|Aku 125 Hz",
			"125 Hz"},
		{"the prefix of an attribute", "attr_125_hz|custom.f125|meta 125 Hz", "125 Hz"},
		{"a name next to its Chinese translation", "125 Hz 吸声系数", "125 Hz"},
		{"1k, 1 kHz, 1.000 Hz", "1k|f1k|1 kHz|1.000 Hz|1 000 Hz|1.000|1000|1'000 Hz|1 KHZ", "1000 Hz"},
		{"1k25, 1,25 kHz", "1k25|1,25 kHz|1.25k|1.250|1,250 Hz|1250", "1250 Hz"},
		{"a percent sign", "125 Hz [%]|125 (%)|125 Hz in %|125 %|125 Hz in Prozent|125 Hz percent", "125 Hz %"},
		{"alpha_s before or after the band",
			"αs 125Hz|alpha_s 125|αs (125 Hz)|125 Hz (αs)|as 125 Hz|as_125|a_s 125 Hz|αs,i 125 Hz|SAC 125 Hz", "alpha_s 125 Hz"},
		{"alpha_s in words", "Schallabsorptionsgrad αs bei 125 Hz|Schallabsorptionsgrad 125 Hz nach ISO 354|Abs. coeff. 125",
			"alpha_s 125 Hz"},
		{"alpha_p", "ap 250 Hz|αp 250 Hz|alpha p 250|α_p,250 Hz|absorption_octave 250 Hz|a_p 250|" +
			"Praktischer Schallabsorptionsgrad αp 250 Hz", "absorption_octave 250 Hz"},
		{"scattering", "s_125|s 125 Hz|scattering 125|Streugrad 125 Hz|Streukoeffizient bei 125 Hz|scat_125|" +
			"125 Hz nach ISO 17497-1", "scatter 125 Hz"},
		{"diffusion", "d 500|δ 500 Hz|Diffusionsgrad 500|Diffusion coefficient (500 Hz)", "diffusion 500 Hz"},
		{"normalized diffusion", "d_n 500|dn 500 Hz|normalised diffusion coefficient 500 Hz", "normalized_diffusion 500 Hz"},
		{"directional diffusion", "dψ 500 Hz|d_θ 500|directional diffusion 500 Hz", "directional_diffusion 500 Hz"},
		{"both", "dψ,n 500 Hz|normalized directional diffusion 500", "normalized_directional_diffusion 500 Hz"},
		{"third octaves", "125 Hz Terz|1/3 octave 125 Hz|1/3-Oktave 125|Third-octave band 125 Hz", "third_octave 125 Hz"},
		{"octaves", "125 Hz Oktave|Octave 125 Hz|1/1 125 Hz", "octave 125 Hz"},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := Parse(header); c.String() != test.want || c.StrayHz != 0 || !c.Known() || c.Field != None {
				t.Errorf("%s: %q is read as %q, %+v, want %q", test.rule, header, c.String(), c, test.want)
			}
		}
	}
}

func TestAQuantityWithoutABandIsAColumnOfCoefficients(t *testing.T) {
	for headers, want := range map[string]string{
		"αs|alpha_s|Schallabsorptionsgrad|Schallabsorptionsgrad nach ISO 354|αs,i": "alpha_s",
		"αp|practical sound absorption coefficient":                                "absorption_octave",
		"Streugrad s|scattering coefficient":                                       "scatter",
		"αs (1/3 octave)|Schallabsorptionsgrad Terz":                               "alpha_s_third_octave",
		"α|Wert|coefficient":                                                       "coefficient",
	} {
		for header := range strings.SplitSeq(headers, "|") {
			if c := Parse(header); c.String() != want || c.Field != Coefficient {
				t.Errorf("%q is read as %q, %+v, want %q", header, c.String(), c, want)
			}
		}
	}
}

func TestNamesThatAreUnknown(t *testing.T) {
	tests := []struct{ rule, headers string }{
		{"no name", "| "},
		{"only Chinese", "厚度|吸声系数"},
		{"a prefix before what is unknown", "attr_farbe|Variant finish|custom.x"},
		{"a prefix is a separate word", "Produktdaten|Metallstärke außen|Variantendicke"},
		{"a unit that no length of ours has", "Dicke [µm]|Dicke (um)"},
		{"two fields", "Dicke/Abhängehöhe|Produkt / Hersteller"},
		{"a length", "125 mm"},
		{"a code", "E-400|A1|d2|α1|Wert 1|Panel 125|NRC 125 Hz|T125"},
		{"a number that is no band", "0.125|2019|40|12500|31.5|-125|f 2019"},
		{"a letter without a unit", "d|s|t|L|f"},
		{"a weight is no length", "Gewicht [kg/m²]|Masse|Bezeichnung [mm]"},
		{"a unit of another kind", "Dicke [Hz]|Frequenz [mm]"},
		{"other absorption", "α0 500 Hz|a0 500 Hz|alpha_N 500 Hz|a_n 500 Hz"},
		{"differences and deviations", "Δα 125 Hz|Delta alpha 125 Hz|s(αs) 500 Hz|s(a) 500 Hz|Δa 125"},
		{"other symbols", "n 500 Hz|P 500 Hz|I 125"},
		{"classes of other norms", "Baustoffklasse DIN 4102|Brandklasse ASTM E84"},
		{"what is not of the record", "Farbe|Colour|Gewicht|EAN|Datenblatt|Warengruppe|Lichtreflexion"},
		{"prose", strings.Repeat("Name ", 60)},
	}
	for _, test := range tests {
		for header := range strings.SplitSeq(test.headers, "|") {
			if c := Parse(header); c.String() != "" || c.Known() || c.Private || c.Percent {
				t.Errorf("%s: %q is read as %q, %+v", test.rule, header, c.String(), c)
			}
		}
	}
}

func TestFrequenciesOutsideCurves(t *testing.T) {
	for header, want := range map[string]float64{
		"300 Hz": 300, "31,5 Hz": 31.5, "31 Hz": 31.5, "αs 40": 40, "12.5 kHz": 12500, "16k": 16000, "f_20k": 20000,
	} {
		if c := Parse(header); c.StrayHz != want || c.BandHz != 0 || !c.Known() {
			t.Errorf("%q is read as %+v, want %v Hz", header, c, want)
		}
	}
	want := "300 Hz is not a third-octave band from 50 to 10000 Hz (IEC 61260-1); the nearest is 315 Hz"
	if got := NoBand(300); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	bands := map[float64]bool{125: true, 50: true, 10000: true, 126: false, 40: false, 125.5: false, 0: false}
	for hz, want := range bands {
		if got := IsBand(hz); got != want {
			t.Errorf("%v Hz is a band: %v, want %v", hz, got, want)
		}
	}
}

func TestParseFrequency(t *testing.T) {
	for _, test := range []struct {
		rule, texts, unit string  // strings separated by "|"
		want              float64 // 0: none
	}{
		{"hertz", "125|125 Hz|125hz", "", 125},
		{"kilohertz", "1,25k|1.25 kHz", "", 1250},
		{"decimals after the k", "1k6|1k6 Hz", "", 1600},
		{"the unit of the column", "1.25|1,25 kHz|1250 Hz", "kHz", 1250},
		{"a sign for thousands that gives a band", "1.250", "", 1250},
		{"a sign for thousands that gives a band beyond ours", "12,500", "", 12500},
		{"a decimal sign else", "1.234", "", 1.234},
		{"31 and 32 Hz are 31.5 Hz", "31|32", "", 31.5},
		{"decimals twice", "1.2k5", "", 0},
		{"no number", "x|k|Hz||1k2x", "", 0},
	} {
		for text := range strings.SplitSeq(test.texts, "|") {
			hz, ok := ParseFrequency(text, test.unit)
			if ok != (test.want != 0) || ok && hz != test.want {
				t.Errorf("%s: %q is %v, %v, want %v", test.rule, text, hz, ok, test.want)
			}
		}
	}
}

func TestNamesOfColumnsInMapsAreParsed(t *testing.T) {
	names := strings.Fields("thickness thickness_cm thickness_in size_m limit_frequency_khz third_octave_frequency_hz " +
		"absorption_octave " + MapIgnored)
	names = append(names, "alpha_w %", "coefficient %")
	for _, row := range namedFields() {
		names = append(names, string(row.field))
	}
	for _, q := range append([]Quantity{""}, Quantities...) {
		for _, resolution := range []Resolution{AnyResolution, Octave, ThirdOctave} {
			c := Column{Field: Coefficient, Quantity: q, Resolution: resolution}
			if q == AlphaP {
				c.Resolution = Octave
			}
			if q != "" {
				names = append(names, c.String())
			}
			c.Field = None
			for _, c.BandHz = range acoustics.ThirdBands {
				c.Percent = !c.Percent
				names = append(names, c.String())
			}
		}
	}
	for _, name := range names {
		if c, err := parseName(name); err != nil || c.String() != name {
			t.Errorf("%q is read as %+v; write it as %q: %v", name, c, c.String(), err)
		}
	}
}

func TestNamesThatAMapCannotHave(t *testing.T) {
	for name, want := range map[string]string{
		"":                         `got ""`,
		"thicknes":                 `got "thicknes"; the nearest is "thickness_mm"`,
		"Dicke [cm]":               `got "Dicke [cm]"; write it as "thickness_cm"`,
		"125":                      `got "125"; write it as "125 Hz"`,
		"xyz":                      `got "xyz"`,
		"Preis":                    `got "Preis"`,
		"alpha_s 126 Hz":           `got "alpha_s 126 Hz"`,
		strings.Repeat("x", 10000): `got "` + strings.Repeat("x", 100) + `…"`,
	} {
		want = `expected a field such as "label" or "thickness_mm", ` +
			`or a quantity with its band such as "alpha_s 125 Hz", ` + want
		if c, err := parseName(name); err == nil || err.Error() != want || c != (Column{}) {
			t.Errorf("%q: %+v, %v\nwant %s", name, c, err, want)
		}
	}
}

func TestHas(t *testing.T) {
	columns := []Column{{Field: Label}, {Field: AlphaW}}
	if !Has(columns, AlphaW) || Has(columns, NRC) || Has(nil, Label) {
		t.Error("wrong")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"αs 125 Hz", "Dicke [cm]", "αw", "Brandverhalten\n(EN 13501-1)", "1k25 %", "Bild 1",
		"Preis [€]", "d_n,500", "1/3 octave 1.250 Hz", "Maße (L x B) cm", "f / kHz", "Abhängehöhe 1)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		c := Parse(header)
		if name := c.String(); name != "" {
			if again, err := parseName(name); err != nil || again.String() != name {
				t.Errorf("%q is called %q, which is read as %q: %v", header, name, again.String(), err)
			}
		}
		if c.Private && c.Known() {
			t.Errorf("%q is private and known: %+v", header, c)
		}
		if c.BandHz != 0 && !IsBand(float64(c.BandHz)) {
			t.Errorf("%q is no band: %+v", header, c)
		}
		MeasurandOf(header)
		MeasurandOfCell(header)
		Resolve([]Column{c, c})
	})
}

// BenchmarkParse parses the first rows of a sheet, which contain few names and many values.
func BenchmarkParse(b *testing.B) {
	texts := []string{"Bezeichnung", "Dicke [mm]", "125 Hz", "Montageart nach EN ISO 354", "0,85",
		"Akustikplatte 17 mit Vlies", "A-17", "B-s1,d0", "40", "Acme GmbH & Co. KG"}
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			Parse(text)
			MeasurandOf(text)
		}
	}
}
