package header_test

import (
	"testing"

	"sabine/internal/layouttest"
)

func TestARowOfUnitsBelowTheNames(t *testing.T) {
	layouttest.CheckAll(t, `
		# with brackets
		Name;Dicke;125;250
		;[mm];[-];[-]
		A;40;0,1;0,2
		=>
		Name=label | Dicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		A | 40 | 0,1 | 0,2

		# of percentages
		Name;Dicke;125;250
		;mm;%;%
		A;40;10;20
		=>
		Name=label | Dicke mm=thickness_mm | 125 %=125 Hz % | 250 %=250 Hz %
		A | 40 | 10 | 20

		# with a norm
		Name;Klasse;Brandklasse;αw;Dicke
		-;EN ISO 11654;EN 13501-1;-;mm
		A;D;A2;0,35;40
		=>
		Name=label | Klasse EN ISO 11654=absorption_class | Brandklasse EN 13501-1=fire_class | αw=alpha_w | Dicke
			mm=thickness_mm
		A | D | A2 | 0,35 | 40

		# with quantities below bands
		Name;Dicke;125;250
		;mm;αs;αs
		A;40;0,1;0,2
		=>
		Name=label | Dicke mm=thickness_mm | 125 αs=alpha_s 125 Hz | 250 αs=alpha_s 250 Hz
		A | 40 | 0,1 | 0,2

		# with symbols and scales
		Name;Bewerteter Schallabsorptionsgrad;Dicke;125;250
		;αw;mm;0–1;0–1
		A;0,5;40;0,1;0,2
		=>
		Name=label | Bewerteter Schallabsorptionsgrad αw=alpha_w | Dicke mm=thickness_mm | 125 0–1=125 Hz | 250 0–1=250
			Hz
		A | 0,5 | 40 | 0,1 | 0,2

		# with the symbol of a rating only
		Name;Noise reduction coefficient;125;250
		;NRC;;
		A;0,5;0,1;0,2
		=>
		Name=label | Noise reduction coefficient NRC=nrc | 125=125 Hz | 250=250 Hz
		A | 0,5 | 0,1 | 0,2
	`)
}

func TestAHeaderOfTwoFieldsIsInTheFirstRow(t *testing.T) {
	layouttest.CheckAll(t, `
		# two fields
		Artikelnummer;Bezeichnung
		4711;A
		4712;B
		=>
		Artikelnummer=article_number | Bezeichnung=label
		4711 | A
		4712 | B

		# not in a later row
		Stand 2026;

		Artikelnummer;Bezeichnung
		4711;A
		=>
		! row 3: Artikelnummer, Bezeichnung
		! row 4: 4711?, A?
		! row 1: Stand 2026?

		# nothing else next to them
		Artikelnummer;Bezeichnung;Farbe
		4711;A;rot
		=>
		! row 1: Artikelnummer, Bezeichnung, Farbe?
		! row 2: 4711?, A?, rot?
	`)
}

// TestSymbolsNextToAlphaS checks that symbols to the right of the frequencies are quantities if their cells
// are numbers.
func TestSymbolsNextToAlphaS(t *testing.T) {
	layouttest.CheckAll(t, `
		# of a long table
		Produkt: A;;;
		f/Hz;αs;s;d
		500;0,1;0,3;0,5
		630;0,2;0,4;0,6
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | s=scatter | d=diffusion
		500 | 0,1 | 0,3 | 0,5 {label=A}
		630 | 0,2 | 0,4 | 0,6 {label=A}

		# not of words
		Produkt: A;;
		f/Hz;αs;s
		500;0,1;klein
		630;0,2;groß
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | s=
		500 | 0,1 | klein {label=A}
		630 | 0,2 | groß {label=A}

		# not before the frequencies
		Produkt: A;;
		s;f/Hz;αs
		20;500;0,1
		20;630;0,2
		=>
		long: s= | f/Hz=frequency_hz | αs=alpha_s
		20 | 500 | 0,1 {label=A}
		20 | 630 | 0,2 {label=A}

		# times and areas are left out
		Produkt: A;;;
		f/Hz;T1;A;αs
		500;1,1;0,7;0,1
		630;1,2;0,8;0,2
		=>
		long: f/Hz=frequency_hz | T1=(unsupported quantity) | A=(unsupported quantity) |
			αs=alpha_s
		500 |  |  | 0,1 {label=A}
		630 |  |  | 0,2 {label=A}
		! t.csv:2[B2]: columns of unsupported quantities, such as times or areas, are left out: B2 "T1", C2 "A"

		# times with what was measured
		Name;Frequenz;T1 leer [s];T2;αs
		A;100;5;4;0,1
		A;125;5;4;0,2
		=>
		long: Name=label | Frequenz=frequency | T1 leer [s]=(unsupported quantity) | T2=(unsupported
			quantity) | αs=alpha_s
		A | 100 |  |  | 0,1
		A | 125 |  |  | 0,2
		! t.csv:1[C1]: columns of unsupported quantities, such as times or areas, are left out: C1 "T1
			leer [s]", D1 "T2"
	`)
}

func TestNumbersBelowAHeader(t *testing.T) {
	layouttest.CheckAll(t, `
		# whole percentages without a sign, which are faults of cells
		Name;125;250
		A;0,1;0,2
		A2;0,1;0,2
		A3;0,1;0,2

		Name;Farbe;125;250
		B;rot;10;20
		C;blau;30;40
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		A2 | 0,1 | 0,2
		A3 | 0,1 | 0,2

		Name=label | Farbe= | 125=125 Hz | 250=250 Hz
		B | rot | 10 | 20
		C | blau | 30 | 40

		# not other numbers over 2
		Name;125;250
		A;0,1;0,2
		A2;0,1;0,2
		A3;0,1;0,2

		Name;Farbe;125;250
		B;rot;10,5;20,5
		C;blau;30,5;40,5
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		A2 | 0,1 | 0,2
		A3 | 0,1 | 0,2
		Name | Farbe | 125 +250 in D6
		B | rot | 10,5 +20,5 in D7
		C | blau | 30,5 +40,5 in D8
	`)
}

func TestAKeyWithItsValueIsNotAGroupOfBands(t *testing.T) {
	layouttest.CheckAll(t, `
		# a product
		Produkt;Fjord;
		;125;250
		αs;0,1;0,2
		=>
		=quantity | 125=125 Hz | 250=250 Hz
		αs | 0,1 | 0,2 {label=Fjord}

		# a manufacturer
		Hersteller;Acme;
		;125;250
		Fjord;0,1;0,2
		=>
		=label | 125=125 Hz | 250=250 Hz
		Fjord | 0,1 | 0,2 {manufacturer=Acme}
		! t.csv:2[A2]: the column is read as product names
	`)
}
