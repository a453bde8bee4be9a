package layout_test

import (
	"testing"

	"sabine/internal/layouttest"
)

// TestContextRows checks rows that describe the rows below them.
func TestContextRows(t *testing.T) {
	layouttest.CheckAll(t, `
		# they give fields without a column
		Hersteller: Acme;;
		Montage;E-400;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {manufacturer=Acme, mounting=E-400}

		# what names no field is used for nothing
		Datentyp: geraten;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Datentyp: geraten"

		# they do not overrule a column
		Hersteller: Acme;;
		Name;Hersteller;125
		A;Other;0,1
		=>
		Name=label | Hersteller=manufacturer | 125=125 Hz
		A | Other | 0,1
		! t.csv:2[A2]: unused cells: A1 "Acme"

		# between the rows
		Name;125;250
		Hersteller: Acme;;
		A;0,1;0,2
		Hersteller: Other;;
		B;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {manufacturer=Acme}
		B | 0,1 | 0,2 {manufacturer=Other}

		# one at the top of a sheet applies until the next one
		Hersteller: Acme;;
		Name;125;250
		A;0,1;0,2

		Name;500;630
		B;0,1;0,2

		Hersteller: Other;;
		Name;1000;2000
		C;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {manufacturer=Acme}

		Name=label | 500=500 Hz | 630=630 Hz
		B | 0,1 | 0,2 {manufacturer=Acme}

		Name=label | 1000=1000 Hz | 2000=2000 Hz
		C | 0,1 | 0,2 {manufacturer=Other}

		# keys in one row, their values in the next
		Produkt;Hersteller;Datum
		X;Acme;2020

		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=X, manufacturer=Acme, test_date=2020}
		250 | 0,2 {label=X, manufacturer=Acme, test_date=2020}

		# sections and notes
		Name;125;250
		Decken;;
		A;0,1;0,2
		;;
		Ohne Gewähr;;
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A2 "Decken", A5 "Ohne Gewähr"

		# the number of a test before the name of its product
		Prüfung 1: Akustikplatte Fjord;
		f/Hz;αs
		125;0,1
		250;0,2

		Prüfung 2: Akustikplatte Hygge;
		f/Hz;αs
		125;0,3
		250;0,4
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Akustikplatte Fjord}
		250 | 0,2 {label=Akustikplatte Fjord}

		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,3 {label=Akustikplatte Hygge}
		250 | 0,4 {label=Akustikplatte Hygge}

		# no number, no name
		Prüfung: Akustikplatte Fjord;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung",
			"Produkt" or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# the number of a table before the name of its product
		Tabelle 1: Fjord;;
		Montage;125;250
		A;0,1;0,2

		Tabelle 2: Hygge;;
		Montage;125;250
		A;0,3;0,4
		=>
		Montage=mounting | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {label=Fjord}

		Montage=mounting | 125=125 Hz | 250=250 Hz
		A | 0,3 | 0,4 {label=Hygge}

		# not before what names no product
		Tabelle 1: Messergebnisse;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Tabelle 1: Messergebnisse"
	`)
}

func TestALineBelowATableHasNoEffect(t *testing.T) {
	layouttest.CheckAll(t, `
		# a footnote
		Name;125;250
		A;0,1;0,2
		* Streugrade nach ISO 17497-1 auf Anfrage;;
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A3 "* Streugrade nach ISO 17497-1 auf Anfrage"

		# a footnote between two tables
		Name;125;250
		A;0,1;0,2

		1) Streugrade auf Anfrage;;
		Name;500;630
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		Name=label | 500=500 Hz | 630=630 Hz
		B | 0,3 | 0,4
		! t.csv:5[A5]: unused cells: A4 "1) Streugrade auf Anfrage"

		# a remark between the rows
		Name;125;250
		A;0,1;0,2
		Hinweis: Streugrade auf Anfrage;;
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4
		! t.csv:1[A1]: unused cells: A3 "Hinweis: Streugrade auf Anfrage"

		# a line at the end
		Name;125;250
		A;0,1;0,2

		Streugrade auf Anfrage;;
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A4 "Streugrade auf Anfrage"

		# a line that follows the rows, with a blank row before the next table
		Name;125;250
		A;0,1;0,2
		Streugrade auf Anfrage;;

		Name;500;630
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		Name=label | 500=500 Hz | 630=630 Hz
		B | 0,3 | 0,4
		! t.csv:1[A1]: unused cells: A3 "Streugrade auf Anfrage"

		# a line that follows the rows, with a blank row before other rows
		Name;125;250
		A;0,1;0,2
		Streugrade auf Anfrage;;

		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4
		! t.csv:1[A1]: unused cells: A3 "Streugrade auf Anfrage"
	`)
}

