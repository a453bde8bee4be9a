package layout_test

import "testing"

// TestContextRows is over rows that say something of the rows below them.
func TestContextRows(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "they say what no column does",
			table: lines("Hersteller: Acme;;", "Montage;E-400;", "Name;125;250", "A;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2 {manufacturer=Acme, mounting=E-400}",
				),
			},
		},
		{
			rule:  "what names no field is used for nothing",
			table: lines("Datentyp: geraten;;", "Name;125;250", "A;0,1;0,2"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:2[A2]: used for nothing: A1 \"Datentyp: geraten\""),
		},
		{
			rule:  "they do not overrule a column",
			table: lines("Hersteller: Acme;;", "Name;Hersteller;125", "A;Other;0,1"),
			want: []string{
				rows("Name=label | Hersteller=manufacturer | 125=125 Hz", "A | Other | 0,1"),
			},
			told: rows("t.csv:2[A2]: used for nothing: A1 \"Acme\""),
		},
		{
			rule:  "between the rows",
			table: lines("Name;125;250", "Hersteller: Acme;;", "A;0,1;0,2", "Hersteller: Other;;", "B;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2 {manufacturer=Acme}",
					"B | 0,1 | 0,2 {manufacturer=Other}",
				),
			},
		},
		{
			rule: "one at the top of a sheet holds until it is said anew",
			table: lines(
				"Hersteller: Acme;;", "Name;125;250", "A;0,1;0,2", "", "Name;500;630", "B;0,1;0,2", "",
				"Hersteller: Other;;", "Name;1000;2000", "C;0,1;0,2",
			),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2 {manufacturer=Acme}"),
				rows("Name=label | 500=500 Hz | 630=630 Hz", "B | 0,1 | 0,2 {manufacturer=Acme}"),
				rows("Name=label | 1000=1000 Hz | 2000=2000 Hz", "C | 0,1 | 0,2 {manufacturer=Other}"),
			},
		},
		{
			rule:  "keys in one row, their values in the next",
			table: lines("Produkt;Hersteller;Datum", "X;Acme;2020", "", "f/Hz;αs", "125;0,1", "250;0,2"),
			want: []string{
				rows(
					"long: f/Hz=frequency_hz | αs=alpha_s",
					"125 | 0,1 {label=X, manufacturer=Acme, test_date=2020}",
					"250 | 0,2 {label=X, manufacturer=Acme, test_date=2020}",
				),
			},
		},
		{
			rule:  "sections and notes",
			table: lines("Name;125;250", "Decken;;", "A;0,1;0,2", ";;", "Ohne Gewähr;;"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A2 \"Decken\", A5 \"Ohne Gewähr\""),
		},
	})
}

func TestALineBelowATableDecidesNothing(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "a footnote",
			table: lines("Name;125;250", "A;0,1;0,2", "* Streugrade nach ISO 17497-1 auf Anfrage;;"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A3 \"* Streugrade nach ISO 17497-1 auf Anfrage\""),
		},
		{
			rule:  "a footnote between two tables",
			table: lines("Name;125;250", "A;0,1;0,2", "", "1) Streugrade auf Anfrage;;", "Name;500;630", "B;0,3;0,4"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
				rows("Name=label | 500=500 Hz | 630=630 Hz", "B | 0,3 | 0,4"),
			},
			told: rows("t.csv:5[A5]: used for nothing: A4 \"1) Streugrade auf Anfrage\""),
		},
		{
			rule:  "a remark between the rows",
			table: lines("Name;125;250", "A;0,1;0,2", "Hinweis: Streugrade auf Anfrage;;", "B;0,3;0,4"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2", "B | 0,3 | 0,4"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A3 \"Hinweis: Streugrade auf Anfrage\""),
		},
		{
			rule:  "a line at the end",
			table: lines("Name;125;250", "A;0,1;0,2", "", "Streugrade auf Anfrage;;"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A4 \"Streugrade auf Anfrage\""),
		},
		{
			rule:  "a line that follows the rows, with a blank row before the next table",
			table: lines("Name;125;250", "A;0,1;0,2", "Streugrade auf Anfrage;;", "", "Name;500;630", "B;0,3;0,4"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
				rows("Name=label | 500=500 Hz | 630=630 Hz", "B | 0,3 | 0,4"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A3 \"Streugrade auf Anfrage\""),
		},
		{
			rule:  "a line that follows the rows, with a blank row before other rows",
			table: lines("Name;125;250", "A;0,1;0,2", "Streugrade auf Anfrage;;", "", "B;0,3;0,4"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2", "B | 0,3 | 0,4"),
			},
			told: rows("t.csv:1[A1]: used for nothing: A3 \"Streugrade auf Anfrage\""),
		},
	})
}

