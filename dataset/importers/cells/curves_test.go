package cells_test

import (
	"strings"
	"testing"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/workbook"
)

func TestCurves(t *testing.T) {
	check(t, "", []ruleTest{
		{"commas, points and none", "125|250|500|1k", "0,1|0.25|.9|1", "alpha_s_octave 125:0.1 250:0.25 500:0.9 1000:1",
			""},
		{"percent in the cell", "125|250", "85 %|28,7%", "alpha_s_octave 125:0.85 250:0.287", ""},
		{"percent in the name", "125 Hz [%]|250 Hz (%)", "85|7", "alpha_s_octave 125:0.85 250:0.07", ""},
		{"percent in both is one", "125 %|250 %", "85%|7", "alpha_s_octave 125:0.85 250:0.07", ""},
		{"thirds where a band is no octave", "100|125|1k25", "0.1|0.2|0.3",
			"alpha_s_third_octave 100:0.1 125:0.2 1250:0.3", ""},
		{"octaves where only those are filled", "100|125|160|250", "|0.2|-|0.3", "alpha_s_octave 125:0.2 250:0.3", ""},
		{"bands ascend in any order of columns", "2k|1,6 kHz|125", "0.3|0.2|0.1",
			"alpha_s_third_octave 125:0.1 1600:0.2 2000:0.3", ""},
		{"a band given twice alike", "125|125 Hz", "0.2|0,20", "alpha_s_octave 125:0.2", ""},
		{"quantities side by side", "αs 125|αp 125|s 125|αs Terz 125", "0.1|0.2|0.3|0.4",
			"alpha_s_octave 125:0.1 / alpha_s_third_octave 125:0.4 / alpha_p_octave 125:0.2 / scatter_octave " +
				"125:0.3", ""},
		{"a long table's point", "Frequenz|αs|Streugrad", "1,25 kHz|0,4|0,1", "alpha_s_ 1250:0.4 / scatter_ 1250:0.1",
			""},
		{"a long table's unit", "f [kHz]|αs Terz", "0.5|40 %", "alpha_s_third_octave 500:0.4", ""},
		{"a long table in words", "Frequenz|Messgröße|Wert", "500 Hz|αp|0.4", "alpha_p_octave 500:0.4", ""},
		{"numbers with more digits than a float64", "125|250", "0.28999999999999998|0.123456789012345678",
			"alpha_s_octave 125:0.29 250:0.12345678901234568", ""},
		{"exponents", "125|250", "5e-2|1.5E-1", "alpha_s_octave 125:0.05 250:0.15", ""},
		{"no value", "125|250|Name", " |k. A.| ", "nil", ""},
	})
}

