package grid_test

import (
	"strings"
	"testing"

	"sabine/dataset/importers/layout"
	"sabine/internal/layouttest"
)

func TestALegendExplainsAbbreviatedNames(t *testing.T) {
	layouttest.CheckAll(t, `
		# above the table
		KHH = Konstruktionshöhe;;;
		Name;KHH;125;250
		A;200;0,1;0,2
		=>
		Name=label | Konstruktionshöhe=overall_depth | 125=125 Hz | 250=250 Hz
		A | 200 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "KHH = Konstruktionshöhe"

		# below it, of several names
		Name;KHH;d;125;250
		A;200;40;0,1;0,2

		KHH = Konstruktionshöhe, d = Dicke [mm]
		=>
		Name=label | Konstruktionshöhe=overall_depth_mm | Dicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		A | 200 | 40 | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A4 "KHH = Konstruktionshöhe, d = Dicke [mm]"

		# of a transposed table
		Legende: KHH = Konstruktionshöhe;;
		Name;A;B
		KHH;200;400
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		=>
		transposed: Legende: KHH = Konstruktionshöhe= | Name=label | Konstruktionshöhe=overall_depth | 125 Hz=125 Hz
			| 250 Hz=250 Hz
		 | A | 200 | 0,1 | 0,3
		 | B | 400 | 0,2 | 0,4
		! t.csv:1[A1]: unused cells: A1 "Legende: KHH = Konstruktionshöhe"

		# of what is no field
		KHH = Korrekturhilfe;;;
		Name;KHH;125;250
		A;200;0,1;0,2
		=>
		Name=label | KHH= | 125=125 Hz | 250=250 Hz
		A | 200 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "KHH = Korrekturhilfe"

		# of a name that the table does not have
		OKFF = Oberkante;;;
		Name;KHH;125;250
		A;200;0,1;0,2
		=>
		Name=label | KHH= | 125=125 Hz | 250=250 Hz
		A | 200 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "OKFF = Oberkante"

		# a symbol next to bands
		α = praktischer Absorptionsgrad;;
		Name;α 250;α 500
		A;0,1;0,2
		=>
		alpha_p octave: Name=label | alpha_p 250=absorption_octave 250 Hz | alpha_p 500=absorption_octave 500 Hz
		A | 0,1 | 0,2

		# a symbol of a table with a row a band
		α = praktischer Absorptionsgrad;;
		Name;f;α
		A;250;0,1
		A;500;0,2
		=>
		long alpha_p octave: Name=label | f=frequency | alpha_p=absorption_octave
		A | 250 | 0,1
		A | 500 | 0,2

		# a symbol of a transposed table
		α = praktischer Absorptionsgrad;;
		Name;A;B
		α 250;0,1;0,2
		α 500;0,3;0,4
		α 1000;0,3;0,4
		=>
		transposed alpha_p octave: α = praktischer Absorptionsgrad= | Name=label | alpha_p
			250=absorption_octave 250 Hz | alpha_p 500=absorption_octave 500 Hz | alpha_p
			1000=absorption_octave 1000 Hz
		 | A | 0,1 | 0,3 | 0,3
		 | B | 0,2 | 0,4 | 0,4

		# not a symbol of another kind
		α = Winkel;;
		Name;α 250;α 500
		A;0,1;0,2
		=>
		Name=label | α 250=250 Hz | α 500=500 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "α = Winkel"

		# in two cells
		SD;Schichtdicke;;
		Name;SD;125;250
		A;20;0,1;0,2
		=>
		Name=label | Schichtdicke=thickness | 125=125 Hz | 250=250 Hz
		A | 20 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "SD", B1 "Schichtdicke"

		# not a long name in two cells
		Schichtd;Schichtdicke;;
		Name;Schichtd;125;250
		A;20;0,1;0,2
		=>
		Name=label | Schichtd= | 125=125 Hz | 250=250 Hz
		A | 20 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Schichtd", B1 "Schichtdicke"
	`)
}

