package header_test

import (
	"testing"

	"sabine/internal/layouttest"
)

// TestWhereTablesAre checks where a header is, and which columns it names.
func TestWhereTablesAre(t *testing.T) {
	layouttest.CheckAll(t, `
		# the first row
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		# below titles, to the right of blank columns
		Liste 2026;;;
		;;;
		Stand;;;
		;Name;125;250
		;A;0,1;0,2
		=>
		= | Name=label | 125=125 Hz | 250=250 Hz
		 | A | 0,1 | 0,2
		! t.csv:4[A4]: unused cells: A1 "Liste 2026", A3 "Stand"

		# a group over its first band, units below
		Name;Dicke;αs;
		;;125;250
		;[mm];Hz;Hz
		A;40;0,1;0,2
		=>
		Name=label | Dicke [mm]=thickness_mm | αs 125 Hz=alpha_s 125 Hz | αs 250 Hz=alpha_s 250 Hz
		A | 40 | 0,1 | 0,2

		# two groups of quantities
		Name;αs;;αp;
		;500;1000;500;1000
		A;0,1;0,2;0,15;0,25
		=>
		Name=label | αs 500=alpha_s 500 Hz | αs 1000=alpha_s 1000 Hz | αp 500=absorption_octave 500 Hz | αp
			1000=absorption_octave 1000 Hz
		A | 0,1 | 0,2 | 0,15 | 0,25

		# groups of thirds and octaves
		;αs;;;
		;Terz;;Oktave;
		Name;500;630;500;1000
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | αs Terz 500=alpha_s_third_octave 500 Hz | αs Terz 630=alpha_s_third_octave 630 Hz | αs Oktave
			500=alpha_s_octave 500 Hz | αs Oktave 1000=alpha_s_octave 1000 Hz
		A | 0,1 | 0,2 | 0,3 | 0,4

		# a group of any words, where merged cells are lost
		Name;Hersteller;Messwerte;
		;;125;250
		A;Acme;0,1;0,2
		=>
		Name=label | Hersteller=manufacturer | Messwerte 125=125 Hz | Messwerte 250=250 Hz
		A | Acme | 0,1 | 0,2

		# a group of what is none of our quantities
		Name;αs;;Standardabweichung;
		;125;250;125;250
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | αs 125=alpha_s 125 Hz | αs 250=alpha_s 250 Hz | Standardabweichung 125= | Standardabweichung
			250=
		A | 0,1 | 0,2 | 0,3 | 0,4

		# bands above the other names
		;;125;250
		Name;Dicke [cm];αs;αs
		A;4;0,1;0,2
		=>
		Name=label | Dicke [cm]=thickness_cm | 125 αs=alpha_s 125 Hz | 250 αs=alpha_s 250 Hz
		A | 4 | 0,1 | 0,2

		# a name of two rows
		Produkt;;;
		Name;Artikel-Nr.;125;250
		A;X1;0,1;0,2
		=>
		Name=label | Artikel-Nr.=article_number | 125=125 Hz | 250=250 Hz
		A | X1 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Produkt"

		# percent of a group
		Name;αs [%];
		;125;250
		A;10;20
		=>
		Name=label | αs [%] 125=alpha_s 125 Hz % | αs [%] 250=alpha_s 250 Hz %
		A | 10 | 20

		# the name of the bands is above the products
		Frequenz [Hz];125;250
		A;0,1;0,2
		=>
		Frequenz [Hz]=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		# nothing is above the products
		;125;250;500
		A;0,1;0,2;0,3
		=>
		=label | 125=125 Hz | 250=250 Hz | 500=500 Hz
		A | 0,1 | 0,2 | 0,3
		! t.csv:1[A1]: the column is read as product names

		# both axes are named over the products
		Produkt / Frequenz;125;250
		A;0,1;0,2
		=>
		Produkt / Frequenz=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		# numbers that are bands are values
		Artikelnummer;Name;Dicke;500 Hz;1 kHz
		125;A;50;1;0,5
		250;B;63;0;1
		500;C;100;1;1
		=>
		Artikelnummer=article_number | Name=label | Dicke=thickness | 500 Hz=500 Hz | 1 kHz=1000 Hz
		125 | A | 50 | 1 | 0,5
		250 | B | 63 | 0 | 1
		500 | C | 100 | 1 | 1

		# a title with a number
		Produkt;500;
		;;
		Name;125;250
		A;0,1;0,2
		B;0,1;0,2
		=>
		Produkt=label | 500=500 Hz | =

		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,1 | 0,2

		# bands in kHz
		Name;0,125;0,25;0,5;1
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | 0,125=125 Hz | 0,25=250 Hz | 0,5=500 Hz | 1=1000 Hz
		A | 0,1 | 0,2 | 0,3 | 0,4

		# a header of two rows below another table
		Name;125;250
		A;0,1;0,2
		Name;αs;
		;500;630
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		Name=label | αs 500=alpha_s 500 Hz | αs 630=alpha_s 630 Hz
		B | 0,3 | 0,4

		# a header that printed pages repeat
		Name;125;250
		A;0,1;0,2
		Name;125;250
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4

		# a row that numbers the columns
		Name;125;250
		1;2;3
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A2 "1"

		# rows of the product above
		Name;Hersteller;Luftspalt;125
		A;Acme;0;0,1
		;;200;0,2
		=>
		Name=label | Hersteller=manufacturer | Luftspalt=air_gap | 125=125 Hz
		A | Acme | 0 | 0,1
		A | Acme | 200 | 0,2
		! t.csv:1[A1]: rows without a product name are assigned to the product in the row above: 1

		# a row without coefficients that looks like names
		Name;Quelle;Dicke;125;250
		A;Literatur;50;;
		B;Literatur;50;0,1;0,2
		=>
		Name=label | Quelle=source | Dicke=thickness | 125=125 Hz | 250=250 Hz
		A | Literatur | 50 |  |
		B | Literatur | 50 | 0,1 | 0,2

		# the second column of a field is a text
		Name;Farbe;Bezeichnung;125
		A;rot;B;0,1
		=>
		Name=label | Farbe= | Bezeichnung= | 125=125 Hz
		A | rot | B | 0,1

		# cells after the last column
		Name;125;250
		A;0,1;0,2;;siehe oben
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 +siehe oben in E2

		# a short table above a longer one
		Name;125;250
		A;0,1;0,2
		Name;Dicke;Breite;500;1000
		B;200;600;0,1;0,2
		C;200;600;0,1;0,2
		D;200;600;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		Name=label | Dicke=thickness | Breite=width | 500=500 Hz | 1000=1000 Hz
		B | 200 | 600 | 0,1 | 0,2
		C | 200 | 600 | 0,1 | 0,2
		D | 200 | 600 | 0,1 | 0,2
	`)
}

