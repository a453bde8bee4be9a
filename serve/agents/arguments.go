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

// A curve is coefficients by band in Hz.
type curve map[string]float64

// String returns a curve as the API takes it: 125:0.8,250:0.6.
func (c curve) String() string {
	var bands []string
	for _, band := range slices.Sorted(maps.Keys(c)) {
		bands = append(bands, band+":"+short(c[band]))
	}
	return strings.Join(bands, ",")
}

// lists are the texts that an argument may be, by what its tag of says.
var lists = map[string][]string{
	"languages":          {"de", "en"},
	"fire classes":       product.FireClasses,
	"absorption classes": acoustics.Classes,
	"source kinds":       product.SourceKinds,
	"product sorts":      sorts,
	"sorts":              runtime.SortNames(),
	"uses":               acoustics.DIN18041Names(),
	"building surfaces":  acoustics.BuildingSurfaceNames(),
	"objects":            acoustics.RoomObjectNames(),
}

// complete adds to the schema of a type what the tags of its fields say: limits, the least and the most of a
// number; of, the list that a text is of; and default. Those of a list are of its items. A list is never
// null, and no input is, see tidy.
func complete(s *jsonschema.Schema, t reflect.Type, isInput bool) {
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
			continue // an embedded struct, whose fields come too
		}
		complete(p, f.Type, isInput)
		if text, ok := f.Tag.Lookup("default"); ok {
			p.Default = json.RawMessage(text)
		}
		p = cmp.Or(p.Items, p)
		var least, most float64
		if n, _ := fmt.Sscan(f.Tag.Get("limits"), &least, &most); n == 2 {
			p.Minimum, p.Maximum = &least, &most
		}
		for _, text := range lists[f.Tag.Get("of")] {
			p.Enum = append(p.Enum, text)
		}
	}
}

// parametersOf returns the parameters of the API that a tool's arguments become, and how faults of the
// parameters name the arguments. An argument becomes the parameter of its name, unless the tag parameter
// names another, or - for none.
func parametersOf(arguments any) (query url.Values, spell func(parameter string) string) {
	query, names := url.Values{}, map[string]string{}
	of := reflect.ValueOf(arguments)
	for _, f := range reflect.VisibleFields(of.Type()) {
		name, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
		parameter := cmp.Or(f.Tag.Get("parameter"), name)
		names[parameter] = name
		switch v := of.FieldByIndex(f.Index); {
		case parameter == "" || parameter == "-" || v.IsZero() && optional != "":
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

// short is a number as people write it.
func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// tidy makes an object of arguments as its schema wants it: what is null or blank is not there, and a value
// alone is a list of one. An argument that there is not is an error.
func tidy(object map[string]any, s *jsonschema.Schema) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value, of := object[name], cmp.Or(s.Properties[name], s.AdditionalProperties)
		text, isText := value.(string)
		list, isList := value.([]any)
		switch {
		case s.Properties != nil && s.Properties[name] == nil:
			return fmt.Errorf("there is no argument %s%s", quote(name), meant(name, s.PropertyOrder))
		case value == nil || isText && strings.TrimSpace(text) == "":
			delete(object, name)
			continue
		case of == nil: // the object stands for something else, such as a text
			continue
		case !isList:
			list = []any{value}
		}
		if of.Type == "array" {
			object[name], of = list, of.Items
		}
		for _, item := range list {
			if inner, ok := item.(map[string]any); ok {
				if err := tidy(inner, of); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}

// meant suggests the argument that a name most likely means, or names all.
func meant(name string, names []string) string {
	if near := nearest.Name(clip(name, maxShown), names); near != "" {
		return ", the nearest is " + near
	}
	return "; there are " + strings.Join(names, ", ")
}
