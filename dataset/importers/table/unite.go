package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// A value is what a part says of a band.
type value struct {
	quantity   Quantity
	resolution Resolution
	acoustics.Point
	part int // of its entry
}

// A conflict is two values of an entry for one band.
type conflict struct {
	entry      *entry
	one, other value
}

// unite makes the curves of an entry from those of its parts.
func (u *union) unite(e *entry, conflicts []conflict) []conflict {
	if c := e.parts[0].row.curves; len(e.parts) == 1 && len(c) == 1 && c[0].resolution != AnyResolution {
		if arrayOf(c[0].quantity) == e.parts[0].array {
			e.curves = c // as most are
		}
		return conflicts
	}
	u.values = u.values[:0]
	of := e.parts[0].array
	for i, p := range e.parts {
		for _, c := range p.row.curves {
			if arrayOf(c.quantity) != of {
				continue
			}
			for _, point := range c.points {
				u.values = append(u.values, value{c.quantity, c.resolution, point, i})
			}
		}
	}
	u.resolve()
	slices.SortFunc(u.values, func(a, b value) int {
		if a.quantity != b.quantity {
			return cmp.Compare(slices.Index(quantities, a.quantity), slices.Index(quantities, b.quantity))
		}
		return cmp.Or(strings.Compare(string(a.resolution), string(b.resolution)), cmp.Compare(a.BandHz, b.BandHz), cmp.Compare(a.part, b.part))
	})
	news := make([]bool, len(e.parts))
	news[0] = true
	for i := 0; i < len(u.values); {
		first := u.values[i]
		least, most := first, first
		e.add(first)
		for ; i < len(u.values) && sameBand(&first, &u.values[i]); i++ {
			v := u.values[i]
			e.repeats = e.repeats || v.part != first.part
			if v.part == first.part || v.Value != first.Value {
				news[v.part] = true
			}
			if v.Value < least.Value {
				least = v
			}
			if v.Value > most.Value {
				most = v
			}
		}
		if least.Value != most.Value {
			conflicts = append(conflicts, conflict{e, least, most})
		}
	}
	for _, says := range news {
		if !says {
			e.idle++
		}
	}
	return conflicts
}

// add appends a value to the curves of an entry, in whose order it comes.
func (e *entry) add(v value) {
	if n := len(e.curves); n == 0 || e.curves[n-1].quantity != v.quantity || e.curves[n-1].resolution != v.resolution {
		e.curves = append(e.curves, curve{quantity: v.quantity, resolution: v.resolution})
	}
	c := &e.curves[len(e.curves)-1]
	c.points = append(c.points, v.Point)
}

func sameBand(a, b *value) bool {
	return a.BandHz == b.BandHz && a.quantity == b.quantity && a.resolution == b.resolution
}

// resolve finds the resolution of the values that say none: octaves where all of a quantity are at octave centres.
func (u *union) resolve() {
	var thirds []Quantity
	for i := range u.values {
		v := &u.values[i]
		if v.resolution == AnyResolution && !slices.Contains(acoustics.OctaveBands, v.BandHz) && !slices.Contains(thirds, v.quantity) {
			thirds = append(thirds, v.quantity)
		}
	}
	for i := range u.values {
		if v := &u.values[i]; v.resolution == AnyResolution {
			v.resolution = Octave
			if slices.Contains(thirds, v.quantity) {
				v.resolution = ThirdOctave
			}
		}
	}
}

// tellApart makes the texts that some rows of an entry have and others lack those of the set-up. It returns whether there is any.
func (u *union) tellApart(e *entry) (found bool) {
	counts := map[*topic]int{}
	for _, p := range e.parts {
		for i := range p.row.cells {
			counts[p.row.cells[i].topic]++
		}
	}
	for t, n := range counts {
		if n < len(e.parts) && t.ofSetUp() && !t.differs {
			t.differs, found = true, true
		}
	}
	return found
}

// contradict notes a fault that names both cells.
func (u *union) contradict(c conflict) {
	one, header := c.entry.parts[c.one.part].row.band(&c.one)
	other, _ := c.entry.parts[c.other.part].row.band(&c.other)
	u.faults = append(u.faults, dataset.Fault{Place: other, Record: u.id, Path: header, Problem: formatNumber(c.other.Value) + " at " +
		strconv.Itoa(c.other.BandHz) + " Hz, but " + formatNumber(c.one.Value) + " in " + one.String() +
		": expected one value for a set-up and band"})
}

// band returns where a row says the value of a band, and the column's name.
func (k *row) band(v *value) (place dataset.Place, header string) {
	best := -1
	for i := range k.table.columns {
		c := &k.table.columns[i]
		fits := c.BandHz == v.BandHz && (c.Quantity == v.quantity || c.Quantity == "")
		if fits && (best < 0 || c.Resolution == v.resolution) || best < 0 && c.Field == FieldCoefficient {
			best = i
		}
	}
	if best < 0 {
		return k.place(1), string(v.quantity)
	}
	return k.place(best + 1), k.table.columns[best].Header
}
