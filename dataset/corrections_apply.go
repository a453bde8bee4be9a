package dataset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
)

// A newValue replaces a field or a member of a field.
type newValue struct {
	field      string
	whole      bool   // whether the value replaces the whole field
	member     string // name or language whose value is replaced, unless whole; it can be empty
	json       string
	correction int // index in Corrections.all
}

// mergedFields are the fields in which a correction replaces single members.
var mergedFields = []string{"label", "description", "structured_meta"}

// newValues returns the values of a correction. byID is true if the correction refers to a product by id: its
// manufacturer is then a new value and not a part of the reference.
func newValues(record gjson.Result, byID bool, correction int) (all []newValue) {
	for name, v := range record.ForEach {
		field := name.Str
		switch {
		case field == "id", field == "manufacturer" && !byID:
		case field == "measurements" && !hasEntry(v):
		case !slices.Contains(mergedFields, field) || isNull(v):
			all = append(all, newValue{field, true, "", v.Raw, correction})
		case v.Type == gjson.String: // only in a label or a description
			all = append(all, newValue{field, false, product.German, v.Raw, correction})
		default:
			for member, value := range v.ForEach {
				all = append(all, newValue{field, false, member.Str, value.Raw, correction})
			}
		}
	}
	return all
}

// hasEntry reports whether measurements contain an entry for any standard.
func hasEntry(measurements gjson.Result) bool {
	for _, list := range measurements.ForEach {
		if list.Get("0").Exists() {
			return true
		}
	}
	return false
}

// Corrected is the effect of the corrections on a record.
type Corrected struct {
	Fields int     // number of fields whose values changed
	Faults []Fault // corrections that contradict each other
	At     string  // locations of the corrections, or "" if there are none

	by []int // indexes of the corrections
}

// Parse is like the function Parse, but corrects the record first. It is safe for concurrent use. A nil
// Corrections changes nothing.
func (c *Corrections) Parse(raw Raw) (Parsed, Corrected) {
	before := Parse(raw)
	original := cmp.Or(before.Product, before.Faulty)
	if c == nil || original == nil {
		return before, Corrected{}
	}
	record := gjson.ParseBytes(raw.JSON)
	var done Corrected
	for _, key := range keyOf(record).lookups() {
		done.by = append(done.by, c.byKey[key]...)
	}
	if len(done.by) == 0 {
		return before, done
	}
	var values []newValue
	var at []string
	values, done.Faults = c.mergeValues(done.by)
	for i := range done.Faults {
		done.Faults[i].Record, done.Faults[i].Place.Ordinal = idText(original.ID), raw.Place.Ordinal
	}
	for _, i := range done.by {
		at = append(at, c.all[i].place.String())
	}
	slices.Sort(at)
	done.At = strings.Join(at, ", ")
	// An export contains only the name of a manufacturer. An unchanged name must not remove slug and id.
	values = slices.DeleteFunc(values, func(v newValue) bool {
		name := gjson.Parse(v.json)
		return v.field == "manufacturer" && name.Type == gjson.String && name.Str == original.Manufacturer.Name
	})
	raw.JSON = replaceValues(record, values)
	after := Parse(raw)
	done.Fields = changedFields(original, cmp.Or(after.Product, after.Faulty), values)
	return after, done
}

// changedFields counts the fields with new values in which two products differ.
func changedFields(before, after *product.Product, values []newValue) (fields int) {
	last := ""
	for _, path := range product.Differences(before, after) {
		field, _, _ := strings.Cut(path, ".")
		given := slices.ContainsFunc(values, func(v newValue) bool { return v.field == field })
		if given && (field != "manufacturer" || field != last) { // name, slug and id count as one field
			fields++
		}
		last = field
	}
	return fields
}

// mergeValues merges the values from several corrections of a product, and reports contradictions.
func (c *Corrections) mergeValues(by []int) (values []newValue, faults []Fault) {
	var all []newValue
	for _, i := range by {
		all = append(all, c.all[i].values...)
	}
	slices.SortStableFunc(all, compareValues)
	for _, v := range all {
		var last *newValue // nil before the first value
		if n := len(values); n > 0 {
			last = &values[n-1]
		}
		switch {
		case last == nil || v.field != last.field || !last.whole && v.member != last.member:
			values = append(values, v)
		case v.whole != last.whole || canonical(v.json) != canonical(last.json): // also a field and one of its members
			at := path{member(v.field)}
			if !v.whole {
				at = append(at, member(v.member))
			}
			problem := "conflicting values: " + shortened(v.json) + " here and " + shortened(last.json) + " in " +
				c.all[last.correction].place.String()
			faults = append(faults, Fault{Place: c.all[v.correction].place, Path: at.String(), Whole: true, Problem: problem})
		}
	}
	return values, faults
}

// compareValues orders values by field and member. The whole field precedes its members.
func compareValues(a, b newValue) int {
	rank := func(v newValue) int {
		if v.whole {
			return 0
		}
		return 1
	}
	return cmp.Or(strings.Compare(a.field, b.field), rank(a)-rank(b), strings.Compare(a.member, b.member),
		strings.Compare(a.json, b.json))
}

// canonical returns the canonical JSON of a value.
func canonical(text string) string {
	v := jsontext.Value(text)
	if v.Canonicalize() != nil {
		return text
	}
	return string(v)
}

// replaceValues returns the record with new values. The values must be in the order of compareValues.
func replaceValues(record gjson.Result, values []newValue) []byte {
	var j jsonwriter.Text
	left := slices.Clone(values)
	take := func(field string) (values []newValue) { // removes the values of a field from left
		left = slices.DeleteFunc(left, func(v newValue) bool {
			if v.field == field {
				values = append(values, v)
			}
			return v.field == field
		})
		return values
	}
	j.Object(func() {
		for key, old := range record.ForEach {
			if values := take(key.Str); len(values) > 0 {
				writeField(&j, old, values)
			} else {
				j.Key(key.Str).Raw([]byte(old.Raw))
			}
		}
		for len(left) > 0 { // fields that the record lacks
			writeField(&j, gjson.Result{}, take(left[0].field))
		}
	})
	return j.Bytes()
}

// writeField writes a field with values that replace the whole field or single members.
func writeField(j *jsonwriter.Text, old gjson.Result, values []newValue) {
	field := values[0].field
	j.Key(field)
	switch {
	case values[0].whole:
		j.Raw([]byte(values[0].json))
		return
	case old.Type == gjson.String && field != "structured_meta": // a plain text is German
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