func TestACellCanHaveSeveralRatings(t *testing.T) {
	layouttest.CheckAll(t, `
		# above a table
		Produkt: A;
		αw = 0,55 (H), Klasse D;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A, alpha_w=0,55 (H), absorption_class=D}
		250 | 0,2 {label=A, alpha_w=0,55 (H), absorption_class=D}

		# below it
		Produkt: A;
		f/Hz;αs
		125;0,1
		250;0,2

		αw = 0,55 (H), Klasse D;
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A, alpha_w=0,55 (H), absorption_class=D}
		250 | 0,2 {label=A, alpha_w=0,55 (H), absorption_class=D}

		# with the value in the next cell
		Produkt: A;
		αw;0,55 (H)
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A, alpha_w=0,55 (H)}
		250 | 0,2 {label=A, alpha_w=0,55 (H)}

		# in one cell, without signs
		Produkt: A;
		NRC 0.65 / SAA 0.66;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A, nrc=0.65, saa=0.66}
		250 | 0,2 {label=A, nrc=0.65, saa=0.66}

		# a class without a rating is none
		Produkt: A;
		Klasse D;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=A}
		250 | 0,2 {label=A}
		! t.csv:3[A3]: unused cells: A2 "Klasse D"
	`)
}

func TestMountingsInTitles(t *testing.T) {
	layouttest.CheckAll(t, `
		# above the table
		Aufhängung Typ G-100;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=G-100}

		# with a distance
		Prüfanordnung E-200, 200 mm vor der Wand;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-200, air_gap_mm=200 mm}

		# next to a quantity
		Schallabsorptionsgrad, Montage nach ISO 354: E-400;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-400}

		# among the rows
		Name;125;250
		Montage Typ A;;
		A;0,1;0,2
		Montage E-400;;
		A;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A}
		A | 0,3 | 0,4 {mounting=E-400}
		! t.csv:2[A2]: titles between rows are read as the mounting of the rows below: A2 "Montage
			Typ A" (rows: 1), A4 "Montage E-400" (rows: 1)

		# above all bands, not as the value of a key
		Name;Montage E-400;
		;125;250
		A;0,1;0,2
		=>
		Name=label | Montage E-400 125=125 Hz | Montage E-400 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-400}

		# the only one next to the norm
		Messung nach ISO 354, Abhängung einheitlich E-200;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-200}

		# among the rows, until the next product
		Dicke [mm];125;250
		Fjord;;
		20;0,1;0,2
		Montage E-400;;
		30;0,3;0,4
		Hygge;;
		40;0,5;0,6
		=>
		Dicke [mm]=thickness_mm | 125=125 Hz | 250=250 Hz
		20 | 0,1 | 0,2 {label=Fjord}
		30 | 0,3 | 0,4 {label=Fjord, mounting=E-400}
		40 | 0,5 | 0,6 {label=Hygge}
		! t.csv:4[A4]: titles between rows are read as the mounting of the rows below: A4 "Montage
			E-400" (rows: 1)

		# below all rows, which is of none
		Name;125;250
		A;0,1;0,2

		Montage: Typ A;;
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A4 "Montage: Typ A"

		# below the bands of a data sheet, and their units
		Produkt: Fjord;;;
		f;T1;T2;αs
		Hz;s;s;–
		125;8;6;0,1
		250;8;5;0,2

		Montage: Typ A;;;
		Klasse;D;;
		αw;0,15;;
		=>
		long: f=frequency | T1=(unsupported quantity) | T2=(unsupported quantity) | αs=alpha_s
		125 |  |  | 0,1 {label=Fjord, mounting=Typ A, absorption_class=D, alpha_w=0,15}
		250 |  |  | 0,2 {label=Fjord, mounting=Typ A, absorption_class=D, alpha_w=0,15}
		! t.csv:2[B2]: columns of unsupported quantities, such as times or areas, are left out: B2 "T1", C2 "T2"
		! t.csv:2[A2]: unused cells: A3 "Hz"

		# the depth of a data sheet is its thickness if no other key has a size
		Produkt: Fjord;
		Tiefe;40 mm
		f;αs
		125;0,1
		250;0,2
		=>
		long: f=frequency | αs=alpha_s
		125 | 0,1 {label=Fjord, thickness_mm=40 mm}
		250 | 0,2 {label=Fjord, thickness_mm=40 mm}

		# among the rows, until the next title
		Name;125;250
		Montage Typ A;;
		A;0,1;0,2
		direkt verklebt;;
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A}
		B | 0,3 | 0,4
		! t.csv:2[A2]: titles between rows are read as the mounting of the rows below: A2 "Montage
			Typ A" (rows: 1)
		! t.csv:1[A1]: unused cells: A4 "direkt verklebt"

		# not where it names two, or none
		Montage A und E-400;;
		Serie Akustik G-200;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: unused cells: A1 "Montage A und E-400", A2 "Serie Akustik G-200"

		# a manufacturer in two cells among the rows
		Name;125;250
		A;0,1;0,2
		Hersteller;Acme;
		B;0,3;0,4
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		B | 0,3 | 0,4 {manufacturer=Acme}

		# not if a column has it
		Name;Montage;125;250
		Montage E-400;;;
		A;A;0,1;0,2
		=>
		Name=label | Montage=mounting | 125=125 Hz | 250=250 Hz
		A | A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A2 "Montage E-400"

		# of a transposed table
		Mounting type E-400;;
		Name;A;B
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		=>
		transposed: Mounting type E-400= | Name=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		 | A | 0,1 | 0,3 {mounting=E-400}
		 | B | 0,2 | 0,4 {mounting=E-400}

		# not in a footnote
		* auch in Montage E-400 erhältlich;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "* auch in Montage E-400 erhältlich"

		# words after it are none
		Montage im Hallraum;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Montage im Hallraum"

		# after a norm
		Schallabsorption nach EN ISO 354, E-200;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-200}

		# in brackets
		Fjord Kollektion (E-200);;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-200}

		# in English
		Sound absorption to ASTM C423, Type E-400 mounting;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-400}

		# Typ A in a title of absorption
		αs nach ISO 354, Typ A;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A}

		# type A in a title of absorption
		Sound absorption to ASTM C423 (type A);;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A}

		# Typ A among the rows
		Name;125;250
		αs nach ISO 354, Typ A;;
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A} [alpha_s]
		! t.csv:2[A2]: titles between rows are read as the mounting of the rows below: A2 "αs
			nach ISO 354, Typ A" (rows: 1)

		# not Typ A in another title
		Diffusoren Typ A;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Diffusoren Typ A"

		# not two codes after a norm
		EN ISO 354, E-200 und E-400;;
		Name;125;250
		A;0,1;0,2
		=>
		alpha_s: Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		# not a code within a name
		Paneel G-200 weiß;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Paneel G-200 weiß"

		# after a norm that a key has
		Verfahren: ISO 354, Montage Typ A;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {norm=ISO 354, Montage Typ A, mounting=A}

		# not after a norm of fire classes
		Norm;EN 13501-1, Typ A;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {norm=EN 13501-1, Typ A}

		# not two after a norm
		Verfahren: ISO 354, Montage Typ A und E-400;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {norm=ISO 354, Montage Typ A und E-400}

		# Typ A in brackets after a name
		Wandabsorber (Typ A);;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A}

		# Typ A after a dash
		Wandabsorber – Typ A;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=A}

		# not Typ A within a name
		Wandabsorber Typ A;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Wandabsorber Typ A"
	`)
}

