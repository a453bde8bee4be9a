package export

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"sabine/dataset/product"
	"sabine/runtime"
)

// catt writes the text in which CATT-Acoustic lists materials, as I-Simpa reads it
// (ProjectManager::ImportMaterialCatt):
//
//	; comment
//	NAME = <72.0 79.1 83.0 84.0 83.0 79.0>
//	 C:category
//	 D:description
//
// percentages of absorption in the octaves from 125 to 4000 Hz; an "L <…>" with those of scattering may
// follow, which an ISO 354 entry does not have. That reader takes one blank on either side of "=" and none
// elsewhere for granted, and the label of a line to end at its last colon. Of a geometry file of
// CATT-Acoustic each first line is a directive once "ABS " stands before it.
func (p *pieces) catt(g *runtime.Generation, products *runtime.Selection, o *Options, n Notes) error {
	p.b = append(p.b, "; absorption in percent at 125 250 500 1000 2000 4000 Hz\n"...)
	r := materialReader{Options: o, entries: (*product.Product).AbsorptionEntries, nameOf: cattName,
		keyOf: strings.ToLower}
	for d := range products.ByID() {
		category, list := r.read(g, d)
		for _, m := range list {
			p.b = append(append(p.b, m.name...), " = "...)
			before := byte('<')
			for _, v := range m.coefficients {
				const thousand = 1e3
				p.b = strconv.AppendFloat(append(p.b, before), math.Round(v*thousand)/(thousand/100), 'f', 1, 64)
				before = ' '
			}
			p.b = append(p.b, ">\n"...)
			p.b = append(append(p.b, " C:"...), cattText(category)...)
			p.b = append(append(p.b, "\n D:"...), cattText(m.description)...)
			p.b = append(p.b, '\n')
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	p.b = append(append(append(p.b, "; "...), n.String()...), '\n')
	return nil
}

// cattName returns a name of letters, digits, "-", "_" and ".".
func cattName(keyword string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, keyword)
}

// cattText returns a text that stands behind a label: without colons and in one line.
func cattText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ':':
			return ';'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
}
