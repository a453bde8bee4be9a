package compiler

import (
	"encoding/json"
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

func TestNumbersAreShortestWithoutExponent(t *testing.T) {
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
		{"large without exponent", 1e21, "1000000000000000000000"},
		{"small without exponent", 1.5e-7, "0.00000015"},
	}
	for _, test := range tests {
		if got := string(appendNumber(nil, test.number)); got != test.want {
			t.Errorf("%s: %v became %s, want %s", test.rule, test.number, got, test.want)
		}
	}
}

func TestEveryNumberReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64().Draw(t, "number")
		text := string(appendNumber(nil, number))
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != number {
			t.Fatalf("%v became %s and reads back as %v, %v", number, text, back, err)
		}
		if strings.ContainsAny(text, "eE") {
			t.Fatalf("%v became %s", number, text)
		}
	})
}
