package grid_test

import (
	"testing"

	"sabine/internal/layouttest"
)

// TestTransposedTablesBelowEachOther checks tables that repeat the same keys.
func TestTransposedTablesBelowEachOther(t *testing.T) {
	layouttest.CheckAll(t, `
		# after a blank row
		Produkt;A;B
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4

		Produkt;C;D
		125 Hz;0,5;0,6
		250 Hz;0,7;0,8
		=>
		transposed: Produkt=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		A | 0,1 | 0,3
		B | 0,2 | 0,4

		transposed: Produkt=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		C | 0,5 | 0,7
		D | 0,6 | 0,8

		# without one
		Produkt;A;B
		Dicke;20;40
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		Produkt;C;D
		Dicke;60;80
		125 Hz;0,5;0,6
		250 Hz;0,7;0,8
		=>
		transposed: Produkt=label | Dicke=thickness | 125 Hz=125 Hz | 250 Hz=250 Hz
		A | 20 | 0,1 | 0,3
		B | 40 | 0,2 | 0,4

		transposed: Produkt=label | Dicke=thickness | 125 Hz=125 Hz | 250 Hz=250 Hz
		C | 60 | 0,5 | 0,7
		D | 80 | 0,6 | 0,8

		# each with a title
		Streugrade;;
		Produkt;A;B
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4

		Schallabsorptionsgrade;;
		Produkt;C;D
		125 Hz;0,5;0,6
		250 Hz;0,7;0,8
		=>
		transposed scatter: Streugrade= | Produkt=label | 125 Hz=scatter 125 Hz | 250 Hz=scatter 250 Hz
		 | A | 0,1 | 0,3
		 | B | 0,2 | 0,4

		transposed alpha_s: Schallabsorptionsgrade= | Produkt=label | 125 Hz=alpha_s 125 Hz | 250 Hz=alpha_s 250 Hz
		 | C | 0,5 | 0,7
		 | D | 0,6 | 0,8

		# the name of the frequencies is the key, above other products
		Frequenz;A;B
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4

		Frequenz;C;D
		125 Hz;0,5;0,6
		250 Hz;0,7;0,8
		=>
		transposed: Frequenz=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		A | 0,1 | 0,3
		B | 0,2 | 0,4

		transposed: Frequenz=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		C | 0,5 | 0,7
		D | 0,6 | 0,8

		# facts of one product do not apply to the next
		Produkt;A;
		Dicke;20;
		125 Hz;0,1;
		250 Hz;0,3;

		Produkt;B;C
		125 Hz;0,5;0,6
		250 Hz;0,7;0,8
		=>
		transposed: Produkt= | Dicke= | 125 Hz=125 Hz | 250 Hz=250 Hz
		 |  | 0,1 | 0,3 {label=A, thickness_mm=20}

		transposed: Produkt=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		B | 0,5 | 0,7
		C | 0,6 | 0,8

		# one key more
		Produkt;A;B
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4

		Dicke;20;40
		Produkt;C;D
		125 Hz;0,5;0,6
		250 Hz;0,7;0,8
		=>
		transposed: Produkt=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		A | 0,1 | 0,3
		B | 0,2 | 0,4

		transposed: Dicke=thickness | Produkt=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		20 | C | 0,5 | 0,7
		40 | D | 0,6 | 0,8
	`)
}

