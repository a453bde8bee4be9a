package header_test

import (
	"testing"

	"sabine/internal/layouttest"
)

func TestNamesInAColumnWithAnotherName(t *testing.T) {
	layouttest.CheckAll(t, `
		# the first column of words that differ
		Motiv;125;250
		Fjord;0,1;0,2
		Hygge;0,3;0,4
		=>
		Motiv=label | 125=125 Hz | 250=250 Hz
		Fjord | 0,1 | 0,2
		Hygge | 0,3 | 0,4
		! t.csv:1[A1]: Motiv: the column is read as product names

		# not what describes a product
		Farbe;Motiv;125;250
		rot;Fjord;0,1;0,2
		blau;Hygge;0,3;0,4
		=>
		Farbe= | Motiv=label | 125=125 Hz | 250=250 Hz
		rot | Fjord | 0,1 | 0,2
		blau | Hygge | 0,3 | 0,4
		! t.csv:1[B1]: Motiv: the column is read as product names

		# not words that repeat
		Raum;Motiv;125;250
		Hallraum;Fjord;0,1;0,2
		Hallraum;Hygge;0,3;0,4
		Hallraum;Vidda;0,3;0,4
		=>
		Raum= | Motiv=label | 125=125 Hz | 250=250 Hz
		Hallraum | Fjord | 0,1 | 0,2
		Hallraum | Hygge | 0,3 | 0,4
		Hallraum | Vidda | 0,3 | 0,4
		! t.csv:1[B1]: Motiv: the column is read as product names

		# not numbers
		Zeile;Motiv;125;250
		1;Fjord;0,1;0,2
		2;Hygge;0,3;0,4
		=>
		Zeile= | Motiv=label | 125=125 Hz | 250=250 Hz
		1 | Fjord | 0,1 | 0,2
		2 | Hygge | 0,3 | 0,4
		! t.csv:1[B1]: Motiv: the column is read as product names

		# next to article numbers all of them differ
		Art.-Nr.;Motiv;125;250
		4711;Fjord;0,1;0,2
		4712;Hygge;0,3;0,4
		=>
		Art.-Nr.=article_number | Motiv=label | 125=125 Hz | 250=250 Hz
		4711 | Fjord | 0,1 | 0,2
		4712 | Hygge | 0,3 | 0,4
		! t.csv:1[B1]: Motiv: the column is read as product names

		# next to article numbers repeated words are not names
		Art.-Nr.;Motiv;125;250
		4711;Fjord;0,1;0,2
		4712;Hygge;0,3;0,4
		4713;Hygge;0,3;0,4
		=>
		Art.-Nr.=article_number | Motiv= | 125=125 Hz | 250=250 Hz
		4711 | Fjord | 0,1 | 0,2
		4712 | Hygge | 0,3 | 0,4
		4713 | Hygge | 0,3 | 0,4

		# a material is one already
		Material;Motiv;125;250
		Filz;Fjord;0,1;0,2
		Holz;Hygge;0,3;0,4
		=>
		Material=material | Motiv= | 125=125 Hz | 250=250 Hz
		Filz | Fjord | 0,1 | 0,2
		Holz | Hygge | 0,3 | 0,4

		# two axes
		Produkt / αs;125;250
		A;0,1;0,2
		B;0,3;0,4
		=>
		Produkt / αs=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4
		! t.csv:1[A1]: Produkt / αs: the column is read as product names

		# before a material
		Kollektion;Material;125;250
		Fjord;PET;0,1;0,2
		Hygge;PET;0,3;0,4
		=>
		Kollektion=label | Material=material | 125=125 Hz | 250=250 Hz
		Fjord | PET | 0,1 | 0,2
		Hygge | PET | 0,3 | 0,4
		! t.csv:1[A1]: Kollektion: the column is read as product names

		# not a colour before a material
		Farbe;Material;125;250
		rot;PET;0,1;0,2
		blau;Filz;0,3;0,4
		=>
		Farbe= | Material=material | 125=125 Hz | 250=250 Hz
		rot | PET | 0,1 | 0,2
		blau | Filz | 0,3 | 0,4

		# not after a material
		Material;Werk;125;250
		PET;Nord;0,1;0,2
		Filz;Süd;0,3;0,4
		=>
		Material=material | Werk= | 125=125 Hz | 250=250 Hz
		PET | Nord | 0,1 | 0,2
		Filz | Süd | 0,3 | 0,4

		# one for each article number, in several rows
		Art.-Nr.;Ausführung;Montage;125;250
		A1;Fjord;A;0,1;0,2
		A1;Fjord;E-400;0,3;0,4
		B1;Hygge;A;0,5;0,6
		=>
		Art.-Nr.=article_number | Ausführung=label | Montage=mounting | 125=125 Hz | 250=250 Hz
		A1 | Fjord | A | 0,1 | 0,2
		A1 | Fjord | E-400 | 0,3 | 0,4
		B1 | Hygge | A | 0,5 | 0,6
		! t.csv:1[B1]: Ausführung: the column is read as product names

		# not two for an article number
		Art.-Nr.;Ausführung;Montage;125;250
		A1;Fjord;A;0,1;0,2
		A1;Hygge;E-400;0,3;0,4
		B1;Nord;A;0,5;0,6
		=>
		Art.-Nr.=article_number | Ausführung= | Montage=mounting | 125=125 Hz | 250=250 Hz
		A1 | Fjord | A | 0,1 | 0,2
		A1 | Hygge | E-400 | 0,3 | 0,4
		B1 | Nord | A | 0,5 | 0,6

		# not one for two article numbers
		Art.-Nr.;Ausführung;Montage;125;250
		A1;Fjord;A;0,1;0,2
		B1;Fjord;E-400;0,3;0,4
		=>
		Art.-Nr.=article_number | Ausführung= | Montage=mounting | 125=125 Hz | 250=250 Hz
		A1 | Fjord | A | 0,1 | 0,2
		B1 | Fjord | E-400 | 0,3 | 0,4

		# patterns of holes where nothing else differs
		Lochbild;Dicke [mm];125;250
		6/18 R;12;0,1;0,2
		8/18 Q;12;0,3;0,4
		=>
		Lochbild=label | Dicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		6/18 R | 12 | 0,1 | 0,2
		8/18 Q | 12 | 0,3 | 0,4
		! t.csv:1[A1]: Lochbild: the column is read as product names

		# not patterns next to other words
		Werk;Lochbild;125;250
		Nord;6/18 R;0,1;0,2
		Süd;8/18 Q;0,3;0,4
		=>
		Werk=label | Lochbild= | 125=125 Hz | 250=250 Hz
		Nord | 6/18 R | 0,1 | 0,2
		Süd | 8/18 Q | 0,3 | 0,4
		! t.csv:1[A1]: Werk: the column is read as product names

		# the first column of a table with a row a band
		Motiv;Frequenz;αs
		Fjord;125;0,1
		Fjord;250;0,2
		Hygge;125;0,3
		=>
		long: Motiv=label | Frequenz=frequency | αs=alpha_s
		Fjord | 125 | 0,1
		Fjord | 250 | 0,2
		Hygge | 125 | 0,3
		! t.csv:1[A1]: Motiv: the column is read as product names

		# not its colours
		Farbe;Frequenz;αs
		rot;125;0,1
		rot;250;0,2
		blau;125;0,3
		=>
		! t.csv:1[A1]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME

		# not its blank cells
		Motiv;Frequenz;αs
		Fjord;125;0,1
		;250;0,2
		Hygge;125;0,3
		=>
		! t.csv:1[A1]: no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or
			"Material", a row "Produkt: NAME" above the table, or --label NAME

		# a material for each article number
		Art.-Nr.;Material;125;250
		4711;Filz;0,1;0,2
		4712;Holz;0,3;0,4
		=>
		Art.-Nr.=article_number | Material=label | 125=125 Hz | 250=250 Hz
		4711 | Filz | 0,1 | 0,2
		4712 | Holz | 0,3 | 0,4
		! t.csv:1[B1]: Material: the column is read as product names

		# not a material of two article numbers
		Art.-Nr.;Material;125;250
		4711;Filz;0,1;0,2
		4712;Filz;0,3;0,4
		=>
		Art.-Nr.=article_number | Material=material | 125=125 Hz | 250=250 Hz
		4711 | Filz | 0,1 | 0,2
		4712 | Filz | 0,3 | 0,4

		# not what numbers the rows
		Pos;Motiv;125;250
		I;Fjord;0,1;0,2
		II;Hygge;0,3;0,4
		=>
		Pos= | Motiv=label | 125=125 Hz | 250=250 Hz
		I | Fjord | 0,1 | 0,2
		II | Hygge | 0,3 | 0,4
		! t.csv:1[B1]: Motiv: the column is read as product names
	`)
}