func TestATitleIsOfWhatIsBelowItUntilTheNextTitle(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "of the table",
			table: lines("Streugrade nach ISO 17497-1;;", "Name;500;630", "A;0,1;0,2"),
			want: []string{
				rows("scatter: Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2"),
			},
		},
		{
			rule: "of two tables each",
			table: lines(
				"Schallabsorptionsgrade;;", "Name;500;630", "A;0,1;0,2", "", "Streugrade;;",
				"Name;Farbe;500;630", "B;rot;0,3;0,4",
			),
			want: []string{
				rows("alpha_s: Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2"),
				rows("scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz", "B | rot | 0,3 | 0,4"),
			},
		},
		{
			rule:  "nothing carries to a table with no title",
			table: lines("Streugrade;;", "Name;500;630", "A;0,1;0,2", "", "Name;Farbe;500;630", "B;rot;0,3;0,4"),
			want: []string{
				rows("scatter: Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2"),
				rows("Name=label | Farbe= | 500=500 Hz | 630=630 Hz", "B | rot | 0,3 | 0,4"),
			},
		},
		{
			rule:  "a title without a blank row before it",
			table: lines("Name;500;630", "A;0,1;0,2", "Streugrade;;", "Name;Farbe;500;630", "B;rot;0,3;0,4"),
			want: []string{
				rows("Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2"),
				rows("scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz", "B | rot | 0,3 | 0,4"),
			},
		},
		{
			rule: "titles of several rows",
			table: lines(
				"Name;500;630", "A;0,1;0,2", "", "Streugrade;;", "Stand 2026;;", "Entwurf;;",
				"Name;Farbe;500;630", "B;rot;0,3;0,4",
			),
			want: []string{
				rows("Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2"),
				rows("scatter: Name=label | Farbe= | 500=500 Hz | 630=630 Hz", "B | rot | 0,3 | 0,4"),
			},
			told: rows("t.csv:7[A7]: used for nothing: A5 \"Stand 2026\", A6 \"Entwurf\""),
		},
		{
			rule:  "a title among the rows",
			table: lines("Name;500;630", "A;0,1;0,2", "Streugrade;;", "B;0,3;0,4", "C;0,3;0,4"),
			want: []string{
				rows(
					"Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2", "B | 0,3 | 0,4 [scatter]",
					"C | 0,3 | 0,4 [scatter]",
				),
			},
			told: rows(
				"t.csv:3[A3]: titles among the rows say what the coefficients of the rows below " +
					"them are: A3 \"Streugrade\" (rows: 2)",
			),
		},
		{
			rule: "the header again below a title",
			table: lines(
				"Schallabsorptionsgrade;;", "Name;500;630", "A;0,1;0,2", "", "Streugrade;;", "Name;500;630",
				"B;0,3;0,4",
			),
			want: []string{
				rows(
					"alpha_s: Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2", "B | 0,3 | 0,4 [scatter]",
				),
			},
			told: rows(
				"t.csv:5[A5]: titles among the rows say what the coefficients of the rows below " +
					"them are: A5 \"Streugrade\" (rows: 1)",
			),
		},
		{
			rule: "titles among the rows, one after the other",
			table: lines(
				"Name;500;630", "Streugrade;;", "A;0,1;0,2", "Decken;;", "B;0,3;0,4",
				"Schallabsorptionsgrade;;", "C;0,5;0,6",
			),
			want: []string{
				rows(
					"Name=label | 500=500 Hz | 630=630 Hz", "A | 0,1 | 0,2 [scatter]",
					"B | 0,3 | 0,4 [scatter]", "C | 0,5 | 0,6 [alpha_s]",
				),
			},
			told: rows(
				"t.csv:2[A2]: titles among the rows say what the coefficients of the rows below "+
					"them are: A2 \"Streugrade\" (rows: 2), A6 \"Schallabsorptionsgrade\" (rows: 1)",
				"t.csv:1[A1]: used for nothing: A4 \"Decken\"",
			),
		},
		{
			rule:  "times are none of our quantities",
			table: lines("Nachhallzeiten in s;;", "Name;125;250", "A;0,1;0,2"),
			want: []string{
				rows("foreign: Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows("t.csv:2[A2]: used for nothing: A1 \"Nachhallzeiten in s\""),
		},
		{
			rule:  "percent",
			table: lines("Schallabsorptionsgrad αs in %;;", "Name;125;250", "A;1;20"),
			want: []string{
				rows("alpha_s: Name=label | 125=125 Hz % | 250=250 Hz %", "A | 1 | 20"),
			},
		},
		{
			rule:  "percent of what is none",
			table: lines("Schallabsorptionsgrad αs in %;;", "Name;125;250", "A;0,1;0,2"),
			want: []string{
				rows("alpha_s: Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows(
				"t.csv:2[A2]: the title speaks of percent, and no coefficient is over 2: they are " +
					"taken as they are",
			),
		},
	})
}

