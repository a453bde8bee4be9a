package columns

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A Number retains the digits as written, so that conversions of percentages and units are exact.
type Number struct {
	mantissa uint64
	scale    int // number of decimals
	negative bool
	// ambiguous is the separator, ',' or '.', if it can also separate thousands, as in "1,250"; otherwise 0. The
	// caller sets scale to 0 if it separates thousands.
	ambiguous byte
	long      string // text for strconv if the number has an exponent or too many digits; otherwise ""
}

const (
	maxNumberBytes = 64
	exactDigits    = 15 // digits that a float64 represents exactly
)

// ParseNumber parses a number with a decimal comma or point: "0,85", ".9", "1.234,5", "1 250", "-0.02",
// "5e-3". If the number contains only one comma or point, that is the decimal separator. ParseNumber allocates
// for thousands separators, exponents and more than 15 digits.
func ParseNumber(text string) (n Number, ok bool) {
	digits, isTypeset := strings.CutPrefix(text, "−") // the typographic minus sign
	n.negative = isTypeset || strings.HasPrefix(text, "-")
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		digits = text[1:]
	}
	point, count := -1, 0
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			if count++; count <= exactDigits {
				n.mantissa = n.mantissa*10 + uint64(c-'0')
			}
		case (c == '.' || c == ',') && point < 0:
			point = i
		default:
			return n.parseLong(digits)
		}
	}
	if count == 0 || len(digits) > maxNumberBytes || strings.HasSuffix(digits, ",") { // truncated "0,5"
		return n, false
	}
	if point >= 0 {
		n.scale = len(digits) - point - 1
	}
	if n.scale == 3 && point > 0 && point <= 3 && digits[0] != '0' {
		n.ambiguous = digits[point]
	}
	if count > exactDigits {
		n.long = strings.Replace(digits, ",", ".", 1)
	}
	return n, true
}

// parseLong parses digits with thousands separators or an exponent.
func (n Number) parseLong(digits string) (Number, bool) {
	if len(digits) > maxNumberBytes || digits[0] < '0' || digits[0] > '9' {
		return n, false
	}
	if strings.Trim(digits, "0123456789.+-eE") == "" {
		_, err := strconv.ParseFloat(digits, 64)
		return Number{negative: n.negative, long: digits}, err == nil
	}
	if digits = blanks.Replace(digits); !thousandsPattern.MatchString(digits) {
		return n, false
	}
	first := strings.IndexAny(digits, "., ") // separates thousands
	plain, ok := ParseNumber(strings.ReplaceAll(digits, digits[first:first+1], ""))
	plain.negative, plain.ambiguous = n.negative, 0
	return plain, ok
}

// thousandsPattern matches digits in groups of three, with one separator between them and a different
// separator before decimals.
var thousandsPattern = regexp.MustCompile(
	`^[1-9]\d{0,2}((\.\d{3})+(,\d+)?|(,\d{3})+(\.\d*)?|( \d{3})+(,\d+|\.\d*)?)$`)

// blanks replaces thousands separators: no-break and thin blanks, and the Swiss apostrophe.
var blanks = strings.NewReplacer("\u00A0", " ", "\u2009", " ", "\u202F", " ", "'", " ", "’", " ")

// Value returns the number, or a hundredth of it if percent is true, rounded once, as strconv does.
func (n Number) Value(percent bool) float64 {
	if percent {
		return n.times(1, 100)
	}
	return n.times(1, 1)
}

// times multiplies the number by a fraction, whose numerator and denominator are at most 1000.
func (n Number) times(numerator, denominator uint64) (v float64) {
	v = float64(n.mantissa*numerator) / (math.Pow10(n.scale) * float64(denominator))
	if digits := n.long; digits != "" {
		if denominator == 100 && !strings.ContainsAny(digits, "eE") {
			digits, denominator = digits+"e-2", 1
		}
		v, _ = strconv.ParseFloat(digits, 64) // infinite if too large; no field accepts an infinite number
		v = v * float64(numerator) / float64(denominator)
	}
	if n.negative && v != 0 {
		return -v
	}
	return v
}

