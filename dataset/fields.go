package dataset

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/nearest"
)

// A field is a member of an object in the record format, with the function that reads it into a T. A missing
// member is read as null.
type field[T any] struct {
	name   string
	read   func(p *parser, name string, v gjson.Result, to *T)
	nested nestedFields // fields of the nested object or of the objects in a nested array; otherwise nil
}

// into returns a field that reads its value with read and stores it at the address that ptr returns.
func into[T, V any](name string, read func(*parser, string, gjson.Result) V, ptr func(*T) *V) field[T] {
	return field[T]{name: name, read: func(p *parser, name string, v gjson.Result, to *T) {
		*ptr(to) = read(p, name, v)
	}}
}

// intoDefault is like into for a string with a default value. A null does not change the default value.
func intoDefault[T any](name string, read func(*parser, string, gjson.Result) *string, ptr func(*T) *string) field[T] {
	return field[T]{name: name, read: func(p *parser, name string, v gjson.Result, to *T) {
		setText(ptr(to), read(p, name, v))
	}}
}

func (f field[T]) nesting(nested nestedFields) field[T] {
	f.nested = nested
	return f
}

// fields are the members of an object, in the order in which they are read and their faults are reported.
type fields[T any] []field[T]

// nestedFields is implemented by fields[T] for every T.
type nestedFields interface {
	// level splits off the last step of a path, and returns the names of all fields of its object.
	level(path string) (names []string, last string)
}

func (t fields[T]) level(path string) (names []string, last string) {
	for i := range t {
		rest, ok := strings.CutPrefix(path, t[i].name)
		if ok && t[i].nested != nil && rest != "" && strings.ContainsAny(rest[:1], ".[") {
			return t[i].nested.level(strings.TrimPrefix(rest, "."))
		}
		names = append(names, t[i].name)
	}
	return names, path
}

// read reads an object.
func (t fields[T]) read(p *parser, object gjson.Result, to *T) {
	t.readValues(p, t.values(p, object), to)
}

// readObject reads a member that is an object, and reports whether it is one. It records a fault if the
// member is neither an object nor null.
func (t fields[T]) readObject(p *parser, name string, v gjson.Result, expected string, to *T) bool {
	if !p.object(name, v, expected) {
		return false
	}
	p.enter(member(name))
	t.read(p, v, to)
	p.leave()
	return true
}

// values returns the value of each field of an object, in the order of the fields. The value of a missing
// member is null. Other members are recorded as unknown.
func (t fields[T]) values(p *parser, object gjson.Result) []gjson.Result {
	values := make([]gjson.Result, len(t))
	next := 0 // start of the search for the next member; most records use the same order
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

// readValues reads the values of an object, which are in the order of the fields.
func (t fields[T]) readValues(p *parser, values []gjson.Result, to *T) {
	for i := range t {
		t[i].read(p, t[i].name, values[i], to)
	}
}

// value returns the value of the field with the given name.
func (t fields[T]) value(values []gjson.Result, name string) gjson.Result {
	return values[slices.IndexFunc(t, func(f field[T]) bool { return f.name == name })]
}

// The known members of a container: two names for the array of records, and a vocabulary.
var (
	recordArrays    = []string{"products", "items"}
	containerFields = append(recordArrays[:len(recordArrays):len(recordArrays)], vocabularyField)
)

const vocabularyField = "vocabulary"

// NearestField returns the known field of the same object whose name is similar to the last name of path, or
// "" if there is none. The path is from Parsed.Unknown or Reader.Unknown. Both are counted together, so a
// path of one name can refer to a member of a record or of a container.
func NearestField(path string) string {
	known, name := recordFields.level(path)
	if name == path {
		known = append(known, containerFields...)
	}
	return nearest.Name(strings.Trim(name, `[]"`), known)
}
