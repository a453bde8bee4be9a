package cells_test

import (
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	tests := []struct {
		header, cells,
		want string
	}{ // cells and their results, separated by "|"; "!" is stored as text
		{"Artikelnummer", "4711|E+12|4,01E+12|4.01235E+12|12E+5|A  B", "4711|E+12|!|!|12E+5|A B"},
		{"Absorberklasse", "A|Klasse B|class c|nicht klassifiziert|not classified|Absorberklasse: D|n.k.|F|A+",
			"A|B|C|nicht klassifiziert|nicht klassifiziert|D|nicht klassifiziert|!|!"},
		{"Formindikator", "L|MH|(H)|H, M|-|X|LL", "L|MH|H|MH||!|!"},
		{"updated_at",
			"2026-01-31|31.1.2026|31/01/2026|01/31/2026|03/03/2026|2026-01-31T12:00:00+02:00|03/04/2026|2026-02-30|" +
				"31.01.26|45000",
			"2026-01-31T00:00:00Z|2026-01-31T00:00:00Z|2026-01-31T00:00:00Z|2026-01-31T00:00:00Z|" +
				"2026-03-03T00:00:00Z|" +
				"2026-01-31T10:00:00Z|!|!|!|!"},
		{"Prüfdatum", "2026-01-31|31.01.2026|2019", "2026-01-31|2026-01-31|!"},
		{"published", "ja|Nein|TRUE|x|1|0|✓|vielleicht", "true|false|true|true|true|false|true|!"},
		{"source kind", "measured|Gemessen|Literatur|berechnet|Prüfung|geraten",
			"measured|measured|literature|simulated|measured|!"},
		{"data_source", "PTB|Hersteller|Buch", "ptb|manufacturer|!"},
		{"shape", "Platte|Baffel|Würfel|cylinder|KUGEL|Vorhang|Wolke", "panel|baffle|box|cylinder|sphere|sheet|!"},
		{"size", "600 x 600 x 40 mm|60×60 cm|60*120 cm|1 m x 600 mm|600 x 600, 1200 x 600|600|0 x 600|40 mm",
			"600 x 600 x 40|600 x 600|600 x 1200|1000 x 600|!|!|!|!"},
		{"width_mm", "600|600 mm|1.5|0", "600|600|1.5|!"},
		{"structured_meta", `{"Farbe":"rot"}|{|rot`, `{"Farbe":"rot"}|!|!`},
		{"id", "0b6f0d1e-0000-4000-8000-000000000001|17", "0b6f0d1e-0000-4000-8000-000000000001|!"},
		{"slug", "mueller-platte|Müller Platte", "mueller-platte|!"},
		{"entry_number", "2|2.5|II", "2|!|!"},
		{"calculated_absorption", "0,5|50 %|viel", "0.5|0.5|!"},
		{"Grenzfrequenz", "500 Hz|1,25 kHz|1k6|2000|hoch", "500|1250|1600|2000|!"},
		{"Name", "A  B|'=1+1|'0815|'s ist so|-|auf Anfrage", "A B|=1+1|0815|'s ist so||auf Anfrage"},
		{"Beschreibung", "Zeile 1\nZeile 2", "Zeile 1\nZeile 2"},
	}
	for _, test := range tests {
		checkForms(t, test.header, test.cells, test.want)
	}
}

// checkForms reads each cell in a separate table.
func checkForms(t *testing.T, header, texts, want string) {
	t.Helper()
	wants := strings.Split(want, "|")
	for i, text := range strings.Split(texts, "|") {
		got, problems := read(tableOf(header), rowOf(2, text))
		if _, value, ok := strings.Cut(got, "="); ok {
			got = value
		}
		switch {
		case wants[i] == "!":
			if got != text || !strings.Contains(problems, "stored as text in structured_meta") {
				t.Errorf("%s %q becomes %q with %q, want it stored as text", header, text, got, problems)
			}
		case wants[i] == "" && got != "nil", wants[i] != "" && got != wants[i], problems != "":
			t.Errorf("%s %q becomes %q with %q, want %q", header, text, got, problems, wants[i])
		}
	}
}