// TestTransposedTables checks tables whose bands are rows.
func TestTransposedTables(t *testing.T) {
	layouttest.CheckAll(t, `
		# a product a column
		Frequenz;A;B
		125;0,1;0,2
		250;0,3;0,4
		=>
		transposed: Frequenz=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,3
		B | 0,2 | 0,4

		# bands downwards
		Produkt: A
		Hersteller: Acme

		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A, manufacturer=Acme}
		250 | 0,2 {label=A, manufacturer=Acme}

		# lines of two cells
		Produkt:;A
		Hersteller:;Acme
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A, manufacturer=Acme}
		250 | 0,2 {label=A, manufacturer=Acme}

		# one manufacturer of all
		Hersteller;Acme;
		Frequenz;A;B
		125;0,1;0,2
		250;0,3;0,4
		=>
		transposed: Hersteller= | Frequenz=label | 125=125 Hz | 250=250 Hz
		 | A | 0,1 | 0,3 {manufacturer=Acme}
		 | B | 0,2 | 0,4 {manufacturer=Acme}

		# names in the second column
		1;Name;A;B
		2;Dicke [mm];40;50
		3;125 Hz;0,1;0,2
		4;250 Hz;0,3;0,4
		=>
		transposed: Name=label | Dicke [mm]=thickness_mm | 125 Hz=125 Hz | 250 Hz=250 Hz
		A | 40 | 0,1 | 0,3
		B | 50 | 0,2 | 0,4
		! t.csv:1[B1]: unused cells: A1 "1", A2 "2", A3 "3", A4 "4"

		# curves of one product
		Produkt: A;;
		f;αs;αp
		Hz;-;-
		500;0,11;0,1
		1000;0,22;0,2
		=>
		long: f Hz=frequency_hz | αs=alpha_s | αp=absorption_octave
		500 | 0,11 | 0,1 {label=A}
		1000 | 0,22 | 0,2 {label=A}

		# times and areas of a test report
		Produkt;A;;
		Hersteller;Acme;;
		Frequenz;T1;A;αs
		500;1,1;0,7;0,1
		630;1,2;0,8;0,2
		=>
		long: Frequenz=frequency | T1=(unsupported quantity) | A=(unsupported quantity) |
			αs=alpha_s
		500 |  |  | 0,1 {label=A, manufacturer=Acme}
		630 |  |  | 0,2 {label=A, manufacturer=Acme}
		! t.csv:3[B3]: columns of unsupported quantities, such as times or areas, are left out: B3 "T1", C3 "A"

		# symbols of quantities
		Produkt;A;
		Hersteller;Acme;
		f;αs;s
		500;0,11;0,1
		1000;0,22;0,2
		=>
		long: f=frequency | αs=alpha_s | s=scatter
		500 | 0,11 | 0,1 {label=A, manufacturer=Acme}
		1000 | 0,22 | 0,2 {label=A, manufacturer=Acme}

		# percent of a column
		Produkt: A;
		f in Hz;αs [%]
		500;11
		1000;22
		=>
		long: f in Hz=frequency_hz | αs [%]=alpha_s %
		500 | 11 {label=A}
		1000 | 22 {label=A}

		# a quantity over its bands
		Name;A;B
		αs;;
		500 Hz;0,1;0,2
		630 Hz;0,1;0,2
		Streugrad;;
		500 Hz;0,3;0,4
		630 Hz;0,3;0,4
		=>
		transposed: Name=label | αs= | 500 Hz=alpha_s 500 Hz | 630 Hz=alpha_s 630 Hz | Streugrad= | 500 Hz=scatter
			500 Hz | 630 Hz=scatter 630 Hz
		A |  | 0,1 | 0,1 |  | 0,3 | 0,3
		B |  | 0,2 | 0,2 |  | 0,4 | 0,4

		# a column of units
		Eigenschaft;Einheit;;
		Name;;Platte A;Platte B
		Dicke;mm;40;50
		125;Hz;0,1;0,2
		250;Hz;0,3;0,4
		=>
		transposed: Eigenschaft Einheit= | Name=label | Dicke mm=thickness_mm | 125 Hz=125 Hz | 250 Hz=250 Hz
		 | Platte A | 40 | 0,1 | 0,3
		 | Platte B | 50 | 0,2 | 0,4
		! t.csv:1[A1]: unused cells: A1 "Eigenschaft"

		# a line below the bands decides nothing
		Name;A;B
		500 Hz;0,1;0,2
		630 Hz;0,1;0,2
		Streugrad auf Anfrage;;
		=>
		transposed: Name=label | 500 Hz=500 Hz | 630 Hz=630 Hz | Streugrad auf Anfrage=
		A | 0,1 | 0,1 |
		B | 0,2 | 0,2 |

		# an empty corner and a row of article numbers
		;Platte A;Platte B
		Art.-Nr.;4711;4712
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		=>
		transposed: =label | Art.-Nr.=article_number | 125 Hz=125 Hz | 250 Hz=250 Hz
		Platte A | 4711 | 0,1 | 0,3
		Platte B | 4712 | 0,2 | 0,4
		! t.csv:1[A1]: the column is read as product names

		# an empty corner above the bands
		;Platte A;Platte B
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		=>
		transposed: =label | 125 Hz=125 Hz | 250 Hz=250 Hz
		Platte A | 0,1 | 0,3
		Platte B | 0,2 | 0,4
		! t.csv:1[A1]: the column is read as product names
	`)
}

