package product

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Fields is a selection of the fields of stored records.
type Fields struct{ members members[Product] }

// Stored selects all fields of stored records. Simulated selects the fields that simulation programs use,
// which are all in the MaterialDetail.
var (
	Stored    = Fields{fieldsWith(func(f *field) bool { return f.read != nil })}
	Simulated = Fields{fieldsWith(func(f *field) bool {
		return slices.Contains([]string{"id", "slug", "label", "manufacturer", "material_category", "absorption_octave",
			"measurements"}, f.Name) && f.read != nil
	})}
)

// Read returns the product of a stored record with all fields. It stops where the record is not valid JSON.
func Read(objects ...string) *Product {
	p := new(Product)
	Stored.Read(p, objects...)
	return p
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
	p.DeclaredOctave = p.AbsorptionOctave != nil && !slices.ContainsFunc(p.Measurements.Absorption, isRated)
	return true
}

// A reader reads the compact JSON of stored records value by value, in one pass. Invalid JSON ends the
// reading. If a value does not have the type that the caller requests, the reader returns the zero value.
type reader struct {
	json string
	next int  // offset of the next byte; the end of the text if bad
	bad  bool // whether the text is invalid JSON
}

func (r *reader) fail() { r.next, r.bad = len(r.json), true }

// at reports whether the next byte is c.
func (r *reader) at(c byte) bool { return r.next < len(r.json) && r.json[r.next] == c }

// value returns the JSON of a value of any type. It checks only the brackets and quotes in the value.
func (r *reader) value() string {
	start, depth := r.next, 0
	for i := start; i < len(r.json); i++ {
		switch r.json[i] {
		case '"':
			i = r.stringEnd(i)
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth > 0 {
				depth--
				break
			}
			fallthrough
		case ',':
			if depth > 0 {
				continue
			}
			if i--; i < start {
				r.fail()
				return ""
			}
		default:
			continue
		}
		if depth == 0 && i < len(r.json) {
			r.next = i + 1
			return r.json[start:r.next]
		}
	}
	r.fail()
	return ""
}

// stringEnd returns the offset of the closing quote of the string that starts at start, or the end of the
// text if there is no closing quote.
func (r *reader) stringEnd(start int) int {
	for i := start + 1; ; i++ {
		n := strings.IndexByte(r.json[i:], '"')
		if n < 0 {
			return len(r.json)
		}
		i += n
		unescaped := i
		for r.json[unescaped-1] == '\\' {
			unescaped--
		}
		if (i-unescaped)%2 == 0 {
			return i
		}
	}
}

func (r *reader) text() string {
	quoted := r.value()
	switch {
	case quoted == "" || quoted[0] != '"':
		return ""
	case strings.IndexByte(quoted, '\\') >= 0:
		return gjson.Parse(quoted).Str
	}
	return quoted[1 : len(quoted)-1]
}

// number returns a number, or 0 for a value that is not a finite number.
func (r *reader) number() float64 {
	n, err := strconv.ParseFloat(r.value(), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0
	}
	return n
}

// elements yields at each element of an array. The caller reads the element.
func (r *reader) elements(yield func() bool) { r.list('[', ']', yield) }

// members yields the name of each member of an object. The caller reads the value.
func (r *reader) members(yield func(name string) bool) {
	r.list('{', '}', func() bool {
		name := r.text()
		if !r.at(':') {
			r.fail()
			return false
		}
		r.next++
		return yield(name)
	})
}

// list reads values between two brackets.
func (r *reader) list(opening, closing byte, read func() bool) {
	if !r.at(opening) {
		r.value()
		return
	}
	r.next++
	for more := !r.at(closing); more; {
		if !read() {
			return
		}
		if more = r.at(','); more {
			r.next++
		}
	}
	if !r.at(closing) {
		r.fail()
		return
	}
	r.next++
}