func TestCodesAreArticleNumbers(t *testing.T) {
	layouttest.CheckAll(t, `
		# under Ref.
		Ref.;Name;125;250
		FJ-40;Fjord;0,1;0,2
		HY-20;Hygge;0,3;0,4
		=>
		Ref.=article_number | Name=label | 125=125 Hz | 250=250 Hz
		FJ-40 | Fjord | 0,1 | 0,2
		HY-20 | Hygge | 0,3 | 0,4

		# words under Ref. are a source
		Ref.;Name;125;250
		Bericht 17 (2020);Fjord;0,1;0,2
		Bericht 18 (2021);Hygge;0,3;0,4
		=>
		Ref.=source | Name=label | 125=125 Hz | 250=250 Hz
		Bericht 17 (2020) | Fjord | 0,1 | 0,2
		Bericht 18 (2021) | Hygge | 0,3 | 0,4

		# under Item, next to names
		Item;Product;125;250
		FJ-40;Fjord 40 mm;0,1;0,2
		HY-20;Hygge 20 mm;0,3;0,4
		=>
		Item=article_number | Product=label | 125=125 Hz | 250=250 Hz
		FJ-40 | Fjord 40 mm | 0,1 | 0,2
		HY-20 | Hygge 20 mm | 0,3 | 0,4

		# two columns of names stay two
		Product;Trade name;125;250
		Fjord;Fjord Pro;0,1;0,2
		Hygge;Hygge Pro;0,3;0,4
		=>
		Product=label | Trade name=commercial_name | 125=125 Hz | 250=250 Hz
		Fjord | Fjord Pro | 0,1 | 0,2
		Hygge | Hygge Pro | 0,3 | 0,4

		# not next to article numbers
		Ref.;Art.-Nr.;Name;125;250
		FJ-40;4711;Fjord;0,1;0,2
		HY-20;4712;Hygge;0,3;0,4
		=>
		Ref.=source | Art.-Nr.=article_number | Name=label | 125=125 Hz | 250=250 Hz
		FJ-40 | 4711 | Fjord | 0,1 | 0,2
		HY-20 | 4712 | Hygge | 0,3 | 0,4

		# under Nr.
		Nr.;Bezeichnung;125;250
		AX-1;Fjord;0,1;0,2
		AX-2;Hygge;0,3;0,4
		=>
		Nr.=article_number | Bezeichnung=label | 125=125 Hz | 250=250 Hz
		AX-1 | Fjord | 0,1 | 0,2
		AX-2 | Hygge | 0,3 | 0,4

		# numbers under Nr. count
		Nr.;Bezeichnung;125;250
		1;Fjord;0,1;0,2
		2;Hygge;0,3;0,4
		=>
		Nr.= | Bezeichnung=label | 125=125 Hz | 250=250 Hz
		1 | Fjord | 0,1 | 0,2
		2 | Hygge | 0,3 | 0,4

		# not under Nr. next to article numbers
		Nr.;Art.-Nr.;Bezeichnung;125;250
		P1;AX-1;Fjord;0,1;0,2
		P2;AX-2;Hygge;0,3;0,4
		=>
		Nr.= | Art.-Nr.=article_number | Bezeichnung=label | 125=125 Hz | 250=250 Hz
		P1 | AX-1 | Fjord | 0,1 | 0,2
		P2 | AX-2 | Hygge | 0,3 | 0,4
	`)
}

