package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/dataset/nearest"
)

// A kind is what an argument's value is in JSON.
type kind uint8

const (
	text  kind = iota
	texts      // an array of texts; a text alone is one of one
	number
	integer
	boolean
	curve    // {"125": 0.8, "250": 0.6}, by octave in Hz
	thirds   // likewise, third octaves too
	surfaces // of a room
	climate  // of its air
)

// An argument is one of a tool: its part of the schema, and which parameter of the API it becomes.
type argument struct {
	name      string
	parameter string // "": the tool itself reads it
	kind      kind
	about     string
	enum      []string
	min, max  float64 // of a number, both inclusive; none when they are equal
	def       string  // in JSON; "" for none
	required  bool
}

// octaves are the keys of a curve.
var octaves = func() (bands []string) {
	for _, hz := range acoustics.OctaveBands {
		bands = append(bands, strconv.Itoa(hz))
	}
	return bands
}()

// schemaOf returns the schema of what a tool takes.
func schemaOf(arguments []argument) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: falseSchema()}
	for i := range arguments {
		a := &arguments[i]
		s.Properties[a.name] = a.schema()
		s.PropertyOrder = append(s.PropertyOrder, a.name)
		if a.required {
			s.Required = append(s.Required, a.name)
		}
	}
	return s
}

// falseSchema is what nothing matches.
func falseSchema() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func (a *argument) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Description: a.about}
	if a.def != "" {
		s.Default = json.RawMessage(a.def)
	}
	var enum []any
	for _, value := range a.enum {
		enum = append(enum, value)
	}
	switch a.kind {
	case text:
		s.Type, s.Enum = "string", enum
	case texts:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "string", Enum: enum}
		if a.required {
			s.MinItems, s.MaxItems = new(int(a.min)), new(int(a.max))
		}
	case number, integer:
		s.Type = map[kind]string{number: "number", integer: "integer"}[a.kind]
		if a.min != a.max {
			s.Minimum, s.Maximum = new(a.min), new(a.max)
		}
	case boolean:
		s.Type = "boolean"
	case curve:
		s.Type, s.AdditionalProperties, s.Properties, s.PropertyOrder = "object", falseSchema(), map[string]*jsonschema.Schema{}, octaves
		for _, band := range octaves {
			s.Properties[band] = &jsonschema.Schema{Type: "number", Minimum: new(-0.1), Maximum: new(2.0)}
		}
	case thirds:
		s.Type, s.AdditionalProperties = "object", &jsonschema.Schema{Type: "number", Minimum: new(-0.1), Maximum: new(2.0)}
	case surfaces:
		s.Type, s.MinItems, s.MaxItems = "array", new(1), new(int(a.max))
		s.Items = schemaOf(surfaceArguments)
	case climate:
		s = schemaOf(climateArguments)
		s.Description = a.about
	}
	return s
}

// What an input is read into: the API's parameters, the values of the arguments that the tool reads itself, and what is wrong.
type input struct {
	arguments []argument
	query     url.Values
	given     map[string]gjson.Result // by argument; what is null or empty is not there
	faults    []string
}

// maxFaults is how many faults a message lists.
const maxFaults = 5

// read reads what a tool was called with. A name that it does not have, and a value of a wrong type, are faults.
func read(raw []byte, arguments []argument) *input {
	in := &input{arguments: arguments, query: url.Values{}, given: map[string]gjson.Result{}}
	object := gjson.ParseBytes(raw)
	switch {
	case len(raw) == 0 || object.Type == gjson.Null:
		object = gjson.Parse("{}")
	case !gjson.ValidBytes(raw) || !utf8.Valid(raw):
		in.fault("expected an object of arguments, got what is no JSON")
		return in
	}
	in.object(object)
	return in
}

func (in *input) fault(format string, values ...any) {
	in.faults = append(in.faults, fmt.Sprintf(format, values...))
}

// err returns what is wrong, nil when nothing is.
func (in *input) err() error {
	if len(in.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(in.faults[:min(len(in.faults), maxFaults)], "; "))
}

// spell names the argument that a parameter of the API comes from.
func (in *input) spell(parameter string) string {
	for i := range in.arguments {
		if in.arguments[i].parameter == parameter {
			return in.arguments[i].name
		}
	}
	return parameter
}

