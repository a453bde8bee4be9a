package columns_test

import (
	"strings"
	"testing"

	"sabine/dataset/importers/columns"
)

func TestATitleNamesACompanyByItsLegalForm(t *testing.T) {
	tests := []struct{ rule, title, want string }{
		{"up to its legal form", "Klangwerk Akustiksysteme GmbH – Artikelliste Absorber", "Klangwerk Akustiksysteme GmbH"},
		{"before a comma", "Streuwerk Akustik OHG, Leipzig", "Streuwerk Akustik OHG"},
		{"a form of two", "Mineralfaser Süd GmbH & Co. KG, 80331 München", "Mineralfaser Süd GmbH & Co. KG"},
		{"after a dash", "Messdatenblätter – Gipsbau Walser AG", "Gipsbau Walser AG"},
		{"after a hyphen between blanks", "Preise 2026 - Gipsbau Walser AG", "Gipsbau Walser AG"},
		{"after a colon", "Hersteller: Acme GmbH", "Acme GmbH"},
		{"after a sign", "© Acme GmbH", "Acme GmbH"},
		{"any words after it", "Acme GmbH – Händlerpreisliste, erstellt 2026", "Acme GmbH"},
		{"in brackets", "Fjord 40 (Acme GmbH)", "Acme GmbH"},
		{"after words for a company", "Akustikschäume der Acme GmbH", "Acme GmbH"},
		{"after such words in English", "Felt panels by Acme Ltd", "Acme Ltd"},
		{"in capitals", "FERROWE ACOUSTICS LTD", "FERROWE ACOUSTICS LTD"},
		{"a comma before the form", "HALVORSEN-BRANDT CEILINGS, INC.", "HALVORSEN-BRANDT CEILINGS, INC."},
		{"English", "Ferrowe Acoustics Ltd, Unit 4", "Ferrowe Acoustics Ltd"},
		{"American", "Lumen Diffusers Inc. – Acoustic data", "Lumen Diffusers Inc."},
		{"Indian", "Shanti Acoustics Pvt. Ltd.", "Shanti Acoustics Pvt. Ltd."},
		{"Dutch", "Vezelplaat B.V.", "Vezelplaat B.V."},
		{"Italian", "Fonoassorbenti Rossi S.p.A.", "Fonoassorbenti Rossi S.p.A."},
		{"Norwegian", "Nordvik Interiør AS", "Nordvik Interiør AS"},
		{"Finnish", "Hiljaa Oy", "Hiljaa Oy"},
		{"Polish", "Cisza Sp. z o.o.", "Cisza Sp. z o.o."},

		{"no form", "Absorber 2026", ""},
		{"no name", "GmbH", ""},
		{"a form within a word", "Lärmschutz AGB", ""},
		{"a word in small letters is no form", "Absorption as measured", ""},
		{"AS before a norm is English", "TESTED AS ISO 354", ""},
		{"a planner", "Planungsbüro Drei GmbH", ""},
		{"a laboratory", "Prüfbericht der Messlabor GmbH", ""},
		{"a laboratory in English", "Test report of Hiljaa Testing Oy", ""},
		{"a name that ends in lab", "AkuLab Oy", ""},
		{"a dealer", "Fachhändler Krause KG", ""},
		{"prose", strings.Repeat("Absorber für Büros ", 14) + "der Acme GmbH", ""},
	}
	for _, test := range tests {
		if got := columns.Company(test.title); got != test.want {
			t.Errorf("%s: %s: got %q, want %q", test.rule, test.title, got, test.want)
		}
	}
}

func TestATitleCanNameACompanyWithoutALegalForm(t *testing.T) {
	tests := []struct{ rule, title, want string }{
		{"the part of several words with capitals", "Textilwerk Glarus – Akustikvorhänge", "Textilwerk Glarus"},
		{"before a bar", "Nordic Felt | Absorption data", "Nordic Felt"},
		{"before a colon", "Ton und Raum: Akustikputz", "Ton und Raum"},
		{"after a date", "Januar 2026 – Nord Akustik", "Nord Akustik"},
		{"after Fa.", "Fa. Holzbau Meier, Muster", "Holzbau Meier"},
		{"after Hersteller, one word", "Hersteller Klangwerk", "Klangwerk"},
		{"after made by", "Felt panels made by Silent Walls", "Silent Walls"},
		{"the only part, with a word that only companies have", "Nord Akustik Systeme", "Nord Akustik Systeme"},
		{"such a word in English", "Nord Felt Mills", "Nord Felt Mills"},
		{"such a word before a name", "Gebr. Meier", "Gebr. Meier"},
		{"one of several parts, with a word of a trade", "Nord Holz – Neue Wände", "Nord Holz"},

		{"not the only part, with a word of a trade", "Akustik Müller", ""},
		{"not without a word of a trade", "Rot und Blau – Neue Wände", ""},
		{"not one word", "Acme – Absorber 2026", ""},
		{"not words of the table's content", "Absorption Data – Test Results", ""},
		{"not a word in small letters after Fa.", "Fa. unbekannt", ""},
		{"not what upholsterers make", "Wandpolster & Kopfteile – Neue Wände", ""},
		{"not of a project", "Neubau Grundschule Nord – Wand Paneele", ""},
		{"not of a university", "University of York – Wall Panels", ""},
		{"not of a laboratory", "Prüflabor Süd – Wand Paneele", ""},
		{"not of a name that ends in lab", "Nord Holz – AkuLab", ""},
		{"not of a street", "Nord Holz – Lindenstrasse", ""},
		{"not of a fair", "Nord Holz – Messe Süd", ""},
		{"not of a dealer", "Nord Holz, Fachhändler", ""},
		{"not of a planner", "Planungsbüro Drei – Wand Paneele", ""},
	}
	for _, test := range tests {
		if got := columns.LikelyCompany(test.title); got != test.want {
			t.Errorf("%s: %s: got %q, want %q", test.rule, test.title, got, test.want)
		}
	}
}

func TestALineWithAnAddressOrACopyrightSymbolNamesACompany(t *testing.T) {
	tests := []struct{ rule, line, want string }{
		{"before a year", "© Acme 2024", "Acme"},
		{"after a year", "© 2024 Acme", "Acme"},
		{"before a street and a town", "Acme Akustik, Weg 3, 12345 Ort", "Acme Akustik"},
		{"before other separators", "Acme Akustik · Weg 3 · D-12345 Ort", "Acme Akustik"},
		{"a town with four digits", "Holz Meier | Weg 3 | CH-8000 Zürich", "Holz Meier"},

		{"not without a town", "Acme Akustik, Weg 3", ""},
		{"not without a word of a trade", "Acme, Weg 3, 12345 Ort", ""},
		{"not of a planner", "Planungsbüro Holz, Weg 3, 12345 Ort", ""},
		{"not of a laboratory", "Akustiklabor Holz, Weg 3, 12345 Ort", ""},
		{"not of a laboratory by its name", "AkuLab Holz, Weg 3, 12345 Ort", ""},
		{"not of a project", "Neubau Holzschule, Weg 3, 12345 Ort", ""},
		{"not of a dealer", "Holzhändler Nord, Weg 3, 12345 Ort", ""},
		{"not the words of a table", "Fjord, Platte 40 mm, 12345 Ort", ""},
	}
	for _, test := range tests {
		if got := columns.FootCompany(test.line); got != test.want {
			t.Errorf("%s: %s: got %q, want %q", test.rule, test.line, got, test.want)
		}
	}
}
