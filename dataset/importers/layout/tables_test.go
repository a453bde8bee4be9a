package layout_test

import "testing"

// TestWhereTablesLie is over where a header is and what it says of its columns.
func TestWhereTablesLie(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "the first row",
			table: lines("Name;125;250", "A;0,1;0,2"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
		},
		{
			rule:  "below titles, to the right of blank columns",
			table: lines("Liste 2026;;;", ";;;", "Stand;;;", ";Name;125;250", ";A;0,1;0,2"),
			want: []string{
				rows("= | Name=label | 125=125 Hz | 250=250 Hz", " | A | 0,1 | 0,2"),
			},
			told: rows("t.csv:4[A4]: used for nothing: A1 \"Liste 2026\", A3 \"Stand\""),
		},
		{
			rule:  "a group over its first band, units below",
			table: lines("Name;Dicke;αs;", ";;125;250", ";[mm];Hz;Hz", "A;40;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Dicke [mm]=thickness_mm | αs 125 Hz=alpha_s 125 Hz | αs 250 "+
						"Hz=alpha_s 250 Hz",
					"A | 40 | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "two groups of quantities",
			table: lines("Name;αs;;αp;", ";500;1000;500;1000", "A;0,1;0,2;0,15;0,25"),
			want: []string{
				rows(
					"Name=label | αs 500=alpha_s 500 Hz | αs 1000=alpha_s 1000 Hz | αp "+
						"500=absorption_octave 500 Hz | αp 1000=absorption_octave 1000 Hz",
					"A | 0,1 | 0,2 | 0,15 | 0,25",
				),
			},
		},
		{
			rule:  "groups of thirds and octaves",
			table: lines(";αs;;;", ";Terz;;Oktave;", "Name;500;630;500;1000", "A;0,1;0,2;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | αs Terz 500=alpha_s_third_octave 500 Hz | αs Terz "+
						"630=alpha_s_third_octave 630 Hz | αs Oktave 500=alpha_s_octave 500 Hz | αs "+
						"Oktave 1000=alpha_s_octave 1000 Hz",
					"A | 0,1 | 0,2 | 0,3 | 0,4",
				),
			},
		},
		{
			rule:  "a group of any words, where merged cells are lost",
			table: lines("Name;Hersteller;Messwerte;", ";;125;250", "A;Acme;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Hersteller=manufacturer | Messwerte 125=125 Hz | Messwerte 250=250 Hz",
					"A | Acme | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "a group of what is none of our quantities",
			table: lines("Name;αs;;Standardabweichung;", ";125;250;125;250", "A;0,1;0,2;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | αs 125=alpha_s 125 Hz | αs 250=alpha_s 250 Hz | "+
						"Standardabweichung 125= | Standardabweichung 250=",
					"A | 0,1 | 0,2 | 0,3 | 0,4",
				),
			},
		},
		{
			rule:  "bands above the other names",
			table: lines(";;125;250", "Name;Dicke [cm];αs;αs", "A;4;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Dicke [cm]=thickness_cm | 125 αs=alpha_s 125 Hz | 250 αs=alpha_s 250 Hz",
					"A | 4 | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "a name of two rows",
			table: lines("Produkt;;;", "Name;Artikel-Nr.;125;250", "A;X1;0,1;0,2"),
			want: []string{
				rows("Name=label | Artikel-Nr.=article_number | 125=125 Hz | 250=250 Hz", "A | X1 | 0,1 | 0,2"),
			},
			told: rows("t.csv:2[A2]: used for nothing: A1 \"Produkt\""),
		},
		{
			rule:  "percent of a group",
			table: lines("Name;αs [%];", ";125;250", "A;10;20"),
			want: []string{
				rows("Name=label | αs [%] 125=alpha_s 125 Hz % | αs [%] 250=alpha_s 250 Hz %", "A | 10 | 20"),
			},
		},
		{
			rule:  "the name of the bands stands over the products",
			table: lines("Frequenz [Hz];125;250", "A;0,1;0,2"),
			want: []string{
				rows("Frequenz [Hz]=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
		},
		{
			rule:  "nothing stands over the products",
			table: lines(";125;250;500", "A;0,1;0,2;0,3"),
			want: []string{
				rows("=label | 125=125 Hz | 250=250 Hz | 500=500 Hz", "A | 0,1 | 0,2 | 0,3"),
			},
			told: rows("t.csv:1[A1]: read as the names of the products"),
		},
		{
			rule:  "both axes are named over the products",
			table: lines("Produkt / Frequenz;125;250", "A;0,1;0,2"),
			want: []string{
				rows("Produkt / Frequenz=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
		},
		{
			rule:  "numbers that are bands are values",
			table: lines("Artikelnummer;Name;Dicke;500 Hz;1 kHz", "125;A;50;1;0,5", "250;B;63;0;1", "500;C;100;1;1"),
			want: []string{
				rows(
					"Artikelnummer=article_number | Name=label | Dicke=thickness | 500 Hz=500 Hz | "+
						"1 kHz=1000 Hz",
					"125 | A | 50 | 1 | 0,5", "250 | B | 63 | 0 | 1", "500 | C | 100 | 1 | 1",
				),
			},
		},
		{
			rule:  "a title with a number",
			table: lines("Produkt;500;", ";;", "Name;125;250", "A;0,1;0,2", "B;0,1;0,2"),
			want: []string{
				rows("Produkt=label | 500=500 Hz | ="),
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2", "B | 0,1 | 0,2"),
			},
		},
		{
			rule:  "bands in kHz",
			table: lines("Name;0,125;0,25;0,5;1", "A;0,1;0,2;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | 0,125=125 Hz | 0,25=250 Hz | 0,5=500 Hz | 1=1000 Hz",
					"A | 0,1 | 0,2 | 0,3 | 0,4",
				),
			},
		},
		{
			rule:  "a header of two rows below another table",
			table: lines("Name;125;250", "A;0,1;0,2", "Name;αs;", ";500;630", "B;0,3;0,4"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
				rows("Name=label | αs 500=alpha_s 500 Hz | αs 630=alpha_s 630 Hz", "B | 0,3 | 0,4"),
			},
		},
		{
			rule:  "a header that printed pages repeat",
			table: lines("Name;125;250", "A;0,1;0,2", "Name;125;250", "B;0,3;0,4"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2", "B | 0,3 | 0,4"),
			},
		},
		{
			rule:  "a row that numbers the columns",
			table: lines("Name;125;250", "1;2;3", "A;0,1;0,2"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A2 \"1\""),
		},
		{
			rule:  "rows of the product above",
			table: lines("Name;Hersteller;Luftspalt;125", "A;Acme;0;0,1", ";;200;0,2"),
			want: []string{
				rows(
					"Name=label | Hersteller=manufacturer | Luftspalt=air_gap | 125=125 Hz",
					"A | Acme | 0 | 0,1", "A | Acme | 200 | 0,2",
				),
			},
			told: rows(
				"t.csv:1[A1]: rows without a product of their own, which are of the product of the " +
					"row above: 1",
			),
		},
		{
			rule:  "a row without coefficients that looks like names",
			table: lines("Name;Quelle;Dicke;125;250", "A;Literatur;50;;", "B;Literatur;50;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Quelle=source | Dicke=thickness | 125=125 Hz | 250=250 Hz",
					"A | Literatur | 50 |  | ", "B | Literatur | 50 | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "the second column of a field is a text",
			table: lines("Name;Farbe;Bezeichnung;125", "A;rot;B;0,1"),
			want: []string{
				rows("Name=label | Farbe= | Bezeichnung= | 125=125 Hz", "A | rot | B | 0,1"),
			},
		},
		{
			rule:  "cells after the last column",
			table: lines("Name;125;250", "A;0,1;0,2;;siehe oben"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2 +siehe oben in E2"),
			},
		},
	})
}

// TestTransposedTables is over tables that have their bands downwards.
func TestTransposedTables(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "a product a column",
			table: lines("Frequenz;A;B", "125;0,1;0,2", "250;0,3;0,4"),
			want: []string{
				rows("transposed: Frequenz=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,3", "B | 0,2 | 0,4"),
			},
		},
		{
			rule:  "bands downwards",
			table: lines("Produkt: A", "Hersteller: Acme", "", "f/Hz;αs", "125;0,1", "250;0,2"),
			want: []string{
				rows(
					"long: f/Hz=frequency_hz | αs=alpha_s", "125 | 0,1 {label=A, manufacturer=Acme}",
					"250 | 0,2 {label=A, manufacturer=Acme}",
				),
			},
		},
		{
			rule:  "lines of two cells",
			table: lines("Produkt:;A", "Hersteller:;Acme", "f/Hz;αs", "125;0,1", "250;0,2"),
			want: []string{
				rows(
					"long: f/Hz=frequency_hz | αs=alpha_s", "125 | 0,1 {label=A, manufacturer=Acme}",
					"250 | 0,2 {label=A, manufacturer=Acme}",
				),
			},
		},
		{
			rule:  "one manufacturer of all",
			table: lines("Hersteller;Acme;", "Frequenz;A;B", "125;0,1;0,2", "250;0,3;0,4"),
			want: []string{
				rows(
					"transposed: Hersteller= | Frequenz=label | 125=125 Hz | 250=250 Hz",
					" | A | 0,1 | 0,3 {manufacturer=Acme}", " | B | 0,2 | 0,4 {manufacturer=Acme}",
				),
			},
		},
		{
			rule:  "names in the second column",
			table: lines("1;Name;A;B", "2;Dicke [mm];40;50", "3;125 Hz;0,1;0,2", "4;250 Hz;0,3;0,4"),
			want: []string{
				rows(
					"transposed: Name=label | Dicke [mm]=thickness_mm | 125 Hz=125 Hz | 250 Hz=250 Hz",
					"A | 40 | 0,1 | 0,3", "B | 50 | 0,2 | 0,4",
				),
			},
			told: rows("t.csv:1[B1]: used for nothing: A1 \"1\", A2 \"2\", A3 \"3\", A4 \"4\""),
		},
		{
			rule:  "curves of one product",
			table: lines("Produkt: A;;", "f;αs;αp", "Hz;-;-", "500;0,11;0,1", "1000;0,22;0,2"),
			want: []string{
				rows(
					"long: f Hz=frequency_hz | αs=alpha_s | αp=absorption_octave", "500 | 0,11 | 0,1 {label=A}",
					"1000 | 0,22 | 0,2 {label=A}",
				),
			},
		},
		{
			rule:  "times and areas of a test report",
			table: lines("Produkt;A;;", "Hersteller;Acme;;", "Frequenz;T1;A;αs", "500;1,1;0,7;0,1", "630;1,2;0,8;0,2"),
			want: []string{
				rows(
					"long: Frequenz=frequency | T1=(a quantity that no record has) | "+
						"A=(a quantity that no record has) | αs=alpha_s",
					"500 |  |  | 0,1 {label=A, manufacturer=Acme}",
					"630 |  |  | 0,2 {label=A, manufacturer=Acme}",
				),
			},
			told: rows(
				"t.csv:3[B3]: columns of times, areas and other quantities that no record has are " +
					"left out: " +
					`B3 "T1", C3 "A"`,
			),
		},
		{
			rule:  "symbols of quantities",
			table: lines("Produkt;A;", "Hersteller;Acme;", "f;αs;s", "500;0,11;0,1", "1000;0,22;0,2"),
			want: []string{
				rows(
					"long: f=frequency | αs=alpha_s | s=scatter",
					"500 | 0,11 | 0,1 {label=A, manufacturer=Acme}",
					"1000 | 0,22 | 0,2 {label=A, manufacturer=Acme}",
				),
			},
		},
		{
			rule:  "percent of a column",
			table: lines("Produkt: A;", "f in Hz;αs [%]", "500;11", "1000;22"),
			want: []string{
				rows(
					"long: f in Hz=frequency_hz | αs [%]=alpha_s %", "500 | 11 {label=A}",
					"1000 | 22 {label=A}",
				),
			},
		},
		{
			rule: "a quantity over its bands",
			table: lines(
				"Name;A;B", "αs;;", "500 Hz;0,1;0,2", "630 Hz;0,1;0,2", "Streugrad;;", "500 Hz;0,3;0,4",
				"630 Hz;0,3;0,4",
			),
			want: []string{
				rows(
					"transposed: Name=label | αs= | 500 Hz=alpha_s 500 Hz | 630 Hz=alpha_s 630 Hz "+
						"| Streugrad= | 500 Hz=scatter 500 Hz | 630 Hz=scatter 630 Hz",
					"A |  | 0,1 | 0,1 |  | 0,3 | 0,3", "B |  | 0,2 | 0,2 |  | 0,4 | 0,4",
				),
			},
		},
		{
			rule: "a column of units",
			table: lines(
				"Eigenschaft;Einheit;;", "Name;;Platte A;Platte B", "Dicke;mm;40;50", "125;Hz;0,1;0,2",
				"250;Hz;0,3;0,4",
			),
			want: []string{
				rows(
					"transposed: Eigenschaft Einheit= | Name=label | Dicke mm=thickness_mm | 125 "+
						"Hz=125 Hz | 250 Hz=250 Hz",
					" | Platte A | 40 | 0,1 | 0,3", " | Platte B | 50 | 0,2 | 0,4",
				),
			},
			told: rows("t.csv:1[A1]: used for nothing: A1 \"Eigenschaft\""),
		},
		{
			rule:  "a line below the bands decides nothing",
			table: lines("Name;A;B", "500 Hz;0,1;0,2", "630 Hz;0,1;0,2", "Streugrad auf Anfrage;;"),
			want: []string{
				rows(
					"transposed: Name=label | 500 Hz=500 Hz | 630 Hz=630 Hz | Streugrad auf Anfrage=",
					"A | 0,1 | 0,1 | ", "B | 0,2 | 0,2 | ",
				),
			},
		},
		{
			rule:  "an empty corner and a row of article numbers",
			table: lines(";Platte A;Platte B", "Art.-Nr.;4711;4712", "125 Hz;0,1;0,2", "250 Hz;0,3;0,4"),
			want: []string{
				rows(
					"transposed: =label | Art.-Nr.=article_number | 125 Hz=125 Hz | 250 Hz=250 Hz",
					"Platte A | 4711 | 0,1 | 0,3", "Platte B | 4712 | 0,2 | 0,4",
				),
			},
			told: rows("t.csv:1[A1]: read as the names of the products"),
		},
		{
			rule:  "an empty corner above the bands",
			table: lines(";Platte A;Platte B", "125 Hz;0,1;0,2", "250 Hz;0,3;0,4"),
			want: []string{
				rows(
					"transposed: =label | 125 Hz=125 Hz | 250 Hz=250 Hz", "Platte A | 0,1 | 0,3",
					"Platte B | 0,2 | 0,4",
				),
			},
			told: rows("t.csv:1[A1]: read as the names of the products"),
		},
	})
}