func TestFieldsThatOnlyCellsShow(t *testing.T) {
	layouttest.CheckAll(t, `
		# variants that are mountings
		Name;Aufbau;125;250
		A;E-400;0,1;0,2
		A;Typ A;0,3;0,4
		=>
		Name=label | Aufbau=mounting | 125=125 Hz | 250=250 Hz
		A | E-400 | 0,1 | 0,2
		A | Typ A | 0,3 | 0,4

		# variants that are none
		Name;Aufbau;125;250
		A;E-400;0,1;0,2
		A;mit Vlies;0,3;0,4
		=>
		Name=label | Aufbau=entry_label | 125=125 Hz | 250=250 Hz
		A | E-400 | 0,1 | 0,2
		A | mit Vlies | 0,3 | 0,4

		# options that are mountings
		Name;Messbedingung;125;250
		A;A;0,1;0,2
		B;G-100;0,3;0,4
		=>
		Name=label | Messbedingung=mounting | 125=125 Hz | 250=250 Hz
		A | A | 0,1 | 0,2
		B | G-100 | 0,3 | 0,4

		# next to mountings they remain options
		Name;Montage;Messbedingung;125;250
		A;E;A;0,1;0,2
		=>
		Name=label | Montage=mounting | Messbedingung=measuring_option | 125=125 Hz | 250=250 Hz
		A | E | A | 0,1 | 0,2

		# shape indicators under Form
		Name;αw;Form;125;250
		A;0,55;L;0,1;0,2
		B;0,60;(M/H);0,3;0,4
		=>
		Name=label | αw=alpha_w | Form=shape_indicators | 125=125 Hz | 250=250 Hz
		A | 0,55 | L | 0,1 | 0,2
		B | 0,60 | (M/H) | 0,3 | 0,4

		# shapes under Form
		Name;αw;Form;125;250
		A;0,55;Platte;0,1;0,2
		B;0,60;L;0,3;0,4
		=>
		Name=label | αw=alpha_w | Form=shape | 125=125 Hz | 250=250 Hz
		A | 0,55 | Platte | 0,1 | 0,2
		B | 0,60 | L | 0,3 | 0,4

		# classes
		Name;Klasse;125;250
		A;C;0,1;0,2
		B;nicht klassifiziert;0,3;0,4
		=>
		Name=label | Klasse=absorption_class | 125=125 Hz | 250=250 Hz
		A | C | 0,1 | 0,2
		B | nicht klassifiziert | 0,3 | 0,4

		# other classes
		Name;Klasse;125;250
		A;C;0,1;0,2
		B;Gold;0,3;0,4
		=>
		Name=label | Klasse= | 125=125 Hz | 250=250 Hz
		A | C | 0,1 | 0,2
		B | Gold | 0,3 | 0,4

		# ratings with their symbol
		Name;Bewertung;125;250
		A;αw = 0,55;0,1;0,2
		B;αw 0,60 (H);0,3;0,4
		=>
		Name=label | Bewertung=alpha_w | 125=125 Hz | 250=250 Hz
		A | αw = 0,55 | 0,1 | 0,2
		B | αw 0,60 (H) | 0,3 | 0,4

		# ids that are short are article numbers
		ID;Name;125;250
		4711;A;0,1;0,2
		4712;B;0,3;0,4
		=>
		ID=article_number | Name=label | 125=125 Hz | 250=250 Hz
		4711 | A | 0,1 | 0,2
		4712 | B | 0,3 | 0,4

		# a UUID is an id
		ID;Name;125;250
		0198c5a0-7d4e-7c3a-9b5e-0123456789ab;A;0,1;0,2
		=>
		ID=id | Name=label | 125=125 Hz | 250=250 Hz
		0198c5a0-7d4e-7c3a-9b5e-0123456789ab | A | 0,1 | 0,2

		# lengths below the name of the frequencies
		Produkt: X;;;
		Frequenz [Hz];125;250;500
		20 mm;0,1;0,2;0,3
		40 mm;0,4;0,5;0,6
		=>
		Frequenz [Hz]=thickness | 125=125 Hz | 250=250 Hz | 500=500 Hz
		20 mm | 0,1 | 0,2 | 0,3 {label=X}
		40 mm | 0,4 | 0,5 | 0,6 {label=X}

		# mountings under words for them
		Name;Prüfung;125;250
		A;A;0,1;0,2
		B;E-400;0,3;0,4
		=>
		Name=label | Prüfung=mounting | 125=125 Hz | 250=250 Hz
		A | A | 0,1 | 0,2
		B | E-400 | 0,3 | 0,4

		# codes of mountings under any name
		Name;Ausführung;125;250
		A;E-200;0,1;0,2
		B;Typ G-20;0,3;0,4
		=>
		Name=label | Ausführung=mounting | 125=125 Hz | 250=250 Hz
		A | E-200 | 0,1 | 0,2
		B | Typ G-20 | 0,3 | 0,4

		# not letters under any name
		Name;Ausführung;125;250
		A;A;0,1;0,2
		B;B;0,3;0,4
		=>
		Name=label | Ausführung= | 125=125 Hz | 250=250 Hz
		A | A | 0,1 | 0,2
		B | B | 0,3 | 0,4

		# types of bands
		Name;Bandbreite;125;250
		A;Terz;0,1;0,2
		B;Oktavband;0,3;0,4
		=>
		Name=label | Bandbreite=quantity | 125=125 Hz | 250=250 Hz
		A | Terz | 0,1 | 0,2
		B | Oktavband | 0,3 | 0,4

		# types of bands in English
		Name;Bandwidth;125;250
		A;1/3 octave bands;0,1;0,2
		B;Octave;0,3;0,4
		=>
		Name=label | Bandwidth=quantity | 125=125 Hz | 250=250 Hz
		A | 1/3 octave bands | 0,1 | 0,2
		B | Octave | 0,3 | 0,4

		# not next to other words
		Name;Bandbreite;125;250
		A;Terz;0,1;0,2
		B;breit;0,3;0,4
		=>
		Name=label | Bandbreite= | 125=125 Hz | 250=250 Hz
		A | Terz | 0,1 | 0,2
		B | breit | 0,3 | 0,4
	`)
}

