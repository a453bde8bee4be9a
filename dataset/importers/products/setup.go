package products

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/product"
)

// An array identifies the array of a record that contains an entry, or no array.
type array uint8

const (
	absorption array = iota
	scattering
	diffusion
	practical  // practical coefficients, which are a field of the product
	unmeasured // a set-up without coefficients
	arrays     // number of arrays
)

func arrayOf(q columns.Quantity) array {
	switch q {
	case columns.AlphaS:
		return absorption
	case columns.AlphaP:
		return practical
	case columns.Scattering:
		return scattering
	}
	return diffusion
}

// setUpFields are the text fields of a set-up. From MeasuringOption onwards they only separate set-ups.
var setUpFields = [...]columns.Field{columns.EntryID, columns.Mounting, columns.MeasuringOption,
	columns.EntryLabel, columns.SourceKind, columns.SourceNorm, columns.Calculated, columns.LimitFrequency}

// The indexes of setUpFields.
const (
	entryID = iota
	mounting
	option // including strings without a field in an entry
	label
	sourceKind
	sourceNorm
	calculated
	limit
)

// A part is the part of a row for one array. Parts with equal set-ups form one entry.
type part struct {
	row       *row
	array     array
	number    int // entry_number; 0 if there is none
	texts     [len(setUpFields)]string
	mountedAs string   // the mounting in the common spelling of the product
	given     string   // measuring option in the row
	measured  bool     // whether the row has an entry in a record
	isNew     bool     // whether it is the first in its entry or has a band that no other part has; set by merge
	empty     []string // fields with an empty string or curve, which only an export lists
}

// maxRecordText is the maximum length of all strings of a product, in all fields of a catalogue. Set-ups with
// equal strings count once. maxRepeated limits the sum over all set-ups, because the text of each is built.
const maxRecordText, maxRepeated = 2 << 20, 32 << 20

// split returns the parts of all rows in the order of the record, grouped by set-up. over is the row at which
// the strings become too long for a record, or nil.
func (v *survey) split() (setUps [][]*part, over *row) {
	v.parts, v.ordered, v.setUps = v.parts[:0], v.ordered[:0], v.setUps[:0]
	size, repeated := 0, 0
	for i := range v.facts {
		if of := &v.facts[i]; of.role == agreed {
			size += len(of.cells[0].cell.column.header) + len(of.cells[0].cell.text)
		}
	}
	for _, r := range v.rows {
		before := len(v.parts)
		v.appendParts(r)
		for _, p := range v.parts[before:] {
			repeated += len(p.texts[option])
		}
		if len(v.parts) > before && (size > maxRecordText || repeated > maxRepeated) {
			return nil, r
		}
	}
	for i := range v.parts {
		v.ordered = append(v.ordered, &v.parts[i])
	}
	parts := v.ordered
	spellMountings(parts)
	slices.SortFunc(parts, func(a, b *part) int {
		if c := compareSetUps(a, b); c != 0 {
			return c
		}
		byMounting := dataset.Natural(a.texts[mounting], b.texts[mounting])
		return cmp.Or(byMounting, compareBands(a, b), a.row.Compare(b.row.Origin))
	})
	for from, i := 0, 1; from < len(parts); i++ {
		if i == len(parts) || compareSetUps(parts[from], parts[i]) != 0 {
			if size += len(parts[from].texts[option]); size > maxRecordText {
				return nil, parts[from].row
			}
			v.setUps = append(v.setUps, parts[from:i:i])
			from = i
		}
	}
	return v.setUps, nil
}

// spellMountings gives parts of one mounting a common spelling: the first in natural order, so that the order
// of the entries does not change if all rows have the same spelling.
func spellMountings(parts []*part) {
	spellings := map[string]string{}
	for _, p := range parts {
		p.mountedAs = acoustics.Mounting(p.texts[mounting])
		if first, ok := spellings[p.mountedAs]; !ok || dataset.Natural(p.texts[mounting], first) < 0 {
			spellings[p.mountedAs] = p.texts[mounting]
		}
	}
	for _, p := range parts {
		p.mountedAs = spellings[p.mountedAs]
	}
}

// appendParts appends the parts of a row: one for each array for which the row has curves. A row without
// curves has a part for its norm, or for the strings of a set-up without a measurement.
func (v *survey) appendParts(r *row) {
	p := part{row: r}
	var words []product.MetaEntry // other strings that differ
	isEntry, hasSetUp, stated := false, r.thickness.Known || r.airGap.Known, absorption
	for i := range r.cells {
		c := &r.cells[i]
		switch f := c.column.topic.field; {
		case c.column.topic.kind == setUpAlways:
			hasSetUp = true
			isEntry = isEntry || f == columns.Norm || r.Table.OwnExport &&
				(f == columns.EntryNumber || f == columns.EntryID || f == columns.EntryLabel)
			if n := c.column.topic.slot; n >= 0 {
				p.texts[n] = c.text
			} else if f == columns.EntryNumber {
				p.number, _ = strconv.Atoi(c.text)
			} else if strings.Contains(c.text, "17497-1") {
				stated = scattering
			} else if strings.Contains(c.text, "17497-2") {
				stated = diffusion
			}
		case f == columns.Empty:
			p.empty = strings.Fields(c.text)
		case v.factOf(c).role == perSetUp:
			words = append(words, product.MetaEntry{Key: c.column.header, Value: c.text})
		}
	}
	p.given = p.texts[option]
	var has [arrays]bool
	for i := range r.curves {
		if n := arrayOf(r.curves[i].Quantity); len(r.curves[i].Points) > 0 {
			has[n] = true
		}
	}
	p.measured = has[absorption] || has[scattering] || has[diffusion]
	switch {
	case p.measured:
	case isEntry && (r.Table.OwnExport || !slices.ContainsFunc(v.rows, (*row).hasCurves)):
		p.measured, has[stated] = true, true
	case !has[practical]:
		has[unmeasured] = hasSetUp || len(words) > 0
	}
	for n := range has {
		if has[n] {
			v.parts = append(v.parts, p)
			last := &v.parts[len(v.parts)-1]
			last.array = array(n)
			last.complete(words, &has)
		}
	}
}

