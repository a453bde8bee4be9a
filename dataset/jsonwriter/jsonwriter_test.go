package jsonwriter

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendString(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"plain text is not changed", "Akustikpanel 45/600", `"Akustikpanel 45/600"`},
		{"the empty string is two quotes", "", `""`},
		{"umlauts and other letters stay UTF-8", "Größe Ł 鋼 🎧", `"Größe Ł 鋼 🎧"`},
		{"quotes and backslashes are escaped", `2" \ 5`, `"2\" \\ 5"`},
		{"line ends and tabs are \\u escapes", "a\nb\tc\rd", `"a\u000ab\u0009c\u000dd"`},
		{"other control characters are \\u escapes", "\x00\b\f\x1f", `"\u0000\u0008\u000c\u001f"`},
		{"DEL is not a control character of JSON", "\x7f", "\"\x7f\""},
		{"HTML is not escaped", "<b>&'</b>", `"<b>&'</b>"`},
		{"line separators are not changed", "\u2028\u2029", "\"\u2028\u2029\""},
	}
	for _, test := range tests {
		if got := string(AppendString(nil, test.text)); got != test.want {
			t.Errorf("%s: %q became %s, want %s", test.rule, test.text, got, test.want)
		}
	}
}

func TestShortEscapes(t *testing.T) {
	text := Text{ShortEscapes: true}
	text.String("a\nb\tc\rd \x00\b\f\x1f")
	if got, want := string(text.Bytes()), `"a\nb\tc\rd \u0000\u0008\u000c\u001f"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzStrings checks that encoding/json reads back every string, with U+FFFD for invalid UTF-8.
func FuzzStrings(f *testing.F) {
	for _, seed := range []string{"", "Säule", "\"\\/\b\n\r\t\x00\x7f", "<&>\u2028", "\xff\xc3", "😀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.Map(func(r rune) rune { return r }, s) // replaces each invalid byte with U+FFFD
		for _, short := range []bool{false, true} {
			var back string
			coded := appendString(nil, s, short)
			if err := json.Unmarshal(coded, &back); err != nil || back != want {
				t.Errorf("%q: %s reads back as %q, %v, want %q", s, coded, back, err, want)
			}
		}
	})
}

// FuzzNumbers compares with encoding/json, which also writes ECMAScript's form, except for minus zero.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []float64{0, 0.1, -0.05, 1e-6, 1e-7, 1e21, 5e-324, math.MaxFloat64} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		want, err := json.Marshal(v)
		if err != nil || v == 0 { // not a JSON number
			return
		}
		if got := AppendNumber(nil, v); string(got) != string(want) {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	})
}

func TestTextInsertsCommas(t *testing.T) {
	var text Text
	for range 2 { // the second run reuses the memory
		text.Reset()
		text.Object(func() {
			text.Key("a{").String(":[{")
			text.Key("b").Array(func() {
				text.Array(func() {})
				text.Object(func() {})
				text.Number(0.5)
				text.Int(-1)
				text.Bool(true)
				text.Null()
				text.Raw([]byte(`{}`))
				text.String("")
			})
			text.KeyInt(125).Strings([]string{"x", "y"})
			text.Key("d").Strings(nil)
		})
	}
	want := `{"a{":":[{","b":[[],{},0.5,-1,true,null,{},""],"125":["x","y"],"d":[]}`
	if got := string(text.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The expected strings are results of JSON.stringify in node.
func TestAppendNumber(t *testing.T) {
	tests := []struct {
		rule   string
		number float64
		want   string
	}{
		{"whole numbers have no point", 1, "1"},
		{"zero", 0, "0"},
		{"minus zero is zero", math.Copysign(0, -1), "0"},
		{"the shortest digits", 0.1, "0.1"},
		{"as many digits as necessary", 0.30000000000000004, "0.30000000000000004"},
		{"negative", -0.05, "-0.05"},
		{"small", 0.001, "0.001"},
		{"the smallest without exponent", 1e-6, "0.000001"},
		{"many digits without exponent", 0.0000012345678901234567, "0.0000012345678901234567"},
		{"a smaller number with an exponent of one digit", 1e-7, "1e-7"},
		{"the largest number below 1e-6", 9.999999999999997e-7, "9.999999999999997e-7"},
		{"digits before the exponent", -1.5e-7, "-1.5e-7"},
		{"an exponent of two digits", 1.5e-10, "1.5e-10"},
		{"the smallest normal number", 2.2250738585072014e-308, "2.2250738585072014e-308"},
		{"the largest denormal number", 2.225073858507201e-308, "2.225073858507201e-308"},
		{"the smallest denormal number", 5e-324, "5e-324"},
		{"large without exponent", 123456789012345680000, "123456789012345680000"},
		{"the largest without exponent", 999999999999999900000, "999999999999999900000"},
		{"from 1e21 with exponent and sign", 1e21, "1e+21"},
		{"digits before the exponent of large ones", -1.5e300, "-1.5e+300"},
		{"the largest number", math.MaxFloat64, "1.7976931348623157e+308"},
	}
	for _, test := range tests {
		if got := string(AppendNumber(nil, test.number)); got != test.want {
			t.Errorf("%s: %v became %s, want %s", test.rule, test.number, got, test.want)
		}
	}
}

// ecmaNumber implements Number::toString of ECMA-262, section 6.1.6.1.20. The number has the digits s, and
// its value is 0.s times 10 to the power of n.
func ecmaNumber(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	s := strings.Replace(mantissa, ".", "", 1)
	e, _ := strconv.Atoi(exponent)
	n, k := e+1, len(s)
	switch {
	case v == 0:
		return "0"
	case k <= n && n <= 21:
		return sign + s + strings.Repeat("0", n-k)
	case 0 < n && n <= 21:
		return sign + s[:n] + "." + s[n:]
	case -6 < n && n <= 0:
		return sign + "0." + strings.Repeat("0", -n) + s
	}
	if k > 1 {
		s = s[:1] + "." + s[1:]
	}
	return sign + s + fmt.Sprintf("e%+d", n-1)
}

func TestAllCoefficients(t *testing.T) {
	for n := -1000; n <= 20000; n++ {
		v := float64(n) / 1e4
		if text, want := string(AppendNumber(nil, v)), ecmaNumber(v); text != want {
			t.Fatalf("%v became %s, want %s", v, text, want)
		}
	}
}

func TestRandomNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if rapid.Bool().Draw(t, "moderate") { // most bit patterns are far from the limits of the exponent form
			number = rapid.Float64Range(-1e22, 1e22).Draw(t, "number")
		}
		if math.IsNaN(number) || math.IsInf(number, 0) {
			return
		}
		text := string(AppendNumber(nil, number))
		if want := ecmaNumber(number); text != want {
			t.Fatalf("%v became %s, want %s", number, text, want)
		}
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != number {
			t.Fatalf("%v became %s and reads back as %v, %v", number, text, back, err)
		}
	})
}