// object reads the members of an object.
func (in *input) object(object gjson.Result) {
	if !object.IsObject() {
		in.fault("expected an object of arguments, got %s", shown(object))
		return
	}
	object.ForEach(func(key, value gjson.Result) bool {
		i := slices.IndexFunc(in.arguments, func(a argument) bool { return a.name == key.Str })
		switch {
		case len(in.faults) >= maxFaults:
			return false
		case i < 0:
			in.fault("there is no argument %s%s", quote(key.Str), meant(key.Str, in.arguments))
		case value.Type == gjson.Null || value.Type == gjson.String && strings.TrimSpace(value.Str) == "":
		default:
			in.value(&in.arguments[i], value)
		}
		return true
	})
	for i := range in.arguments {
		a := &in.arguments[i]
		if _, given := in.given[a.name]; a.required && !given && len(in.faults) < maxFaults {
			in.fault("%s is missing: %s", a.name, a.about)
		}
	}
}

// value reads a value that is there.
func (in *input) value(a *argument, value gjson.Result) {
	in.given[a.name] = value
	values, expected := a.parse(value)
	if expected != "" {
		in.fault("%s: expected %s, got %s", a.name, expected, shown(value))
		return
	}
	if a.parameter != "" {
		in.query[a.parameter] = values
	}
}

// parse returns what the parameter of the API gets, or what was expected when the value is something else.
func (a *argument) parse(value gjson.Result) (values []string, expected string) {
	switch a.kind {
	case text:
		if value.Type == gjson.String && a.takes(value.Str) {
			return []string{value.Str}, ""
		}
		return nil, "a text" + a.allowed()
	case texts:
		items := []gjson.Result{value}
		if value.IsArray() {
			items = value.Array()
		}
		for _, item := range items {
			if item.Type != gjson.String || !a.takes(item.Str) {
				return nil, "a list of texts" + a.allowed()
			}
			values = append(values, item.Str)
		}
		return values, ""
	case number:
		if value.Type == gjson.Number && (a.min == a.max || a.min <= value.Num && value.Num <= a.max) {
			return []string{value.Raw}, ""
		}
		return nil, "a number" + a.bounds()
	case integer:
		if value.Type == gjson.Number && value.Num == math.Trunc(value.Num) && a.min <= value.Num && value.Num <= a.max {
			return []string{strconv.FormatInt(int64(value.Num), 10)}, ""
		}
		return nil, "a whole number" + a.bounds()
	case boolean:
		if value.IsBool() {
			return []string{value.Raw}, ""
		}
		return nil, "true or false"
	case curve, thirds:
		return parseCurve(value)
	case surfaces:
		if value.IsArray() || value.IsObject() {
			return nil, ""
		}
		return nil, `a list of surfaces such as [{"material": "…", "area_m2": 30}]`
	default:
		if value.IsObject() {
			return nil, ""
		}
		return nil, `an object such as {"temperature_c": 20, "humidity_percent": 50}`
	}
}

// parseCurve returns a curve as the API takes it: 125:0.8,250:0.6.
func parseCurve(value gjson.Result) (values []string, expected string) {
	expected = `an object of bands in Hz and coefficients, such as {"125": 0.3, "250": 0.6}`
	if !value.IsObject() {
		return nil, expected
	}
	var bands []string
	whole := true
	value.ForEach(func(band, coefficient gjson.Result) bool {
		whole = whole && coefficient.Type == gjson.Number && band.Str != "" && !strings.ContainsAny(band.Str, ",:")
		bands = append(bands, band.Str+":"+coefficient.Raw)
		return whole
	})
	if !whole {
		return nil, expected
	}
	return []string{strings.Join(bands, ",")}, ""
}

func (a *argument) takes(value string) bool { return a.enum == nil || slices.Contains(a.enum, value) }

// allowed says which texts there may be.
func (a *argument) allowed() string {
	if a.enum == nil {
		return ""
	}
	return ", one of " + strings.Join(a.enum, ", ")
}

// bounds says between what a number may be.
func (a *argument) bounds() string {
	if a.min == a.max {
		return ""
	}
	return fmt.Sprintf(" from %s to %s", short(a.min), short(a.max))
}

// short is a number as people write it.
func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// shown says what a value is, for messages.
func shown(value gjson.Result) string {
	switch {
	case !value.Exists():
		return "nothing"
	case value.Type == gjson.String:
		return "the text " + quote(value.Str)
	default:
		return clip(value.Raw, maxShown)
	}
}

// meant suggests the argument that a name most likely means, and names all.
func meant(name string, arguments []argument) string {
	var names []string
	for i := range arguments {
		names = append(names, arguments[i].name)
	}
	if near := nearest.Name(clip(name, maxShown), names); near != "" {
		return ", the nearest is " + near
	}
	return "; there are " + strings.Join(names, ", ")
}