// PlainNumber parses a number with a decimal comma or point. It ignores a percent sign.
func PlainNumber(text string) (float64, bool) {
	n, ok := ParseNumber(strings.TrimSpace(strings.TrimSuffix(text, "%")))
	return n.Value(false), ok
}

// IsNumeric reports whether a string is a number, with or without a percent sign.
func IsNumeric(text string) bool {
	_, ok := PlainNumber(text)
	return ok
}

// FormatNumber returns the shortest decimal form of a number, without an exponent.
func FormatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// ParseLength returns a length of at least 0 mm, in millimetres. own is the unit in the text, or "". A length
// without a unit is in the given unit, or in mm if unit is "". decimal is the table's decimal separator, ','
// or '.', because "1.250" is ambiguous. It is 0 for a stored number.
func ParseLength(text, unit string, decimal byte) (mm float64, own string, ok bool) {
	if end := strings.LastIndexAny(text, "0123456789") + 1; end < len(text) {
		if own = unitNames[strings.ToLower(strings.Trim(text[end:], ". \u00A0"))]; own != "" { // "40. mm", "2 in."
			text, unit = text[:end], own
		}
	}
	n, denominator, ok := parseFraction(text)
	inMM, isLength := millimetres[unit]
	switch {
	case !ok || !isLength || n.negative && n.mantissa > 0,
		denominator > 1 && unit != "in": // "40/50" is two thicknesses
		return 0, own, false
	case n.ambiguous != 0 && decimal != 0 && n.ambiguous != decimal:
		n.scale = 0
	}
	mm = n.times(inMM[0], inMM[1]*denominator)
	return mm, own, !math.IsInf(mm, 1)
}

// millimetres maps units of length to mm, each as a fraction.
var millimetres = map[string][2]uint64{"": {1, 1}, "mm": {1, 1}, "cm": {10, 1}, "m": {1000, 1}, "in": {254, 10}}

// fractionPattern matches a fraction, even after a whole number: "1/2", "1 1/2", "1-1/2".
var fractionPattern = regexp.MustCompile(`^(?:([0-9]{1,9})(?: +|-))?([0-9]{1,2})/([0-9]{1,2})$`)

// parseFraction parses a number or a fraction, and returns its numerator and denominator.
func parseFraction(text string) (n Number, denominator uint64, ok bool) {
	if !strings.Contains(text, "/") {
		n, ok = ParseNumber(text)
		return n, 1, ok
	}
	m := fractionPattern.FindStringSubmatch(text)
	if m == nil {
		return n, 0, false
	}
	whole, _ := strconv.ParseUint("0"+m[1], 10, 64)
	over, _ := strconv.ParseUint(m[2], 10, 64)
	under, _ := strconv.ParseUint(m[3], 10, 64)
	n.mantissa = whole*under + over
	return n, under, over < under && under <= 64
}

var timesAsX = strings.NewReplacer("×", "x", "*", "x", "X", "x")

// ParseSize parses two or three lengths, "600 x 600 x 40 mm", as ParseLength does, and returns them in
// millimetres as "600 x 600 x 40". A unit also applies to earlier lengths without one.
func ParseSize(text, unit string, decimal byte) (string, bool) {
	parts := strings.Split(timesAsX.Replace(text), "x")
	if len(parts) < 2 || len(parts) > 3 {
		return "", false
	}
	for i := len(parts) - 1; i >= 0; i-- {
		mm, own, ok := ParseLength(strings.TrimSpace(parts[i]), unit, decimal)
		if !ok || mm == 0 {
			return "", false
		}
		parts[i], unit = FormatNumber(mm), cmp.Or(own, unit)
	}
	return strings.Join(parts, " x "), true
}
