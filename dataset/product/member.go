package product

import (
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"

	"github.com/google/jsonschema-go/jsonschema"
)

// A writer writes JSON. In a source record, it omits absent members, and writes all languages of a text and
// all members of a manufacturer. Elsewhere, it writes null, the German text and the name of the manufacturer.
type writer struct {
	jsonwriter.Text
	isSource   bool
	absorption [2]int // offset and end of the last array of ISO 354 entries
}

// A member is a member of the JSON object of a T.
type member[T any] struct {
	Name       string
	key        string // name as JSON, with the colon
	About      string // description for docs/catalogue.md and the JSON Schema
	write      func(w *writer, of *T)
	read       func(r *reader, to *T)
	absent     func(of *T) bool
	cell       func(of *T) Cell
	schema     *jsonschema.Schema
	curve      func(of *T) *acoustics.Curve // the frequency map, or nil if the member is of another kind
	isOptional bool                         // whether responses omit the member when it is null
	isRequired bool                         // whether source records must have the member
	bandsHz    []int                        // the bands of a frequency map
	column     int                          // sort key among the columns of a table; 0 for no column
}

// in returns the member whose value is at the address that ptr returns.
func in[T, V any](name string, k kind[V], ptr func(*T) *V, about string) member[T] {
	m := member[T]{
		Name: name, key: keyOf(name), About: about, schema: k.schema, bandsHz: k.bandsHz,
		write:  func(w *writer, of *T) { k.write(w, ptr(of)) },
		read:   func(r *reader, to *T) { k.read(r, ptr(to)) },
		absent: func(of *T) bool { return k.absent(*ptr(of)) },
	}
	m.cell = m.json
	if k.cell != nil {
		m.cell = func(of *T) Cell { return k.cell(*ptr(of)) }
	}
	if curve, ok := any(ptr).(func(*T) *acoustics.Curve); ok {
		m.curve = curve
	}
	return m
}

func keyOf(name string) string { return `"` + name + `":` }

// at sets the sort key among the columns of a table.
func (m member[T]) at(column int) member[T] {
	m.column = column
	return m
}

// omitIf sets the condition under which source records omit the member because its value is the default.
func (m member[T]) omitIf(isDefault func(of *T) bool) member[T] {
	m.absent = isDefault
	return m
}

func (m member[T]) optional() member[T] {
	m.isOptional = true
	return m
}

func (m member[T]) required() member[T] {
	m.isRequired = true
	return m
}

// json returns a cell that contains the member as JSON.
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

// members are the members of an object, in the order of the output.
type members[T any] []member[T]

// write writes the members of an object whose opening brace is already written.
func (all members[T]) write(w *writer, of *T) {
	for i := range all {
		if m := &all[i]; !m.absent(of) || !w.isSource && !m.isOptional {
			w.QuotedKey(m.key)
			m.write(w, of)
		}
	}
}

// read reads an object and skips unknown members.
func (all members[T]) read(r *reader, to *T) {
	next := 0 // start of the search for the next member; most objects use the same order
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
