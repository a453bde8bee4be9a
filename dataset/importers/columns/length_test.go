package columns

import (
	"math"
	"strings"
	"testing"
)

func TestLengths(t *testing.T) {
	tests := []struct {
		rule, unit, texts string // strings separated by "|"
		decimal           byte
		want              float64
	}{
		{"lengths are in millimetres", "", "40|40,0|40.0", '.', 40},
		{"unless their cell has another unit", "", "40 mm|4cm|4 cm|0,04 m|0.04M", '.', 40},
		{"or their column", "cm", "4|4.0", '.', 40},
		{"or their column in metres", "m", "0.04|0,04", '.', 40},
		{"the unit of the cell before the unit of the column", "cm", "40 mm", '.', 40},
		{"inches", "", `2"|2 inch|2 inches|2 Zoll|2 in|2 in.|2″|2”|2''`, '.', 50.8},
		{"inches of the column", "in", "2|2.0", '.', 50.8},
		{"fractions of inches", "", `1 1/2"|1-1/2 in|1   1/2 inch`, '.', 38.1},
		{"a fraction below one", "in", "1/2|2/4", '.', 12.7},
		{"percent of a centimetre are exact", "", "28,7 cm", ',', 287},
		{"a sign for thousands where the table has decimal commas", "", "1.250", ',', 1250},
		{"a sign for thousands where the table has decimal points", "", "1,250", '.', 1250},
		{"the decimal sign of the table", "", "1,250", ',', 1.25},
		{"a stored number has a decimal point", "", "1.250", 0, 1.25},
		{"no sign for thousands follows a zero", "", "0,125", '.', 0.125},
		{"two signs", "", "1.250,5|1'250.5|1 250,5", '.', 1250.5},
		{"nothing", "", "0|0 mm|-0", '.', 0},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if mm, _, ok := ParseLength(text, test.unit, test.decimal); !ok || mm != test.want {
				t.Errorf("%s: %q is %v, %v, want %v mm", test.rule, text, mm, ok, test.want)
			}
		}
	}
}

func TestTextsThatAreNotLengths(t *testing.T) {
	tests := []struct{ rule, unit, texts string }{
		{"no text", "", "||"},
		{"words", "", "ca. 40|variabel|mm|cm"},
		{"ranges and alternatives", "", "20-40|40/50|2 x 12,5|40; 50"},
		{"fractions of millimetres", "mm", "1/2|1 1/2"},
		{"fractions that are none", "in", "1/0|3/2|1/65|1/2/3|a/2|-1/2|1 -1/2|1 - 1/2|1.5/2"},
		{"negative lengths", "", "-5|-5 mm"},
		{"no numbers", "", "1,2,3|1.25.0"},
		{"other units", "", "5 kg|5 µm|5 ft"},
		{"lengths without end", "m", "1e308|" + strings.Repeat("9", 65)},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if mm, _, ok := ParseLength(text, test.unit, '.'); ok {
				t.Errorf("%s: %q is read as %v mm", test.rule, text, mm)
			}
		}
	}
}

func TestALengthNamesItsOwnUnit(t *testing.T) {
	units := map[string]string{"40": "", "40 mm": "mm", "4 cm": "cm", `2"`: "in", "2 m": "m", "ca. 4 cm": "cm"}
	for text, want := range units {
		if _, own, _ := ParseLength(text, "mm", '.'); own != want {
			t.Errorf("%q names the unit %q, want %q", text, own, want)
		}
	}
}

func TestSizes(t *testing.T) {
	tests := []struct{ rule, unit, texts, want string }{
		{"two lengths", "", "600 x 600|600x600|600 × 600 mm|600*600|600 X 600", "600 x 600"},
		{"three lengths", "", "600 x 600 x 40|600 x 600 x 40 mm", "600 x 600 x 40"},
		{"the unit at the end applies to all", "", "60 x 60 x 4 cm|60×60×4cm", "600 x 600 x 40"},
		{"the unit of the column", "cm", "60 x 60 x 4", "600 x 600 x 40"},
		{"a length with its own unit", "", "1 m x 600 mm", "1000 x 600"},
		{"no size", "", "600|600 x|x|600 x 0|600 x 600 x 40 x 2|600 x 600, 1200 x 600|groß x klein||1200 x " +
			strings.Repeat("1", 200), ""},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if got, ok := ParseSize(text, test.unit, '.'); got != test.want || ok != (test.want != "") {
				t.Errorf("%s: %q is %q, %v, want %q", test.rule, text, got, ok, test.want)
			}
		}
	}
}

func FuzzParseLength(f *testing.F) {
	f.Add("1 1/2\"", "in", byte(','))
	f.Add("1.250", "cm", byte('.'))
	f.Add("60 x 60 x 4 cm", "", byte(0))
	f.Add("", "mm", byte(0))
	f.Fuzz(func(t *testing.T, text, unit string, decimal byte) {
		if mm, own, ok := ParseLength(text, unit, decimal); ok && (mm < 0 || math.IsNaN(mm) || math.IsInf(mm, 0)) {
			t.Errorf("%q is %v mm, unit %q", text, mm, own)
		}
		size, ok := ParseSize(text, unit, decimal)
		if !ok {
			return
		}
		if again, ok := ParseSize(size, "", 0); len(size) < maxNumberBytes && (!ok || again != size) {
			t.Errorf("%q is the size %q, which is read as %q", text, size, again)
		}
	})
}
