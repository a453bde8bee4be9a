package table

import (
	"strconv"
	"strings"
)

// A number is one as it was written. It is kept in whole digits, so that percentages and units are exact.
type number struct {
	mantissa uint64
	scale    int // how many of its digits are decimals
	negative bool
	sign     byte   // ',' or '.' where it may be a sign for thousands as well, as in "1,250"; else 0
	long     string // what is more than a float64 has digits for, or has an exponent, as strconv takes it; "" for others
}

const (
	maxNumberBytes = 64
	exactDigits    = 15 // a float64 has them exactly, and powers of ten up to 22
)

// parseNumber reads a number with a decimal comma or point: "0,85", ".9", "1.234,5", "1 250", "-0.02", "5e-3". A sign that stands alone is the
// decimal sign. It allocates for signs of thousands, exponents and more than 15 digits.
func parseNumber(text string) (n number, ok bool) {
	digits, negative := strings.CutPrefix(text, "−") // the minus sign of typesetters
	if !negative && text != "" && (text[0] == '-' || text[0] == '+') {
		digits, negative = text[1:], text[0] == '-'
	}
	n.negative = negative
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
			return n.unusual(digits)
		}
	}
	if count == 0 || len(digits) > maxNumberBytes || point == len(digits)-1 && digits[point] == ',' { // "0,5" that was cut off
		return n, false
	}
	if point >= 0 {
		n.scale = len(digits) - point - 1
		if n.scale == 3 && point > 0 && point <= 3 && digits[0] != '0' {
			n.sign = digits[point]
		}
	}
	if count > exactDigits {
		n.long = strings.Replace(digits, ",", ".", 1)
	}
	return n, true
}

// unusual reads digits with signs for thousands, or with an exponent.
func (n number) unusual(digits string) (number, bool) {
	if len(digits) > maxNumberBytes || digits[0] < '0' || digits[0] > '9' {
		return n, false
	}
	if strings.Trim(digits, "0123456789.+-eE") == "" {
		_, err := strconv.ParseFloat(digits, 64)
		return number{negative: n.negative, long: digits}, err == nil
	}
	digits = blanks.Replace(digits)
	whole, decimals := digits, ""
	last := strings.LastIndexAny(digits, ".,")
	if last >= 0 && strings.Count(digits, digits[last:last+1]) == 1 && strings.IndexAny(digits, "., ") < last {
		whole, decimals = digits[:last], digits[last:]
	}
	at := strings.IndexAny(whole, "., ")
	if at < 0 || at > 3 {
		return n, false
	}
	groups := strings.Split(whole, whole[at:at+1])
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return n, false
		}
	}
	joined := strings.Join(groups, "") + decimals
	if groups[0][0] == '0' || strings.Trim(joined, "0123456789"+decimals[:min(1, len(decimals))]) != "" {
		return n, false
	}
	plain, ok := parseNumber(joined)
	plain.negative, plain.sign = n.negative, 0
	return plain, ok
}

// blanks are what stands between thousands: no-break and thin blanks, and the apostrophe of the Swiss.
var blanks = strings.NewReplacer("\u00A0", " ", "\u2009", " ", "\u202F", " ", "'", " ", "’", " ")

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// value returns the number, or a hundredth of it, as strconv would: rounded once.
func (n number) value(percent bool) float64 {
	if percent {
		return n.times(1, 100)
	}
	return n.times(1, 1)
}

// times returns the number times a fraction of small whole numbers.
func (n number) times(numerator, denominator uint64) (v float64) {
	product := n.mantissa * numerator
	switch {
	case n.long != "" || n.scale >= len(powersOfTen)-3 || product > 1<<53:
		digits := n.long
		if digits == "" {
			digits = strconv.FormatUint(n.mantissa, 10) + "e-" + strconv.Itoa(n.scale)
		}
		if denominator == 100 && !strings.ContainsAny(digits, "eE") {
			digits, denominator = digits+"e-2", 1
		}
		v, _ = strconv.ParseFloat(digits, 64) // too large: infinite, which no field takes
		v = v * float64(numerator) / float64(denominator)
	default:
		v = float64(product) / (powersOfTen[n.scale] * float64(denominator))
	}
	if n.negative && v != 0 {
		return -v
	}
	return v
}

// asThousands returns the number that it is if its sign is one for thousands, 0 where it can't be.
func (n number) asThousands() float64 {
	if n.sign == 0 {
		return 0
	}
	return n.withoutSign().value(false)
}

// withoutSign drops a sign for thousands.
func (n number) withoutSign() number {
	n.sign, n.scale = 0, 0
	return n
}

// plainNumber reads a number with a decimal comma or point, and perhaps a percent sign.
func plainNumber(text string) (float64, bool) {
	n, ok := parseNumber(strings.TrimSpace(strings.TrimSuffix(text, "%")))
	return n.value(false), ok
}

// isNumeric reports whether a text begins as a number does.
func isNumeric(text string) bool {
	_, ok := plainNumber(text)
	return ok
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