// TestLongTables checks tables with a row for each band.
func TestLongTables(t *testing.T) {
	layouttest.CheckAll(t, `
		# a row a band
		Name;Montage;Frequenz [Hz];αs
		A;E;500;0,1
		A;E;630;0,2
		B;E;500;0,3
		B;E;630;0,4
		=>
		long: Name=label | Montage=mounting | Frequenz [Hz]=frequency_hz | αs=alpha_s
		A | E | 500 | 0,1
		A | E | 630 | 0,2
		B | E | 500 | 0,3
		B | E | 630 | 0,4

		# the product in the first row of its block
		Name;f;αs
		A;500;0,1
		;630;0,2
		B;500;0,3
		;630;0,4
		=>
		long: Name=label | f=frequency | αs=alpha_s
		A | 500 | 0,1
		A | 630 | 0,2
		B | 500 | 0,3
		B | 630 | 0,4
		! t.csv:1[A1]: rows without a product name are assigned to the product in the row above: 2

		# a quantity a column
		Name;f in Hz;αs;αp
		A;500;0,1;0,15
		A;1000;0,2;0,25
		=>
		long: Name=label | f in Hz=frequency_hz | αs=alpha_s | αp=absorption_octave
		A | 500 | 0,1 | 0,15
		A | 1000 | 0,2 | 0,25

		# context rows name the product
		Frequenz;αs
		Produkt: A;
		500;0,1
		1000;0,2
		Produkt: B;
		500;0,3
		1000;0,4
		=>
		long: Frequenz=frequency | αs=alpha_s
		500 | 0,1 {label=A}
		1000 | 0,2 {label=A}
		500 | 0,3 {label=B}
		1000 | 0,4 {label=B}
	`)
}