// TestLongTables is over tables with a row a band.
func TestLongTables(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "a row a band",
			table: lines("Name;Montage;Frequenz [Hz];αs", "A;E;500;0,1", "A;E;630;0,2", "B;E;500;0,3", "B;E;630;0,4"),
			want: []string{
				rows(
					"long: Name=label | Montage=mounting | Frequenz [Hz]=frequency_hz | αs=alpha_s",
					"A | E | 500 | 0,1", "A | E | 630 | 0,2", "B | E | 500 | 0,3", "B | E | 630 | 0,4",
				),
			},
		},
		{
			rule:  "the product in the first row of its block",
			table: lines("Name;f;αs", "A;500;0,1", ";630;0,2", "B;500;0,3", ";630;0,4"),
			want: []string{
				rows(
					"long: Name=label | f=frequency | αs=alpha_s", "A | 500 | 0,1", "A | 630 | 0,2",
					"B | 500 | 0,3", "B | 630 | 0,4",
				),
			},
			told: rows(
				"t.csv:1[A1]: rows without a product of their own, which are of the product of the " +
					"row above: 2",
			),
		},
		{
			rule:  "a quantity a column",
			table: lines("Name;f in Hz;αs;αp", "A;500;0,1;0,15", "A;1000;0,2;0,25"),
			want: []string{
				rows(
					"long: Name=label | f in Hz=frequency_hz | αs=alpha_s | αp=absorption_octave",
					"A | 500 | 0,1 | 0,15", "A | 1000 | 0,2 | 0,25",
				),
			},
		},
		{
			rule:  "context rows name the product",
			table: lines("Frequenz;αs", "Produkt: A;", "500;0,1", "1000;0,2", "Produkt: B;", "500;0,3", "1000;0,4"),
			want: []string{
				rows(
					"long: Frequenz=frequency | αs=alpha_s", "500 | 0,1 {label=A}", "1000 | 0,2 {label=A}",
					"500 | 0,3 {label=B}", "1000 | 0,4 {label=B}",
				),
			},
		},
	})
}

