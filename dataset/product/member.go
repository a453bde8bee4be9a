package product

import (
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"

	"github.com/google/jsonschema-go/jsonschema"
)

// A writer writes JSON. A sparse one leaves out the members that are absent, as source records do; any other
// writes null.
type writer struct {
	jsonwriter.Text
	sparse     bool
	absorption [2]int // of the ISO 354 entries that were written last
}

// A member is a member of an object that stands for a T.
type member[T any] struct {
	Name   string
	key    string // its name as JSON, with the colon
	About  string // what it is, for docs/catalogue.md and the JSON Schema
	write  func(w *writer, of *T)
	read   func(r *reader, to *T)
	absent func(of *T) bool
	cell   func(of *T) Cell
	schema *jsonschema.Schema
	curve  func(of *T) *acoustics.Curve // of a frequency map, else nil
	// the members of the object, or of each object of the array, that it holds; nil for any other
	inside     any
	isOptional bool  // answers leave it out when it is null
	isRequired bool  // source records have it
	bandsHz    []int // of a frequency map
	column     int   // its place among the columns of a table; 0: it has none
}

// in returns a member that holds a value of a kind, which lies at a place of a T.
func in[T, V any](name string, k kind[V], place func(*T) *V, about string) member[T] {
	m := member[T]{
		Name: name, key: keyOf(name), About: about, schema: k.schema, bandsHz: k.bandsHz,
		write:  func(w *writer, of *T) { k.write(w, place(of)) },
		read:   func(r *reader, to *T) { k.read(r, place(to)) },
		absent: func(of *T) bool { return k.absent(*place(of)) },
	}
	m.cell = m.json
	if k.cell != nil {
		m.cell = func(of *T) Cell { return k.cell(*place(of)) }
	}
	if curve, ok := any(place).(func(*T) *acoustics.Curve); ok {
		m.curve = curve
	}
	return m
}

// keyOf returns the name of a member as JSON, with the colon.
func keyOf(name string) string { return `"` + name + `":` }

// at returns the member with its place among the columns of a table.
func (m member[T]) at(column int) member[T] {
	m.column = column
	return m
}

// unless returns the member of a value that source records leave out when it is the default.
func (m member[T]) unless(isDefault func(of *T) bool) member[T] {
	m.absent = isDefault
	return m
}

// optional returns a member that answers leave out when it is null.
func (m member[T]) optional() member[T] {
	m.isOptional = true
	return m
}

// required returns a member that every source record has.
func (m member[T]) required() member[T] {
	m.isRequired = true
	return m
}

// holding returns the member with the members of the objects that it holds.
func (m member[T]) holding(inside any) member[T] {
	m.inside = inside
	return m
}

// json returns the JSON of a member as the text of a cell.
func (m member[T]) json(of *T) Cell {
	if m.absent(of) {
		return Cell{}
	}
	var w writer
	w.ShortEscapes = true
	w.Reuse(make([]byte, 0, 512))
	m.write(&w, of)
	return Cell{Kind: JSONCell, Text: string(w.Bytes())}
}

// members are those of an object, in the order in which they are written.
type members[T any] []member[T]

// write writes the members of an object that is open.
func (all members[T]) write(w *writer, of *T) {
	for i := range all {
		if m := &all[i]; !m.absent(of) || !w.sparse && !m.isOptional {
			w.QuotedKey(m.key)
			m.write(w, of)
		}
	}
}

// read reads an object. What is no member of it is left alone.
func (all members[T]) read(r *reader, to *T) {
	next := 0 // where the next member is looked for first: most objects have them in this order
	for name := range r.members {
		at := next
		for all[at].Name != name {
			if at = (at + 1) % len(all); at == next {
				break
			}
		}
		if m := &all[at]; m.Name == name {
			m.read(r, to)
			next = (at + 1) % len(all)
		} else {
			r.value()
		}
	}
}