func TestColumnsOfATransposedTableThatAreSetups(t *testing.T) {
	layouttest.CheckAll(t, `
		# air gaps
		Akustikplatte Fjord;;
		Frequenz [Hz];Luftspalt 50 mm;Luftspalt 200 mm
		125;0,1;0,2
		250;0,3;0,4
		500;0,3;0,4
		=>
		transposed: Akustikplatte Fjord= | Frequenz [Hz]=air_gap | 125=125 Hz | 250=250 Hz | 500=500 Hz
		 | 50 mm | 0,1 | 0,3 | 0,3 {label=Akustikplatte Fjord}
		 | 200 mm | 0,2 | 0,4 | 0,4 {label=Akustikplatte Fjord}
		! t.csv:1[A1]: the title is read as the product name: "Akustikplatte Fjord"

		# names with more text
		Frequenz [Hz];Fjord, Luftspalt 50 mm;Fjord, Luftspalt 200 mm
		125;0,1;0,2
		250;0,3;0,4
		500;0,3;0,4
		=>
		transposed: Frequenz [Hz]=label | 125=125 Hz | 250=250 Hz | 500=500 Hz
		Fjord, Luftspalt 50 mm | 0,1 | 0,3 | 0,3
		Fjord, Luftspalt 200 mm | 0,2 | 0,4 | 0,4
	`)
}

