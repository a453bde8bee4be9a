package table

import (
	"math"
	"strings"

	"sabine/dataset/importers/workbook"
)

// lengthUnits are the endings of lengths in cells. One that ends in another stands before it.
var lengthUnits = []struct{ ending, unit string }{
	{"mm", "mm"}, {"cm", "cm"}, {"m", "m"}, {"inches", "in"}, {"inch", "in"}, {"zoll", "in"}, {"in.", "in"}, {"in", "in"}, {`"`, "in"}, {"″", "in"}, {"”", "in"}, {"''", "in"},
}

// maxMM is how many a fraction may be added to: a thousand kilometres, far from the end of uint64.
const maxMM = 1e9

// lengthOf reads a length of 0 mm or more. own is the unit that the cell itself names, "" for none; otherwise it is in the column's, or in mm.
func lengthOf(c *Column, kind workbook.Kind, text string, comma bool) (mm float64, own string, ok bool) {
	if len(text) > maxNumberBytes {
		return 0, "", false
	}
	unit := c.Unit
	if last := text[len(text)-1]; last < '0' || last > '9' {
		text = strings.ToLower(text)
		for _, u := range lengthUnits {
			if digits, found := strings.CutSuffix(text, u.ending); found {
				text, own, unit = strings.TrimSpace(digits), u.unit, u.unit
				break
			}
		}
	}
	n, denominator, ok := fractionOf(text)
	switch {
	case !ok || n.negative && n.mantissa > 0, denominator > 1 && unit != "in": // "40/50" is two thicknesses
		return 0, own, false
	case n.sign == ',' && !comma && kind == workbook.Text, n.sign == '.' && comma && kind == workbook.Text:
		n = n.withoutSign()
	}
	switch unit {
	case "cm":
		mm = n.times(10, denominator)
	case "m":
		mm = n.times(1000, denominator)
	case "in":
		mm = n.times(254, 10*denominator)
	default:
		mm = n.times(1, denominator)
	}
	return mm, own, !math.IsInf(mm, 1)
}

// fractionOf reads a number, or a fraction such as "1/2", "1 1/2" or "1-1/2", as a number and what it is divided by.
func fractionOf(text string) (n number, denominator uint64, ok bool) {
	slash := strings.IndexByte(text, '/')
	if slash < 0 {
		n, ok = parseNumber(text)
		return n, 1, ok
	}
	under, ok := parseNumber(text[slash+1:])
	if !ok || under.scale > 0 || under.mantissa == 0 || under.mantissa > 64 || under.long != "" {
		return n, 0, false
	}
	before := text[:slash]
	at := strings.LastIndexAny(before, " -")
	over, ok := parseNumber(before[at+1:])
	if !ok || over.scale > 0 || over.mantissa >= under.mantissa || over.long != "" {
		return n, 0, false
	}
	if at > 0 {
		if n, ok = parseNumber(strings.TrimSpace(before[:at])); !ok || n.scale > 0 || n.mantissa > maxMM || n.long != "" {
			return n, 0, false
		}
	}
	n.mantissa = n.mantissa*under.mantissa + over.mantissa
	return n, under.mantissa, true
}

var timesAsX = strings.NewReplacer("×", "x", "*", "x", "X", "x")

// sizeOf reads two or three lengths, "600 x 600 x 40 mm", and returns them in millimetres as "600 x 600 x 40". A unit at the end is that of all
// that have none.
func sizeOf(c *Column, kind workbook.Kind, text string, comma bool) (string, bool) {
	text = timesAsX.Replace(text)
	parts := strings.Split(text, "x")
	if len(parts) < 2 || len(parts) > 3 || len(text) > 3*maxNumberBytes {
		return "", false
	}
	of := *c
	for i := len(parts) - 1; i >= 0; i-- {
		part := strings.TrimSpace(parts[i])
		if part == "" {
			return "", false
		}
		mm, own, ok := lengthOf(&of, kind, part, comma)
		if !ok || mm == 0 {
			return "", false
		}
		if i == len(parts)-1 && own != "" {
			of.Unit = own
		}
		parts[i] = formatNumber(mm)
	}
	return strings.Join(parts, " x "), true
}
