package export

import (
	"slices"
	"strconv"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes/column"
	"sabine/runtime"
)

// bands returns the octaves of an export for a simulator, in Hz.
func (o *Options) bands() []int {
	if o.Format == CATT || o.Bands == nil {
		return acoustics.RoomBands
	}
	return o.Bands
}

// NotesOf computes the notes of an export without writing the export. For a million products, this takes 10
// s. It calls stop before each product, and returns the first error from stop.
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
		if o.Format == Pyroomacoustics { // the CATT export contains only absorption
			entries = append(entries, p.ScatteringEntries()...)
		}
		for i := range entries {
			o.coefficients(&entries[i], &n)
		}
	}
	return n, nil
}

// coefficients returns the coefficients of an entry in the bands, limited to 0 to 1, or nil if the entry is
// left out. It counts the changes in n.
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

// nearest returns the value in the nearest other octave that has one, and in the lower of two equally near
// octaves. ok is false if no octave has a value.
func nearest(entry *product.Entry, bandHz int) (v float64, ok bool) {
	bands := acoustics.OctaveBands
	center := slices.Index(bands, bandHz)
	for distance := 1; distance < len(bands) && !ok; distance++ {
		if center >= distance {
			v, ok = acoustics.OctaveCoefficient(entry.Octave, entry.Third, bands[center-distance])
		}
		if !ok && center+distance < len(bands) {
			v, ok = acoustics.OctaveCoefficient(entry.Octave, entry.Third, bands[center+distance])
		}
	}
	return v, ok
}

// uncategorised is the category that is written for products without a category.
const uncategorised = "uncategorised"

// A material is an entry, converted for a simulator.
type material struct {
	name         string // unique in the export
	description  string
	coefficients []float64
}

// A materialReader converts products to materials.
type materialReader struct {
	*Options
	entries  func(*product.Product) []product.Entry
	nameOf   func(keyword string) string // converts a keyword to a name that the simulator accepts
	keyOf    func(name string) string    // names with equal keys are the same name to the simulator
	reserved string                      // key of a name that the simulator itself uses; "" for none
	products runtime.ProductReader
	taken    map[string]int // for each key, the last number added to a name of the product
}

// read returns the category and the materials of a product. They are valid until the next call.
func (r *materialReader) read(g *runtime.Generation, d column.Doc) (category string, list []material) {
	p := r.products.Simulated(g, d)
	r.taken = map[string]int{r.reserved: 1}
	entries := r.entries(p)
	for i := range entries {
		keyword := p.SlugOrID()
		if entry := &entries[i]; len(entries) > 1 && entry.ID != "" {
			keyword += "--" + entry.ID
		}
		name := r.unique(r.nameOf(keyword)) // also for omitted entries, so that names do not depend on Options
		if coefficients := r.coefficients(&entries[i], new(Notes)); coefficients != nil {
			list = append(list, material{name, describe(p, entries[i].SetUp), coefficients})
		}
	}
	if p.MaterialCategory == nil || *p.MaterialCategory == "" {
		return uncategorised, list
	}
	return *p.MaterialCategory, list
}

// unique returns a name that no other entry of the product has. Other products cannot have it either, because
// a name begins with an id or a slug, and slugs do not contain "--".
func (r *materialReader) unique(keyword string) string {
	key := r.keyOf(keyword)
	name, n := keyword, r.taken[key]
	for isTaken := n > 0; isTaken; isTaken = r.taken[r.keyOf(name)] > 0 {
		n++
		name = keyword + "--" + strconv.Itoa(n)
	}
	r.taken[r.keyOf(name)] = 1
	r.taken[key] = max(n, 1)
	return name
}

// describe returns the product's label, its manufacturer and the tested set-up, which may be nil.
func describe(p *product.Product, setUp *product.Absorption) string {
	text := p.Label.In(product.German) + ", " + p.Manufacturer.Name
	if setUp == nil {
		return text
	}
	if setUp.Mounting != nil && *setUp.Mounting != "" {
		text += ", mounting " + *setUp.Mounting
	}
	for _, size := range []struct {
		name string
		mm   *float64
	}{{"thickness", setUp.ThicknessMM}, {"air gap", setUp.AirGapMM}} {
		if size.mm != nil {
			text += ", " + size.name + " " + strconv.FormatFloat(*size.mm, 'f', -1, 64) + " mm"
		}
	}
	return text
}
