package compiler

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStringsAreEscapedNoMoreThanNeeded(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"plain text stays", "Akustikpanel 45/600", `"Akustikpanel 45/600"`},
		{"the empty string is two quotes", "", `""`},
		{"umlauts and other letters stay UTF-8", "Größe Ł 鋼 🎧", `"Größe Ł 鋼 🎧"`},
		{"quotes and backslashes are escaped", `2" \ 5`, `"2\" \\ 5"`},
		{"the usual control characters have short escapes", "a\nb\tc\rd", `"a\nb\tc\rd"`},
		{"other control characters are numbers", "\x00\b\f\x1f", `"\u0000\u0008\u000c\u001f"`},
		{"DEL is no control character of JSON", "\x7f", "\"\x7f\""},
		{"HTML is not escaped", "<b>&'</b>", `"<b>&'</b>"`},
		{"line separators stay", "\u2028\u2029", "\"\u2028\u2029\""},
	}
	for _, test := range tests {
		if got := string(appendString(nil, test.text)); got != test.want {
			t.Errorf("%s: %q became %s, want %s", test.rule, test.text, got, test.want)
		}
	}
}

func TestEveryStringReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var back string
		if err := json.Unmarshal(appendString(nil, text), &back); err != nil || back != text {
			t.Fatalf("%q became %s and reads back as %q, %v", text, appendString(nil, text), back, err)
		}
	})
}

// The wanted texts are what node's JSON.stringify gave.
func TestNumbersAreThoseOfECMAScript(t *testing.T) {
	tests := []struct {
		rule   string
		number float64
		want   string
	}{
		{"whole numbers have no point", 1, "1"},
		{"zero", 0, "0"},
		{"minus zero is zero", math.Copysign(0, -1), "0"},
		{"as short as reads back the same", 0.1, "0.1"},
		{"as long as reads back the same", 0.30000000000000004, "0.30000000000000004"},
		{"negative", -0.05, "-0.05"},
		{"small", 0.001, "0.001"},
		{"the smallest without exponent", 1e-6, "0.000001"},
		{"many digits without exponent", 0.0000012345678901234567, "0.0000012345678901234567"},
		{"below it an exponent of one digit", 1e-7, "1e-7"},
		{"just below it", 9.999999999999997e-7, "9.999999999999997e-7"},
		{"digits before the exponent", -1.5e-7, "-1.5e-7"},
		{"an exponent of two digits", 1.5e-10, "1.5e-10"},
		{"the smallest normal number", 2.2250738585072014e-308, "2.2250738585072014e-308"},
		{"the largest denormal number", 2.225073858507201e-308, "2.225073858507201e-308"},
		{"the smallest denormal number", 5e-324, "5e-324"},
		{"large without exponent", 123456789012345680000, "123456789012345680000"},
		{"the largest without exponent", 999999999999999900000, "999999999999999900000"},
		{"from 1e21 on with exponent and sign", 1e21, "1e+21"},
		{"digits before the exponent of large ones", -1.5e300, "-1.5e+300"},
		{"the largest number", math.MaxFloat64, "1.7976931348623157e+308"},
	}
	for _, test := range tests {
		if got := string(appendNumber(nil, test.number)); got != test.want {
			t.Errorf("%s: %v became %s, want %s", test.rule, test.number, got, test.want)
		}
	}
}

// ecmaNumber is Number::toString of ECMA-262, section 6.1.6.1.20, step by step, over the digits s and the place n of
// the point: the number is 0.s times ten to the n.
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

func TestEveryNumberIsThatOfECMAScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if rapid.Bool().Draw(t, "moderate") { // most bit patterns lie far outside of where the forms meet
			number = rapid.Float64Range(-1e22, 1e22).Draw(t, "number")
		}
		if math.IsNaN(number) || math.IsInf(number, 0) {
			return
		}
		text := string(appendNumber(nil, number))
		if want := ecmaNumber(number); text != want {
			t.Fatalf("%v became %s, want %s", number, text, want)
		}
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != number {
			t.Fatalf("%v became %s and reads back as %v, %v", number, text, back, err)
		}
	})
}
