package compiler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/product"
)

func TestDetails(t *testing.T) {
	long := strings.Repeat("DK-4711 ", 5)
	tests := []struct {
		rule       string
		key, value string
		want       []string
	}{
		{"a value is a text", "Oberfläche", "Eiche furniert, geölt", []string{"eiche furniert geolt"}},
		{"a value without words is not a text", "Oberfläche", " – ", nil},
		{"a number is not a text", "Garantie in Jahren", "15", nil},
		{"a number with a unit is a measure", "Dicke", "12,5 mm", []string{"=12.5mm"}},
		{"a measure ends with the first unit", "Strömungswiderstand", "320000 Pa s/m²", []string{"=320000pa"}},
		{"several measures are separate keys", "Abstand", "ca. 200–400 mm; 0", []string{"=200mm", "=400mm"}},
		{"a size is a measure", "Format", "1.200 x 600", []string{"=1.200x600"}},
		{"a number after a name is a text", "Farbe", "RAL 9010", []string{"ral 9010", "ral9010"}},
		{"a unit in front of a number is a name", "Serie", "C 50", []string{"c 50", "c50"}},
		{"an article number that is only a number is a text", "Artikelnummer", "4711", []string{"4711"}},
		{"an article number is found as words and as one word", "Art.-Nr.", "DK-4711/B", []string{"dk 4711 b", "dk4711b"}},
		{"an e after an o is part of an umlaut, also in joined words", "SKU", "DKO-E4711",
			[]string{"dko e4711", "dko4711"}},
		{"article numbers are separate keys", "EAN", "4006381333931; 4006381333948",
			[]string{"4006381333931", "4006381333948"}},
		{"a value that is spelled like an article number counts as one", "Kürzel", "DK-4711/B", []string{"dk 4711 b", "dk4711b"}},
		{"with blanks, hyphens and slashes between its words", "Farbe", "NCS S/0500-Y 20", []string{"ncs s 0500 y 20"}},
		{"it has at most four words", "Farbe", "NCS S/0500-Y", []string{"ncs s 0500 y", "ncss0500y"}},
		{"a decimal is not an article number, and keeps its point", "Aufbau", "12,5 mm GK", []string{"=12.5mm gk"}},
		{"also with a point", "Zubehör", "1.2 m Kabel", []string{"=1.2m kabel"}},
		{"also without a unit", "Lochbild", "Typ 8.18", []string{"typ 8.18"}},
		{"several numbers with a unit are not an article number", "Füllung", "20-50 mm Wolle", []string{"=20mm =50mm wolle"}},
		{"a size is not an article number", "Raster", "600 x 600 sichtbar", []string{"=600x600 sichtbar"}},
		{"a value with other signs is not an article number", "Farbe", "weiß (RAL 9010)", []string{"weiss ral 9010"}},
		{"only an article number loses its points", "Art.-Nr.", "12.345 B", []string{"12.345 b", "12.345b", "12345b"}},
		{"more words than a query joins are not an article number", "Norm", "EN 13964 Anhang A 2", []string{"en 13964 anhang a 2"}},
		{"a named article number can have more words", "Order no.", "1-2-3-4-5-6", []string{"1 2 3 4 5 6", "123456"}},
		{"a joined word has at most 40 letters", "Order no.", long, []string{strings.TrimSpace(strings.Repeat("dk 4711 ", 5)),
			strings.Repeat("dk4711", 5)}},
		{"longer article numbers are only separate words", "Order no.", long + long,
			[]string{strings.TrimSpace(strings.Repeat("dk 4711 ", 10))}},
	}
	for _, test := range tests {
		p := product.Product{StructuredMeta: []product.MetaEntry{{Key: test.key, Value: test.value}}}
		if got := DetailTexts(&p); !slices.Equal(got, test.want) {
			t.Errorf("%s: %s %q: got %q, want %q", test.rule, test.key, test.value, got, test.want)
		}
	}
}

