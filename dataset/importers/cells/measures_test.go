package cells_test

import (
	"strings"
	"testing"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/workbook"
)

func TestLengths(t *testing.T) {
	for _, test := range []struct{ shown, header, cells, want string }{ // cells and millimetres, separated by "|"
		{"", "Dicke", `40|40 mm|4cm|1.250|1,250|1 1/2"|0`, "40|40|40|1.25|1250|38.1|0"},
		{"comma", "Dicke", "0,04 m|28,7 cm|1.250|1,250", "40|287|1250|1.25"},
		{"comma", "Dicke [cm]", "4,5", "45"}, {"", "Dicke (m)", "0.04", "40"}, {"", "Dicke [in]", "2", "50.8"},
	} {
		want := strings.Split(test.want, "|")
		for i, cell := range strings.Split(test.cells, "|") {
			check(t, test.shown, []ruleTest{{"a length", test.header, cell, "thickness=" + want[i], ""}})
		}
	}
	check(t, "", []ruleTest{{"no air gap", "Luftspalt|Air gap", "ohne|", "gap=0", ""}, {"no air gap", "Luftspalt", "None",
		"gap=0", ""},
		{"no thickness", "Dicke", "ohne", "[Dicke]=ohne",
			`[A2]: Dicke: "ohne" is not a length in mm, cm, m or inches: stored as text in structured_meta`}})
	for text := range strings.SplitSeq("20-40|40/50|ca. 40|≥ 40|2 x 12,5|-5|5 kg|40 m²|40 %|40*|2026-01-31", "|") {
		if got, problems := read(tableOf("Dicke"), rowOf(2, text)); got != "[Dicke]="+text || problems == "" {
			t.Errorf("%q: got %s, %s, want no length", text, got, problems)
		}
	}
}

func TestStoredLengths(t *testing.T) {
	for _, test := range []struct {
		text string
		kind workbook.Kind
		want string
	}{
		{"1.250", workbook.Number, "thickness=1.25"}, // a stored number has no thousands separators
		{"0.4", workbook.Percent, "[Dicke]=0.4"},     // 40 % is not a length
		{"2026-01-31", workbook.Date, "[Dicke]=2026-01-31"},
	} {
		table := tableOf("Dicke")
		table.DecimalComma = true
		if got, _ := read(table, rowOfKind(test.text, test.kind)); got != test.want {
			t.Errorf("%s of kind %d: got %s, want %s", test.text, test.kind, got, test.want)
		}
	}
}