// TestATitleOfAnotherQuantity checks titles for a whole table, which package cells refuses, or for its bands.
func TestATitleOfAnotherQuantity(t *testing.T) {
	layouttest.CheckAll(t, `
		# of a transposed table
		Nachhallzeiten in s;;
		Name;A;B
		125 Hz;1,1;1,2
		250 Hz;1,3;1,4
		=>
		transposed foreign: Nachhallzeiten in s= | Name=label | 125 Hz=125 Hz | 250 Hz=250 Hz
		 | A | 1,1 | 1,3
		 | B | 1,2 | 1,4

		# over some bands of a transposed table
		Name;A;B
		αs;;
		125 Hz;0,1;0,2
		250 Hz;0,3;0,4
		Nachhallzeit T1 [s];;
		125 Hz;1,1;1,2
		250 Hz;1,3;1,4
		=>
		transposed: Name=label | αs= | 125 Hz=alpha_s 125 Hz | 250 Hz=alpha_s 250 Hz | Nachhallzeit T1 [s]= | 125
			Hz= | 250 Hz=
		A |  | 0,1 | 0,3 |  | 1,1 | 1,3
		B |  | 0,2 | 0,4 |  | 1,2 | 1,4

		# among the rows
		Name;125;250
		A;0,1;0,2
		Standardabweichung;;
		A;0,01;0,02
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		A | 0,01 | 0,02 [foreign]
		! t.csv:3[A3]: titles between rows are read as the quantity of the rows below: A3
			"Standardabweichung" (rows: 1)
	`)
}

