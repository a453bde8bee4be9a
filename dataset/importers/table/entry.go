package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// An array is which one of the record an entry is of, or that it is of none.
type array uint8

const (
	absorption array = iota
	scattering
	diffusion
	practical // practical coefficients, which are the product's
	unmeasured
)

// arrays are those of the record.
var arrays = [...]struct{ field, prefix string }{
	{"absorption_iso_354", "abs"}, {"scatter_iso_17497_1", "sca"}, {"diffusion_iso_17497_2", "dif"},
}

func arrayOf(q Quantity) array {
	switch q {
	case AlphaS:
		return absorption
	case AlphaP:
		return practical
	case Scattering:
		return scattering
	}
	return diffusion
}

// statedArray returns the norm that a cell names.
func statedArray(text string) array {
	switch {
	case strings.Contains(text, "17497-1"):
		return scattering
	case strings.Contains(text, "17497-2"):
		return diffusion
	}
	return absorption
}

// A part is what a row says of a set-up in one norm. Parts that say the same of the set-up are one entry, and their bands unite.
type part struct {
	row    *row
	array  array
	number int // entry_number; 0 for none

	id, label, sourceKind, sourceNorm, mounting, calculated, limit string

	mountedAs string // mounting in one spelling within the product

	thickness, airGap lengthMM

	option string // measuring_option: what the row says of it, and in what else the rows of the product differ
	given  string // the first alone

	measured bool   // the row is a part of an entry
	empty    string // the fields that are there and empty, as only our own tables say
}

// An entry is a set-up: the parts of it, and their bands.
type entry struct {
	parts  []*part
	curves []curve
	id     string
	idle   int // parts whose bands others have as well

	repeats bool // several parts have the same band
}

// gather makes the entries of a product. Where the bands of one contradict each other, a text that only some of its rows have is what tells
// them apart: then it is of the set-up, as if the others had another. It returns false, with a fault, when the texts are too large for a record.
func (u *union) gather() bool {
	if !u.fits() {
		return false
	}
	u.findPerBand()
	for again := true; again; {
		u.split()
		conflicts := u.conflicts[:0]
		for i := range u.entries {
			conflicts = u.unite(&u.entries[i], conflicts)
		}
		again = false
		for _, c := range conflicts {
			again = u.tellApart(c.entry) || again
		}
		u.conflicts = conflicts
		if again && !u.fits() {
			return false
		}
	}
	for _, c := range u.conflicts {
		u.contradict(c)
	}
	for i := range u.entries {
		e := &u.entries[i]
		if e.idle > 0 && e.parts[0].array != unmeasured {
			u.notes.addN("", "says nothing new of its set-up", "row", e.parts[len(e.parts)-1].row.place(1), e.idle)
		}
		for _, p := range e.parts {
			if first := e.parts[0].mounting; p.mounting != first {
				problem := "one mounting as " + dataset.Quoted(first) + ", also spelt " + dataset.Quoted(p.mounting)
				u.notes.add(string(FieldMounting), problem, "row", p.row.place(1))
			}
		}
	}
	u.name()
	u.noteDiffering()
	u.keepPerBand()
	u.holdRatings()
	return true
}

// noteDiffering warns of the columns in which rows differ.
func (u *union) noteDiffering() {
	if !slices.ContainsFunc(u.topics, (*topic).tellsSetUpsApart) {
		return
	}
	var told []string // a column of alpha_w gives two cells, and those of two tables may have one name
	for i := range u.rows {
		r := &u.rows[i]
		for j := range r.cells {
			if c := &r.cells[j]; c.topic.tellsSetUpsApart() && !slices.Contains(told, c.header) {
				told = append(told, c.header)
				u.notes.add(c.header, "differs between rows of a product: kept in the measuring_option of its set-ups", "product", r.place(c.number))
			}
		}
	}
}

// split makes the parts of all rows, and entries of them.
func (u *union) split() {
	u.parts, u.entries = u.parts[:0], u.entries[:0]
	for i := range u.rows {
		u.splitRow(&u.rows[i])
	}
	u.spellMountings()
	u.ordered = u.ordered[:0]
	for i := range u.parts {
		u.ordered = append(u.ordered, &u.parts[i])
	}
	slices.SortFunc(u.ordered, func(a, b *part) int {
		if c := cmp.Or(compareSetUps(a, b), natural(a.mounting, b.mounting)); c != 0 {
			return c
		}
		return compareBands(a, b)
	})
	for from, i := 0, 1; from < len(u.ordered); i++ {
		if i == len(u.ordered) || compareSetUps(u.ordered[from], u.ordered[i]) != 0 {
			u.entries = append(u.entries, entry{parts: u.ordered[from:i:i]})
			from = i
		}
	}
}

