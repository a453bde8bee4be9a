package export

import (
	"slices"
	"strconv"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes/column"
	"sabine/runtime"
)

func (o *Options) bands() []int {
	if o.Format == CATT || o.Bands == nil {
		return acoustics.RoomBands
	}
	return o.Bands
}

// NotesOf goes through the products without writing any, which takes 10 s for a million. It returns an error
// of stop, which it asks between two products.
func NotesOf(products *runtime.Selection, o *Options, stop func() error) (n Notes, err error) {
	if o.Format != Pyroomacoustics && o.Format != CATT {
		return n, nil
	}
	var r runtime.ProductReader
	for d := range products.ByID() {
		if err := stop(); err != nil {
			return n, err
		}
		p := r.Simulated(products.Generation(), d)
		entries := p.AbsorptionEntries()
		if o.Format == Pyroomacoustics { // CATT's text form has absorption alone
			entries = append(entries, p.ScatteringEntries()...)
		}
		for i := range entries {
			o.coefficients(&entries[i], &n)
		}
	}
	return n, nil
}

// coefficients returns the coefficients of an entry in the bands, from 0 to 1, and adds to the notes; nil
// when it is left out.
func (o *Options) coefficients(entry *product.Entry, n *Notes) []float64 {
	before := *n
	values := make([]float64, 0, len(acoustics.OctaveBands))
	for _, hz := range o.bands() {
		v, ok := acoustics.OctaveCoefficient(entry.Octave, entry.Third, hz)
		if !ok && o.Hold {
			v, ok = nearest(entry, hz)
			n.Held++
		}
		if !ok {
			*n = before
			n.LeftOut++
			return nil
		}
		switch {
		case v > 1:
			v = 1
			n.Clipped++
		case v < 0:
			v = 0
			n.Raised++
		}
		values = append(values, v)
	}
	return values
}

// nearest returns the value of the band that is the fewest octaves away; of two as near it is the lower one.
func nearest(entry *product.Entry, bandHz int) (v float64, ok bool) {
	bands := acoustics.OctaveBands
	place := slices.Index(bands, bandHz)
	for away := 1; away < len(bands) && !ok; away++ {
		if place >= away {
			v, ok = acoustics.OctaveCoefficient(entry.Octave, entry.Third, bands[place-away])
		}
		if !ok && place+away < len(bands) {
			v, ok = acoustics.OctaveCoefficient(entry.Octave, entry.Third, bands[place+away])
		}
	}
	return v, ok
}

// uncategorised is the category of products that have none.
const uncategorised = "uncategorised"

// A material is an entry, as simulators have it.
type material struct {
	name         string // no other material of the export has it
	description  string
	coefficients []float64
}

// A materialReader makes the materials of one product after the other. The zero value has Options to be set.
type materialReader struct {
	*Options
	entries  func(*product.Product) []product.Entry
	nameOf   func(keyword string) string // what a name may be
	keyOf    func(name string) string    // names of one key are one to the simulator
	reserved string                      // the key of a name that is its own
	products runtime.ProductReader
	taken    map[string]int // keys of the product's names, with the number of the last name that was made of each
}

// read returns the category of a product and its materials. They are valid until the next call.
func (r *materialReader) read(g *runtime.Generation, d column.Doc) (category string, list []material) {
	p := r.products.Simulated(g, d)
	r.taken = map[string]int{r.reserved: 1}
	entries := r.entries(p)
	for i := range entries {
		keyword := p.SlugOrID()
		if entry := &entries[i]; len(entries) > 1 && entry.ID != "" {
			keyword += "--" + entry.ID
		}
		name := r.unique(r.nameOf(keyword)) // also of what is left out: names do not depend on that
		if coefficients := r.coefficients(&entries[i], new(Notes)); coefficients != nil {
			list = append(list, material{name, describe(p, entries[i].SetUp), coefficients})
		}
	}
	if p.MaterialCategory == nil || *p.MaterialCategory == "" {
		return uncategorised, list
	}
	return *p.MaterialCategory, list
}

// unique returns a name that the product has no other of. No other product has it either: a name begins with
// a slug, in which no "--" is, or an id.
func (r *materialReader) unique(keyword string) string {
	key := r.keyOf(keyword)
	name, n := keyword, r.taken[key]
	for taken := n > 0; taken; taken = r.taken[r.keyOf(name)] > 0 {
		n++
		name = keyword + "--" + strconv.Itoa(n)
	}
	r.taken[r.keyOf(name)] = 1
	r.taken[key] = max(n, 1)
	return name
}

// describe says what a material is: the product, who makes it and the set-up that was tested, nil for none.
func describe(p *product.Product, setUp *product.Absorption) string {
	text := p.Label.In(product.German) + ", " + p.Manufacturer.Name
	if setUp == nil {
		return text
	}
	if setUp.Mounting != nil && *setUp.Mounting != "" {
		text += ", mounting " + *setUp.Mounting
	}
	for _, of := range []struct {
		name string
		mm   *float64
	}{{"thickness", setUp.ThicknessMM}, {"air gap", setUp.AirGapMM}} {
		if of.mm != nil {
			text += ", " + of.name + " " + strconv.FormatFloat(*of.mm, 'f', -1, 64) + " mm"
		}
	}
	return text
}