func TestTitlesThatNameCompanies(t *testing.T) {
	layouttest.CheckAll(t, `
		# are not used for nothing
		Klangwerk Akustik GmbH – Absorber 2026;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		# laboratories are
		Prüflabor Nord GmbH;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Prüflabor Nord GmbH"

		# without a legal form
		Nord Akustik Systeme;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2

		# not the second one
		Nord Akustik Systeme;;
		Süd Akustik Systeme;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:3[A3]: unused cells: A2 "Süd Akustik Systeme"
	`)
}

func TestLinesOfADataSheet(t *testing.T) {
	layouttest.CheckAll(t, `
		# a name that no field has
		Produkt;Fjord 40
		Flächengewicht;4,2 kg/m²
		Kantenform;gerade
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40, Flächengewicht=4,2 kg/m², Kantenform=gerade}
		250 | 0,2 {label=Fjord 40, Flächengewicht=4,2 kg/m², Kantenform=gerade}

		# a unit before the value
		Produkt;;Fjord 40
		Dicke;[mm];40
		f/Hz;αs;
		125;0,1;
		250;0,2;
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | =
		125 | 0,1 |  {label=Fjord 40, thickness_mm=40 mm}
		250 | 0,2 |  {label=Fjord 40, thickness_mm=40 mm}

		# below the bands
		Produkt: Fjord 40;
		f/Hz;αs
		125;0,1
		250;0,2

		Prüfinstitut;Akustikzentrum
		Prüfdatum;31.01.2026
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40, laboratory=Akustikzentrum, test_date=31.01.2026}
		250 | 0,2 {label=Fjord 40, laboratory=Akustikzentrum, test_date=31.01.2026}

		# below the bands, where they are across
		Produkt;Fjord 40;;
		Frequenz;125;250;500
		αs;0,1;0,2;0,3
		Dicke;40 mm;;
		=>
		Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz
		αs | 0,1 | 0,2 | 0,3 {label=Fjord 40, thickness_mm=40 mm}
	`)
}