// TestADatasheetIsOneSetup checks that the keys in the first column apply to all bands below them.
func TestADatasheetIsOneSetup(t *testing.T) {
	layouttest.CheckAll(t, `
		# bands downwards
		Produkt:;X
		Plattendicke:;20 mm
		Luftspalt:;200 mm
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}
		250 | 0,2 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}

		# two curves next to keys of one value
		Produkt:;X;
		Plattendicke:;20 mm;
		Luftspalt:;200 mm;
		Frequenz;αs;αp
		500;0,1;0,2
		1000;0,3;0,4
		=>
		long: Frequenz=frequency | αs=alpha_s | αp=absorption_octave
		500 | 0,1 | 0,2 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}
		1000 | 0,3 | 0,4 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}

		# bands across
		Produkt:;X;;
		Plattendicke:;20 mm;;
		Frequenz;125;250;500
		αs;0,1;0,2;0,3
		=>
		Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz
		αs | 0,1 | 0,2 | 0,3 {label=X, thickness_mm=20 mm}

		# keys and values in one cell
		Produkt: X;;
		Dicke: 20 mm;;
		Luftspalt: 200 mm;;
		Frequenz;αs;αp
		500;0,1;0,2
		1000;0,3;0,4
		=>
		long: Frequenz=frequency | αs=alpha_s | αp=absorption_octave
		500 | 0,1 | 0,2 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}
		1000 | 0,3 | 0,4 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}

		# keys below the product and without colons
		Produkt;X;
		Dicke;20 mm;
		Montage;E-200;
		Frequenz;αs;αp
		500;0,1;0,2
		1000;0,3;0,4
		=>
		long: Frequenz=frequency | αs=alpha_s | αp=absorption_octave
		500 | 0,1 | 0,2 {label=X, thickness_mm=20 mm, mounting=E-200}
		1000 | 0,3 | 0,4 {label=X, thickness_mm=20 mm, mounting=E-200}

		# a key with a value a set-up is none
		Produkt;X;
		Montage;A;E-200
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		=>
		transposed: Produkt=label | Montage=mounting | 125 Hz=125 Hz | 250 Hz=250 Hz
		X | A | 0,1 | 0,3
		X | E-200 | 0,2 | 0,4
		! t.csv:1[A1]: rows without a product name are assigned to the product in the row above: 1
	`)
}

// TestSetupsSideBySide checks tables with bands for several set-ups in one row.
func TestSetupsSideBySide(t *testing.T) {
	layouttest.CheckAll(t, `
		# mountings
		Name;αs, Montage A;;αs, Montage E-400;
		;125;250;125;250
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | αs, Montage A 125=alpha_s 125 Hz | αs, Montage A 250=alpha_s 250 Hz | αs, Montage E-400
			125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 Hz
		A | 0,1 | 0,2 |  |  {mounting=A}
		A |  |  | 0,3 | 0,4 {mounting=E-400}

		# words that no field has
		;;ohne Vlies;;mit Vlies;
		Name;Dicke;125;250;125;250
		A;40;0,1;0,2;0,3;0,4
		=>
		Name=label | Dicke=thickness | ohne Vlies 125=125 Hz | ohne Vlies 250=250 Hz | mit Vlies 125=125 Hz | mit
			Vlies 250=250 Hz
		A | 40 | 0,1 | 0,2 |  |  {measuring_option=ohne Vlies}
		A | 40 |  |  | 0,3 | 0,4 {measuring_option=mit Vlies}

		# a field that has a column is a measuring option
		;;Dicke 20 mm;;Dicke 40 mm;
		Name;Dicke;125;250;125;250
		A;30;0,1;0,2;0,3;0,4
		=>
		Name=label | Dicke=thickness | Dicke 20 mm 125=125 Hz | Dicke 20 mm 250=250 Hz | Dicke 40 mm 125=125 Hz |
			Dicke 40 mm 250=250 Hz
		A | 30 | 0,1 | 0,2 |  |  {measuring_option=20 mm}
		A | 30 |  |  | 0,3 | 0,4 {measuring_option=40 mm}

		# a row without a set-up's bands has none of it
		Name;αs, Montage A;;αs, Montage E-400;
		;125;250;125;250
		A;;;0,3;0,4
		B;;;;
		=>
		Name=label | αs, Montage A 125=alpha_s 125 Hz | αs, Montage A 250=alpha_s 250 Hz | αs, Montage E-400
			125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 Hz
		A |  |  | 0,3 | 0,4 {mounting=E-400}
		! t.csv:1[A1]: unused cells: A4 "B"

		# a ditto mark belongs to its set-up
		Name;αs, Montage A;;αs, Montage E-400;
		;125;250;125;250
		A;0,1;0,2;0,3;0,4
		B;0,5;dto.;dto.;0,6
		=>
		Name=label | αs, Montage A 125=alpha_s 125 Hz | αs, Montage A 250=alpha_s 250 Hz | αs, Montage E-400
			125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 Hz
		A | 0,1 | 0,2 |  |  {mounting=A}
		A |  |  | 0,3 | 0,4 {mounting=E-400}
		B | 0,5 | 0,2 |  |  {mounting=A}
		B |  |  | 0,3 | 0,6 {mounting=E-400}
		! t.csv:4[C4]: 2 ditto marks were replaced by the value above: C4, D4
	`)
}