// TestWhatEachRowSaysOfItselfIsAColumnOfQuantities, whatever the name of the column is.
func TestWhatEachRowSaysOfItselfIsAColumnOfQuantities(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "any name",
			table: lines("Name;Typ;500;1000", "A;αs;0,1;0,2", "A;αp;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Typ=quantity | 500=500 Hz | 1000=1000 Hz", "A | αs | 0,1 | 0,2",
					"A | αp | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "no name",
			table: lines("Name;;500;1000", "A;αs;0,1;0,2", "A;αp;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | =quantity | 500=500 Hz | 1000=1000 Hz", "A | αs | 0,1 | 0,2",
					"A | αp | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "the name of a field",
			table: lines("Name;Größe;500;1000", "A;Streugrad;0,1;0,2", "A;αs;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Größe=quantity | 500=500 Hz | 1000=1000 Hz", "A | Streugrad | 0,1 | 0,2",
					"A | αs | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "times and areas beside them",
			table: lines("Name;Kennwert;500;1000", "A;T1;1,1;1,2", "A;αs;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Kennwert=quantity | 500=500 Hz | 1000=1000 Hz", "A | T1 | 1,1 | 1,2",
					"A | αs | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "small letters together",
			table: lines("Name;Typ;500;1000", "A;s;0,1;0,2", "A;d;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Typ=quantity | 500=500 Hz | 1000=1000 Hz", "A | s | 0,1 | 0,2",
					"A | d | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "a letter beside a symbol",
			table: lines("Name;Typ;500;1000", "A;αs;0,1;0,2", "A;s;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Typ=quantity | 500=500 Hz | 1000=1000 Hz", "A | αs | 0,1 | 0,2",
					"A | s | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "sizes are none",
			table: lines("Name;Größe;500;1000", "A;S;0,1;0,2", "A;M;0,1;0,2", "A;L;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Größe=size | 500=500 Hz | 1000=1000 Hz", "A | S | 0,1 | 0,2",
					"A | M | 0,1 | 0,2", "A | L | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "one size is none",
			table: lines("Name;Typ;500;1000", "A;S;0,1;0,2", "B;S;0,1;0,2"),
			want: []string{
				rows("Name=label | Typ= | 500=500 Hz | 1000=1000 Hz", "A | S | 0,1 | 0,2", "B | S | 0,1 | 0,2"),
			},
		},
		{
			rule:  "one small letter is none",
			table: lines("Name;Typ;500;1000", "A;s;0,1;0,2", "B;s;0,1;0,2"),
			want: []string{
				rows("Name=label | Typ= | 500=500 Hz | 1000=1000 Hz", "A | s | 0,1 | 0,2", "B | s | 0,1 | 0,2"),
			},
		},
		{
			rule:  "other words are none",
			table: lines("Name;Typ;500;1000", "A;αs;0,1;0,2", "B;Platte;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Typ= | 500=500 Hz | 1000=1000 Hz", "A | αs | 0,1 | 0,2",
					"B | Platte | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "the only names of products are none",
			table: lines("Name;500;1000", "αs;0,1;0,2", "αp;0,1;0,2"),
			want: []string{
				rows("Name=label | 500=500 Hz | 1000=1000 Hz", "αs | 0,1 | 0,2", "αp | 0,1 | 0,2"),
			},
		},
		{
			rule:  "names of products are, where a context row names the product",
			table: lines("Produkt: X;;", "Name;500;1000", "αs;0,1;0,2", "αp;0,1;0,2"),
			want: []string{
				rows(
					"Name=quantity | 500=500 Hz | 1000=1000 Hz", "αs | 0,1 | 0,2 {label=X}",
					"αp | 0,1 | 0,2 {label=X}",
				),
			},
		},
		{
			rule:  "a use is none",
			table: lines("Name;Kategorie;500;1000", "A;Absorption;0,1;0,2", "B;Streuung;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Kategorie=material_category | 500=500 Hz | 1000=1000 Hz",
					"A | Absorption | 0,1 | 0,2", "B | Streuung | 0,1 | 0,2",
				),
			},
		},
		{
			rule:  "a norm says it itself",
			table: lines("Name;Norm;500;1000", "A;ISO 354;0,1;0,2", "B;ISO 17497-1;0,1;0,2"),
			want: []string{
				rows(
					"Name=label | Norm=norm | 500=500 Hz | 1000=1000 Hz", "A | ISO 354 | 0,1 | 0,2",
					"B | ISO 17497-1 | 0,1 | 0,2",
				),
			},
		},
	})
}

func TestDittoMarksTakeTheCellAbove(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "in a column of names and of a length",
			table: lines("Name;Dicke;125", "A;40;0,1", "dto.;dito;0,2"),
			want: []string{
				rows("Name=label | Dicke=thickness | 125=125 Hz", "A | 40 | 0,1", "A | 40 | 0,2"),
			},
			told: rows("t.csv:3[A3]: ditto marks that took the cell above, 2: A3, B3"),
		},
		{
			rule: "each mark",
			table: lines(
				"Name;Farbe;125", "A;rot;0,1", "B;″;0,2", "C;〃;0,2", "D;\"-\"\"-\";0,2", "E;ditto;0,2",
				"F;s.o.;0,2", "G;s. o.;0,2", "H;wie oben;0,2", "I;See above;0,2", "J;do.;0,2",
			),
			want: []string{
				rows(
					"Name=label | Farbe= | 125=125 Hz", "A | rot | 0,1", "B | rot | 0,2", "C | rot | 0,2",
					"D | rot | 0,2", "E | rot | 0,2", "F | rot | 0,2", "G | rot | 0,2", "H | rot | 0,2",
					"I | rot | 0,2", "J | rot | 0,2",
				),
			},
			told: rows("t.csv:3[B3]: ditto marks that took the cell above, 9: B3, B4, B5, B6, B7, B8, B9, B10, B11"),
		},
		{
			rule:  "a coefficient",
			table: lines("Name;125;250", "A;0,1;0,2", "B;dto.;0,3"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2", "B | 0,1 | 0,3"),
			},
			told: rows("t.csv:3[B3]: ditto marks that took the cell above, 1: B3"),
		},
		{
			rule:  "nothing above it",
			table: lines("Name;Farbe;125", "A;dto.;dto."),
			want: []string{
				rows("Name=label | Farbe= | 125=125 Hz", "A | dto. | dto."),
			},
		},
		{
			rule: "more than ten",
			table: lines(
				"Name;Farbe;125", "A;rot;0,1", "B0;dto.;0,2", "B1;dto.;0,2", "B2;dto.;0,2", "B3;dto.;0,2",
				"B4;dto.;0,2", "B5;dto.;0,2", "B6;dto.;0,2", "B7;dto.;0,2", "B8;dto.;0,2", "B9;dto.;0,2",
				"B10;dto.;0,2", "B11;dto.;0,2",
			),
			want: []string{
				rows(
					"Name=label | Farbe= | 125=125 Hz", "A | rot | 0,1", "B0 | rot | 0,2", "B1 | rot | 0,2",
					"B2 | rot | 0,2", "B3 | rot | 0,2", "B4 | rot | 0,2", "B5 | rot | 0,2", "B6 | rot | 0,2",
					"B7 | rot | 0,2", "B8 | rot | 0,2", "B9 | rot | 0,2", "B10 | rot | 0,2", "B11 | rot | 0,2",
				),
			},
			told: rows(
				"t.csv:3[B3]: ditto marks that took the cell above, 12: B3, B4, B5, B6, B7, B8, " +
					"B9, B10, B11, B12 and 2 more",
			),
		},
	})
}

func TestRowsOfMeansAndLimitsAreNoProducts(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule:  "a mean",
			table: lines("Name;125;250", "A;0,1;0,2", "Mittelwert;0,1;0,2"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows(
				"t.csv:3[A3]: rows of means, totals or limits are of no product, and are left out: "+
					"A3 \"Mittelwert\"",
				"t.csv:1[A1]: used for nothing: A3 \"Mittelwert\"",
			),
		},
		{
			rule: "what is required",
			table: lines(
				"Name;125;250", "A;0,1;0,2", "Soll-Wert;0,1;0,2", "Grenzwert;0,1;0,2", "Anforderung;0,1;0,2",
				"target;0,1;0,2",
			),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows(
				"t.csv:3[A3]: rows of means, totals or limits are of no product, and are left out: "+
					"A3 \"Soll-Wert\", A4 \"Grenzwert\", A5 \"Anforderung\", A6 \"target\"",
				"t.csv:1[A1]: used for nothing: A3 \"Soll-Wert\", A4 \"Grenzwert\", A5 "+
					"\"Anforderung\", A6 \"target\"",
			),
		},
		{
			rule: "signs",
			table: lines(
				"Name;125;250", "A;0,1;0,2", "Ø;0,1;0,2", "Std.-Abw.;0,1;0,2", "Min.;0,1;0,2", "Max.;0,1;0,2",
			),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows(
				"t.csv:3[A3]: rows of means, totals or limits are of no product, and are left out: "+
					"A3 \"Ø\", A4 \"Std.-Abw.\", A5 \"Min.\", A6 \"Max.\"",
				"t.csv:1[A1]: used for nothing: A3 \"Ø\", A4 \"Std.-Abw.\", A5 \"Min.\", A6 \"Max.\"",
			),
		},
		{
			rule:  "a total with text in it",
			table: lines("Name;125;250", "A;0,1;0,2", "Summe;siehe;oben"),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows(
				"t.csv:3[A3]: rows of means, totals or limits are of no product, and are left out: "+
					"A3 \"Summe\"",
				"t.csv:1[A1]: used for nothing: A3 \"Summe\"",
			),
		},
		{
			rule:  "behind another column",
			table: lines("Nr.;Name;125", "1;A;0,1", "2;Mittelwert;0,1"),
			want: []string{
				rows("Nr.= | Name=label | 125=125 Hz", "1 | A | 0,1"),
			},
			told: rows(
				"t.csv:3[B3]: rows of means, totals or limits are of no product, and are left out: "+
					"B3 \"Mittelwert\"",
				"t.csv:1[A1]: used for nothing: B3 \"Mittelwert\"",
			),
		},
		{
			rule:  "a product with a manufacturer",
			table: lines("Name;Hersteller;125", "Total;Acme;0,1"),
			want: []string{
				rows("Name=label | Hersteller=manufacturer | 125=125 Hz", "Total | Acme | 0,1"),
			},
		},
		{
			rule:  "a name that begins so",
			table: lines("Name;125", "Limit 500;0,1"),
			want: []string{
				rows("Name=label | 125=125 Hz", "Limit 500 | 0,1"),
			},
		},
	})
}

