package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// maxPerBand is how many cells findPerBand looks at, each several times: 2,000 set-ups of 24 bands with 20 columns.
const maxPerBand = 1 << 20

// findPerBand finds what rows with one band each say of their band alone, such as its uncertainty: what they differ in although no band
// stands there twice without it. It is not the set-up's, or each band would be a set-up of its own.
func (u *union) findPerBand() {
	if !slices.ContainsFunc(u.rows, func(r row) bool { return r.table.long }) {
		return
	}
	topics := slices.DeleteFunc(slices.Clone(u.topics), func(t *topic) bool { return !t.tellsSetUpsApart() })
	if len(topics)*len(u.rows) > maxPerBand {
		return
	}
	topics = slices.DeleteFunc(topics, func(t *topic) bool { return !u.isOfBands(t) })
	slices.SortFunc(topics, func(a, b *topic) int {
		return cmp.Or(strings.Compare(string(a.field), string(b.field)), strings.Compare(a.key, b.key))
	})
	for _, t := range topics {
		t.perBand = true
		u.split()
		for i := range u.entries {
			u.unite(&u.entries[i], nil)
			t.perBand = t.perBand && !u.entries[i].repeats
		}
	}
}

// isOfBands reports whether all rows that speak of a topic have one band.
func (u *union) isOfBands(t *topic) bool {
	ofBands := true
	u.each(t, func(r *row, _ *cell) {
		ofBands = ofBands && r.table.long && len(r.curves) == 1 && len(r.curves[0].points) == 1
	})
	return ofBands
}

// keepPerBand keeps what is said of bands in structured_meta: "125 Hz: 0.05; 250 Hz: 0.04".
func (u *union) keepPerBand() {
	for _, t := range u.topics {
		if !t.perBand {
			continue
		}
		for i := range u.entries {
			e := &u.entries[i]
			key := t.key
			if e.id != "" && len(u.entries) > 1 {
				key += " (" + e.id + ")"
			}
			if text := e.perBand(t); text != "" {
				u.addMeta(key, text)
			}
		}
	}
}

// perBand returns what the rows of an entry say of their bands.
func (e *entry) perBand(t *topic) string {
	type said struct {
		hz   int
		text string
	}
	var all []said
	for _, p := range e.parts {
		for _, c := range p.row.cells {
			if c.topic == t {
				all = append(all, said{p.row.curves[0].points[0].BandHz, c.text})
			}
		}
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Or(cmp.Compare(a.hz, b.hz), strings.Compare(a.text, b.text)) })
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = strconv.Itoa(s.hz) + " Hz: " + s.text
	}
	return strings.Join(texts, "; ")
}