// TestADatasheetIsOneSetup: keys down the left are of all bands below them.
func TestADatasheetIsOneSetup(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "bands downwards",
			table: lines("Produkt:;X", "Plattendicke:;20 mm", "Luftspalt:;200 mm", "f/Hz;αs", "125;0,1", "250;0,2"),
			want: []string{
				rows(
					"long: f/Hz=frequency_hz | αs=alpha_s",
					"125 | 0,1 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}",
					"250 | 0,2 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}",
				),
			},
		},
		{
			rule: "two curves beside keys of one value",
			table: lines(
				"Produkt:;X;", "Plattendicke:;20 mm;", "Luftspalt:;200 mm;", "Frequenz;αs;αp", "500;0,1;0,2",
				"1000;0,3;0,4",
			),
			want: []string{
				rows(
					"long: Frequenz=frequency | αs=alpha_s | αp=absorption_octave",
					"500 | 0,1 | 0,2 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}",
					"1000 | 0,3 | 0,4 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}",
				),
			},
		},
		{
			rule:  "bands across",
			table: lines("Produkt:;X;;", "Plattendicke:;20 mm;;", "Frequenz;125;250;500", "αs;0,1;0,2;0,3"),
			want: []string{
				rows(
					"Frequenz=quantity | 125=125 Hz | 250=250 Hz | 500=500 Hz",
					"αs | 0,1 | 0,2 | 0,3 {label=X, thickness_mm=20 mm}",
				),
			},
		},
		{
			rule: "keys and values in one cell",
			table: lines(
				"Produkt: X;;", "Dicke: 20 mm;;", "Luftspalt: 200 mm;;", "Frequenz;αs;αp", "500;0,1;0,2",
				"1000;0,3;0,4",
			),
			want: []string{
				rows(
					"long: Frequenz=frequency | αs=alpha_s | αp=absorption_octave",
					"500 | 0,1 | 0,2 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}",
					"1000 | 0,3 | 0,4 {label=X, thickness_mm=20 mm, air_gap_mm=200 mm}",
				),
			},
		},
		{
			rule: "keys below the product and without colons",
			table: lines(
				"Produkt;X;", "Dicke;20 mm;", "Montage;E-200;", "Frequenz;αs;αp", "500;0,1;0,2", "1000;0,3;0,4",
			),
			want: []string{
				rows(
					"long: Frequenz=frequency | αs=alpha_s | αp=absorption_octave",
					"500 | 0,1 | 0,2 {label=X, thickness_mm=20 mm, mounting=E-200}",
					"1000 | 0,3 | 0,4 {label=X, thickness_mm=20 mm, mounting=E-200}",
				),
			},
		},
		{
			rule:  "a key with a value a set-up is none",
			table: lines("Produkt;X;", "Montage;A;E-200", "125 Hz;0,1;0,2", "250 Hz;0,3;0,4"),
			want: []string{
				rows(
					"transposed: Produkt=label | Montage=mounting | 125 Hz=125 Hz | 250 Hz=250 Hz",
					"X | A | 0,1 | 0,3", "X | E-200 | 0,2 | 0,4",
				),
			},
			told: rows(
				"t.csv:1[A1]: rows without a product of their own, which are of the product of the " +
					"row above: 1",
			),
		},
	})
}

