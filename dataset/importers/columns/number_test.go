package columns

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestNumbersHaveADecimalCommaOrPoint(t *testing.T) {
	tests := []struct {
		rule, texts string // strings separated by "|"
		want        float64
	}{
		{"a comma or a point", "0,85|0.85|+0.85", 0.85},
		{"no digit before the sign", ".9|,9", 0.9},
		{"no digit after a point", "5.|5", 5},
		{"a sign that occurs once is the decimal sign", "1.250|1,250", 1.25},
		{"signs for thousands that occur twice", "1,234,567|1 234 567", 1234567},
		{"signs for thousands before decimals", "1.234,5|1,234.5|1 234,5|1'234.5|1’234,5", 1234.5},
		{"no-break and thin blanks between thousands", "1\u00a0250|1\u2009250|1\u202f250|1 250", 1250},
		{"the minus sign of typesetters", "-0,02|−0.02", -0.02},
		{"exponents", "5e-3|5E-3", 0.005},
		{"zero has no sign", "0|-0|−0,0", 0},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			n, ok := ParseNumber(text)
			if got := n.Value(false); !ok || got != test.want || math.Signbit(got) != (test.want < 0) {
				t.Errorf("%s: %q is %v, %v, want %v", test.rule, text, got, ok, test.want)
			}
		}
	}
}

func TestTextsThatAreNotNumbers(t *testing.T) {
	tests := []struct{ rule, texts string }{
		{"no digits", "|-|.|,|+|−|abc"},
		{"two decimal signs", "1..2|1,2,3|1.25.0"},
		{"points only, as in article numbers", "1.234.567|100.200.300"},
		{"groups of other lengths", "12 34|1.23.456|1 2|1.234.5678|1234.567.890"},
		{"zero before a sign for thousands", "0 500|0.123.456"},
		{"signs of one kind for thousands and decimals", "1.234.567.8|1,234,5"},
		{"a number that was cut off", "0,|1.234,"},
		{"forms of programming languages", "0x1|1_0|Inf|NaN|1e|e5|1e400"},
		{"two signs", "--1|+-1|-−1"},
		{"a unit or a word", "5 mm|ca. 5|5 %"},
		{"more than 64 digits", strings.Repeat("1", 65) + "|1." + strings.Repeat("1", 64) + "|1 " + strings.Repeat("0", 64)},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if n, ok := ParseNumber(text); ok {
				t.Errorf("%s: %q is read as %v", test.rule, text, n.Value(false))
			}
		}
	}
}

func TestNumbersEqualThoseOfStrconv(t *testing.T) {
	for _, text := range []string{
		"0.85", "0.1", "1.05", ".9", "5.", "123456789012345", "1234567890123456789", "0.000000000000000000000000001",
		"1e5", "12.5e-3", "9007199254740993", "0.28999999999999998", "0.123456789012345678",
	} {
		want, _ := strconv.ParseFloat(text, 64)
		if n, ok := ParseNumber(text); !ok || n.Value(false) != want {
			t.Errorf("%s is %v, %v, want %v", text, n.Value(false), ok, want)
		}
		if n, ok := ParseNumber("-" + text); !ok || n.Value(false) != -want {
			t.Errorf("-%s is %v, %v, want %v", text, n.Value(false), ok, -want)
		}
	}
}

func TestHundredthsAreExact(t *testing.T) {
	for i := range 20000 {
		want, _ := strconv.ParseFloat(strconv.Itoa(i)+"e-4", 64)
		n, ok := ParseNumber(strconv.FormatFloat(float64(i)/100, 'f', 2, 64))
		if !ok || n.Value(true) != want {
			t.Fatalf("%d hundredths of a percent are %v, want %v", i, n.Value(true), want)
		}
	}
	for text, want := range map[string]float64{"28.999999999999999998": 0.29, "5e1": 0.5} {
		if n, ok := ParseNumber(text); !ok || n.Value(true) != want {
			t.Errorf("%s percent are %v, want %v", text, n.Value(true), want)
		}
	}
}

func TestMostNumbersAreReadWithoutAllocating(t *testing.T) {
	for _, text := range []string{"0,85", "-0.02", "1.250", "123456789012345"} {
		if n := testing.AllocsPerRun(100, func() {
			number, _ := ParseNumber(text)
			number.Value(true)
		}); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

func TestPlainNumber(t *testing.T) {
	for _, test := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"85 %", 85, true}, {"85%", 85, true}, {"0,85", 0.85, true}, {"-3", -3, true}, {"%", 0, false}, {"85 %%", 0, false},
		{"E-400", 0, false}, {"", 0, false},
	} {
		if got, ok := PlainNumber(test.text); ok != test.ok || ok && got != test.want {
			t.Errorf("%q is %v, %v, want %v, %v", test.text, got, ok, test.want, test.ok)
		}
		if got := IsNumeric(test.text); got != test.ok {
			t.Errorf("%q is numeric: %v, want %v", test.text, got, test.ok)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	for v, want := range map[float64]string{0.85: "0.85", 12500: "12500", 1e21: "1000000000000000000000", 31.5: "31.5"} {
		if got := FormatNumber(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"0,85", "1.234,5", "1'234.5", "−.9", "5e-3", "1 250", "123456789012345678", "0,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, ok := ParseNumber(text)
		if !ok {
			return
		}
		v := n.Value(false)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%q is %v", text, v)
		}
		again, ok := ParseNumber(FormatNumber(v))
		if len(FormatNumber(v)) <= maxNumberBytes && (!ok || again.Value(false) != v) {
			t.Errorf("%q is %v, which is read as %v", text, v, again.Value(false))
		}
		if !strings.ContainsAny(text, "0123456789") {
			t.Errorf("%q has no digit", text)
		}
	})
}