// TestAHeaderWithoutBands checks headers with three or more known fields, including a product, and no values.
func TestAHeaderWithoutBands(t *testing.T) {
	layouttest.CheckAll(t, `
		# names, ratings, classes
		Artikelnummer;Bezeichnung;αw;Brandklasse
		4711;A;0,65;A2
		4712;B;0,8;B
		=>
		Artikelnummer=article_number | Bezeichnung=label | αw=alpha_w | Brandklasse=fire_class
		4711 | A | 0,65 | A2
		4712 | B | 0,8 | B

		# below a title
		Stammdaten;;
		Bezeichnung;Hersteller;NRC
		A;Acme;0,65
		=>
		Bezeichnung=label | Hersteller=manufacturer | NRC=nrc
		A | Acme | 0,65
		! t.csv:2[A2]: unused cells: A1 "Stammdaten"

		# two known fields are not enough
		Name;Farbe;Hersteller
		A;rot;Acme
		=>
		! row 1: Name, Farbe?, Hersteller
		! row 2: A?, rot?, Acme?

		# no product
		Farbe;αw;Brandklasse;Hersteller
		rot;0,65;A2;Acme
		=>
		! row 1: Farbe?, αw, Brandklasse, Hersteller
		! row 2: rot?, 0,65?, A2?, Acme?

		# master data and values
		Artikelnummer;Bezeichnung;αw
		4711;A;0,65
		4712;B;0,8

		Artikelnummer;125;250
		4711;0,1;0,2
		=>
		Artikelnummer=article_number | Bezeichnung=label | αw=alpha_w
		4711 | A | 0,65
		4712 | B | 0,8

		Artikelnummer=article_number | 125=125 Hz | 250=250 Hz
		4711 | 0,1 | 0,2

		# values and master data
		Artikelnummer;125;250
		4711;0,1;0,2

		Artikelnummer;Bezeichnung;αw
		4711;A;0,65
		4712;B;0,8
		=>
		Artikelnummer=article_number | 125=125 Hz | 250=250 Hz
		4711 | 0,1 | 0,2

		Artikelnummer=article_number | Bezeichnung=label | αw=alpha_w
		4711 | A | 0,65
		4712 | B | 0,8

		# the names above bands are theirs
		Name;Hersteller;Dicke;Messwerte;
		;;;125;250
		A;Acme;40;0,1;0,2
		=>
		Name=label | Hersteller=manufacturer | Dicke=thickness | Messwerte 125=125 Hz | Messwerte 250=250 Hz
		A | Acme | 40 | 0,1 | 0,2

		# bands next to it
		Name;Hersteller;Dicke;125;250
		A;Acme;40;0,1;0,2
		=>
		Name=label | Hersteller=manufacturer | Dicke=thickness | 125=125 Hz | 250=250 Hz
		A | Acme | 40 | 0,1 | 0,2

		# a third of known names is enough
		Art.-Nr.;Name;Hersteller;Werk;Los;Palette;Turm;Halle
		A1;Fjord;Acme;N;1;2;3;4
		A2;Hygge;Acme;N;1;2;3;5
		=>
		Art.-Nr.=article_number | Name=label | Hersteller=manufacturer | Werk= | Los= | Palette= | Turm= |
			Halle=
		A1 | Fjord | Acme | N | 1 | 2 | 3 | 4
		A2 | Hygge | Acme | N | 1 | 2 | 3 | 5

		# fewer are not
		Art.-Nr.;Name;Hersteller;Werk;Los;Palette;Turm;Halle;Zeile;Platz
		A1;Fjord;Acme;N;1;2;3;4;5;6
		A2;Hygge;Acme;N;1;2;3;5;5;6
		=>
		! row 1: Art.-Nr., Name, Hersteller, Werk?, Los?, Palette?, Turm?, Halle?, …
		! row 2: A1?, Fjord?, Acme?, N?, 1?, 2?, 3?, 4?, …
		! row 3: A2?, Hygge?, Acme?, N?, 1?, 2?, 3?, 5?, …
	`)
}

