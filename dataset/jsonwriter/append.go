package jsonwriter

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendNumber appends a finite number in the form of ECMAScript's JSON.stringify: the shortest digits that
// parse to the same float64, with an exponent from 1e21 upwards and below 1e-6. Minus zero is 0.
func AppendNumber(dst []byte, v float64) []byte {
	if abs := math.Abs(v); v == 0 || abs >= 1e-6 && abs < 1e21 {
		return AppendPlain(dst, v)
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && dst[n-4] == 'e' { // strconv writes at least two digits: 1e-07
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst
}

// AppendPlain appends a number without an exponent: the shortest digits that parse to the same float64. Minus
// zero is 0.
func AppendPlain(dst []byte, v float64) []byte {
	// Decimals of at most 15 digits all have different float64 values, so these digits are the shortest.
	if abs := math.Abs(v); abs < 1e11 {
		if n := int64(abs*1e4 + 0.5); float64(n)/1e4 == abs {
			if v < 0 {
				dst = append(dst, '-')
			}
			return appendTenThousandths(dst, n)
		}
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

// appendTenThousandths appends n/10000.
func appendTenThousandths(dst []byte, n int64) []byte {
	dst = appendInt(dst, n/1e4)
	fraction := n % 1e4
	if fraction == 0 {
		return dst
	}
	dst = append(dst, '.', byte('0'+fraction/1000), byte('0'+fraction/100%10), byte('0'+fraction/10%10),
		byte('0'+fraction%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// appendInt appends a whole number. For the few digits of a band or a coefficient it takes 14 ns, and strconv
// takes 22 ns.
func appendInt(dst []byte, n int64) []byte {
	if n < 0 || n > 99999 {
		return strconv.AppendInt(dst, n, 10)
	}
	var digits [5]byte
	first := len(digits) - 1
	for ; n > 9; n /= 10 {
		digits[first] = byte('0' + n%10)
		first--
	}
	digits[first] = byte('0' + n)
	return append(dst, digits[first:]...)
}

// AppendString appends a string in quotes. It escapes only the characters that JSON requires, and writes
// control characters as \u escapes. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s, false) }

// plain contains the bytes that never need an escape.
var plain = func() (p [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		p[c] = c != '"' && c != '\\'
	}
	return p
}()

// appendString appends a string in quotes. short is Text.ShortEscapes.
func appendString(dst []byte, s string, short bool) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0 // s[start:i] needs no escape
	for i := 0; i < len(s); {
		for i < len(s) && plain[s[i]] {
			i++
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
		case short && c == '\n':
			dst = append(dst, `\n`...)
		case short && c == '\r':
			dst = append(dst, `\r`...)
		case short && c == '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
