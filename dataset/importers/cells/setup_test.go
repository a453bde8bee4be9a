package cells_test

import (
	"strings"
	"testing"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// saysInWords returns the warning about a cell from which a set-up is read.
func saysInWords(cell, header, text string) string {
	return "[" + cell + "]: " + header + `: "` + text + `" describes the set-up in words: ` +
		"its thickness, air gap or mounting was read"
}

func TestWordsForASetUpAreReadWithoutAColumn(t *testing.T) {
	const panel, curve = "16 mm Paneel + 184 mm Luftraum", " / alpha_s_octave 125:0.1"
	check(t, "", []ruleTest{
		{"mounting, thickness and air gap", "Name|Aufbau|125", "A|" + panel + ", Typ E-200|0.1",
			"label=A / entry_label=" + panel + ", Typ E-200 / mounting=E-200 / thickness=16 / gap=184" + curve,
			saysInWords("B2", "Aufbau", panel+", Typ E-200")},
		{"next to a thickness", "Name|Dicke|Aufbau|125", "A|20|" + panel + "|0.1",
			"label=A / entry_label=" + panel + " / thickness=20 / gap=184" + curve, saysInWords("C2", "Aufbau", panel)},
		{"not the thickness where it has a column", "Name|Dicke|Aufbau|125", "A||" + panel + "|0.1",
			"label=A / entry_label=" + panel + " / gap=184" + curve, saysInWords("C2", "Aufbau", panel)},
		{"not the mounting where it has a column", "Name|Montage|Aufbau|125", "A||Typ E-200|0.1",
			"label=A / entry_label=Typ E-200" + curve, ""},
		{"nothing where all have columns", "Name|Montage|Dicke|Luftspalt|Aufbau|125", "A|A|20|0|" + panel + "|0.1",
			"label=A / mounting=A / entry_label=" + panel + " / thickness=20 / gap=0" + curve, ""},
		{"an overall depth leaves an air gap", "Name|Dicke [mm]|Aufbau|125", "A|20|Konstruktionshöhe 200 mm|0.1",
			"label=A / entry_label=Konstruktionshöhe 200 mm / thickness=20 / gap=180" + curve,
			saysInWords("C2", "Aufbau", "Konstruktionshöhe 200 mm")},
		{"an overall depth that contradicts a name is named where it is", "Name|Aufbau|125",
			"Filz 40 mm|Konstruktionshöhe 30 mm|0.1",
			"label=Filz 40 mm / entry_label=Konstruktionshöhe 30 mm / thickness=40" + curve + " / [Aufbau]=30 mm",
			"[B2]: Aufbau: the overall depth of 30 mm contradicts the thickness of 40 mm; the depth is stored as text in " +
				"structured_meta\n" + saysInWords("A2", "Name", "Filz 40 mm") + "\n" +
				saysInWords("B2", "Aufbau", "Konstruktionshöhe 30 mm")},
		{"not next to a column of overall depths", "Name|Dicke [mm]|Gesamthöhe [mm]|Aufbau|125",
			"A|20|100|Konstruktionshöhe 200 mm|0.1",
			"label=A / entry_label=Konstruktionshöhe 200 mm / thickness=20 / gap=80" + curve, ""},
		{"a name gives only a thickness", "Name|125", "Filz 40 mm, Luftspalt 200 mm, Typ A|0.1",
			"label=Filz 40 mm, Luftspalt 200 mm, Typ A / thickness=40" + curve,
			saysInWords("A2", "Name", "Filz 40 mm, Luftspalt 200 mm, Typ A")},
		{"not where it has a column", "Name|Dicke|125", "Filz 40 mm||0.1", "label=Filz 40 mm" + curve, ""},
		{"a remark gives nothing", "Name|Bemerkung zur Platte|125", "A|Dicke 40 mm, Typ A|0.1",
			"label=A" + curve + " / [Bemerkung zur Platte]=Dicke 40 mm, Typ A", ""},
		{"a column of descriptions gives nothing", "Name|Beschreibung|125", "A|Dicke 40 mm, Typ A|0.1",
			"label=A / description=Dicke 40 mm, Typ A" + curve, ""},
		{"two thicknesses give none", "Name|Aufbau|125", "A|20 mm und 40 mm|0.1",
			"label=A / entry_label=20 mm und 40 mm" + curve, ""},
	})
}

func TestAMountingWithMoreText(t *testing.T) {
	const curve = " / alpha_s_octave 125:0.1"
	check(t, "", []ruleTest{
		{"is kept as the measuring option", "Name|Montage|125", "A|Typ A, direkt auf dem Boden|0.1",
			"label=A / mounting=Typ A / measuring_option=Typ A, direkt auf dem Boden" + curve, ""},
		{"after a norm", "Name|Montage|125", "A|E-400 nach ISO 354|0.1",
			"label=A / mounting=E-400 / measuring_option=E-400 nach ISO 354" + curve, ""},
		{"in brackets", "Name|Montage|125", "A|A (auf Latten)|0.1",
			"label=A / mounting=A / measuring_option=A (auf Latten)" + curve, ""},
		{"in English", "Name|Mounting|125", "A|Type E-400 on battens|0.1",
			"label=A / mounting=Type E-400 / measuring_option=Type E-400 on battens" + curve, ""},
		{"gives the air gap that no column has", "Name|Montage|125", "A|E-200: Luftspalt 190 mm|0.1",
			"label=A / mounting=E-200 / measuring_option=E-200: Luftspalt 190 mm / gap=190" + curve,
			saysInWords("B2", "Montage", "E-200: Luftspalt 190 mm")},
		{"not next to a column of measuring options", "Name|Montage|Messoption|125", "A|Typ A, direkt|x|0.1",
			"label=A / mounting=Typ A, direkt / measuring_option=x" + curve, ""},
		{"not without a word", "Name|Montage|125", "A|Typ A (2)|0.1", "label=A / mounting=Typ A (2)" + curve, ""},
		{"not a word that begins so", "Name|Montage|125", "A|Abgehängt, mit Vlies|0.1",
			"label=A / mounting=Abgehängt, mit Vlies" + curve, ""},
	})
}

// TestTheLineBelowAProductsNameDescribesItsSetUp checks descriptions in context rows.
func TestTheLineBelowAProductsNameDescribesItsSetUp(t *testing.T) {
	row := rowOf(2, "0.1")
	row.Context = []layout.Fact{
		{Column: columns.Parse("Name"), Cell: workbook.Cell{Text: "Fjord"}, Number: 2},
		{Column: columns.Parse("Beschreibung"), Cell: workbook.Cell{Text: "Platte 40 mm, Typ A"}, Number: 3},
	}
	got, problems := read(tableOf("125"), row)
	want := "label=Fjord / description=Platte 40 mm, Typ A / mounting=A / thickness=40 / alpha_s_octave 125:0.1"
	if got != want || problems != saysInWords("C2", "Beschreibung", "Platte 40 mm, Typ A") {
		t.Errorf("got %s\nwant %s\nproblems %s", got, want, problems)
	}
}

func TestWordsAreNotReadInOurOwnTablesAndWithMaps(t *testing.T) {
	const unread = "label=A / entry_label=40 mm, Typ A / alpha_s_octave 125:0.1"
	table := tableOf("Name|Aufbau|125")
	table.OwnExport = true
	if got, _ := read(table, rowOf(2, "A|40 mm, Typ A|0.1")); got != unread {
		t.Errorf("our own table: got %s, want %s", got, unread)
	}
	table = tableOf("Name|Aufbau|125")
	table.Map = &columns.TableMap{}
	if got, _ := read(table, rowOf(2, "A|40 mm, Typ A|0.1")); got != unread {
		t.Errorf("a map: got %s, want %s", got, unread)
	}
	for _, table := range []*layout.Table{{OwnExport: true}, {Map: &columns.TableMap{}}} {
		table.Columns = tableOf("Name|Montage|125").Columns
		const want = "label=A / mounting=Typ A, direkt / alpha_s_octave 125:0.1"
		if got, _ := read(table, rowOf(2, "A|Typ A, direkt|0.1")); got != want {
			t.Errorf("a mounting: got %s, want %s", got, want)
		}
	}
}

func TestAToleranceOrAMountingAfterALength(t *testing.T) {
	const noLength = " is not a length in mm, cm, m or inches: stored as text in structured_meta"
	check(t, "", []ruleTest{
		{"a tolerance", "Dicke", "40 mm ± 3 mm", "thickness=40", ""},
		{"in brackets", "Dicke", "40 mm (± 3 mm)", "thickness=40", ""},
		{"without a unit", "Dicke [mm]", "40 ± 3", "thickness=40", ""},
		{"a mounting", "Luftspalt", "100 mm (Typ G-100)", "mounting=G-100 / gap=100", ""},
		{"not next to a column of mountings", "Luftspalt|Montage", "100 mm (Typ G-100)|A",
			"mounting=A / [Luftspalt]=100 mm (Typ G-100)", `[A2]: Luftspalt: "100 mm (Typ G-100)"` + noLength},
		{"not other words", "Dicke", "40 mm (gemessen)", "[Dicke]=40 mm (gemessen)", `[A2]: Dicke: "40 mm (gemessen)"` +
			noLength},
	})
}

// TestForeignTables checks that a title, sheet name or file name decides unless a name or cell contradicts.
func TestForeignTables(t *testing.T) {
	for _, test := range []struct {
		rule, shown, headers string
		want                 bool
	}{
		{"a title of times", "title=Nachhallzeit", "Name|125|250", true},
		{"the name of a sheet", "sheet=Nachhallzeit", "Name|125|250", true},
		{"the name of a file", "file=Nachhallzeit", "Name|125|250", true},
		{"a row a band", "title=Nachhallzeit", "Name|Frequenz|Wert", true},
		{"a title of coefficients", "title=αs", "Name|125|250", false},
		{"a sheet of times below a title of coefficients", "title=αs sheet=Nachhallzeit", "Name|125|250", false},
		{"a map", "map=αs title=Nachhallzeit", "Name|125|250", false},
		{"columns of coefficients", "title=Nachhallzeit", "Name|αs 125|αs 250", false},
		{"a column that can have more text", "title=Nachhallzeit", "Name|Größenart|125|250", false},
		{"a column of norms", "title=Nachhallzeit", "Name|Norm|125|250", false},
		{"no bands", "title=Nachhallzeit", "Name|Hersteller|Dicke", false},
	} {
		f := cells.Foreign(tableWith(test.shown, test.headers, rowOf(2, "")))
		if (f != nil) != test.want || f != nil && !f.Whole {
			t.Errorf("%s: %s %s: got %v", test.rule, test.shown, test.headers, f)
		}
	}
}

// TestAFactIsCountedOnce checks a problem in the headings of set-ups side by side, which apply to every row.
func TestAFactIsCountedOnce(t *testing.T) {
	var rows []*layout.Row
	for number := 3; number <= 5; number++ {
		for cell, text := range map[int]string{3: "abc", 5: "xyz"} {
			row := rowOf(number, "A|0.1")
			row.Context = []layout.Fact{{Column: columns.Parse("Luftabstand"), Cell: workbook.Cell{Text: text}, Number: cell}}
			rows = append(rows, row)
		}
	}
	_, problems := read(tableOf("Name|125"), rows...)
	if !strings.Contains(problems, "(2 cells: ") {
		t.Errorf("two headings, three rows each: got %s", problems)
	}
}