// TestTheOnlyTitleNamesTheProduct checks titles in tables whose columns and context rows name no product.
func TestTheOnlyTitleNamesTheProduct(t *testing.T) {
	layouttest.CheckAll(t, `
		# a title
		Akustikplatte Fjord 40;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Akustikplatte Fjord 40}
		250 | 0,2 {label=Akustikplatte Fjord 40}
		! t.csv:1[A1]: the title is read as the product name: "Akustikplatte Fjord 40"

		# a title among others that name none
		Prüfbericht 17;
		Akustikplatte Fjord 40;
		αs nach ISO 354;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		transposed alpha_s: Prüfbericht 17= | Akustikplatte Fjord 40= | αs nach ISO 354= | f/Hz=quantity |
			125=alpha_s 125 Hz | 250=alpha_s 250 Hz
		 |  |  | αs | 0,1 | 0,2 {label=Akustikplatte Fjord 40}
		! t.csv:2[A2]: the title is read as the product name: "Akustikplatte Fjord 40"
		! t.csv:1[A1]: unused cells: A1 "Prüfbericht 17"

		# two titles
		Akustikplatte Fjord;
		Akustikplatte Hygge;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:3[A3]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt"
			or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# a general word
		Messergebnisse;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt"
			or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# an authority
		Ministerium für Bauen;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt"
			or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# a company
		Acme GmbH;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt"
			or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# nothing
		Farbe;125;250
		0,5;0,1;0,2
		=>
		! t.csv:1[A1]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt"
			or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# a line below it that has a thickness describes it
		Fjord Clip 40;
		Akustikplatte, Elementdicke 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {thickness_mm=40 mm, label=Fjord Clip 40, description=Akustikplatte, Elementdicke 40 mm}
		250 | 0,2 {thickness_mm=40 mm, label=Fjord Clip 40, description=Akustikplatte, Elementdicke 40 mm}
		! t.csv:1[A1]: the title is read as the product name: "Fjord Clip 40"

		# a line below it that has a comma describes it
		Fjord Clip 40;
		Holzwolleplatte, weiß;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord Clip 40, description=Holzwolleplatte, weiß}
		250 | 0,2 {label=Fjord Clip 40, description=Holzwolleplatte, weiß}
		! t.csv:1[A1]: the title is read as the product name: "Fjord Clip 40"

		# another line may be a name too
		Fjord 40;
		Akustikplatte weiß;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:3[A3]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung",
			"Produkt" or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# two lines above the description
		Kollektion Nord;
		Fjord 40;
		Platte, 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:4[A4]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung",
			"Produkt" or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# below a company
		Acme GmbH;
		Fjord 40;
		Platte, 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40, description=Platte, 40 mm}
		250 | 0,2 {label=Fjord 40, description=Platte, 40 mm}
		! t.csv:2[A2]: the title is read as the product name: "Fjord 40"

		# the last one after a blank row
		Kollektion Nord;

		Fjord 40;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40}
		250 | 0,2 {label=Fjord 40}
		! t.csv:3[A3]: the title is read as the product name: "Fjord 40"
		! t.csv:4[A4]: unused cells: A1 "Kollektion Nord"

		# a thickness in the next cell, of two data sheets
		Clip 40;Elementdicke 40 mm
		f/Hz;αs
		125;0,1
		250;0,2

		Clip 60;Elementdicke 60 mm
		f/Hz;αs
		125;0,3
		250;0,4
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {thickness_mm=40 mm, label=Clip 40}
		250 | 0,2 {thickness_mm=40 mm, label=Clip 40}

		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,3 {thickness_mm=60 mm, label=Clip 60}
		250 | 0,4 {thickness_mm=60 mm, label=Clip 60}
		! t.csv:1[A1]: the title is read as the product name: "Clip 40"
		! t.csv:6[A6]: the title is read as the product name: "Clip 60"

		# another word in the next cell
		Fjord;Hygge
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung",
			"Produkt" or "Material", a row "Produkt: NAME" above the table, or --label NAME

		# of two data sheets with one header
		Fjord 40;
		Platte, 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2

		Hygge 25;
		Vlies, 25 mm;
		f/Hz;αs
		125;0,3
		250;0,4
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40, description=Platte, 40 mm}
		250 | 0,2 {label=Fjord 40, description=Platte, 40 mm}

		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,3 {label=Hygge 25, description=Vlies, 25 mm}
		250 | 0,4 {label=Hygge 25, description=Vlies, 25 mm}
		! t.csv:1[A1]: the title is read as the product name: "Fjord 40"
		! t.csv:7[A7]: the title is read as the product name: "Hygge 25"

		# a line below it that has a colour describes it
		Akustikplatte Fjord;
		Farbe weiß;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Akustikplatte Fjord, description=Farbe weiß}
		250 | 0,2 {label=Akustikplatte Fjord, description=Farbe weiß}
		! t.csv:1[A1]: the title is read as the product name: "Akustikplatte Fjord"

		# a name in quotes, with a line below it
		Versuchsreihe „Fjord 40“;
		PET, 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40, description=PET, 40 mm}
		250 | 0,2 {label=Fjord 40, description=PET, 40 mm}
		! t.csv:1[A1]: the title is read as the product name: "Fjord 40"

		# a company without other words
		Hiljaa Oy;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME

		# not an equation
		d = 40;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		! t.csv:2[A2]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME
	`)
}

func TestTablesThatCannotBeRead(t *testing.T) {
	layouttest.CheckAll(t, `
		# no row names the columns
		Liste;
		Typ;Farbe
		A;rot
		=>
		! row 2: Typ?, Farbe?
		! row 3: A?, rot?
		! row 1: Liste?

		# a band twice
		Name;125;125 Hz
		A;0,1;0,2
		=>
		! t.csv:1[C1]: 125 Hz: duplicate column for 125 Hz; the first is B1

		# a band of no series
		Name;125 Hz;240 Hz
		A;0,1;0,2
		=>
		! t.csv:1[C1]: 240 Hz: 240 Hz is not a third-octave band from 50 to 10000 Hz (IEC 61260-1); the nearest is 250
			Hz

		# the file is cut off
		Name;125;250
		A;0,1;0,2
		B;0,…
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[B3]: the file ends in the middle of a row: expected 3 cells, got 2

		# a transposed file is cut off
		Frequenz;A;B
		125;0,1;0,2
		250;0,1;0,2
		500;0…
		=>
		! t.csv:4[B4]: the file ends in the middle of a row: expected 3 cells, got 2

		# no row below
		Name;125;250
		=>
		Name=label | 125=125 Hz | 250=250 Hz
	`)
}