// TestSetupsSideBySide is over bands of several set-ups in one row.
func TestSetupsSideBySide(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "mountings",
			table: lines("Name;αs, Montage A;;αs, Montage E-400;", ";125;250;125;250", "A;0,1;0,2;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | αs, Montage A 125=alpha_s 125 Hz | αs, Montage A 250=alpha_s 250 "+
						"Hz | αs, Montage E-400 125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 "+
						"Hz",
					"A | 0,1 | 0,2 |  |  {mounting=A}", "A |  |  | 0,3 | 0,4 {mounting=E-400}",
				),
			},
		},
		{
			rule:  "words that no field has",
			table: lines(";;ohne Vlies;;mit Vlies;", "Name;Dicke;125;250;125;250", "A;40;0,1;0,2;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | Dicke=thickness | ohne Vlies 125=125 Hz | ohne Vlies 250=250 Hz "+
						"| mit Vlies 125=125 Hz | mit Vlies 250=250 Hz",
					"A | 40 | 0,1 | 0,2 |  |  {measuring_option=ohne Vlies}",
					"A | 40 |  |  | 0,3 | 0,4 {measuring_option=mit Vlies}",
				),
			},
		},
		{
			rule:  "a field that has a column is a measuring option",
			table: lines(";;Dicke 20 mm;;Dicke 40 mm;", "Name;Dicke;125;250;125;250", "A;30;0,1;0,2;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | Dicke=thickness | Dicke 20 mm 125=125 Hz | Dicke 20 mm 250=250 "+
						"Hz | Dicke 40 mm 125=125 Hz | Dicke 40 mm 250=250 Hz",
					"A | 30 | 0,1 | 0,2 |  |  {measuring_option=20 mm}",
					"A | 30 |  |  | 0,3 | 0,4 {measuring_option=40 mm}",
				),
			},
		},
		{
			rule:  "a row without a set-up's bands has none of it",
			table: lines("Name;αs, Montage A;;αs, Montage E-400;", ";125;250;125;250", "A;;;0,3;0,4", "B;;;;"),
			want: []string{
				rows(
					"Name=label | αs, Montage A 125=alpha_s 125 Hz | αs, Montage A 250=alpha_s 250 "+
						"Hz | αs, Montage E-400 125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 "+
						"Hz",
					"A |  |  | 0,3 | 0,4 {mounting=E-400}",
				),
			},
			told: rows("t.csv:1[A1]: used for nothing: A4 \"B\""),
		},
		{
			rule: "a ditto mark is of its own set-up",
			table: lines(
				"Name;αs, Montage A;;αs, Montage E-400;", ";125;250;125;250", "A;0,1;0,2;0,3;0,4",
				"B;0,5;dto.;dto.;0,6",
			),
			want: []string{
				rows(
					"Name=label | αs, Montage A 125=alpha_s 125 Hz | αs, Montage A 250=alpha_s 250 "+
						"Hz | αs, Montage E-400 125=alpha_s 125 Hz | αs, Montage E-400 250=alpha_s 250 "+
						"Hz",
					"A | 0,1 | 0,2 |  |  {mounting=A}", "A |  |  | 0,3 | 0,4 {mounting=E-400}",
					"B | 0,5 | 0,2 |  |  {mounting=A}", "B |  |  | 0,3 | 0,6 {mounting=E-400}",
				),
			},
			told: rows("t.csv:4[C4]: ditto marks that took the cell above, 2: C4, D4"),
		},
	})
}