func TestATitleAppliesUpToTheNextTitle(t *testing.T) {
	layouttest.CheckAll(t, `
		# of the table
		Streugrade nach ISO 17497-1;;
		Name;500;630
		A;0,1;0,2
		=>
		scatter: Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2

		# of two tables each
		Schallabsorptionsgrade;;
		Name;500;630
		A;0,1;0,2

		Streugrade;;
		Name;Farbe;500;630
		B;rot;0,3;0,4
		=>
		alpha_s: Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2

		scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz
		B | rot | 0,3 | 0,4

		# it is of a table with no title too
		Streugrade;;
		Name;500;630
		A;0,1;0,2

		Name;Farbe;500;630
		B;rot;0,3;0,4
		=>
		scatter: Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2

		scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz
		B | rot | 0,3 | 0,4

		# and of no table below the next title
		Streugrade;;
		Name;500;630
		A;0,1;0,2
		A2;0,1;0,2

		αs nach ISO 354
		Name;Farbe;500;630
		B;rot;0,3;0,4

		Name;Kante;500;630
		C;gerade;0,5;0,6
		=>
		scatter: Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2
		A2 | 0,1 | 0,2

		alpha_s: Name=label | Farbe= | 500=500 Hz | 630=630 Hz
		B | rot | 0,3 | 0,4

		alpha_s: Name=label | Kante= | 500=500 Hz | 630=630 Hz
		C | gerade | 0,5 | 0,6

		# a title without a blank row before it
		Name;500;630
		A;0,1;0,2
		Streugrade;;
		Name;Farbe;500;630
		B;rot;0,3;0,4
		=>
		Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2

		scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz
		B | rot | 0,3 | 0,4

		# titles of several rows
		Name;500;630
		A;0,1;0,2

		Streugrade;;
		Stand 2026;;
		Entwurf;;
		Name;Farbe;500;630
		B;rot;0,3;0,4
		=>
		Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2

		scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz
		B | rot | 0,3 | 0,4
		! t.csv:7[A7]: unused cells: A5 "Stand 2026", A6 "Entwurf"

		# a title among the rows
		Name;500;630
		A;0,1;0,2
		Streugrade;;
		B;0,3;0,4
		C;0,3;0,4
		=>
		Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4 [scatter]
		C | 0,3 | 0,4 [scatter]
		! t.csv:3[A3]: titles between rows are read as the quantity of the rows below: A3 "Streugrade"
			(rows: 2)

		# the header again below a title
		Schallabsorptionsgrade;;
		Name;500;630
		A;0,1;0,2

		Streugrade;;
		Name;500;630
		B;0,3;0,4
		=>
		alpha_s: Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4 [scatter]
		! t.csv:5[A5]: titles between rows are read as the quantity of the rows below: A5 "Streugrade"
			(rows: 1)

		# titles among the rows, one after the other
		Name;500;630
		Streugrade;;
		A;0,1;0,2
		Decken;;
		B;0,3;0,4
		Schallabsorptionsgrade;;
		C;0,5;0,6
		=>
		Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2 [scatter]
		B | 0,3 | 0,4 [scatter]
		C | 0,5 | 0,6 [alpha_s]
		! t.csv:2[A2]: titles between rows are read as the quantity of the rows below: A2 "Streugrade"
			(rows: 2), A6 "Schallabsorptionsgrade" (rows: 1)
		! t.csv:1[A1]: unused cells: A4 "Decken"

		# times are none of our quantities
		Nachhallzeiten in s;;
		Name;125;250
		A;0,1;0,2
		=>
		foreign: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Nachhallzeiten in s"

		# percent
		Schallabsorptionsgrad αs in %;;
		Name;125;250
		A;1;20
		=>
		alpha_s: Name=label | 125=125 Hz % | 250=250 Hz %
		A | 1 | 20

		# percent of what is none
		Schallabsorptionsgrad αs in %;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: the title indicates percentages, but no coefficient exceeds 2: the coefficients are read unchanged

		# of transposed tables
		Streugrade;;
		Name;A;B
		500;0,1;0,2
		630;0,3;0,4

		Name;C;D
		500;0,1;0,2
		630;0,3;0,4
		=>
		transposed scatter: Streugrade= | Name=label | 500=scatter 500 Hz | 630=scatter 630 Hz
		 | A | 0,1 | 0,3
		 | B | 0,2 | 0,4

		transposed scatter: Name=label | 500=500 Hz | 630=630 Hz
		C | 0,1 | 0,3
		D | 0,2 | 0,4

		# a title among the rows is of the next table too
		Name;500;630
		A;0,1;0,2
		Streugrade;;
		B;0,3;0,4

		Name;Farbe;500;630
		C;rot;0,5;0,6
		=>
		Name=label | 500=500 Hz | 630=630 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4 [scatter]

		scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz
		C | rot | 0,5 | 0,6
		! t.csv:3[A3]: titles between rows are read as the quantity of the rows below: A3
			"Streugrade" (rows: 1)
	`)
}

