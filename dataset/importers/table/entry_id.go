package table

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sabine/dataset/acoustics"
)

// natural compares texts with numbers in them: "abs-2" comes before "abs-10".
func natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if c := cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q)); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// compareLengths puts what is not known first.
func compareLengths(a, b lengthMM) int {
	switch {
	case a.known == b.known:
		return cmp.Compare(a.mm, b.mm)
	case a.known:
		return 1
	}
	return -1
}

// compareSetUps orders parts as their entries stand in the record. Parts of one entry are equal.
func compareSetUps(a, b *part) int {
	if a.array != b.array {
		return cmp.Compare(a.array, b.array)
	}
	if a.number != b.number { // those without come last
		return cmp.Compare(uint(a.number-1), uint(b.number-1))
	}
	if c := cmp.Or(natural(a.id, b.id), natural(a.mountedAs, b.mountedAs)); c != 0 {
		return c
	}
	if c := cmp.Or(compareLengths(a.thickness, b.thickness), compareLengths(a.airGap, b.airGap)); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.option, b.option), strings.Compare(a.label, b.label), strings.Compare(a.sourceKind, b.sourceKind),
		strings.Compare(a.sourceNorm, b.sourceNorm), strings.Compare(a.calculated, b.calculated), strings.Compare(a.limit, b.limit))
}

// compareBands puts those with more bands first, so that those that say nothing new come behind.
func compareBands(a, b *part) int {
	x, y := a.row.curves, b.row.curves
	return cmp.Or(cmp.Compare(len(y), len(x)), slices.CompareFunc(x, y, func(c, d curve) int {
		return cmp.Or(cmp.Compare(len(d.points), len(c.points)), strings.Compare(string(c.quantity), string(d.quantity)),
			strings.Compare(string(c.resolution), string(d.resolution)), slices.CompareFunc(c.points, d.points, comparePoints))
	}))
}

func comparePoints(a, b acoustics.Point) int {
	return cmp.Or(cmp.Compare(a.BandHz, b.BandHz), cmp.Compare(a.Value, b.Value))
}

// maxOptionBytes is how long a measuring option may be in a record.
const maxOptionBytes = 1000

// name gives the entries their ids. A measuring option that is too long for a record goes to structured_meta.
func (u *union) name() {
	for i := range u.entries {
		e := &u.entries[i]
		if e.parts[0].array < practical {
			e.id = cmp.Or(e.parts[0].id, idOf(e.parts[0]))
		}
	}
	u.parted(func(p *part) string { return p.option })
	u.parted(func(p *part) string {
		return strings.Join([]string{p.option, p.label, p.sourceKind, p.sourceNorm, p.calculated, p.limit, strconv.Itoa(p.number)}, "\x00")
	})
	for i := range u.entries {
		if e := &u.entries[i]; e.id != "" && len(e.parts[0].option) > maxOptionBytes {
			u.addMeta("Messoption "+e.id, e.parts[0].option)
			e.parts[0].option = e.parts[0].given
		}
	}
}

// parted adds the hash of a text to all ids that are not unique, but those that were given.
func (u *union) parted(by func(*part) string) {
	if len(u.entries) < 2 {
		return
	}
	uses := map[string]int{}
	for i := range u.entries {
		uses[u.entries[i].id]++
	}
	for i := range u.entries {
		if e := &u.entries[i]; uses[e.id] > 1 && e.parts[0].id == "" && e.id != "" {
			e.id = idOf(e.parts[0]) + "-" + shortHash(by(e.parts[0]))
		}
	}
}

// shortHash returns the first 8 hex digits of a text's SHA-256.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// idOf makes an id of a set-up: "abs-e-400-t40-g200".
func idOf(p *part) string {
	id := append(make([]byte, 0, 64), arrays[p.array].prefix...)
	gap := true
	for _, r := range p.mounting {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap {
			id = append(id, '-')
		}
		gap = false
		id = utf8.AppendRune(id, unicode.ToLower(r))
	}
	if p.thickness.known {
		id = strconv.AppendFloat(append(id, "-t"...), p.thickness.mm, 'f', -1, 64)
	}
	if p.airGap.known {
		id = strconv.AppendFloat(append(id, "-g"...), p.airGap.mm, 'f', -1, 64)
	}
	return string(id)
}