// TestAHeaderWithoutBands: three known fields or more, one of them of a product, and nothing that is a value.
func TestAHeaderWithoutBands(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "names, ratings, classes",
			table: lines("Artikelnummer;Bezeichnung;αw;Brandklasse", "4711;A;0,65;A2", "4712;B;0,8;B"),
			want: []string{
				rows(
					"Artikelnummer=article_number | Bezeichnung=label | αw=alpha_w | Brandklasse=fire_class",
					"4711 | A | 0,65 | A2", "4712 | B | 0,8 | B",
				),
			},
		},
		{
			rule:  "below a title",
			table: lines("Stammdaten;;", "Bezeichnung;Hersteller;NRC", "A;Acme;0,65"),
			want: []string{
				rows("Bezeichnung=label | Hersteller=manufacturer | NRC=nrc", "A | Acme | 0,65"),
			},
			told: rows("t.csv:2[A2]: used for nothing: A1 \"Stammdaten\""),
		},
		{
			rule:  "two known fields are not enough",
			table: lines("Name;Farbe;Hersteller", "A;rot;Acme"),
			told:  rows("row 1: Name, Farbe?, Hersteller", "row 2: A?, rot?, Acme?"),
		},
		{
			rule:  "no product",
			table: lines("Farbe;αw;Brandklasse;Hersteller", "rot;0,65;A2;Acme"),
			told:  rows("row 1: Farbe?, αw, Brandklasse, Hersteller", "row 2: rot?, 0,65?, A2?, Acme?"),
		},
		{
			rule: "master data and values",
			table: lines(
				"Artikelnummer;Bezeichnung;αw", "4711;A;0,65", "4712;B;0,8", "", "Artikelnummer;125;250",
				"4711;0,1;0,2",
			),
			want: []string{
				rows(
					"Artikelnummer=article_number | Bezeichnung=label | αw=alpha_w", "4711 | A | 0,65",
					"4712 | B | 0,8",
				),
				rows("Artikelnummer=article_number | 125=125 Hz | 250=250 Hz", "4711 | 0,1 | 0,2"),
			},
		},
		{
			rule: "values and master data",
			table: lines(
				"Artikelnummer;125;250", "4711;0,1;0,2", "", "Artikelnummer;Bezeichnung;αw", "4711;A;0,65",
				"4712;B;0,8",
			),
			want: []string{
				rows("Artikelnummer=article_number | 125=125 Hz | 250=250 Hz", "4711 | 0,1 | 0,2"),
				rows(
					"Artikelnummer=article_number | Bezeichnung=label | αw=alpha_w", "4711 | A | 0,65",
					"4712 | B | 0,8",
				),
			},
		},
		{
			rule:  "the names above bands are theirs",
			table: lines("Name;Hersteller;Dicke;Messwerte;", ";;;125;250", "A;Acme;40;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Hersteller=manufacturer | Dicke=thickness | Messwerte 125=125 Hz "+
						"| Messwerte 250=250 Hz",
					"A | Acme | 40 | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "bands beside",
			table: lines("Name;Hersteller;Dicke;125;250", "A;Acme;40;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Hersteller=manufacturer | Dicke=thickness | 125=125 Hz | 250=250 Hz",
					"A | Acme | 40 | 0,1 | 0,2",
				),
			},
		},
	})
}

