package export

import (
	"math"
	"strconv"
	"strings"

	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
	"sabine/runtime"
)

// pyroomacoustics writes JSON in the format of the material file of the library pyroomacoustics
// (data/materials.json, read by parameters.py):
//
//	{"center_freqs": [125, …], "absorption": {SECTION: {KEYWORD: {"description": text, "coeffs": [0.1, …]}, …}, …},
//	 "scattering": {the same}}
//
// The library requires both tables, and combines the keywords from all sections of a table in one map. The
// sections are categories; products without a category are in "uncategorised". The export never uses the
// library's own keyword "anechoic".
func (p *pieces) pyroomacoustics(g *runtime.Generation, products *runtime.Selection, o *Options) error {
	p.b = append(p.b, "{\n\"center_freqs\": "...)
	for i, hz := range o.bands() {
		p.b = strconv.AppendInt(append(p.b, opening(i)...), int64(hz), 10)
	}
	p.b = append(p.b, "],\n\"absorption\": {"...)
	if err := p.table(g, products, o, (*product.Product).AbsorptionEntries); err != nil {
		return err
	}
	p.b = append(p.b, "},\n\"scattering\": {"...)
	if err := p.table(g, products, o, (*product.Product).ScatteringEntries); err != nil {
		return err
	}
	p.b = append(p.b, "}\n}\n"...)
	return nil
}

func (p *pieces) table(g *runtime.Generation, products *runtime.Selection, o *Options,
	entries func(*product.Product) []product.Entry) error {
	same := func(s string) string { return s }
	r := materialReader{Options: o, entries: entries, nameOf: same, keyOf: same, reserved: "anechoic"}
	section, written := "", 0
	for d := range products.ByCategory(uncategorised) {
		category, list := r.read(g, d)
		for _, m := range list {
			if category != section { // section is "" before the first category
				if section != "" {
					p.b = append(p.b, "\n},"...)
				}
				section, written = strings.Clone(category), 0
				p.b = append(jsonwriter.AppendString(append(p.b, '\n'), section), ": {"...)
			}
			if written > 0 {
				p.b = append(p.b, ',')
			}
			written++
			p.material(&m)
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	if section != "" {
		p.b = append(p.b, "\n}\n"...)
	}
	return nil
}

// material writes a keyword and its entry. Coefficients have four decimals.
func (p *pieces) material(m *material) {
	p.b = jsonwriter.AppendString(append(p.b, '\n'), m.name)
	p.b = append(p.b, `: {"description": `...)
	p.b = jsonwriter.AppendString(p.b, m.description)
	p.b = append(p.b, `, "coeffs": `...)
	for i, v := range m.coefficients {
		const tenThousand = 1e4
		p.b = strconv.AppendFloat(append(p.b, opening(i)...), math.Round(v*tenThousand)/tenThousand, 'f', -1, 64)
	}
	p.b = append(p.b, "]}"...)
}

// opening returns the text to write before element i of an array.
func opening(i int) string {
	if i == 0 {
		return "["
	}
	return ", "
}