func TestLengthsOfMixedUnits(t *testing.T) {
	const notNamed = `: mixed units: "40" has no unit here, but A3 has "4 cm"; `
	tests := []struct {
		rule, header, cells string
		want                string
		whole               bool
	}{
		{"a unit other than the column's", "Dicke [mm]", "4 cm",
			`[A2]: Dicke [mm]: mixed units: the column name says mm, got "4 cm"`, false},
		{"the column's own unit", "Dicke [mm]", "4 mm", "", false},
		{"some without, some in centimetres", "Dicke", "40|4 cm|5 cm", "[A2]: Dicke" + notNamed +
			"write a unit in each cell or in the column name", true},
		{"most in millimetres", "Dicke", "40|4 cm|50 mm|60 mm", "[A2]: Dicke" + notNamed +
			"read as millimetres, like most cells in this column", false},
		{"without a unit next to millimetres", "Dicke", "40|50 mm", "", false},
		{"0 has no unit", "Dicke", "0|4 cm", "", false},
		{"all in centimetres", "Dicke", "4 cm|5 cm", "", false},
	}
	for _, test := range tests {
		reader := cells.NewReader(tableOf(test.header))
		problems := ""
		for i, text := range strings.Split(test.cells, "|") {
			if r := reader.Read(rowOf(i+2, text)); r != nil {
				problems += describeFaults(r.Faults)
			}
		}
		faults, warnings := reader.End()
		if got := problems + describeFaults(append(faults, warnings...)); got != test.want || (len(faults) > 0 &&
			faults[0].Whole) != test.whole {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
}

func TestAnOverallDepth(t *testing.T) {
	const kept = "; the depth is stored as text in structured_meta"
	check(t, "comma", []ruleTest{
		{"the air gap is what is left of it after the thickness", "Dicke|Konstruktionshöhe", "40|200",
			"thickness=40 / gap=160", ""},
		{"in any order of columns", "Aufbauhöhe|Dicke", "20 cm|40 mm", "thickness=40 / gap=160", ""},
		{"as deep as thick", "Dicke|Konstruktionshöhe", "40|40", "thickness=40 / gap=0", ""},
		{"without what float64 adds", "Dicke|Konstruktionshöhe", "0,1|0,3", "thickness=0.1 / gap=0.2", ""},
		{"a single one is stored as text under its name", "Konstruktionshöhe [cm]", "20",
			"depth=200 / [Konstruktionshöhe [cm]]=200 mm", ""},
		{"also with only an air gap", "Luftspalt|Gesamthöhe", "160|200", "gap=160 / depth=200 / [Gesamthöhe]=200 mm", ""},
		{"that agrees with both", "Dicke|Luftspalt|Konstruktionshöhe", "40|160|200", "thickness=40 / gap=160", ""},
		{"that contradicts both", "Dicke|Luftspalt|Konstruktionshöhe", "40|160|250",
			"thickness=40 / gap=160 / [Konstruktionshöhe]=250 mm",
			"[C2]: Konstruktionshöhe: the overall depth of 250 mm contradicts the thickness of 40 mm and the air gap of 160 mm" +
				kept},
		{"that is less than the thickness", "Dicke|Konstruktionshöhe", "40|30",
			"thickness=40 / [Konstruktionshöhe]=30 mm",
			"[B2]: Konstruktionshöhe: the overall depth of 30 mm contradicts the thickness of 40 mm" + kept},
		{"next to an invalid thickness", "Dicke|Konstruktionshöhe", "ca. 40|200",
			"depth=200 / [Dicke]=ca. 40 / [Konstruktionshöhe]=200 mm",
			"[A2]: Dicke: \"ca. 40\" is not a length in mm, cm, m or inches: stored as text in structured_meta"},
	})
}

func TestTwoColumnsOfOneLength(t *testing.T) {
	check(t, "", []ruleTest{
		{"alike", "Dicke|Stärke", "40|4 cm", "thickness=40", ""},
		{"that differ", "Dicke|Stärke", "40|50", "thickness=40 / [Stärke]=50",
			"[B2]: Stärke: \"50\" differs from the value in another column: stored as text in structured_meta"},
	})
}

func TestRatings(t *testing.T) {
	const percent = "; mark percentages with % in the cell or the column name"
	check(t, "", []ruleTest{
		{"shape letters", "αw", "0,55(MH)", "alpha_w=0.55 / shape_indicators=MH", ""},
		{"shape letters, separated", "αw", "0,85 L, M", "alpha_w=0.85 / shape_indicators=LM", ""},
		{"its own name before it", "αw", "αw = 0,6", "alpha_w=0.6", ""},
		{"a sign before it", "αw", "= 0,6", "alpha_w=0.6", ""},
		{"its own name in full", "αw", "alpha_w: 0,6 (H)", "alpha_w=0.6 / shape_indicators=H", ""},
		{"the name of another rating", "αw", "NRC 0.8", "[αw]=NRC 0.8",
			"[A2]: αw: \"NRC 0.8\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"the name of coefficients", "αw", "αs 0.8", "[αw]=αs 0.8",
			"[A2]: αw: \"αs 0.8\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"a comparison", "αw", "≥ 0,8", "[αw]=≥ 0,8",
			"[A2]: αw: \"≥ 0,8\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"about", "αw", "ca. 0,8", "[αw]=ca. 0,8",
			"[A2]: αw: \"ca. 0,8\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"a range", "αw", "0,5-0,8", "[αw]=0,5-0,8",
			"[A2]: αw: \"0,5-0,8\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"below zero", "αw", "-0.1", "[αw]=-0.1",
			"[A2]: αw: \"-0.1\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"a percentage", "αw", "60 %", "alpha_w=0.6", ""},
		{"a percentage by the name", "αw [%]", "60", "alpha_w=0.6", ""},
		{"an unmarked percentage", "αw", "85", "", "[A2]: αw: rating 85 is out of range: expected 0 to 1" + percent},
		{"the sign of a footnote", "αw", "0.9*", "alpha_w=0.9", ""},
		{"the sign of a footnote after letters", "αw", "0,55 (L) ¹⁾", "alpha_w=0.55 / shape_indicators=L", ""},
		{"nothing but a sign", "αw", "*", "[αw]=*",
			"[A2]: αw: \"*\" is not a rating such as \"0.55 (MH)\": stored as text in structured_meta"},
		{"NRC", "NRC", ".9", "nrc=0.9", ""},
		{"NRC with its name", "NRC", "NRC 0.8", "nrc=0.8", ""},
		{"NRC over 1", "NRC", "1.05", "nrc=1.05", ""},
		{"NRC over its limit", "NRC", "85", "", "[A2]: NRC: rating 85 is out of range: expected 0 to 2" + percent},
		{"NRC in words", "NRC", "viel", "[NRC]=viel",
			"[A2]: NRC: \"viel\" is not a number: stored as text in structured_meta"},
		{"NRC has no letters", "NRC", "0.8 (L)", "[NRC]=0.8 (L)",
			"[A2]: NRC: \"0.8 (L)\" is not a number: stored as text in structured_meta"},
		{"SAA with the name of NRC", "SAA", "NRC 0.8", "[SAA]=NRC 0.8",
			"[A2]: SAA: \"NRC 0.8\" is not a number: stored as text in structured_meta"},
		{"the smallest αw", "alpha_w_min", "0,45", "alpha_w_min=0.45", ""},
	})
}