// TestALineAboveBandsStatesTheirQuantity checks transposed tables, whose bands are lines.
func TestALineAboveBandsStatesTheirQuantity(t *testing.T) {
	layouttest.CheckAll(t, `
		# a quantity, until the next such line
		Name;A;B
		αs;;
		500 Hz;0,1;0,2
		630 Hz;0,3;0,4
		αp (Oktave);;
		500 Hz;0,15;0,25
		1000 Hz;0,35;0,45
		=>
		transposed: Name=label | αs= | 500 Hz=alpha_s 500 Hz | 630 Hz=alpha_s 630 Hz | αp (Oktave)= | 500
			Hz=absorption_octave 500 Hz | 1000 Hz=absorption_octave 1000 Hz
		A |  | 0,1 | 0,3 |  | 0,15 | 0,35
		B |  | 0,2 | 0,4 |  | 0,25 | 0,45

		# only a resolution
		Name;A;B
		Terz;;
		500 Hz;0,1;0,2
		1000 Hz;0,3;0,4
		Oktave;;
		500 Hz;0,15;0,25
		1000 Hz;0,35;0,45
		=>
		transposed: Name=label | Terz= | 500 Hz=third_octave 500 Hz | 1000 Hz=third_octave 1000 Hz | Oktave= |
			500 Hz=octave 500 Hz | 1000 Hz=octave 1000 Hz
		A |  | 0,1 | 0,3 |  | 0,15 | 0,35
		B |  | 0,2 | 0,4 |  | 0,25 | 0,45

		# percent
		Name;A;B
		αs in %;;
		500 Hz;10;20
		630 Hz;30;40
		=>
		transposed: Name=label | αs in %= | 500 Hz=alpha_s 500 Hz % | 630 Hz=alpha_s 630 Hz %
		A |  | 10 | 30
		B |  | 20 | 40

		# another quantity, before coefficients
		Name;A;B
		Nachhallzeit T1 [s];;
		125 Hz;1,1;1,2
		250 Hz;1,3;1,4
		αs;;
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		=>
		transposed: Name=label | Nachhallzeit T1 [s]= | 125 Hz= | 250 Hz= | αs= | 125 Hz=alpha_s 125 Hz | 250
			Hz=alpha_s 250 Hz
		A |  | 1,1 | 1,3 |  | 0,1 | 0,3
		B |  | 1,2 | 1,4 |  | 0,2 | 0,4

		# not a footnote
		Name;A;B
		αs;;
		500 Hz;0,1;0,2
		630 Hz;0,3;0,4
		* Streugrad auf Anfrage;;
		800 Hz;0,15;0,25
		1000 Hz;0,35;0,45
		=>
		transposed: Name=label | αs= | 500 Hz=alpha_s 500 Hz | 630 Hz=alpha_s 630 Hz | * Streugrad auf Anfrage=
			| 800 Hz=alpha_s 800 Hz | 1000 Hz=alpha_s 1000 Hz
		A |  | 0,1 | 0,3 |  | 0,15 | 0,35
		B |  | 0,2 | 0,4 |  | 0,25 | 0,45
		! t.csv:1[A1]: unused cells: A5 "* Streugrad auf Anfrage"

		# not a line with values
		Name;A;B
		αs;;
		500 Hz;0,1;0,2
		Streugrad;ja;nein
		630 Hz;0,3;0,4
		800 Hz;0,3;0,4
		=>
		transposed: Name=label | αs= | 500 Hz=alpha_s 500 Hz | Streugrad=scatter | 630 Hz=alpha_s 630 Hz | 800
			Hz=alpha_s 800 Hz
		A |  | 0,1 | ja | 0,3 | 0,3
		B |  | 0,2 | nein | 0,4 | 0,4
	`)
}

