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
	one, other := newWriter(), newWriter()
	for i := range fields {
		f := &fields[i]
		if f.part == inViews {
			continue
		}
		one.Reset()
		other.Reset()
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