// complete adds strings that have no other field in an entry to the measuring option.
func (p *part) complete(words []product.MetaEntry, has *[arrays]bool) {
	words = slices.Clip(words)
	if !has[absorption] {
		words = appendWord(words, "Berechnete Absorption", p.texts[calculated])
	}
	if !has[diffusion] {
		words = appendWord(words, "Grenzfrequenz (Hz)", p.texts[limit])
	}
	if p.array == scattering || p.array == diffusion {
		words = append(appendWord(words, "Einbauart", p.texts[mounting]), p.lengths()...)
	}
	if p.texts[option] = product.JoinMeta(words); p.given != "" {
		p.texts[option] = strings.TrimSuffix(p.given+"; "+product.JoinMeta(words), "; ")
	}
	if m := p.row.Table.Map; m != nil && p.array != diffusion {
		p.texts[sourceKind] = cmp.Or(p.texts[sourceKind], m.SourceKind)
	}
}

func appendWord(words []product.MetaEntry, key, value string) []product.MetaEntry {
	if value == "" {
		return words
	}
	return append(words, product.MetaEntry{Key: key, Value: value})
}

// lengths returns the lengths of a part as strings.
func (p *part) lengths() (words []product.MetaEntry) {
	if p.row.thickness.Known {
		words = appendWord(words, "Dicke", p.row.thickness.String())
	}
	if p.row.airGap.Known {
		words = appendWord(words, "Luftspalt", p.row.airGap.String())
	}
	return words
}

// order returns a length for comparison: unknown lengths come first.
func order(l cells.Length) float64 {
	if !l.Known {
		return math.Inf(-1)
	}
	return l.MM
}

// compareSetUps orders parts like their entries in the record. Parts of one entry are equal.
func compareSetUps(a, b *part) int {
	byNumber := cmp.Compare(uint(a.number-1), uint(b.number-1)) // parts without a number come last
	if c := cmp.Or(cmp.Compare(a.array, b.array), byNumber); c != 0 {
		return c
	}
	return cmp.Or(dataset.Natural(a.texts[entryID], b.texts[entryID]), dataset.Natural(a.mountedAs, b.mountedAs),
		cmp.Compare(order(a.row.thickness), order(b.row.thickness)),
		cmp.Compare(order(a.row.airGap), order(b.row.airGap)),
		slices.Compare(a.texts[option:], b.texts[option:]))
}

// compareBands puts parts with more bands first, so that parts without new bands come after them.
func compareBands(a, b *part) int {
	x, y := a.row.curves, b.row.curves
	return cmp.Or(cmp.Compare(len(y), len(x)), slices.CompareFunc(x, y, func(c, d cells.Curve) int {
		return cmp.Or(cmp.Compare(len(d.Points), len(c.Points)), cmp.Compare(c.Quantity, d.Quantity),
			cmp.Compare(c.Resolution, d.Resolution), c.Points.Compare(d.Points))
	}))
}

// idsOf returns the ids of entries, and "" for entries that are in no array of the record. Given ids do not
// change. Other ids that are not unique get a hash of the other strings of the set-up.
func idsOf(entries []entry) []string {
	ids := make([]string, len(entries))
	for i := range entries {
		if p := entries[i].parts[0]; p.array < practical {
			ids[i] = cmp.Or(p.texts[entryID], p.id())
		}
	}
	if len(ids) == 1 {
		return ids
	}
	for _, by := range []func(*part) string{
		func(p *part) string { return p.texts[option] },
		func(p *part) string { return strings.Join(append(p.texts[option:], strconv.Itoa(p.number)), "\x00") },
	} {
		uses := map[string]int{}
		for _, id := range ids {
			uses[id]++
		}
		for i, id := range ids {
			if p := entries[i].parts[0]; uses[id] > 1 && p.texts[entryID] == "" && id != "" {
				ids[i] = p.id() + "-" + shortHash(by(p))
			}
		}
	}
	return ids
}

// shortHash returns the first 8 hex digits of the SHA-256 of a string.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// id returns the id of a set-up without one: "abs-e-400-t40-g200".
func (p *part) id() string {
	standard := [...]*product.Standard{&product.ISO354, &product.ISO174971, &product.ISO174972}[p.array]
	return standard.EntryID(p.texts[mounting], millimetres(&p.row.thickness), millimetres(&p.row.airGap))
}
