package dataset

import (
	"cmp"
	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"
)

// A newValue replaces a field, or one member of it.
type newValue struct {
	field, member string // member is "" for the field as a whole
	json          string
	of            int // the index of the correction
}

// inMembers are the fields that are replaced member by member.
var inMembers = []string{"label", "description", "structured_meta"}

// newValues returns what a correction replaces.
func newValues(record gjson.Result, byID bool, of int) (all []newValue) {
	for name, v := range record.ForEach {
		field := name.Str
		switch {
		case field == "id", field == "manufacturer" && !byID:
		case field == "measurements" && !hasEntry(v):
		case !slices.Contains(inMembers, field) || isNull(v):
			all = append(all, newValue{field, "", v.Raw, of})
		case v.Type == gjson.String:
			all = append(all, newValue{field, product.German, v.Raw, of})
		default:
			for member, value := range v.ForEach {
				all = append(all, newValue{field, member.Str, value.Raw, of})
			}
		}
	}
	return all
}

// hasEntry reports whether measurements have an entry of any standard.
func hasEntry(measurements gjson.Result) bool {
	for _, list := range measurements.ForEach {
		if list.Get("0").Exists() {
			return true
		}
	}
	return false
}

// Corrected is what the corrections did to a record.
type Corrected struct {
	Fields int     // whose values changed; one that had the value already does not count
	Faults []Fault // corrections that contradict each other
	At     string  // the places of the corrections of the product, "" for none

	by []int // these corrections
}

// Parse is the function Parse, of a record after it was corrected. It is safe for concurrent use; nil are no
// corrections.
func (c *Corrections) Parse(raw Raw) (Parsed, Corrected) {
	before := Parse(raw)
	was := cmp.Or(before.Product, before.Faulty)
	if c == nil || was == nil {
		return before, Corrected{}
	}
	record := gjson.ParseBytes(raw.JSON)
	var done Corrected
	for _, key := range keyOf(record).lookups() {
		done.by = append(done.by, c.about[key]...)
	}
	if len(done.by) == 0 {
		return before, done
	}
	var values []newValue
	var at []string
	values, done.Faults = c.valuesOf(done.by)
	for i := range done.Faults {
		done.Faults[i].Record, done.Faults[i].Place.Ordinal = idText(was.ID), raw.Place.Ordinal
	}
	for _, i := range done.by {
		at = append(at, c.all[i].place.String())
	}
	slices.Sort(at)
	done.At = strings.Join(at, ", ")
	values = slices.DeleteFunc(values, func(v newValue) bool { // an export has the name, without slug and id
		name := gjson.Parse(v.json)
		return v.field == "manufacturer" && name.Type == gjson.String && name.Str == was.Manufacturer.Name
	})
	raw.JSON = replaced(record, values)
	after := Parse(raw)
	done.Fields = changed(was, cmp.Or(after.Product, after.Faulty), values)
	return after, done
}

// changed counts the fields that have new values and in which two products differ.
func changed(was, is *product.Product, values []newValue) (fields int) {
	last := ""
	for _, path := range product.Differences(was, is) {
		field, _, _ := strings.Cut(path, ".")
		given := slices.ContainsFunc(values, func(v newValue) bool { return v.field == field })
		if given && (field != "manufacturer" || field != last) { // its name, slug and id are one field
			fields++
		}
		last = field
	}
	return fields
}

// valuesOf returns what several corrections of one product give together, and where they contradict each
// other.
func (c *Corrections) valuesOf(by []int) (values []newValue, faults []Fault) {
	var all []newValue
	for _, i := range by {
		all = append(all, c.all[i].values...)
	}
	slices.SortStableFunc(all, func(a, b newValue) int {
		return cmp.Or(strings.Compare(a.field, b.field), strings.Compare(a.member, b.member), strings.Compare(a.json, b.json))
	})
	for _, v := range all {
		last := newValue{}
		if len(values) > 0 {
			last = values[len(values)-1]
		}
		switch {
		case v.field != last.field || v.member != last.member && last.member != "":
			values = append(values, v)
		case v.member != last.member || canonical(v.json) != canonical(last.json):
			at := path{member(v.field)}
			if v.member != "" {
				at = append(at, member(v.member))
			}
			problem := "conflicting values: " + shortened(v.json) + " here and " + shortened(last.json) + " in " +
				c.all[last.of].place.String()
			faults = append(faults, Fault{Place: c.all[v.of].place, Path: at.String(), Whole: true, Problem: problem})
		}
	}
	return values, faults
}

// canonical returns the one form that all JSON texts of a value have.
func canonical(text string) string {
	v := jsontext.Value(text)
	if v.Canonicalize() != nil {
		return text
	}
	return string(v)
}

// replaced returns a record with other values, which are in the order of fields and members.
func replaced(record gjson.Result, values []newValue) []byte {
	var j jsonwriter.Text
	left := slices.Clone(values)
	j.Object(func() {
		for key, old := range record.ForEach {
			begin, end := valuesIn(left, key.Str)
			if begin == end {
				j.Key(key.Str).Raw([]byte(old.Raw))
				continue
			}
			writeField(&j, old, left[begin:end])
			left = slices.Delete(left, begin, end)
		}
		for len(left) > 0 {
			_, end := valuesIn(left, left[0].field)
			writeField(&j, gjson.Result{}, left[:end])
			left = left[end:]
		}
	})
	return j.Bytes()
}

// valuesIn returns where the values of a field are.
func valuesIn(values []newValue, field string) (begin, end int) {
	for begin < len(values) && values[begin].field < field {
		begin++
	}
	for end = begin; end < len(values) && values[end].field == field; end++ {
	}
	return begin, end
}

// writeField writes a field with the values that replace it or its members.
func writeField(j *jsonwriter.Text, old gjson.Result, values []newValue) {
	field := values[0].field
	j.Key(field)
	switch {
	case values[0].member == "":
		j.Raw([]byte(values[0].json))
		return
	case old.Type == gjson.String: // a text is the German one
		old = gjson.Result{Type: gjson.JSON, Raw: `{"` + product.German + `":` + old.Raw + `}`}
	case !old.IsObject():
		old = gjson.Result{}
	}
	same := func(a, b string) bool { return a == b || field != "structured_meta" && strings.EqualFold(a, b) }
	j.Object(func() {
		left := slices.Clone(values)
		for key, value := range old.ForEach {
			text := value.Raw
			if i := slices.IndexFunc(left, func(v newValue) bool { return same(v.member, key.Str) }); i >= 0 {
				text = left[i].json
				left = slices.Delete(left, i, i+1)
			}
			j.Key(key.Str).Raw([]byte(text))
		}
		for _, v := range left {
			j.Key(v.member).Raw([]byte(v.json))
		}
	})
}