func TestLengthsAboveSetupsSideBySide(t *testing.T) {
	layouttest.CheckAll(t, `
		# air gaps if the name describes a distance
		Name;direkt auf der Wand (0 mm);;abgehängt (200 mm);
		;125;250;125;250
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | direkt auf der Wand (0 mm) 125=125 Hz | direkt auf der Wand (0 mm) 250=250 Hz | abgehängt (200
			mm) 125=125 Hz | abgehängt (200 mm) 250=250 Hz
		A | 0,1 | 0,2 |  |  {measuring_option=direkt auf der Wand, air_gap_mm=0 mm}
		A |  |  | 0,3 | 0,4 {measuring_option=abgehängt, air_gap_mm=200 mm}

		# only mountings
		Name;E-200;;Typ A;
		;125;250;125;250
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | E-200 125=125 Hz | E-200 250=250 Hz | Typ A 125=125 Hz | Typ A 250=250 Hz
		A | 0,1 | 0,2 |  |  {mounting=E-200}
		A |  |  | 0,3 | 0,4 {mounting=Typ A}

		# other lengths are options
		Name;20 mm;;40 mm;
		;125;250;125;250
		A;0,1;0,2;0,3;0,4
		=>
		Name=label | 20 mm 125=125 Hz | 20 mm 250=250 Hz | 40 mm 125=125 Hz | 40 mm 250=250 Hz
		A | 0,1 | 0,2 |  |  {measuring_option=20 mm}
		A |  |  | 0,3 | 0,4 {measuring_option=40 mm}
	`)
}

