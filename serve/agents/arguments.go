package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"sabine/dataset/acoustics"
	"sabine/dataset/nearest"
	"sabine/dataset/product"
	"sabine/runtime"
)

// A curve contains coefficients by band in Hz.
type curve map[string]float64

// String returns a curve in the syntax of the API: 125:0.8,250:0.6.
func (c curve) String() string {
	var bands []string
	for _, band := range slices.Sorted(maps.Keys(c)) {
		bands = append(bands, band+":"+short(c[band]))
	}
	return strings.Join(bands, ",")
}

// enums contains the allowed values of arguments, by the value of their struct tag enum.
var enums = map[string][]string{
	"languages":          {"de", "en"},
	"fire classes":       product.FireClasses,
	"absorption classes": acoustics.Classes,
	"source kinds":       product.SourceKinds,
	"product sorts":      productSorts,
	"sorts":              runtime.SortNames(),
	"uses":               acoustics.DIN18041Names(),
	"building surfaces":  acoustics.BuildingSurfaceNames(),
	"objects":            acoustics.RoomObjectNames(),
}

// applyTags adds the struct tags of a type's fields to its schema: limits contains the minimum and the
// maximum of a number, enum names an entry in enums, and default is a JSON value. For a list, limits and enum
// apply to the items. Lists and inputs cannot be null; see normalize.
func applyTags(s *jsonschema.Schema, t reflect.Type, isInput bool) {
	if len(s.Types) == 2 && (isInput || s.Types[1] == "array") {
		s.Type, s.Types = s.Types[1], nil
	}
	if s.Items != nil {
		s, t = s.Items, t.Elem()
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil {
			continue // an embedded struct, whose fields are also visible fields
		}
		applyTags(p, f.Type, isInput)
		if text, ok := f.Tag.Lookup("default"); ok {
			p.Default = json.RawMessage(text)
		}
		p = cmp.Or(p.Items, p)
		var minimum, maximum float64
		if n, _ := fmt.Sscan(f.Tag.Get("limits"), &minimum, &maximum); n == 2 {
			p.Minimum, p.Maximum = &minimum, &maximum
		}
		for _, text := range enums[f.Tag.Get("enum")] {
			p.Enum = append(p.Enum, text)
		}
	}
}

// parametersOf converts a tool's arguments to parameters of the API. argumentOf returns the argument for a
// parameter, for error messages. The parameter has the same name as the argument, unless the argument's
// struct tag parameter contains another name, or - for no parameter.
func parametersOf(arguments any) (query url.Values, argumentOf func(parameter string) string) {
	query, names := url.Values{}, map[string]string{}
	fields := reflect.ValueOf(arguments)
	for _, f := range reflect.VisibleFields(fields.Type()) {
		name, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
		parameter := cmp.Or(f.Tag.Get("parameter"), name)
		names[parameter] = name
		switch v := fields.FieldByIndex(f.Index); {
		case parameter == "": // an embedded struct, whose fields are also visible fields
		case parameter == "-" || v.IsZero() && optional != "":
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				query.Add(parameter, fmt.Sprint(v.Index(i)))
			}
		case reflect.Indirect(v).CanFloat():
			query.Set(parameter, short(reflect.Indirect(v).Float()))
		default:
			query.Set(parameter, fmt.Sprint(reflect.Indirect(v)))
		}
	}
	return query, func(parameter string) string { return cmp.Or(names[parameter], parameter) }
}

// short formats a number with the fewest digits and without an exponent.
func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// normalize changes an object of arguments to fit its schema: it removes null and blank values, and replaces
// a single value by a list if the schema requires a list. It returns an error for an unknown argument.
func normalize(object map[string]any, s *jsonschema.Schema) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value, property := object[name], cmp.Or(s.Properties[name], s.AdditionalProperties)
		text, isText := value.(string)
		list, isList := value.([]any)
		switch {
		case s.Properties != nil && s.Properties[name] == nil:
			return fmt.Errorf("unknown argument %s%s", quote(name), suggestion(name, s.PropertyOrder))
		case value == nil || isText && strings.TrimSpace(text) == "":
			delete(object, name)
			continue
		case property == nil: // the schema does not allow an object here; validation reports the error
			continue
		case !isList:
			list = []any{value}
		}
		if property.Type == "array" {
			object[name], property = list, property.Items
		}
		for _, item := range list {
			if inner, ok := item.(map[string]any); ok {
				if err := normalize(inner, property); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}

// suggestion names the argument that is most similar to the given name, or lists all arguments.
func suggestion(name string, names []string) string {
	if near := nearest.Name(clip(name, maxShown), names); near != "" {
		return "; the nearest is " + near
	}
	return "; the arguments are " + strings.Join(names, ", ")
}