func TestInvalidCoefficients(t *testing.T) {
	const expected = "expected a coefficient such as 0.85, 0,85 or 85 %, got "
	check(t, "", []ruleTest{
		{"words among numbers", "125|250|500", "viel|0x1|0.2", "alpha_s_octave 500:0.2",
			"[B2]: 250: " + expected + "\"0x1\"\n[A2]: 125: " + expected + `"viel"`},
		{"words and no number: the set-up was not measured", "125|250", "noch nicht gemessen|", "nil",
			`[A2]: 125: "noch nicht gemessen" is read as a missing value, because the set-up has no coefficients`},
		{"at least", "125", "≥0,95", "", "[A2]: 125: " + expected + `"≥0,95"`},
		{"more than", "125", "> 0.9", "", "[A2]: 125: " + expected + `"> 0.9"`},
		{"about", "125", "ca. 0,85", "", "[A2]: 125: " + expected + `"ca. 0,85"`},
		{"about, as a sign", "125", "~0.8", "", "[A2]: 125: " + expected + `"~0.8"`},
		{"a range", "125", "0,8-0,9", "", "[A2]: 125: " + expected + `"0,8-0,9"`},
		{"two numbers", "125", "0,8 0,9", "", "[A2]: 125: " + expected + `"0,8 0,9"`},
		{"a number that was cut off", "125", "0,", "", "[A2]: 125: " + expected + `"0,"`},
		{"unmarked percentages", "125", "85", "",
			"[A2]: 125: coefficient 85 is out of range: expected -0.1 to 2; mark percentages with % in the cell or the column name"},
		{"percentages that are too large", "125", "285 %", "", "[A2]: 125: coefficient 2.85 is out of range: expected -0.1 to 2"},
		{"scattering has a different limit", "s 125", "1.3", "",
			"[A2]: s 125: coefficient 1.3 is out of range: expected -0.1 to 1.2; mark percentages with % in the cell or the column name"},
		{"far below zero", "125", "-0.5", "", "[A2]: 125: coefficient -0.5 is out of range: expected -0.1 to 2"},
		{"two values for a band", "125|125 Hz", "0.1|0.2", "alpha_s_octave 125:0.1",
			"[B2]: 125 Hz: different values for 125 Hz: 0.2 here and 0.1 in A2"},
		{"practical coefficients have octaves", "αp 100 Hz", "0.1", "",
			"[A2]: αp 100 Hz: 100 Hz is not an octave band from 63 to 8000 Hz, as required for alpha_p here"},
		{"a band of no series", "125 Hz|300 Hz", "0.1|0.2", "alpha_s_octave 125:0.1",
			"[B2]: 300 Hz: 300 Hz is not a third-octave band from 50 to 10000 Hz (IEC 61260-1); the nearest is 315 Hz"},
		{"bands of reports beyond ours", "40 Hz|125 Hz|12.5 kHz", "0.1|0.2|0.3",
			"alpha_s_octave 125:0.2 / [40 Hz]=0.1 / [12.5 kHz]=0.3",
			"[A2]: 40 Hz: 40 Hz is outside the bands from 50 to 10000 Hz: stored as text in structured_meta\n" +
				"[C2]: 12.5 kHz: 12500 Hz is outside the bands from 50 to 10000 Hz: stored as text in structured_meta"},
		{"a coefficient without a band", "Name|Schallabsorptionsgrad", "A|0.8", "label=A / [Schallabsorptionsgrad]=0.8",
			"[B2]: Schallabsorptionsgrad: stored as text in structured_meta: a coefficient column needs a band in its name, " +
				"or a column of frequencies next to it"},
		{"a frequency that is none", "Frequenz|αs|Streugrad", "viel|0.2|0.1", "",
			"[A2]: Frequenz: expected a frequency such as 125, 125 Hz or 1k25, got \"viel\""},
		{"no frequency", "Frequenz|αs", "|0.2", "", "[B2]: αs: missing frequency in this row"},
		{"a frequency of no series in a row a band", "Frequenz|αs", "300|0.2", "",
			"[B2]: αs: 300 Hz is not a third-octave band from 50 to 10000 Hz (IEC 61260-1); the nearest is 315 Hz"},
		{"a frequency beyond ours in a row a band", "Frequenz|αs", "31,5|0.2", "[αs 31.5 Hz]=0.2",
			"[B2]: αs: 31.5 Hz is outside the bands from 50 to 10000 Hz: stored as text in structured_meta"},
	})
}

func TestTheFootnoteSymbolIsDropped(t *testing.T) {
	for _, text := range []string{"0,85*", "0,85 *", "0,85**", "0,85 ¹⁾", "0,85¹", "0,85²⁾", "0,85 1)", "0,85†",
		"85 %*", "85%  ²⁾"} {
		if got, problems := read(tableOf("125"), rowOf(2, text)); got != "alpha_s_octave 125:0.85" || problems != "" {
			t.Errorf("%q is read as %s, %s", text, got, problems)
		}
	}
	for _, text := range []string{"*", "0,851)", "0,85 1)2", "0,85 12)", "*0,85", "0,85 (a)"} {
		if got, problems := read(tableOf("125|250"), rowOf(2, text+"|0.2")); got != "alpha_s_octave 250:0.2" ||
			problems == "" {
			t.Errorf("%q is read as %s, %s, want a fault", text, got, problems)
		}
	}
}

func TestPlaceholdersAreNotCoefficients(t *testing.T) {
	for _, text := range []string{"k.A.", "k. A.", "n.a.", "N/A", "-", "–", "—", "NPD", "#NV", "auf Anfrage",
		"on request", "folgt", "tbd",
		"T.B.D.", "in Vorbereitung"} {
		if got, problems := read(tableOf("125|Dicke|αw|Maße"), rowOf(2,
			text+"|"+text+"|"+text+"|"+text)); got != "nil" || problems != "" {
			t.Errorf("%q is read as %s, %s", text, got, problems)
		}
	}
	if got, _ := read(tableOf("Name|Farbe|Norm"), rowOf(2,
		"folgt|auf Anfrage|folgt")); got != "label=folgt / [Farbe]=auf Anfrage" {
		t.Errorf("where no number is expected: %s", got)
	}
}

func TestPercentages(t *testing.T) {
	check(t, "", []ruleTest{
		{"percentages in part", "125|250|500", "0|10 %|0.2", "alpha_s_octave 125:0 250:0.1 500:0.2",
			"[C2]: 500: mixed units: some cells of this curve are percentages and others are not; compare with B2"},
		{"a share among percentages", "125 Hz %|250 Hz %|500 Hz %", "0|0,62|60",
			"alpha_s_octave 125:0 250:0.0062 500:0.6",
			"[B2]: 250 Hz %: mixed units: 0.62 % here, but integer percentages in the other cells of this curve"},
		{"a small percentage that has the sign itself", "125|250|500", "0,5 %|12 %|60 %",
			"alpha_s_octave 125:0.005 250:0.12 500:0.6", ""},
		{"small percentages among decimals", "125 Hz %|250 Hz %|500 Hz %", "0,5|12,5|60",
			"alpha_s_octave 125:0.005 250:0.125 500:0.6", ""},
	})
}

