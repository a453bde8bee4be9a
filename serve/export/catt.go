package export

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"sabine/dataset/product"
	"sabine/runtime"
)

// catt writes a CATT-Acoustic material list, as read by I-Simpa (ProjectManager::ImportMaterialCatt):
//
//	; comment
//	NAME = <72.0 79.1 83.0 84.0 83.0 79.0>
//	 C:category
//	 D:description
//
// The numbers are the absorption, in percent, in the octaves from 125 to 4000 Hz. The format also allows an
// "L <…>" with scattering percentages, which ISO 354 entries do not have. I-Simpa's reader expects exactly
// one space before and after "=" and no other spaces there, and it ends the label of a line at the last
// colon. Preceded by "ABS ", the first line of a material is a directive in a CATT-Acoustic geometry file.
func (p *pieces) catt(g *runtime.Generation, products *runtime.Selection, o *Options, n Notes) error {
	p.b = append(p.b, "; absorption in percent at 125 250 500 1000 2000 4000 Hz\n"...)
	r := materialReader{Options: o, entries: (*product.Product).AbsorptionEntries, nameOf: cattName,
		keyOf: strings.ToLower}
	for d := range products.ByID() {
		category, list := r.read(g, d)
		for _, m := range list {
			p.b = append(append(p.b, m.name...), " = "...)
			separator := byte('<')
			for _, v := range m.coefficients {
				percent := math.Round(v*1000) / 10
				p.b = strconv.AppendFloat(append(p.b, separator), percent, 'f', 1, 64)
				separator = ' '
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

// cattName replaces all characters of a keyword except ASCII letters, digits, "-" and "." by "_".
func cattName(keyword string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, keyword)
}

// cattText converts a text for the line of a label: a semicolon replaces a colon, and a blank replaces a
// control character.
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