// TestAColumnOfQuantitiesIsFoundByItsCells checks that the column name does not matter.
func TestAColumnOfQuantitiesIsFoundByItsCells(t *testing.T) {
	layouttest.CheckAll(t, `
		# any name
		Name;Typ;500;1000
		A;αs;0,1;0,2
		A;αp;0,1;0,2
		=>
		Name=label | Typ=quantity | 500=500 Hz | 1000=1000 Hz
		A | αs | 0,1 | 0,2
		A | αp | 0,1 | 0,2

		# no name
		Name;;500;1000
		A;αs;0,1;0,2
		A;αp;0,1;0,2
		=>
		Name=label | =quantity | 500=500 Hz | 1000=1000 Hz
		A | αs | 0,1 | 0,2
		A | αp | 0,1 | 0,2

		# the name of a field
		Name;Größe;500;1000
		A;Streugrad;0,1;0,2
		A;αs;0,1;0,2
		=>
		Name=label | Größe=quantity | 500=500 Hz | 1000=1000 Hz
		A | Streugrad | 0,1 | 0,2
		A | αs | 0,1 | 0,2

		# times and areas next to them
		Name;Kennwert;500;1000
		A;T1;1,1;1,2
		A;αs;0,1;0,2
		=>
		Name=label | Kennwert=quantity | 500=500 Hz | 1000=1000 Hz
		A | T1 | 1,1 | 1,2
		A | αs | 0,1 | 0,2

		# small letters together
		Name;Typ;500;1000
		A;s;0,1;0,2
		A;d;0,1;0,2
		=>
		Name=label | Typ=quantity | 500=500 Hz | 1000=1000 Hz
		A | s | 0,1 | 0,2
		A | d | 0,1 | 0,2

		# a letter next to a symbol
		Name;Typ;500;1000
		A;αs;0,1;0,2
		A;s;0,1;0,2
		=>
		Name=label | Typ=quantity | 500=500 Hz | 1000=1000 Hz
		A | αs | 0,1 | 0,2
		A | s | 0,1 | 0,2

		# sizes are none
		Name;Größe;500;1000
		A;S;0,1;0,2
		A;M;0,1;0,2
		A;L;0,1;0,2
		=>
		Name=label | Größe=size | 500=500 Hz | 1000=1000 Hz
		A | S | 0,1 | 0,2
		A | M | 0,1 | 0,2
		A | L | 0,1 | 0,2

		# one size is none
		Name;Typ;500;1000
		A;S;0,1;0,2
		B;S;0,1;0,2
		=>
		Name=label | Typ= | 500=500 Hz | 1000=1000 Hz
		A | S | 0,1 | 0,2
		B | S | 0,1 | 0,2

		# one small letter is none
		Name;Typ;500;1000
		A;s;0,1;0,2
		B;s;0,1;0,2
		=>
		Name=label | Typ= | 500=500 Hz | 1000=1000 Hz
		A | s | 0,1 | 0,2
		B | s | 0,1 | 0,2

		# other words are none
		Name;Typ;500;1000
		A;αs;0,1;0,2
		B;Platte;0,1;0,2
		=>
		Name=label | Typ= | 500=500 Hz | 1000=1000 Hz
		A | αs | 0,1 | 0,2
		B | Platte | 0,1 | 0,2

		# the only names of products are none
		Name;500;1000
		αs;0,1;0,2
		αp;0,1;0,2
		=>
		Name=label | 500=500 Hz | 1000=1000 Hz
		αs | 0,1 | 0,2
		αp | 0,1 | 0,2

		# names of products are, where a context row names the product
		Produkt: X;;
		Name;500;1000
		αs;0,1;0,2
		αp;0,1;0,2
		=>
		Name=quantity | 500=500 Hz | 1000=1000 Hz
		αs | 0,1 | 0,2 {label=X}
		αp | 0,1 | 0,2 {label=X}

		# a use is none
		Name;Kategorie;500;1000
		A;Absorption;0,1;0,2
		B;Streuung;0,1;0,2
		=>
		Name=label | Kategorie=material_category | 500=500 Hz | 1000=1000 Hz
		A | Absorption | 0,1 | 0,2
		B | Streuung | 0,1 | 0,2

		# a norm is enough
		Name;Norm;500;1000
		A;ISO 354;0,1;0,2
		B;ISO 17497-1;0,1;0,2
		=>
		Name=label | Norm=norm | 500=500 Hz | 1000=1000 Hz
		A | ISO 354 | 0,1 | 0,2
		B | ISO 17497-1 | 0,1 | 0,2
	`)
}

