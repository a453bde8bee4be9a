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

// The types of arguments that have limits, see argumentTypes.
type (
	rating          float64 // a weighted absorption
	millimetres     float64
	extent          float64 // m³ or m²
	seconds         float64
	celsius         float64
	percent         float64
	index           int // of an entry
	start           int // a page or an entry to begin with
	pageLength      int
	language        string
	fireClass       string
	absorptionClass string
	sourceKind      string
	productSort     string
	setUpSort       string
	use             string             // of a room, in DIN 18041
	octaves         map[string]float64 // coefficients by octave in Hz
	thirds          map[string]float64 // likewise, third octaves too
	comparedIDs     []string
)

// argumentTypes are the limits of arguments.
var argumentTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[rating]():          within("number", 0, 1),
	reflect.TypeFor[millimetres]():     within("number", 0, 1e4),
	reflect.TypeFor[extent]():          within("number", 0, 1e9),
	reflect.TypeFor[seconds]():         within("number", 0.001, 1000),
	reflect.TypeFor[celsius]():         within("number", acoustics.MinTemperatureC, acoustics.MaxTemperatureC),
	reflect.TypeFor[percent]():         within("number", acoustics.MinHumidityPercent, acoustics.MaxHumidityPercent),
	reflect.TypeFor[index]():           within("integer", 0, 1e6),
	reflect.TypeFor[start]():           {Type: "integer", Minimum: new(0.0), Maximum: new(1e6), Default: json.RawMessage("0")},
	reflect.TypeFor[pageLength]():      {Type: "integer", Minimum: new(1.0), Maximum: new(20.0), Default: json.RawMessage("10")},
	reflect.TypeFor[language]():        {Type: "string", Enum: []any{"de", "en"}, Default: json.RawMessage(`"en"`)},
	reflect.TypeFor[fireClass]():       oneOf(product.FireClasses),
	reflect.TypeFor[absorptionClass](): oneOf(acoustics.Classes),
	reflect.TypeFor[sourceKind]():      oneOf(product.SourceKinds),
	reflect.TypeFor[productSort]():     oneOf(sorts),
	reflect.TypeFor[setUpSort]():       oneOf(runtime.SortNames()),
	reflect.TypeFor[use]():             oneOf(uses()),
	reflect.TypeFor[octaves]():         curveOf(`^(63|125|250|500|1000|2000|4000|8000)$`),
	reflect.TypeFor[thirds]():          curveOf(`^[0-9.]+$`),
	reflect.TypeFor[comparedIDs]():     {Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: new(2), MaxItems: new(maxCompared)},
}

func within(kind string, least, most float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: kind, Minimum: &least, Maximum: &most}
}

func oneOf(values []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, value := range values {
		s.Enum = append(s.Enum, value)
	}
	return s
}

// curveOf returns the schema of coefficients by band, whose names match a pattern.
func curveOf(bands string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", AdditionalProperties: within("number", -0.1, 2), PropertyNames: &jsonschema.Schema{Pattern: bands},
	}
}

// String returns a curve as the API takes it: 125:0.8,250:0.6.
func (c octaves) String() string { return curveText(c) }
func (c thirds) String() string  { return curveText(c) }

func curveText(curve map[string]float64) string {
	var bands []string
	for _, band := range slices.Sorted(maps.Keys(curve)) {
		bands = append(bands, band+":"+short(curve[band]))
	}
	return strings.Join(bands, ",")
}

// parametersOf returns the parameters of the API that a tool's arguments become, as the tag parameter of each
// says, and how faults of the parameters name the arguments.
func parametersOf(arguments any) (query url.Values, spell func(parameter string) string) {
	query, names := url.Values{}, map[string]string{}
	of := reflect.ValueOf(arguments)
	for _, f := range reflect.VisibleFields(of.Type()) {
		parameter, ok := f.Tag.Lookup("parameter")
		if !ok {
			continue
		}
		name, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
		names[parameter] = name
		switch v := of.FieldByIndex(f.Index); {
		case v.IsZero() && optional != "":
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