// TestTheCompanyOfATitleIsTheManufacturer checks that the company even applies to later tables.
func TestTheCompanyOfATitleIsTheManufacturer(t *testing.T) {
	for _, test := range []struct{ rule, table, want string }{
		{"above a table", layouttest.Lines("Acme GmbH – Preisliste;;", "Name;125;250", "A;0,1;0,2"), "Acme GmbH|"},
		{"above two", layouttest.Lines("Acme GmbH;;", "Name;125;250", "A;0,1;0,2", "", "Name;500;630", "B;0,3;0,4"),
			"Acme GmbH|Acme GmbH|"},
		{"the first one counts", layouttest.Lines("Acme GmbH;;", "Other AG;;", "Name;125;250", "A;0,1;0,2"), "Acme GmbH|"},
		{"of a transposed table", layouttest.Lines("Acme GmbH;;", "Name;A;B", "125 Hz;0,1;0,2", "250 Hz;0,3;0,4"),
			"Acme GmbH|"},
		{"a laboratory is none", layouttest.Lines("Prüflabor Nord GmbH;;", "Name;125;250", "A;0,1;0,2"), "|"},
		{"a name of several words before another part", layouttest.Lines("Textilwerk Glarus – Akustikvorhänge;;",
			"Name;125;250", "A;0,1;0,2"),
			"Textilwerk Glarus|"},
		{"not where a column has manufacturers",
			layouttest.Lines("Textilwerk Glarus – Akustikvorhänge;;", "Name;Hersteller;125;250", "A;Acme;0,1;0,2"), "|"},
		{"a legal form counts before it", layouttest.Lines("Textilwerk Glarus – Vorhänge;;", "Acme GmbH;;", "Name;125;250",
			"A;0,1;0,2"),
			"Acme GmbH|"},
		{"of a line with an address", layouttest.Lines("Name;125;250", "A;0,1;0,2", "", "Acme Akustik, Weg 3, 12345 Ort;;"),
			"Acme Akustik|"},
		{"of a line with a sign of copyright", layouttest.Lines("Name;125;250", "A;0,1;0,2", "", "© Acme 2024;;"), "Acme|"},
		{"a title counts before such a line",
			layouttest.Lines("Nord Akustik Systeme;;", "Name;125;250", "A;0,1;0,2", "", "© Acme 2024;;"),
			"Nord Akustik Systeme|"},
		{"no such line where a column has manufacturers",
			layouttest.Lines("Name;Hersteller;125;250", "A;X;0,1;0,2", "", "© Acme 2024;;;"), "|"},
		{"no line next to other cells", layouttest.Lines("Name;125;250", "A;0,1;0,2", "", "© Acme 2024;Stand 3;"), "|"},
		{"below a table there is none", layouttest.Lines("Name;125;250", "A;0,1;0,2", "", "Acme GmbH;;"), "|"},
	} {
		scanner := layout.NewScanner(layouttest.CSV(t, test.table), layout.Options{Input: "t.csv"})
		defer scanner.Close()
		got := ""
		for table, err := scanner.Next(); table != nil || err != nil; table, err = scanner.Next() {
			if err != nil {
				t.Fatal(err)
			}
			got += table.Company + "|"
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

// TestASheetWithoutATableCanNameTheCompanyOfOthers checks sheets such as cover sheets.
func TestASheetWithoutATableCanNameTheCompanyOfOthers(t *testing.T) {
	for _, test := range []struct{ rule, sheet, want string }{
		{"by its legal form", layouttest.Lines("Acme GmbH;;", "Preisliste 2026;;"), "Acme GmbH"},
		{"by its trade", layouttest.Lines("Nord Akustik Systeme;;", "Sortiment;;"), "Nord Akustik Systeme"},
		{"by a key in one cell", layouttest.Lines("Hersteller: Acme;"), "Acme"},
		{"by a key in two cells", layouttest.Lines("Hersteller;Acme"), "Acme"},
		{"a key counts before a title", layouttest.Lines("Acme GmbH;;", "Hersteller: Nord;;"), "Nord"},
		{"a legal form counts before a trade", layouttest.Lines("Nord Akustik Systeme;;", "Acme GmbH;;"), "Acme GmbH"},
		{"not of a laboratory", layouttest.Lines("Prüflabor Nord GmbH;;", "Auftrag 17;;"), ""},
		{"the company in the title of a table", layouttest.Lines("Acme GmbH;;", "Name;125;250", "A;0,1;0,2"), "Acme GmbH"},
		{"not of a line below a table", layouttest.Lines("Name;125;250", "A;0,1;0,2", "Acme GmbH;;"), ""},
	} {
		scanner := layout.NewScanner(layouttest.CSV(t, test.sheet), layout.Options{Input: "t.csv"})
		defer scanner.Close()
		for table, err := scanner.Next(); table != nil || err != nil; table, err = scanner.Next() {
			if err != nil {
				t.Fatal(err)
			}
			table.Rows(func(*layout.Row) bool { return true })
		}
		if got := scanner.Company(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestTheMountingOfATitleFillsBlankCells(t *testing.T) {
	layouttest.CheckAll(t, `
		# with their number
		Montage E-400;;;
		Name;Montage;125;250
		A;;0,1;0,2
		B;A;0,3;0,4
		C;;0,5;0,6
		=>
		Name=label | Montage=mounting | 125=125 Hz | 250=250 Hz
		A | E-400 | 0,1 | 0,2
		B | A | 0,3 | 0,4
		C | E-400 | 0,5 | 0,6
		! t.csv:2[B2]: blank cells in this column are filled with the mounting in the title, E-400: 2

		# not where no cell is blank
		Montage E-400;;;
		Name;Montage;125;250
		A;A;0,1;0,2
		B;A;0,3;0,4
		=>
		Name=label | Montage=mounting | 125=125 Hz | 250=250 Hz
		A | A | 0,1 | 0,2
		B | A | 0,3 | 0,4
		! t.csv:2[A2]: unused cells: A1 "E-400"

		# not the mounting of a title among the rows
		Name;Montage;125;250
		Montage E-400;;;
		A;;0,1;0,2
		B;A;0,3;0,4
		=>
		Name=label | Montage=mounting | 125=125 Hz | 250=250 Hz
		A |  | 0,1 | 0,2
		B | A | 0,3 | 0,4
		! t.csv:1[A1]: unused cells: A2 "Montage E-400"
	`)
}

func TestATitleGivesTheSetUpOfAllSpecimens(t *testing.T) {
	layouttest.CheckAll(t, `
		# thickness and air gap by their names
		Plattendicke 20 mm, Luftspalt 200 mm;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {thickness_mm=20 mm, air_gap_mm=200 mm}

		# a distance next to a mounting
		Montage: Typ E-200, 160 mm vor der Wand;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {mounting=E-200, air_gap_mm=160 mm}

		# not a length without a name
		Fjord, 20 mm;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "Fjord, 20 mm"

		# not among the rows
		Name;125;250
		Luftspalt 200 mm;;
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:1[A1]: unused cells: A2 "Luftspalt 200 mm"

		# not if a column has it
		Luftspalt 200 mm;;;
		Name;Luftspalt [mm];125;250
		A;100;0,1;0,2
		=>
		Name=label | Luftspalt [mm]=air_gap_mm | 125=125 Hz | 250=250 Hz
		A | 100 | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "200 mm"

		# not in a footnote
		* Luftspalt 200 mm;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2
		! t.csv:2[A2]: unused cells: A1 "* Luftspalt 200 mm"
	`)
}

func TestNamesInQuotesAndShapeLettersInAThirdCell(t *testing.T) {
	for _, test := range layouttest.Tests(`
		# a name in quotes in a title
		Versuchsreihe „Fjord 40“;
		f/Hz;αs
		125;0,1
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {label=Fjord 40}

		# shape letters next to a rating below the bands
		Produkt: A;;
		f/Hz;αs;
		250;0,1;

		αw;0,55;(MH)
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | =
		250 | 0,1 |  {label=A, alpha_w=0,55 (MH)}

		# no other words there
		Produkt: A;;
		f/Hz;αs;
		250;0,1;

		αw;0,55;Bericht 7
		=>
		long: f/Hz=frequency_hz | αs=alpha_s | =
		250 | 0,1 |  {label=A}
	`) {
		tables, _ := layouttest.Scanned(layouttest.CSV(t, test.Table), layout.Options{})
		if got := strings.Join(tables, "\n"); got != test.Want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.Rule, got, test.Want)
		}
	}
}

func TestSeveralKeysInACell(t *testing.T) {
	layouttest.CheckAll(t, `
		# each with its value
		Auftraggeber: Acme   Prüfdatum: 1.2.2024   Montage: Typ A;;
		Name;125;250
		A;0,1;0,2
		=>
		Name=label | 125=125 Hz | 250=250 Hz
		A | 0,1 | 0,2 {test_date=1.2.2024, mounting=Typ A, manufacturer=Acme}

		# after a name
		Produkt: Fjord 40 | Dicke: 40 mm;
		f/Hz;αs
		125;0,1
		250;0,2
		=>
		long: f/Hz=frequency_hz | αs=alpha_s
		125 | 0,1 {thickness_mm=40 mm, label=Fjord 40}
		250 | 0,2 {thickness_mm=40 mm, label=Fjord 40}
	`)
}