// TestTheOnlyTitleNamesTheProduct where neither a column nor a context row does.
func TestTheOnlyTitleNamesTheProduct(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "a title",
			table: lines("Akustikplatte Fjord 40;", "f/Hz;αs", "125;0,1", "250;0,2"),
			want: []string{
				rows(
					"long: f/Hz=frequency_hz | αs=alpha_s", "125 | 0,1 {label=Akustikplatte Fjord 40}",
					"250 | 0,2 {label=Akustikplatte Fjord 40}",
				),
			},
			told: rows("t.csv:1[A1]: the title is read as the name of the product: \"Akustikplatte Fjord 40\""),
		},
		{
			rule: "a title among others that name none",
			table: lines(
				"Prüfbericht 17;", "Akustikplatte Fjord 40;", "αs nach ISO 354;", "f/Hz;αs", "125;0,1",
				"250;0,2",
			),
			want: []string{
				rows(
					"transposed alpha_s: Prüfbericht 17= | Akustikplatte Fjord 40= | αs nach ISO "+
						"354= | f/Hz=quantity | 125=alpha_s 125 Hz | 250=alpha_s 250 Hz",
					" |  |  | αs | 0,1 | 0,2 {label=Akustikplatte Fjord 40}",
				),
			},
			told: rows(
				"t.csv:2[A2]: the title is read as the name of the product: \"Akustikplatte Fjord 40\"",
				"t.csv:1[A1]: used for nothing: A1 \"Prüfbericht 17\"",
			),
		},
		{
			rule:  "two titles",
			table: lines("Akustikplatte Fjord;", "Akustikplatte Hygge;", "f/Hz;αs", "125;0,1", "250;0,2"),
			told: rows(
				"t.csv:3[A3]: no column of names: expected one called \"name\", \"label\", " +
					"\"product\", \"Bezeichnung\", \"Produkt\" or \"Material\", or a row \"Produkt: " +
					"NAME\" above the table; or give --label NAME",
			),
		},
		{
			rule:  "a general word",
			table: lines("Messergebnisse;", "f/Hz;αs", "125;0,1", "250;0,2"),
			told: rows(
				"t.csv:2[A2]: no column of names: expected one called \"name\", \"label\", " +
					"\"product\", \"Bezeichnung\", \"Produkt\" or \"Material\", or a row \"Produkt: " +
					"NAME\" above the table; or give --label NAME",
			),
		},
		{
			rule:  "a company",
			table: lines("Acme GmbH;", "f/Hz;αs", "125;0,1", "250;0,2"),
			told: rows(
				"t.csv:2[A2]: no column of names: expected one called \"name\", \"label\", " +
					"\"product\", \"Bezeichnung\", \"Produkt\" or \"Material\", or a row \"Produkt: " +
					"NAME\" above the table; or give --label NAME",
			),
		},
		{
			rule:  "nothing",
			table: lines("Farbe;125;250", "0,5;0,1;0,2"),
			told: rows(
				"t.csv:1[A1]: no column of names: expected one called \"name\", \"label\", " +
					"\"product\", \"Bezeichnung\", \"Produkt\" or \"Material\", or a row \"Produkt: " +
					"NAME\" above the table; or give --label NAME",
			),
		},
	})
}