// spellMountings gives the parts that have one mounting one spelling of it: the first in natural order of those that
// the rows have, so that entries keep their order where all rows spell it alike.
func (u *union) spellMountings() {
	if len(u.parts) < 2 {
		return
	}
	spellings := map[string]string{}
	for i := range u.parts {
		p := &u.parts[i]
		p.mountedAs = acoustics.Mounting(p.mounting)
		if first, ok := spellings[p.mountedAs]; !ok || natural(p.mounting, first) < 0 {
			spellings[p.mountedAs] = p.mounting
		}
	}
	for i := range u.parts {
		u.parts[i].mountedAs = spellings[u.parts[i].mountedAs]
	}
}

// splitRow makes the parts of a row: one for each array that its curves are of, else one for the norm that it names, else one for what it says
// of a set-up without measurement.
func (u *union) splitRow(r *row) {
	p := part{row: r, thickness: r.thickness, airGap: r.airGap}
	u.differing = u.differing[:0]
	isEntry, saysSetUp, stated := false, r.thickness.known || r.airGap.known, absorption
	for i := range r.cells {
		switch c := &r.cells[i]; {
		case c.topic.kind == setUpAlways:
			saysSetUp = true
			isEntry = p.take(c) || isEntry
			if c.topic.field == FieldNorm {
				stated = statedArray(c.text)
			}
		case c.topic.field == FieldEmpty:
			p.empty = c.text
		case c.topic.tellsSetUpsApart():
			u.differing = append(u.differing, product.MetaEntry{Key: c.header, Value: c.text})
		}
	}
	has := [unmeasured + 1]bool{}
	for i := range r.curves {
		has[arrayOf(r.curves[i].quantity)] = true
	}
	p.measured = has[absorption] || has[scattering] || has[diffusion]
	switch {
	case p.measured:
	case isEntry:
		p.measured, has[stated] = true, true
	case !has[practical]:
		has[unmeasured] = saysSetUp || len(u.differing) > 0
	}
	for n := range has {
		if has[n] {
			p := p
			p.array = array(n)
			p.option = u.option(&p, &has)
			if p.array != diffusion {
				p.sourceKind = cmp.Or(p.sourceKind, r.table.sourceKind)
			}
			u.parts = append(u.parts, p)
		}
	}
}

// take takes what a cell says of the set-up. It returns whether only an entry has such a cell.
func (p *part) take(c *cell) (ofEntry bool) {
	switch c.topic.field {
	case FieldNorm:
		return true
	case FieldEntryNumber:
		p.number, _ = strconv.Atoi(c.text)
		return true
	case FieldEntryID:
		p.id = c.text
		return true
	case FieldEntryLabel:
		p.label = c.text
		return true
	case FieldSourceKind:
		p.sourceKind = c.text
	case FieldSourceNorm:
		p.sourceNorm = c.text
	case FieldMeasuringOption:
		p.given = c.text
	case FieldMounting:
		p.mounting = c.text
	case FieldCalculated:
		p.calculated = c.text
	case FieldLimitFrequency:
		p.limit = c.text
	}
	return false
}

// option returns the measuring option of a part: what the row has as one, and what its entries have no other place for.
func (u *union) option(p *part, has *[unmeasured + 1]bool) string {
	words := u.differing
	add := func(key, value string) {
		if value != "" {
			words = append(words[:len(words):len(words)], product.MetaEntry{Key: key, Value: value})
		}
	}
	if !has[absorption] {
		add("Berechnete Absorption", p.calculated)
	}
	if !has[diffusion] {
		add("Grenzfrequenz (Hz)", p.limit)
	}
	if p.array == scattering || p.array == diffusion {
		add("Einbauart", p.mounting)
		for _, length := range p.lengths() {
			add(length.Key, length.Value)
		}
	}
	if p.given != "" && len(words) > 0 {
		return p.given + "; " + joined(words)
	}
	return cmp.Or(p.given, joined(words))
}

// lengths returns the lengths of a part as words.
func (p *part) lengths() (words []product.MetaEntry) {
	if p.thickness.known {
		words = append(words, product.MetaEntry{Key: "Dicke", Value: p.thickness.String()})
	}
	if p.airGap.known {
		words = append(words, product.MetaEntry{Key: "Luftspalt", Value: p.airGap.String()})
	}
	return words
}

// joined returns words as one text: "Farbe: rot; αw: 0.65, MH", by name ascending.
func joined(words []product.MetaEntry) string {
	if len(words) == 0 {
		return ""
	}
	sorted := slices.Clone(words)
	slices.SortFunc(sorted, compareMeta)
	var b strings.Builder
	for i, w := range sorted {
		switch {
		case i == 0:
			b.WriteString(w.Key + ": ")
		case w.Key == sorted[i-1].Key:
			b.WriteString(", ")
		default:
			b.WriteString("; " + w.Key + ": ")
		}
		b.WriteString(w.Value)
	}
	return b.String()
}

func compareMeta(a, b product.MetaEntry) int {
	return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Value, b.Value))
}