// TestATableOfUnmarkedPercentagesIsAFault checks that small values do not pass as coefficients.
func TestATableOfUnmarkedPercentagesIsAFault(t *testing.T) {
	reader := cells.NewReader(tableOf("125|250"))
	for i, row := range []string{"1|2", "15|20", "0.5|60"} {
		reader.Read(rowOf(i+2, row))
	}
	faults, _ := reader.End()
	if want := "[A3]: unmarked percentages: 2 of 3 rows have coefficients over 2; mark percentages with % in the cell or the column name"; describeFaults(faults) != want || !faults[0].Whole {
		t.Errorf("got %s, want %s", describeFaults(faults), want)
	}
}

func TestATableOfSharesWithAPercentSignIsAFault(t *testing.T) {
	const want = "[A2]: fractions marked as percentages: no value in the table exceeds 1 %; if the values are fractions, remove the % from column names and cells, or use a map"
	for _, test := range []struct{ rule, headers, cells, over string }{
		{"under names", "125 %|250 %", "0.5|1;0.15|0.2;0|0.7", "0.5|12"},
		{"in cells", "125|250", "0.5 %|1 %;0.15 %|0.2 %;0|0.7 %", "0.5 %|12 %"},
	} {
		reader := cells.NewReader(tableOf(test.headers))
		for i, row := range strings.Split(test.cells, ";") {
			reader.Read(rowOf(i+2, row))
		}
		if faults, _ := reader.End(); describeFaults(faults) != want || !faults[0].Whole {
			t.Errorf("%s: got %s, want %s", test.rule, describeFaults(faults), want)
		}
		reader.Read(rowOf(5, test.over))
		if faults, _ := reader.End(); faults != nil {
			t.Errorf("%s, with a value over 1 %%: %s", test.rule, describeFaults(faults))
		}
	}
}

func TestACurveOfOnlyZerosIsAWarning(t *testing.T) {
	const warning = ": all coefficients of this row are 0: leave cells empty if there is no measurement"
	check(t, "", []ruleTest{
		{"two bands", "Name|125|250", "A|0|0,00", "label=A / alpha_s_octave 125:0 250:0", "[B2]: 125" + warning},
		{"each curve by itself", "αs 125|αs 250|s 125|s 250", "0.1|0.2|0|0",
			"alpha_s_octave 125:0.1 250:0.2 / scatter_octave 125:0 250:0", "[C2]: s 125" + warning},
		{"one band", "125|250", "0|", "alpha_s_octave 125:0", ""},
		{"zeros among others", "125|250", "0|0.1", "alpha_s_octave 125:0 250:0.1", ""},
	})
}

func TestATimeInACoefficientARatingOrALengthIsAFault(t *testing.T) {
	for _, test := range []struct{ header, days, want, problems string }{
		{"125 Hz", "0.5", "", "[A2]: 125 Hz: expected a coefficient such as 0.85, got the time 12:00"},
		{"αw", "0.35", "",
			"[A2]: αw: expected a number from 0 to 1, with or without shape letters: 0.55 MH, got the time " +
				"8:24"},
		{"NRC", "0.25", "", "[A2]: NRC: expected a number, got the time 6:00"},
		{"Dicke", "1.5", "", "[A2]: Dicke: expected a length such as 40, 40 mm, 4 cm or 1 1/2\", got the time 36:00"},
		{"Breite", "0.500011574", "", "[A2]: Breite: expected a length, got the time 12:00:01"},
		{"Maße", "0.5", "", "[A2]: Maße: expected two or three lengths such as 600 x 600 x 40 mm, got the time 12:00"},
		{"Farbe", "0.5", "[Farbe]=12:00", ""},
		{"Name", "0.5", "label=12:00", ""},
		{"calculated_absorption", "0.5", "[calculated_absorption]=12:00",
			"[A2]: calculated_absorption: \"12:00\" is not a number: stored as text in structured_meta"},
		{"entry_number", "2", "[entry_number]=48:00",
			"[A2]: entry_number: \"48:00\" is not a whole number that orders the " +
				"set-ups of a product: stored as text in structured_meta"},
	} {
		if got, problems := read(tableOf(test.header), rowOfKind(test.days, workbook.Time)); got != test.want ||
			problems != test.problems {
			t.Errorf("%s %s days: got %s, %s\nwant %s, %s", test.header, test.days, got, problems, test.want,
				test.problems)
		}
	}
}
