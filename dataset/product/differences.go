package product

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"
)

// Differences returns the names of the fields in which two products differ, in ascending order. A translation
// is named after its language, such as label.en. A manufacturer also has manufacturer.slug and
// manufacturer.id.
func Differences(a, b *Product) []string {
	var names []string
	for i := range fields {
		f := &fields[i]
		if f.part == inViews {
			continue
		}
		one, other := newWriter(), newWriter()
		f.write(&one, a)
		f.write(&other, b)
		if !bytes.Equal(one.Bytes(), other.Bytes()) {
			names = append(names, f.Name)
		}
		if f.rest == nil {
			continue
		}
		one.Reset()
		other.Reset()
		f.rest(&one, a)
		f.rest(&other, b)
		names = append(names, differentMembers(f.Name+".", one.Bytes(), other.Bytes())...)
	}
	slices.Sort(names)
	return names
}

// differentMembers returns the names of the members in which two objects differ.
func differentMembers(prefix string, a, b []byte) (names []string) {
	before := map[string]string{}
	for key, value := range gjson.ParseBytes(a).ForEach {
		before[key.Str] = value.Raw
	}
	for key, value := range gjson.ParseBytes(b).ForEach {
		if before[key.Str] != value.Raw {
			names = append(names, prefix+key.Str)
		}
		delete(before, key.Str)
	}
	for key := range before {
		names = append(names, prefix+key)
	}
	return names
}

// Read returns the product of a stored record with all fields. It stops where the record is not valid JSON.
func Read(objects ...string) *Product {
	p := new(Product)
	Stored.Read(p, objects...)
	return p
}

// Fields is a selection of the fields of stored records.
type Fields struct{ members members[Product] }

// fieldsWith returns the members of the fields that match.
func fieldsWith(match func(*field) bool) (matching members[Product]) {
	for i := range fields {
		if match(&fields[i]) {
			matching = append(matching, fields[i].member)
		}
	}
	return matching
}

// Read fills a product with the selected fields of a stored record or of a view. The record consists of
// several objects. Read reports whether the objects are valid JSON. It accepts data that no build writes and
// reads the usable part. The strings of the product share the memory of the objects, and the measurements
// reuse the memory of the product's earlier measurements.
func (f Fields) Read(p *Product, objects ...string) bool {
	m := &p.Measurements
	*p = Product{Published: true, Measurements: Measurements{m.Absorption[:0], m.Scatter[:0], m.Diffusion[:0]}}
	for _, object := range objects {
		r := reader{json: object}
		if f.members.read(&r, p); r.bad || r.next < len(object) {
			return false
		}
	}
	p.DeclaredOctave = p.AbsorptionOctave != nil && !slices.ContainsFunc(p.Measurements.Absorption,
		func(a Absorption) bool {
			return a.isRated()
		})
	return true
}