func TestTheThicknessOfAnEntryIsADetail(t *testing.T) {
	thin, thick := 12.5, 50.0
	p := product.Product{StructuredMeta: []product.MetaEntry{{Key: "Dicke", Value: "50 mm"}}}
	p.Measurements.Absorption = []product.Absorption{{ThicknessMM: &thick}, {}, {ThicknessMM: &thin}}
	if got, want := DetailTexts(&p), []string{"=50mm", "=12.5mm"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q, each once", got, want)
	}
}

func TestTheFireClassIsADetailAsItIsPublished(t *testing.T) {
	p := product.Product{
		StructuredMeta: []product.MetaEntry{{Key: "Brandklasse", Value: "b-s2, d0"}},
		FireClass:      &product.FireClass{Text: "B-s2,d0", Class: "B"},
	}
	if got, want := DetailTexts(&p), []string{"b s2 d0", "bs2d0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q, each once", got, want)
	}
}

// TestAFireClassOfTwoWordsIsNoWord checks that EL-d2 is two words: a search would correct elde to eld2.
func TestAFireClassOfTwoWordsIsNoWord(t *testing.T) {
	for class, want := range map[string][]string{"EL-d2": {"el d2"}, "Bfl-s1": {"bfl s1"}, "E": {"e"},
		"A2L-s1,d0": {"a2l s1 d0", "a2ls1d0"}} {
		p := product.Product{FireClass: &product.FireClass{Text: class}}
		if got := DetailTexts(&p); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", class, got, want)
		}
	}
}

func TestKeysThatNameAnArticleNumber(t *testing.T) {
	for _, key := range strings.Split("Artikelnummer;Artikel-Nr.;Art.-Nr.;ArtNr;Artikel;Article number;articleNumber;article_no;Item No.;SKU;EAN;EAN-Code;EAN (weiß);"+
		"GTIN-13;Bestellnummer;Bestell-Nr.;Order no.;order code;Part number;Modellnummer;Modell;Model No;Product "+
		"code;product_id;Produktnummer;"+
		"Hersteller-Artikelnummer;Artikelnummer "+
		"Hersteller;Lieferanten-Art.-Nr.;MPN;Materialnummer;Katalognummer;Typ-Nr.;Teilenummer;"+
		"Artikelnummern;Item numbers;article_numbers;Bestellnummern;EANs;SKUs;EAN-Codes;Art.-Nrn.;Art.-Nrs.;Part "+
		"nos.;product_ids;GTINs (Farben)", ";") {
		if !isArticleName(key) {
			t.Errorf("%q does not name an article number", key)
		}
	}
	for _, key := range strings.Split("Dicke;Material;Typ;Startnummer;Prüfzeugnis-Nr.;Nummer;No;id;PTB-Nr.;Artikelmenge;Garantie in Jahren;Code;"+
		"Baujahr;Hausnummer;Produktgruppe;Modelljahr;Anzahl Teile;Number of "+
		"items;Seriennummern;Nummern;IDs;Codes;Hausnummern;numbers of parts", ";") {
		if isArticleName(key) {
			t.Errorf("%q names an article number", key)
		}
	}
}

func TestThereIsABoundOnDetails(t *testing.T) {
	var eans, once strings.Builder
	for i := range 2 * maxDetails {
		fmt.Fprintf(&eans, "%013d\n", i)
		once.WriteString("DK-4711,")
	}
	p := product.Product{
		StructuredMeta: []product.MetaEntry{{Key: "SKUs", Value: once.String()}, {Key: "EANs", Value: eans.String()},
			{Key: "Material", Value: "Kork"}},
		FireClass: &product.FireClass{Text: "B-s2,d0", Class: "B"},
	}
	got := DetailTexts(&p)
	if want := []string{"b s2 d0", "bs2d0", "dk 4711", "dk4711", "0000000000000"}; !slices.Equal(got[:5], want) {
		t.Errorf("got %q first, want %q, each once", got[:5], want)
	}
	if last := fmt.Sprintf("%013d", maxDetails-5); len(got) != maxDetails || got[maxDetails-1] != last {
		t.Errorf("got %d, up to %q, want %d, up to %q", len(got), got[len(got)-1], maxDetails, last)
	}
}