// TestRowNumbersAreNotProducts checks a long table, which has several rows for one product.
func TestRowNumbersAreNotProducts(t *testing.T) {
	layouttest.CheckAll(t, `
		# another one in each row
		ID;Name;Frequenz;αs
		1;A;100;0,1
		2;A;125;0,2
		3;A;160;0,3
		4;B;100;0,1
		5;B;125;0,2
		=>
		long: ID=(row numbers) | Name=label | Frequenz=frequency | αs=alpha_s
		 | A | 100 | 0,1
		 | A | 125 | 0,2
		 | A | 160 | 0,3
		 | B | 100 | 0,1
		 | B | 125 | 0,2
		! t.csv:1[A1]: ID: the column contains row numbers instead of product numbers: left out

		# not one for each product
		ID;Name;Frequenz;αs
		1;A;100;0,1
		1;A;125;0,2
		1;A;160;0,3
		2;B;100;0,1
		2;B;125;0,2
		=>
		long: ID=article_number | Name=label | Frequenz=frequency | αs=alpha_s
		1 | A | 100 | 0,1
		1 | A | 125 | 0,2
		1 | A | 160 | 0,3
		2 | B | 100 | 0,1
		2 | B | 125 | 0,2

		# not without names
		ID;Frequenz;αs
		1;100;0,1
		2;125;0,2
		3;160;0,3
		4;200;0,1
		=>
		long: ID=article_number | Frequenz=frequency | αs=alpha_s
		1 | 100 | 0,1
		2 | 125 | 0,2
		3 | 160 | 0,3
		4 | 200 | 0,1

		# not in three rows
		ID;Name;Frequenz;αs
		1;A;100;0,1
		2;A;125;0,2
		3;A;160;0,3
		=>
		long: ID=article_number | Name=label | Frequenz=frequency | αs=alpha_s
		1 | A | 100 | 0,1
		2 | A | 125 | 0,2
		3 | A | 160 | 0,3

		# not in a table with a row a set-up
		ID;Name;125;250
		1;A;0,1;0,2
		2;B;0,3;0,4
		3;C;0,3;0,4
		4;D;0,3;0,4
		=>
		ID=article_number | Name=label | 125=125 Hz | 250=250 Hz
		1 | A | 0,1 | 0,2
		2 | B | 0,3 | 0,4
		3 | C | 0,3 | 0,4
		4 | D | 0,3 | 0,4
	`)
}

