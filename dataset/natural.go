package dataset

import (
	"cmp"
	"strings"
)

// Natural compares strings and orders the numbers in them by value: "abs-2" comes before "abs-10".
func Natural(a, b string) int {
	if a == b {
		return 0
	}
	digits := func(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
	x, y := a, b
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if m == 0 || n == 0 {
			m, n, p, q = 1, 1, x[:1], y[:1]
		}
		if c := cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q)); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// Compare compares places by input, line and cell. "B2" comes before "B10".
func (p Place) Compare(q Place) int {
	return cmp.Or(Natural(p.Input, q.Input), cmp.Compare(p.Line, q.Line), Natural(p.Cell, q.Cell))
}