// TestTablesSideBySide checks tables that follow an empty column.
func TestTablesSideBySide(t *testing.T) {
	layouttest.CheckAll(t, `
		# transposed
		Produkt;A;;Produkt;B
		Dicke;20;;Dicke;40
		125 Hz;0,1;;125 Hz;0,5
		250 Hz;0,2;;250 Hz;0,6
		500 Hz;0,3;;500 Hz;0,7
		=>
		transposed: Produkt= | Dicke= | 125 Hz=125 Hz | 250 Hz=250 Hz | 500 Hz=500 Hz
		 |  | 0,1 | 0,2 | 0,3 {label=A, thickness_mm=20}

		transposed: Produkt=label | Dicke=thickness | 125 Hz=125 Hz | 250 Hz=250 Hz | 500 Hz=500 Hz
		B | 40 | 0,5 | 0,6 | 0,7

		# bands downwards, each with its name in the line above
		Fjord 40;;;Hygge 20;
		Frequenz;αs;;Frequenz;αs
		125;0,1;;125;0,4
		250;0,2;;250;0,5
		500;0,3;;500;0,6
		1000;0,3;;1000;0,6
		=>
		transposed: Fjord 40= | Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz | 1000=1000 Hz
		 | αs | 0,1 | 0,2 | 0,3 | 0,3 {label=Fjord 40}

		transposed: Hygge 20= | Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz | 1000=1000 Hz
		 | αs | 0,4 | 0,5 | 0,6 | 0,6 {label=Hygge 20}
		! t.csv:1[A1]: the title is read as the product name: "Fjord 40"
		! t.csv:1[D1]: the title is read as the product name: "Hygge 20"

		# without an empty column they are one table
		Produkt;A;Produkt;B
		Dicke;20;Dicke;40
		125 Hz;0,1;125 Hz;0,5
		250 Hz;0,2;250 Hz;0,6
		500 Hz;0,3;500 Hz;0,7
		=>
		transposed: Produkt=label | Dicke=thickness | 125 Hz=125 Hz | 250 Hz=250 Hz | 500 Hz=500 Hz
		A | 20 | 0,1 | 0,2 | 0,3
		B | 40 | 0,5 | 0,6 | 0,7

		# other keys after an empty column are none
		Produkt;A;;Farbe
		125 Hz;0,1;;rot
		250 Hz;0,2;;blau
		500 Hz;0,3;;grau
		=>
		transposed: Produkt=label | 125 Hz=125 Hz | 250 Hz=250 Hz | 500 Hz=500 Hz
		A | 0,1 | 0,2 | 0,3
		Farbe | rot | blau | grau
	`)
}

// TestDataSheetsBelowEachOther checks data sheets whose titles name their products.
func TestDataSheetsBelowEachOther(t *testing.T) {
	layouttest.CheckAll(t, `
		# bands downwards
		Fjord 40;
		f/Hz;αs
		125;0,1
		250;0,2

		Hygge 20;
		f/Hz;αs
		125;0,3
		250;0,4
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40}
		250 | 0,2 {label=Fjord 40}

		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,3 {label=Hygge 20}
		250 | 0,4 {label=Hygge 20}
		! t.csv:1[A1]: the title is read as the product name: "Fjord 40"
		! t.csv:6[A6]: the title is read as the product name: "Hygge 20"

		# bands across
		Fjord 40;;;
		Frequenz;125;250;500
		αs;0,1;0,2;0,3

		Hygge 20;;;
		Frequenz;125;250;500
		αs;0,4;0,5;0,6
		=>
		Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz
		αs | 0,1 | 0,2 | 0,3 {label=Fjord 40}

		Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz
		αs | 0,4 | 0,5 | 0,6 {label=Hygge 20}
		! t.csv:1[A1]: the title is read as the product name: "Fjord 40"
		! t.csv:5[A5]: the title is read as the product name: "Hygge 20"

		# names in context rows, bands downwards
		Produkt:;Fjord 40
		Dicke:;40 mm
		f/Hz;αs
		125;0,1
		250;0,2

		Produkt:;Hygge 20
		f/Hz;αs
		125;0,3
		250;0,4
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40, thickness_mm=40 mm}
		250 | 0,2 {label=Fjord 40, thickness_mm=40 mm}

		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,3 {label=Hygge 20}
		250 | 0,4 {label=Hygge 20}

		# names in context rows, bands across
		Produkt:;Fjord 40;;
		Dicke:;40 mm;;
		Frequenz;125;250;500
		αs;0,1;0,2;0,3

		Produkt:;Hygge 20;;
		Frequenz;125;250;500
		αs;0,4;0,5;0,6
		=>
		Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz
		αs | 0,1 | 0,2 | 0,3 {label=Fjord 40, thickness_mm=40 mm}

		Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz
		αs | 0,4 | 0,5 | 0,6 {label=Hygge 20}

		# facts of all products remain, facts of one do not
		Hersteller: Acme;
		Produkt: Fjord 40;
		Dicke: 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2

		Produkt: Hygge 20;
		f/Hz;αs
		125;0,3
		250;0,4
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {manufacturer=Acme, label=Fjord 40, thickness_mm=40 mm}
		250 | 0,2 {manufacturer=Acme, label=Fjord 40, thickness_mm=40 mm}

		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,3 {manufacturer=Acme, label=Hygge 20}
		250 | 0,4 {manufacturer=Acme, label=Hygge 20}
	`)
}