func TestASecondColumnOfWordsForASetUpIsItsMeasuringOption(t *testing.T) {
	layouttest.CheckAll(t, `
		# next to the first
		Name;Aufbau;Variante;125;250
		A;direkt;weiß;0,1;0,2
		=>
		Name=label | Aufbau=entry_label | Variante=measuring_option | 125=125 Hz | 250=250 Hz
		A | direkt | weiß | 0,1 | 0,2

		# not next to a measuring option
		Name;Aufbau;Variante;Messoption;125;250
		A;direkt;weiß;x;0,1;0,2
		=>
		Name=label | Aufbau=entry_label | Variante= | Messoption=measuring_option | 125=125 Hz | 250=250 Hz
		A | direkt | weiß | x | 0,1 | 0,2
	`)
}

func TestAnOverallThicknessIsTheThicknessWithoutOtherColumns(t *testing.T) {
	layouttest.CheckAll(t, `
		# alone
		Name;Gesamtdicke [mm];125;250
		A;40;0,1;0,2
		=>
		Name=label | Gesamtdicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		A | 40 | 0,1 | 0,2

		# not next to an air gap
		Name;Gesamtdicke [mm];Luftspalt [mm];125;250
		A;40;20;0,1;0,2
		=>
		Name=label | Gesamtdicke [mm]=overall_depth_mm | Luftspalt [mm]=air_gap_mm | 125=125 Hz | 250=250 Hz
		A | 40 | 20 | 0,1 | 0,2

		# not next to a thickness
		Name;Gesamtdicke [mm];Dicke [mm];125;250
		A;40;20;0,1;0,2
		=>
		Name=label | Gesamtdicke [mm]=overall_depth_mm | Dicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		A | 40 | 20 | 0,1 | 0,2

		# not an overall height
		Name;Gesamthöhe [mm];125;250
		A;40;0,1;0,2
		=>
		Name=label | Gesamthöhe [mm]=overall_depth_mm | 125=125 Hz | 250=250 Hz
		A | 40 | 0,1 | 0,2
	`)
}

func TestAColumnWhoseCellsAreWordsForASetUp(t *testing.T) {
	layouttest.CheckAll(t, `
		# under any name
		Name;Ausführung;125;250
		A;20 mm, Typ A;0,1;0,2
		B;40 mm, Luftspalt 50 mm;0,3;0,4
		=>
		Name=label | Ausführung=entry_label | 125=125 Hz | 250=250 Hz
		A | 20 mm, Typ A | 0,1 | 0,2
		B | 40 mm, Luftspalt 50 mm | 0,3 | 0,4

		# next to the words for a set-up
		Name;Aufbau;Ausführung;125;250
		A;direkt;20 mm, Typ A;0,1;0,2
		B;abgehängt;40 mm, Luftspalt 50 mm;0,3;0,4
		=>
		Name=label | Aufbau=entry_label | Ausführung=measuring_option | 125=125 Hz | 250=250 Hz
		A | direkt | 20 mm, Typ A | 0,1 | 0,2
		B | abgehängt | 40 mm, Luftspalt 50 mm | 0,3 | 0,4

		# not in one row
		Name;Ausführung;125;250
		A;20 mm, Typ A;0,1;0,2
		=>
		Name=label | Ausführung= | 125=125 Hz | 250=250 Hz
		A | 20 mm, Typ A | 0,1 | 0,2

		# not where one has other words
		Name;Ausführung;125;250
		A;20 mm, Typ A;0,1;0,2
		B;weiß;0,3;0,4
		C;40 mm;0,3;0,4
		=>
		Name=label | Ausführung= | 125=125 Hz | 250=250 Hz
		A | 20 mm, Typ A | 0,1 | 0,2
		B | weiß | 0,3 | 0,4
		C | 40 mm | 0,3 | 0,4
	`)
}
