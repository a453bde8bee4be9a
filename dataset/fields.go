package dataset

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/nearest"
)

// A field is a member that an object of the record format may have, and how it is read into what the object
// becomes. A member that is missing is read as null.
type field[T any] struct {
	name   string
	read   func(p *parser, name string, v gjson.Result, to *T)
	inside listing // the fields of the object that it holds, or of each object of its array; nil for any other value
}

// into makes a field from its reader and the place in a T that the value goes to.
func into[T, V any](name string, read func(*parser, string, gjson.Result) V, place func(*T) *V) field[T] {
	return field[T]{name: name, read: func(p *parser, name string, v gjson.Result, to *T) {
		*place(to) = read(p, name, v)
	}}
}

// unlessNull is into for a text that has a default, which stays if the record has none.
func unlessNull[T any](name string, read func(*parser, string, gjson.Result) *string, place func(*T) *string) field[T] {
	return field[T]{name: name, read: func(p *parser, name string, v gjson.Result, to *T) {
		setText(place(to), read(p, name, v))
	}}
}

// holding returns the field with the fields of the objects that it holds.
func (f field[T]) holding(inside listing) field[T] {
	f.inside = inside
	return f
}

// fields are the members that an object may have, in the order in which they are read and their faults
// reported.
type fields[T any] []field[T]

// A listing is fields of any type.
type listing interface {
	// level returns the names of the fields that the object has to which the last step of a path belongs, and
	// that step.
	level(path string) (names []string, last string)
}

func (t fields[T]) level(path string) (names []string, last string) {
	for i := range t {
		rest, ok := strings.CutPrefix(path, t[i].name)
		if ok && t[i].inside != nil && rest != "" && strings.ContainsAny(rest[:1], ".[") {
			return t[i].inside.level(strings.TrimPrefix(rest, "."))
		}
		names = append(names, t[i].name)
	}
	return names, path
}

// read reads an object.
func (t fields[T]) read(p *parser, object gjson.Result, to *T) {
	t.readValues(p, t.values(p, object), to)
}

// values returns the value of each field of an object, in the order of the fields. A missing member and one
// that is null look alike; any other member is noted as unknown.
func (t fields[T]) values(p *parser, object gjson.Result) []gjson.Result {
	values := make([]gjson.Result, len(t))
	next := 0 // where the next member is looked for first: most records have them in one order
members:
	for key, value := range object.ForEach {
		for range t {
			if next == len(t) {
				next = 0
			}
			at := next
			next++
			if t[at].name == key.Str {
				values[at] = value
				continue members
			}
		}
		p.unknownField(key.Str)
	}
	return values
}

// readValues reads what values has found.
func (t fields[T]) readValues(p *parser, values []gjson.Result, to *T) {
	for i := range t {
		t[i].read(p, t[i].name, values[i], to)
	}
}

// value returns the value of the field that has a name.
func (t fields[T]) value(values []gjson.Result, name string) gjson.Result {
	return values[slices.IndexFunc(t, func(f field[T]) bool { return f.name == name })]
}

// What a container has for us: records, under either name, and a vocabulary.
var (
	recordArrays    = []string{"products", "items"}
	containerFields = append(recordArrays[:len(recordArrays):len(recordArrays)], vocabularyField)
)

const vocabularyField = "vocabulary"

// NearestField returns the known field that an unknown field of Parsed.Unknown or Reader.Unknown was probably
// meant to be: its name without the path, of the same object; "" if none is near. A path of one name may
// belong to a record or to a container, since the two are counted together.
func NearestField(path string) string {
	known, name := recordFields.level(path)
	if name == path {
		known = append(known, containerFields...)
	}
	return nearest.Name(strings.Trim(name, `[]"`), known)
}