func TestDittoMarksRepeatTheCellAbove(t *testing.T) {
	layouttest.CheckAll(t, `
		# in a column of names and of a length
		Name;Dicke;125
		A;40;0,1
		dto.;dito;0,2
		=>
		Name=label | Dicke=thickness | 125=125 Hz
		A | 40 | 0,1
		A | 40 | 0,2
		! t.csv:3[A3]: 2 ditto marks were replaced by the value above: A3, B3

		# each mark
		Name;Farbe;125
		A;rot;0,1
		B;″;0,2
		C;〃;0,2
		D;"-""-";0,2
		E;ditto;0,2
		F;s.o.;0,2
		G;s. o.;0,2
		H;wie oben;0,2
		I;See above;0,2
		J;do.;0,2
		=>
		Name=label | Farbe= | 125=125 Hz
		A | rot | 0,1
		B | rot | 0,2
		C | rot | 0,2
		D | rot | 0,2
		E | rot | 0,2
		F | rot | 0,2
		G | rot | 0,2
		H | rot | 0,2
		I | rot | 0,2
		J | rot | 0,2
		! t.csv:3[B3]: 9 ditto marks were replaced by the value above: B3, B4, B5, B6, B7, B8, B9, B10, B11

		# a coefficient
		Name;125;250
		A;0,1;0,2
		B;dto.;0,3
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,1 | 0,3
		! t.csv:3[B3]: 1 ditto marks were replaced by the value above: B3

		# nothing above it
		Name;Farbe;125
		A;dto.;dto.
		=>
		Name=label | Farbe= | 125=125 Hz
		A | dto. | dto.

		# more than ten
		Name;Farbe;125
		A;rot;0,1
		B0;dto.;0,2
		B1;dto.;0,2
		B2;dto.;0,2
		B3;dto.;0,2
		B4;dto.;0,2
		B5;dto.;0,2
		B6;dto.;0,2
		B7;dto.;0,2
		B8;dto.;0,2
		B9;dto.;0,2
		B10;dto.;0,2
		B11;dto.;0,2
		=>
		Name=label | Farbe= | 125=125 Hz
		A | rot | 0,1
		B0 | rot | 0,2
		B1 | rot | 0,2
		B2 | rot | 0,2
		B3 | rot | 0,2
		B4 | rot | 0,2
		B5 | rot | 0,2
		B6 | rot | 0,2
		B7 | rot | 0,2
		B8 | rot | 0,2
		B9 | rot | 0,2
		B10 | rot | 0,2
		B11 | rot | 0,2
		! t.csv:3[B3]: 12 ditto marks were replaced by the value above: B3, B4, B5, B6, B7, B8, B9, B10, B11, B12 and 2
			more

		# other marks
		Name;Hersteller;125;250
		A;Acme;0,1;0,2
		B;„;0,3;0,4
		C;//;0,3;0,4
		D;id.;0,3;0,4
		E;ebenso;0,3;0,4
		F;idem;0,3;0,4
		G;”;0,3;0,4
		=>
		Name=label | Hersteller=manufacturer | 125=125 Hz | 250=250 Hz
		A | Acme | 0,1 | 0,2
		B | Acme | 0,3 | 0,4
		C | Acme | 0,3 | 0,4
		D | Acme | 0,3 | 0,4
		E | Acme | 0,3 | 0,4
		F | Acme | 0,3 | 0,4
		G | Acme | 0,3 | 0,4
		! t.csv:3[B3]: 6 ditto marks were replaced by the value above: B3, B4, B5, B6, B7, B8

		# not what looks like one
		Name;Hersteller;125;250
		A;Acme;0,1;0,2
		B;/;0,3;0,4
		C;Ebenson;0,3;0,4
		D;ID;0,3;0,4
		=>
		Name=label | Hersteller=manufacturer | 125=125 Hz | 250=250 Hz
		A | Acme | 0,1 | 0,2
		B | / | 0,3 | 0,4
		C | Ebenson | 0,3 | 0,4
		D | ID | 0,3 | 0,4
	`)
}