func TestFireClasses(t *testing.T) {
	for _, test := range []struct{ rule, cells, want string }{
		{"as the norm writes them", "A2-s1,d0|Bfl-s1|BL-s1,d0|E|E-d2|A1", "A2-s1,d0|Bfl-s1|BL-s1,d0|E|E-d2|A1"},
		{"any separators of letters",
			"A2 - s1, d0|B - s1, d0|Bs1d0|a2s1d0|B s1 d0|BFL-S1|D-s2/d2|C-s2; d0|A2-s1.d0|d-s1,d0",
			"A2-s1,d0|B-s1,d0|B-s1,d0|A2-s1,d0|B-s1,d0|Bfl-s1|D-s2,d2|C-s2,d0|A2-s1,d0|D-s1,d0"},
		{"words before",
			"Klasse E|Euroklasse B-s2,d0|Euroclass A2-s1,d0|Baustoffklasse: B-s1,d0|Class B-s1,d0|Brandverhalten " +
				"B-s1,d0",
			"E|B-s2,d0|A2-s1,d0|B-s1,d0|B-s1,d0|B-s1,d0"},
		{"the norm after",
			"B-s1,d0 nach EN 13501-1|A2-s1, d0 gem. DIN EN 13501-1|B-s1,d0 (EN 13501-1)|B-s2,d0 acc. to EN 13501|" +
				"A2-s1,d0 nach DIN EN 13501-1:2019-05|B-s1,d0, EN 13501-1|B-s1,d0 according to EN 13501-1|E gemäß " +
				"EN13501-1|A1 laut EN 13501-1",
			"B-s1,d0|A2-s1,d0|B-s1,d0|B-s2,d0|A2-s1,d0|B-s1,d0|B-s1,d0|E|A1"},
		{"the norm before",
			"EN 13501-1: B-s1,d0|(EN 13501-1) A2-s1,d0|DIN EN 13501-1 Klasse E|nach EN 13501-1: Euroklasse B - s1, " +
				"d0|" +
				"Baustoffklasse nach EN 13501-1: B-s1,d0", "B-s1,d0|A2-s1,d0|E|B-s1,d0|B-s1,d0"},
		{"remarks in brackets, signs of footnotes", "A2-s1,d0 (nicht brennbar)|A2-s1,d0*|B-s1,d0²",
			"A2-s1,d0|A2-s1,d0|B-s1,d0"},
		{"classes of other norms",
			"B1|B2|F30|A2 (DIN 4102)|A2 nach DIN 4102-1|Class A (ASTM E84)|A (E 84)|M1|E (UL 94)|A1 DIN 4102",
			"!|!|!|!|!|!|!|!|!|!"},
		{"next to a class of another norm", "B-s1,d0 (B1 nach DIN 4102)", "B-s1,d0"},
		{"two classes, and none", "A2-s1,d0 / B1|E/F|schwer entflammbar|B-s4,d0|" + strings.Repeat("B", 300),
			"!|!|!|!|!"},
	} {
		checkForms(t, "Brandklasse", test.cells, test.want)
	}
}

func TestAddresses(t *testing.T) {
	for _, test := range []struct{ rule, cells, want string }{
		{"with a scheme", "https://acme.example/a|http://acme.example|HTTPS://acme.example/A",
			"https://acme.example/a|http://acme.example|HTTPS://acme.example/A"},
		{"www is completed", "www.acme.example|www.acme.example/a?b=1#c|WWW.acme.de|www.acme.de:8080/a",
			"https://www.acme.example|https://www.acme.example/a?b=1#c|https://WWW.acme.de|https://www.acme.de:8080/a"},
		{"a bare domain with a path is completed", "acme.de/produkte/x|shop.acme-akustik.co.uk/a.pdf",
			"https://acme.de/produkte/x|https://shop.acme-akustik.co.uk/a.pdf"},
		{"other texts are not",
			"acme.de|www.|www.acme|siehe www.acme.de|docs/acme.pdf|n.a./x|z.B./x|1.2/3|ftp://acme.de/a|acme.de/a b|" +
				"/a/b|info@acme.de/x",
			"!|!|!|!|!|!|!|!|!|!|!|!"},
	} {
		checkForms(t, "Link", test.cells, test.want)
	}
}

func TestImages(t *testing.T) {
	for _, test := range []struct{ rule, cell, want string }{
		{"separated by commas, semicolons and blanks",
			"https://a.example/1.png, https://a.example/2,3.png;https://a.example/4.png",
			`images=[{"url":"https://a.example/1.png"},{"url":"https://a.example/2,3.png"},{"url":"https://a.example/4.png"}]`},
		{"the record's JSON", `[{"url":"https://a.example/1.png"}]`, `images=[{"url":"https://a.example/1.png"}]`},
		{"addresses without a scheme", "www.a.example/1.png www.a.example/2.png; a.example/3.png",
			"[Bild]=www.a.example/1.png www.a.example/2.png; a.example/3.png"},
		{"addresses with www", "www.a.example/1.png www.a.example/2.png",
			`images=[{"url":"https://www.a.example/1.png"},{"url":"https://www.a.example/2.png"}]`},
		{"the name of a file", "1.png", "[Bild]=1.png"},
		{"half of JSON", "[", "[Bild]=["},
	} {
		if got, problems := read(tableOf("Bild"), rowOf(2, test.cell)); got != test.want ||
			(problems == "") != strings.HasPrefix(test.want, "images") {
			t.Errorf("%s: got %s, %s, want %s", test.rule, got, problems, test.want)
		}
	}
	got, _ := read(tableOf("Bild 1|Bild 2"), rowOf(2, "https://a.example/1.png|https://a.example/2.png"))
	if want := `images=[{"url":"https://a.example/1.png"},{"url":"https://a.example/2.png"}]`; got != want {
		t.Errorf("two columns of images: got %s, want %s", got, want)
	}
}

func TestDeclarations(t *testing.T) {
	check(t, "", []ruleTest{
		{"yes", "EPD", "ja", "has_epd=true", ""},
		{"an address in the column of yes and no", "EPD", "https://acme.example/epd.pdf",
			"epd_url=https://acme.example/epd.pdf", ""},
		{"yes in the column of addresses", "EPD-Link", "nein", "has_epd=false", ""},
		{"an address without a scheme", "EPD-Link", "www.acme.example/epd.pdf",
			"epd_url=https://www.acme.example/epd.pdf", ""},
		{"neither", "EPD", "bald", "[EPD]=bald",
			"[A2]: EPD: \"bald\" is not yes or no: stored as text in structured_meta"},
	})
	got, _ := read(tableOf("EPD"), rowOf(2, "ja"), rowOf(3, "https://a.example"), rowOf(4, "https://a.example"),
		rowOf(5, "ja"))
	if want := "has_epd=true\nepd_url=https://a.example\nepd_url=https://a.example\nhas_epd=true"; got != want {
		t.Errorf("rows that alternate: got %s", got)
	}
}
