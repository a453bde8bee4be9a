package cells_test

import (
	"testing"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// TestThePriorityOfEvidence checks one step of the priority per test.
func TestThePriorityOfEvidence(t *testing.T) {
	for _, test := range []struct{ rule, shown, headers, cells, want string }{
		{"nothing is αs", "", "125", "0.2", "alpha_s_octave"},
		{"the file before nothing", "file=Streugrad", "125", "0.2", "scatter_octave"},
		{"the sheet before the file", "file=Streugrad sheet=Diffusionsgrad", "125", "0.2", "diffusion_octave"},
		{"the title before the sheet", "sheet=Diffusionsgrad title=αp", "125", "0.2", "alpha_p_octave"},
		{"the map before the title", "title=αp map=Streugrad", "125", "0.2", "scatter_octave"},
		{"a map without a quantity means αs", "title=Streugrad map=", "125", "0.2", "alpha_s_octave"},
		{"the title above the row before the map", "map=Streugrad section=Diffusionsgrad", "125", "0.2",
			"diffusion_octave"},
		{"the norm before the title above the row", "section=Diffusionsgrad", "Norm|125", "Streugrad|0.2",
			"scatter_octave"},
		{"the column's name before the norm", "", "Norm|αp 125", "ISO 354|0.2", "alpha_p_octave"},
		{"the column's name before all titles", "sheet=αs file=αs", "s 125", "0.2", "scatter_octave"},
		{"a norm of another kind before the column's name", "", "Norm|αs 125", "ISO 17497-1|0.2", "scatter_octave"},
		{"the quantity in the row before a norm of another kind", "", "Norm|Messgröße|αs 125", "ISO 17497-2|s|0.2",
			"scatter_octave"},
		{"the quantity in the row before the column's name", "", "Messgröße|αs 125", "αp|0.2", "alpha_p_octave"},
		{"the quantity in the row before the norm", "", "Norm|Messgröße|125", "ISO 354|Streugrad|0.2", "scatter_octave"},
	} {
		row := rowOf(2, test.cells)
		r := cells.NewReader(tableWith(test.shown, test.headers, row)).Read(row)
		if len(r.Curves) != 1 || curveName(r.Curves[0]) != test.want {
			t.Errorf("%s: got %s, want a curve of %s", test.rule, describe(r), test.want)
		}
	}
}

func curveName(c cells.Curve) string { return string(c.Quantity) + "_" + string(c.Resolution) }

func TestTheQuantityOfARow(t *testing.T) {
	check(t, "", []ruleTest{
		{"αp never becomes αs", "Messgröße|αs 125|αs 250", "αp|0.2|0.3", "alpha_p_octave 125:0.2 250:0.3",
			"[A2]: Messgröße: the quantity in the row says alpha_p, but the column names say alpha_s: read as alpha_p, " +
				"because a row defines its own quantity"},
		{"αs never becomes αp", "Kennwert|αp 125", "αs|0.2", "alpha_s_octave 125:0.2",
			"[A2]: Kennwert: the quantity in the row says alpha_s, but the column names say alpha_p: read as alpha_s, " +
				"because a row defines its own quantity"},
		{"the same as the columns", "Messgröße|αs 125", "αs|0.2", "alpha_s_octave 125:0.2", ""},
		{"columns without a quantity", "Messgröße|125", "s|0.2", "scatter_octave 125:0.2", ""},
		{"columns of one quantity, some without", "Messgröße|αs 125|250", "s|0.2|0.3", "scatter_octave 125:0.2 250:0.3",
			"[A2]: Messgröße: the quantity in the row says scatter, but the column names say alpha_s: read as scatter, " +
				"because a row defines its own quantity"},
		{"columns of several quantities win", "Messgröße|αs 125|s 125", "s|0.2|0.3",
			"alpha_s_octave 125:0.2 / scatter_octave 125:0.3", ""},
		{"several quantities, and a column without one", "Messgröße|αs 125|s 125|250", "s|0.2|0.3|0.4",
			"alpha_s_octave 125:0.2 / scatter_octave 125:0.3 250:0.4", ""},
		{"a cell that names nothing", "Messgröße|αs 125", "siehe Anhang|0.2",
			"alpha_s_octave 125:0.2 / [Messgröße]=siehe Anhang",
			"[A2]: Messgröße: \"siehe Anhang\" is not a quantity: stored as text in structured_meta"},
		{"a resolution of the row", "Messgröße|125|250", "αs Terz|0.2|0.3", "alpha_s_third_octave 125:0.2 250:0.3", ""},
		{"only a resolution", "Größenart|125|250", "Terz|0.2|0.3", "alpha_s_third_octave 125:0.2 250:0.3", ""},
		{"only a resolution, in English", "quantity|125|250", "1/3 octave|0.2|0.3",
			"alpha_s_third_octave 125:0.2 250:0.3", ""},
		{"the column's resolution before the row's", "Messgröße|αs Oktave 125", "αs Terz|0.2", "alpha_s_octave 125:0.2",
			""},
		{"practical coefficients are of octaves", "Messgröße|αs Terz 125", "αp|0.2", "alpha_p_octave 125:0.2",
			"[A2]: Messgröße: the quantity in the row says alpha_p, but the column names say alpha_s: read as alpha_p, " +
				"because a row defines its own quantity"},
	})
}

func TestTheRowsNorm(t *testing.T) {
	check(t, "", []ruleTest{
		{"with a year", "Norm|125", "DIN EN ISO 17497-1:2004|0.2",
			"norm=ISO 17497-1 / source_norm=DIN EN ISO 17497-1:2004 / scatter_octave 125:0.2", ""},
		{"in words", "Norm|125", "Streugrad|0.2", "norm=ISO 17497-1 / scatter_octave 125:0.2", ""},
		{"of practical coefficients, which is of no entry", "Norm|125", "ISO 11654|0.2",
			"source_norm=ISO 11654 / alpha_p_octave 125:0.2", ""},
		{"none of ours", "Norm|125", "ASTM C423|0.2", "source_norm=ASTM C423 / alpha_s_octave 125:0.2", ""},
		{"next to the source norm", "Norm|source norm|125", "EN ISO 354|EN 29354|0.2",
			"norm=ISO 354 / source_norm=EN 29354 / alpha_s_octave 125:0.2", ""},
		{"of the kind of the columns", "Norm|αp 125", "ISO 354|0.2", "norm=ISO 354 / alpha_p_octave 125:0.2", ""},
		{"of another kind than the columns", "Norm|αs 125", "ISO 17497-1|0.2",
			"norm=ISO 17497-1 / scatter_octave 125:0.2",
			"[A2]: Norm: the standard in the row says scatter, but the column names say alpha_s: read as scatter, " +
				"because a standard of a different kind means a different measurement"},
		{"of another kind than one of several columns", "Norm|αs 125|s 125", "ISO 17497-2|0.2|0.3",
			"norm=ISO 17497-2 / alpha_s_octave 125:0.2 / scatter_octave 125:0.3", ""},
		{"a mounting is no symbol of an area", "Norm|125", "A|0.2", "alpha_s_octave 125:0.2", ""},
	})
}

func TestForeignQuantitiesAreStoredAsText(t *testing.T) {
	const suffix = " states an unsupported quantity: stored as text in structured_meta"
	check(t, "", []ruleTest{
		{"a time of the row", "Messgröße|125|250", "T [s]|1,85|0,4", "[Messgröße]=T [s] / [125]=1,85 / [250]=0,4",
			"[A2]: Messgröße: the quantity in the row" + suffix},
		{"an area of the row under columns of αs", "Messgröße|αs 125", "A|0.4", "[Messgröße]=A / [αs 125]=0.4",
			"[A2]: Messgröße: the quantity in the row" + suffix},
		{"an area of the row under columns of several quantities", "Messgröße|αs 125|s 125", "A|0.4|0.5",
			"[Messgröße]=A / [αs 125]=0.4 / [s 125]=0.5", "[A2]: Messgröße: the quantity in the row" + suffix},
		{"normal incidence by the norm", "Norm|αs 125", "ISO 10534-2|0.4", "source_norm=ISO 10534-2 / [αs 125]=0.4",
			"[A2]: Norm: the standard in the row" + suffix},
		{"normal incidence by the norm, with any cell", "Messgröße|Norm|125", "αs|ISO 10534-2|0.4",
			"source_norm=ISO 10534-2 / [125]=0.4", "[B2]: Norm: the standard in the row" + suffix},
		{"words among times are no faults", "Messgröße|125", "Nachhallzeit|< 0,3 s",
			"[Messgröße]=Nachhallzeit / [125]=< 0,3 s",
			"[A2]: Messgröße: the quantity in the row" + suffix},
		{"a row a band", "Frequenz|Messgröße|Wert", "500|T|1,2", "[Messgröße]=T / [Wert 500 Hz]=1,2",
			"[B2]: Messgröße: the quantity in the row" + suffix},
	})
	check(t, "title=Nachhallzeit sheet=αs", []ruleTest{
		{"a title before the sheet name, and bands of any series", "125|300 Hz|s 125", "1,2|1,3|0,3",
			"scatter_octave 125:0.3 / [125]=1,2 / [300 Hz]=1,3", "[A2]: 125: the title above the table" + suffix},
	})
	row := rowOfKind("#DIV/0!", workbook.Broken)
	want := "[A2]: 125: the title above the table" + suffix + "\n[A2]: 125: \"#DIV/0!\" is not a value"
	if got, problems := read(tableWith("title=Nachhallzeit", "125", row), row); got != "nil" || problems != want {
		t.Errorf("an error among times: %s, %s", got, problems)
	}
}

// TestATitleThatContradictsTheColumnsIsAWarning checks that the title is reported even if the columns decide.
func TestATitleThatContradictsTheColumnsIsAWarning(t *testing.T) {
	const warning = "[A2]: αs 125: the column name says alpha_s, but the title above says "
	for _, test := range []struct {
		shown string
		ruleTest
	}{
		{"title=Streugrad", ruleTest{"above the table", "αs 125", "0.2", "alpha_s_octave 125:0.2",
			warning + "scatter: read as alpha_s"}},
		{"title=Nachhallzeit", ruleTest{"of no coefficients", "αs 125", "0.2", "alpha_s_octave 125:0.2",
			warning + "an unsupported quantity: read as alpha_s"}},
		{"title=αp", ruleTest{"of the same kind", "αs 125", "0.2", "alpha_s_octave 125:0.2", ""}},
		{"title=αs", ruleTest{"columns of several quantities", "αs 125|s 125", "0.2|0.3",
			"alpha_s_octave 125:0.2 / scatter_octave 125:0.3", ""}},
		{"section=Diffusionsgrad", ruleTest{"above the row", "αs 125", "0.2", "alpha_s_octave 125:0.2",
			warning + "diffusion: read as alpha_s"}},
	} {
		check(t, test.shown, []ruleTest{test.ruleTest})
	}
}

func TestATitleAppliesToTheRowsBelow(t *testing.T) {
	first, second := rowOf(2, "0.2"), rowOf(3, "0.3")
	first.Section, second.Section = columns.MeasurandOf("αs"), columns.MeasurandOf("Streugrad")
	if got, problems := read(tableOf("125"), first, second); got != "alpha_s_octave 125:0.2\nscatter_octave 125:0.3" ||
		problems != "" {
		t.Errorf("got %s, %s", got, problems)
	}
}

func TestRowsOfSeveralQuantities(t *testing.T) {
	got, problems := read(tableOf("Name|Messgröße|αs 125"), rowOf(2, "A|αs|0.2"), rowOf(3, "A|s|0.1"), rowOf(4,
		"B|αs|0.3"), rowOf(5, "B|s|0.05"))
	want := "label=A / alpha_s_octave 125:0.2\nlabel=A / scatter_octave 125:0.1\nlabel=B / alpha_s_octave " +
		"125:0.3\nlabel=B / scatter_octave 125:0.05"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := "[B3]: Messgröße: the quantity in the row says scatter, but the column names say alpha_s: read as " +
		"scatter, " +
		"because a row defines its own quantity (2 cells: B3, B5)"; problems != want {
		t.Errorf("got %s\nwant %s", problems, want)
	}
}

func TestTheResolutionOfATitle(t *testing.T) {
	check(t, "title=Terz", []ruleTest{
		{"thirds at the centres of octaves", "125|250", "0.2|0.3", "alpha_s_third_octave 125:0.2 250:0.3", ""},
		{"the column's name before the title", "αs Oktave 125", "0.2", "alpha_s_octave 125:0.2", ""},
		{"one band of a long table", "Frequenz|αs", "125|0.2", "alpha_s_third_octave 125:0.2", ""},
	})
	check(t, "title=Oktave", []ruleTest{
		{"bands know better than a title of octaves", "100|125", "0.2|0.3", "alpha_s_third_octave 100:0.2 125:0.3", ""},
		{"the frequencies' name before the title", "Terzmittenfrequenz|αs", "125|0.2", "alpha_s_third_octave 125:0.2", ""},
	})
	check(t, "", []ruleTest{
		{"one band of a long table without a title", "Frequenz|αs", "100|0.2", "alpha_s_ 100:0.2", ""},
	})
}

// TestFactsAreReadLikeCells checks that a fact for all rows is read like a column, and counts as one cell.
func TestFactsAreReadLikeCells(t *testing.T) {
	row := rowOf(2, "A|0.2")
	row.Context = []layout.Fact{
		{Column: columns.Parse("Norm"), Cell: workbook.Cell{Text: "ISO 17497-1"}, Number: 3},
		{Column: columns.Parse("Dicke"), Cell: workbook.Cell{Text: "40 mm"}, Number: 4},
		{Column: columns.Parse("Brandklasse"), Cell: workbook.Cell{Text: "B1"}, Number: 5},
	}
	got, problems := read(tableOf("Name|125"), row, row)
	line := "label=A / norm=ISO 17497-1 / thickness=40 / scatter_octave 125:0.2 / [Brandklasse]=B1"
	if got != line+"\n"+line {
		t.Errorf("got  %s\nwant %s twice", got, line)
	}
	if want := `[E2]: Brandklasse: "B1" is not a class of EN 13501-1 such as A2-s1,d0: stored as text in structured_meta`; problems != want {
		t.Errorf("got %s\nwant %s", problems, want)
	}
}