// TestSeriesOfBandsSideBySide checks that each frequency column has its own coefficients on its right.
func TestSeriesOfBandsSideBySide(t *testing.T) {
	layouttest.CheckAll(t, `
		# thirds and octaves
		Produkt: A;;;
		Terz;αs;Oktave;αp
		100;0,1;125;0,15
		125;0,2;250;0,25
		160;0,3;500;0,35
		=>
		long: Terz=third_octave_frequency | αs=alpha_s | Oktave=octave_frequency | αp=absorption_octave
		100 | 0,1 |  |  {label=A}
		 |  | 125 | 0,15 {label=A}
		125 | 0,2 |  |  {label=A}
		 |  | 250 | 0,25 {label=A}
		160 | 0,3 |  |  {label=A}
		 |  | 500 | 0,35 {label=A}

		# lower and higher bands
		Produkt: A;;;
		f/Hz;αs;f/Hz;αs
		100;0,1;400;0,4
		125;0,2;500;0,5
		160;0,3;630;0,6
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | f/Hz=frequency_hz | αs=alpha_s
		100 | 0,1 |  |  {label=A}
		 |  | 400 | 0,4 {label=A}
		125 | 0,2 |  |  {label=A}
		 |  | 500 | 0,5 {label=A}
		160 | 0,3 |  |  {label=A}
		 |  | 630 | 0,6 {label=A}

		# next to a column of names
		Name;Terz;αs;Oktave;αp
		A;100;0,1;125;0,15
		A;125;0,2;250;0,25
		A;160;0,3;;
		=>
		long: Name=label | Terz=third_octave_frequency | αs=alpha_s | Oktave=octave_frequency |
			αp=absorption_octave
		A | 100 | 0,1 |  |
		A |  |  | 125 | 0,15
		A | 125 | 0,2 |  |
		A |  |  | 250 | 0,25
		A | 160 | 0,3 |  |

		# not frequencies without coefficients
		Produkt: A;;;
		f/Hz;αs;Terz;
		100;0,1;100;
		125;0,2;125;
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | Terz= | =
		100 | 0,1 | 100 |  {label=A}
		125 | 0,2 | 125 |  {label=A}

		# not two quantities of one band
		Produkt: A;;;
		Terz;αs;αp
		100;0,1;0,15
		=>
		long: Terz=third_octave_frequency | αs=alpha_s | αp=absorption_octave
		100 | 0,1 | 0,15 {label=A}
	`)
}

func TestTitlesAmongTheRowsNameProducts(t *testing.T) {
	layouttest.CheckAll(t, `
		# of the rows below them
		Montage;125;250
		Fjord;;
		A;0,1;0,2
		E-400;0,3;0,4
		Hygge;;
		A;0,5;0,6
		=>
		Montage=mounting | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {label=Fjord}
		E-400 | 0,3 | 0,4 {label=Fjord}
		A | 0,5 | 0,6 {label=Hygge}

		# not where there is only one
		Montage;125;250
		Fjord;;
		A;0,1;0,2
		=>
		! t.csv:1[A1]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME

		# not where the first row has none
		Montage;125;250
		A;0,1;0,2
		Fjord;;
		E-400;0,3;0,4
		Hygge;;
		A;0,5;0,6
		=>
		! t.csv:1[A1]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME

		# not where a column has names
		Name;125;250
		Innen;;
		A;0,1;0,2
		Außen;;
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4
		! t.csv:1[A1]: unused cells: A2 "Innen", A4 "Außen"

		# not general words
		Montage;125;250
		Messergebnisse;;
		A;0,1;0,2
		Technische Daten;;
		A;0,3;0,4
		=>
		! t.csv:1[A1]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME

		# not the note below them
		Dicke [mm];125;250
		Fjord;;
		20;0,1;0,2
		Hygge;;
		40;0,3;0,4
		alle Werte ohne Gewähr;;
		=>
		Dicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		20 | 0,1 | 0,2 {label=Fjord}
		40 | 0,3 | 0,4 {label=Hygge}
		! t.csv:1[A1]: unused cells: A6 "alle Werte ohne Gewähr"

		# not if article numbers identify the products
		Art.-Nr.;125;250
		Innen;;
		4711;0,1;0,2
		Außen;;
		4712;0,3;0,4
		=>
		Art.-Nr.=article_number | 125=125 Hz | 250=250 Hz
		4711 | 0,1 | 0,2
		4712 | 0,3 | 0,4
		! t.csv:1[A1]: unused cells: A2 "Innen", A4 "Außen"
	`)
}

func TestWordsAboveAllBandsGiveTheSetUp(t *testing.T) {
	layouttest.CheckAll(t, `
		# an air gap
		Name;αs (Luftraum 50 mm);
		;125;250
		A;0,1;0,2
		=>
		Name=label | αs (Luftraum 50 mm) 125=alpha_s 125 Hz | αs (Luftraum 50 mm) 250=alpha_s 250 Hz
		A | 0,1 | 0,2 {air_gap_mm=50 mm}

		# a mounting
		Name;αs nach ISO 354, Typ A;
		;125;250
		A;0,1;0,2
		=>
		Name=label | αs nach ISO 354, Typ A 125=alpha_s 125 Hz | αs nach ISO 354, Typ A 250=alpha_s 250 Hz
		A | 0,1 | 0,2 {mounting=A}

		# not if a column has it
		Name;Montage;αs, Montage E-400;
		;;125;250
		A;A;0,1;0,2
		=>
		Name=label | Montage=mounting | αs, Montage E-400 125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 Hz
		A | A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: C1 "E-400"

		# not where the words differ
		Name;αs, Typ A;;αp, Typ A;
		;125;250;250;500
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | αs, Typ A 125=alpha_s 125 Hz | αs, Typ A 250=alpha_s 250 Hz | αp, Typ A 250=absorption_octave 250
			Hz | αp, Typ A 500=absorption_octave 500 Hz
		A | 0,1 | 0,2 | 0,3 | 0,4
	`)
}