func TestRowsOfMeansAndLimitsAreNotProducts(t *testing.T) {
	layouttest.CheckAll(t, `
		# a mean
		Name;125;250
		A;0,1;0,2
		Mittelwert;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Mittelwert"
		! t.csv:1[A1]: unused cells: A3 "Mittelwert"

		# what is required
		Name;125;250
		A;0,1;0,2
		Soll-Wert;0,1;0,2
		Grenzwert;0,1;0,2
		Anforderung;0,1;0,2
		target;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Soll-Wert", A4
			"Grenzwert", A5 "Anforderung", A6 "target"
		! t.csv:1[A1]: unused cells: A3 "Soll-Wert", A4 "Grenzwert", A5 "Anforderung", A6 "target"

		# signs
		Name;125;250
		A;0,1;0,2
		Ø;0,1;0,2
		Std.-Abw.;0,1;0,2
		Min.;0,1;0,2
		Max.;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Ø", A4 "Std.-Abw.",
			A5 "Min.", A6 "Max."
		! t.csv:1[A1]: unused cells: A3 "Ø", A4 "Std.-Abw.", A5 "Min.", A6 "Max."

		# a total with text in it
		Name;125;250
		A;0,1;0,2
		Summe;siehe;oben
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Summe"
		! t.csv:1[A1]: unused cells: A3 "Summe"

		# after another column
		Nr.;Name;125
		1;A;0,1
		2;Mittelwert;0,1
		=>
		Nr.= | Name=label | 125=125 Hz
		1 | A | 0,1
		! t.csv:3[B3]: rows with means, totals or limits are left out: B3 "Mittelwert"
		! t.csv:1[A1]: unused cells: B3 "Mittelwert"

		# a product with a manufacturer
		Name;Hersteller;125
		Total;Acme;0,1
		=>
		Name=label | Hersteller=manufacturer | 125=125 Hz
		Total | Acme | 0,1

		# a name that begins so
		Name;125
		Limit 500;0,1
		=>
		Name=label | 125=125 Hz
		Limit 500 | 0,1

		# means, targets and deviations in other words
		Name;125;250
		A;0,1;0,2
		Ø Alpha;0,1;0,2
		ungewichtetes Mittel;0,1;0,2
		Target for class A;0,1;0,2
		Zielwert Büro;0,1;0,2
		s_R;0,1;0,2
		Messunsicherheit;0,1;0,2
		Bezugskurve;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Ø Alpha", A4
			"ungewichtetes Mittel", A5 "Target for class A", A6 "Zielwert Büro", A7 "s_R", A8
			"Messunsicherheit", A9 "Bezugskurve"
		! t.csv:1[A1]: unused cells: A3 "Ø Alpha", A4 "ungewichtetes Mittel", A5 "Target for class A", A6
			"Zielwert Büro", A7 "s_R", A8 "Messunsicherheit", A9 "Bezugskurve"

		# not names that begin so
		Name;125;250
		Ø40 Rundsegel;0,1;0,2
		Targetta;0,1;0,2
		Mittelwand;0,1;0,2
		Durchschnittlich;0,1;0,2
		Soll & Haben;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		Ø40 Rundsegel | 0,1 | 0,2
		Targetta | 0,1 | 0,2
		Mittelwand | 0,1 | 0,2
		Durchschnittlich | 0,1 | 0,2
		Soll & Haben | 0,1 | 0,2
	`)
}