func TestRowsOfMeansOfOtherTables(t *testing.T) {
	checkAll(t, []layoutTest{
		{
			rule: "longer names",
			table: lines(
				"Name;125;250",
				"A;0,1;0,2",
				"Mittelwert aller Proben;0,1;0,2",
				"Anforderungen nach DIN 18041;0,1;0,2",
			),
			want: []string{
				rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2"),
			},
			told: rows(
				`t.csv:3[A3]: rows of means, totals or limits are of no product, and are left out: A3 `+
					`"Mittelwert aller Proben", A4 "Anforderungen nach DIN 18041"`,
				`t.csv:1[A1]: used for nothing: A3 "Mittelwert aller Proben", A4 "Anforderungen `+
					`nach DIN 18041"`,
			),
		},
		{
			rule:  "of a transposed table",
			table: lines("Frequenz;A;B;Mittelwert", "125;0,1;0,2;0,15", "250;0,3;0,4;0,35"),
			want: []string{
				rows(
					"transposed: Frequenz=label | 125=125 Hz | 250=250 Hz",
					"A | 0,1 | 0,3",
					"B | 0,2 | 0,4",
				),
			},
			told: rows(
				`t.csv:1[D1]: rows of means, totals or limits are of no product, and are left out: D1 `+
					`"Mittelwert"`,
				`t.csv:1[A1]: used for nothing: D1 "Mittelwert"`,
			),
		},
		{
			rule:  "a count of articles",
			table: lines("Art.-Nr.;Name;125;250", "4711;A;0,1;0,2", "Summe;3 Artikel;;"),
			want: []string{
				rows(
					"Art.-Nr.=article_number | Name=label | 125=125 Hz | 250=250 Hz",
					"4711 | A | 0,1 | 0,2",
				),
			},
			told: rows(
				`t.csv:3[A3]: rows of means, totals or limits are of no product, and are left out: `+
					`A3 "Summe"`,
				`t.csv:1[A1]: used for nothing: A3 "Summe"`,
			),
		},
		{
			rule:  "an empty name does not hide it",
			table: lines("Art.-Nr.;Name;125;250", "4711;A;0,1;0,2", ";Max.;0,1;0,2"),
			want: []string{
				rows(
					"Art.-Nr.=article_number | Name=label | 125=125 Hz | 250=250 Hz",
					"4711 | A | 0,1 | 0,2",
				),
			},
			told: rows(
				`t.csv:3[B3]: rows of means, totals or limits are of no product, and are left out: B3 "Max."`,
				`t.csv:1[A1]: used for nothing: B3 "Max."`,
			),
		},
	})
}
