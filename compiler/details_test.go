package compiler

import (
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
)

func TestDetails(t *testing.T) {
	long := strings.Repeat("DK-4711 ", 5)
	tests := []struct {
		rule       string
		key, value string
		want       []string
	}{
		{"a value is a text", "Oberfläche", "Eiche furniert, geölt", []string{"eiche furniert geolt"}},
		{"no words are no text", "Oberfläche", " – ", nil},
		{"a number is none", "Garantie in Jahren", "15", nil},
		{"with a unit neither", "Dicke", "12,5 mm", nil},
		{"nor with one of several words", "Strömungswiderstand", "320000 Pa s/m²", nil},
		{"nor are several", "Abstand", "ca. 200–400 mm; 0", nil},
		{"a number with a name before it too", "Farbe", "RAL 9010", []string{"ral 9010", "ral9010"}},
		{"what is a unit behind a number is a name before it", "Serie", "C 50", []string{"c 50", "c50"}},
		{"an article number that is only a number is a text", "Artikelnummer", "4711", []string{"4711"}},
		{"in all its spellings: as words and as one", "Art.-Nr.", "DK-4711/B", []string{"dk 4711 b", "dk4711b"}},
		{"the e behind an o is an umlaut's, also when words are joined", "SKU", "DKO-E4711", []string{"dko e4711", "dko4711"}},
		{"several article numbers are several", "EAN", "4006381333931; 4006381333948", []string{"4006381333931", "4006381333948"}},
		{"whatever is spelled like an article number is one", "Kürzel", "DK-4711/B", []string{"dk 4711 b", "dk4711b"}},
		{"more words than a query joins are none", "Norm", "EN 13964 Anhang A 2", []string{"en 13964 anhang a 2"}},
		{"an article number has as many as it wants", "Order no.", "1-2-3-4-5-6", []string{"1 2 3 4 5 6", "123456"}},
		{"but no more than 40 letters as one", "Order no.", long, []string{strings.TrimSpace(strings.Repeat("dk 4711 ", 5)), strings.Repeat("dk4711", 5)}},
		{"of more it is its words alone", "Order no.", long + long, []string{strings.TrimSpace(strings.Repeat("dk 4711 ", 10))}},
	}
	for _, test := range tests {
		p := dataset.Product{StructuredMeta: []dataset.MetaEntry{{Key: test.key, Value: test.value}}}
		if got := DetailTexts(&p); !slices.Equal(got, test.want) {
			t.Errorf("%s: %s %q: got %q, want %q", test.rule, test.key, test.value, got, test.want)
		}
	}
}

func TestASizeIsMoreThanANumber(t *testing.T) {
	for _, value := range []string{"1250 x 3125 mm", "600x600", "60×60 cm", "3 * 3 m", "600/600/150", "45 / 600 / 12,5 mm", "Rs = 2510 Pa s/m", "true"} {
		if isOnlyNumber(value) {
			t.Errorf("%q is only a number", value)
		}
	}
	for _, value := range []string{"24/7", "1/2 Zoll", "600 / 150", "200–400 mm; 0"} {
		if !isOnlyNumber(value) {
			t.Errorf("%q is more than a number", value)
		}
	}
}

func TestTheFireClassIsADetailAsItIsPublished(t *testing.T) {
	p := dataset.Product{
		StructuredMeta: []dataset.MetaEntry{{Key: "Brandklasse", Value: "b-s2, d0"}},
		FireClass:      &dataset.FireClass{Text: "B-s2,d0", Class: "B"},
	}
	if got, want := DetailTexts(&p), []string{"b s2 d0", "bs2d0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q, each once", got, want)
	}
}

func TestKeysThatNameAnArticleNumber(t *testing.T) {
	for _, key := range strings.Split("Artikelnummer;Artikel-Nr.;Art.-Nr.;ArtNr;Artikel;Article number;articleNumber;article_no;Item No.;SKU;EAN;EAN-Code;EAN (weiß);"+
		"GTIN-13;Bestellnummer;Bestell-Nr.;Order no.;order code;Part number;Modellnummer;Modell;Model No;Product code;product_id;Produktnummer;"+
		"Hersteller-Artikelnummer;Artikelnummer Hersteller;Lieferanten-Art.-Nr.;MPN;Materialnummer;Katalognummer;Typ-Nr.;Teilenummer", ";") {
		if !namesArticle(key) {
			t.Errorf("%q names no article number", key)
		}
	}
	for _, key := range strings.Split("Dicke;Material;Typ;Startnummer;Prüfzeugnis-Nr.;Nummer;No;id;PTB-Nr.;Artikelmenge;Garantie in Jahren;Code;"+
		"Baujahr;Hausnummer;Produktgruppe;Modelljahr;Anzahl Teile;Number of items", ";") {
		if namesArticle(key) {
			t.Errorf("%q names an article number", key)
		}
	}
}