func TestRowsOfMeansOfOtherTables(t *testing.T) {
	layouttest.CheckAll(t, `
		# longer names
		Name;125;250
		A;0,1;0,2
		Mittelwert aller Proben;0,1;0,2
		Anforderungen nach DIN 18041;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Mittelwert aller
			Proben", A4 "Anforderungen nach DIN 18041"
		! t.csv:1[A1]: unused cells: A3 "Mittelwert aller Proben", A4 "Anforderungen nach DIN 18041"

		# of a transposed table
		Frequenz;A;B;Mittelwert
		125;0,1;0,2;0,15
		250;0,3;0,4;0,35
		=>
		transposed: Frequenz=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,3
		B | 0,2 | 0,4
		! t.csv:1[D1]: rows with means, totals or limits are left out: D1 "Mittelwert"
		! t.csv:1[A1]: unused cells: D1 "Mittelwert"

		# a count of articles
		Art.-Nr.;Name;125;250
		4711;A;0,1;0,2
		Summe;3 Artikel;;
		=>
		Art.-Nr.=article_number | Name=label | 125=125 Hz | 250=250 Hz
		4711 | A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Summe"
		! t.csv:1[A1]: unused cells: A3 "Summe"

		# an empty name does not hide it
		Art.-Nr.;Name;125;250
		4711;A;0,1;0,2
		;Max.;0,1;0,2
		=>
		Art.-Nr.=article_number | Name=label | 125=125 Hz | 250=250 Hz
		4711 | A | 0,1 | 0,2
		! t.csv:3[B3]: rows with means, totals or limits are left out: B3 "Max."
		! t.csv:1[A1]: unused cells: B3 "Max."

		# additional measurements of a laboratory
		Name;125;250
		A;0,1;0,2
		Leerhallraum;0,1;0,2
		Standardabweichung der Proben;0,1;0,2
		Reproducibility;0,1;0,2
		erweiterte Messunsicherheit;0,1;0,2
		arithmetisches Mittel;0,1;0,2
		Fjord Mittelwert;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Leerhallraum", A4
			"Standardabweichung der Proben", A5 "Reproducibility", A6 "erweiterte Messunsicherheit", A7 "arithmetisches
			Mittel", A8 "Fjord Mittelwert"
		! t.csv:1[A1]: unused cells: A3 "Leerhallraum", A4 "Standardabweichung der Proben", A5 "Reproducibility",
			A6 "erweiterte Messunsicherheit", A7 "arithmetisches Mittel", A8 "Fjord Mittelwert"

		# not names that end so
		Name;125;250
		Fjord Mittel;0,1;0,2
		Fjord Average;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		Fjord Mittel | 0,1 | 0,2
		Fjord Average | 0,3 | 0,4

		# a dash does not hide it
		Art.-Nr.;Name;125;250
		4711;A;0,1;0,2
		-;Mittelwert;0,1;0,2
		=>
		Art.-Nr.=article_number | Name=label | 125=125 Hz | 250=250 Hz
		4711 | A | 0,1 | 0,2
		! t.csv:3[B3]: rows with means, totals or limits are left out: B3 "Mittelwert"
		! t.csv:1[A1]: unused cells: B3 "Mittelwert"

		# times of a transposed table
		Frequenz [Hz];T1 leer [s];Fjord
		125;5,1;0,1
		250;5,2;0,2
		500;5,3;0,3
		=>
		transposed: Frequenz [Hz]=label | 125=125 Hz | 250=250 Hz | 500=500 Hz
		Fjord | 0,1 | 0,2 | 0,3
		! t.csv:1[B1]: rows with means, totals or limits are left out: B1 "T1 leer [s]"
		! t.csv:1[A1]: unused cells: B1 "T1 leer [s]"
	`)
}