func TestTablesThatCannotBeRead(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "no row names the columns",
			table: lines("Liste;", "Typ;Farbe", "A;rot"),
			told:  rows("row 2: Typ?, Farbe?", "row 3: A?, rot?", "row 1: Liste?"),
		},
		{
			rule:  "a band twice",
			table: lines("Name;125;125 Hz", "A;0,1;0,2"),
			told:  rows("t.csv:1[C1]: 125 Hz: a second column for 125 Hz, the first is B1"),
		},
		{
			rule:  "a band of no series",
			table: lines("Name;125 Hz;240 Hz", "A;0,1;0,2"),
			told: rows(
				"t.csv:1[C1]: 240 Hz: 240 Hz is no third-octave band from 50 to 10000 Hz (IEC " +
					"61260-1), the nearest is 250 Hz",
			),
		},
		{
			rule:  "the file is cut off",
			table: "Name;125;250\nA;0,1;0,2\nB;0,",
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:3[B3]: the file ends in the middle of a row: expected 3 cells, got 2"),
		},
		{
			rule:  "a transposed file is cut off",
			table: "Frequenz;A;B\n125;0,1;0,2\n250;0,1;0,2\n500;0",
			told:  rows("t.csv:4[B4]: the file ends in the middle of a row: expected 3 cells, got 2"),
		},
		{
			rule:  "no row below",
			table: lines("Name;125;250"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz"),
			},
		},
	})
}
