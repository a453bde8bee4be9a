package product

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/pretty"
)

// Patterns of strings. They use only syntax that is common to all regular expression languages, and they
// reject only strings that package dataset rejects too.
const (
	visiblePattern = `\S`
	uuidPattern    = `[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`
	addressPattern = `^[Hh][Tt][Tt][Pp][Ss]?://[^\x00-\x20\x7F/?#][^\x00-\x20\x7F]*$`
	localePattern  = `^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$`

	// SlugPattern is the form of a slug.
	SlugPattern = `^[a-z0-9]+(-[a-z0-9]+)*$`

	// DateTimePattern is the form of an RFC 3339 date-time. time.Parse also accepts hours of one digit, a
	// decimal comma and offsets of 24 hours.
	DateTimePattern = `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`
)

// Schema returns the JSON Schema of a source record. It contains every rule of package dataset that a schema
// can express, and accepts every record that the package accepts. Package dataset limits lengths in bytes.
// The schema uses the same limits for lengths in characters.
func Schema() []byte {
	s := fieldsWith(func(f *field) bool { return !f.derived }).schema()
	s.Defs = definitions
	s.Title = "Source record"
	s.Description = "A product as input of sabine build. Null is the same as a missing member. The build reports and " +
		"omits unknown members. " +
		"All known members together have at most " + strconv.Itoa(MaxPublishedBytes>>20) + " MiB."
	body, err := json.Marshal(s)
	if err != nil {
		panic(err) // a bug in this file or in the tables
	}
	return pretty.Pretty([]byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema",` + string(body[1:])))
}

// definitions are the schemas that other schemas refer to, by name.
var definitions = map[string]*jsonschema.Schema{}

// schema returns the schema of an object. Members that are not required accept null.
func (all members[T]) schema() *jsonschema.Schema {
	object := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for i := range all {
		m := &all[i]
		s := *m.schema
		s.Description = m.About
		switch {
		case m.isRequired:
			object.Required = append(object.Required, m.Name)
		case s.Enum != nil:
			s.Enum = append(s.Enum[:len(s.Enum):len(s.Enum)], nil)
		case s.Ref == "":
			allowNull(&s)
		}
		object.Properties[m.Name] = &s
		object.PropertyOrder = append(object.PropertyOrder, m.Name)
	}
	return object
}

func allowNull(s *jsonschema.Schema) {
	if s.Type != "" {
		s.Type, s.Types = "", []string{s.Type}
	}
	s.Types = append(s.Types[:len(s.Types):len(s.Types)], "null")
}

func textSchema(pattern string, maxLength int) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: pattern, MaxLength: &maxLength}
}

// slugSchema returns the schema of a slug that does not match the pattern reserved.
func slugSchema(reserved string) *jsonschema.Schema {
	s := textSchema(SlugPattern, MaxSlugBytes)
	s.Not = &jsonschema.Schema{Type: "string", Pattern: "^(" + reserved + ")$"}
	return s
}

// orText returns the schema of a string or an object.
func orText(text, object *jsonschema.Schema) *jsonschema.Schema {
	s := *object
	s.Type, s.Types = "", []string{"string", "object"}
	s.Pattern, s.MaxLength = text.Pattern, text.MaxLength
	return &s
}

// localizedSchema returns the schema of a German text, or of an object of strings by locale.
func localizedSchema(pattern string, maxLength int) *jsonschema.Schema {
	text := textSchema(pattern, maxLength)
	translation := *text
	allowNull(&translation)
	return orText(text, &jsonschema.Schema{
		Required:             []string{German},
		PatternProperties:    map[string]*jsonschema.Schema{localePattern: &translation},
		AdditionalProperties: &jsonschema.Schema{Type: "null"},
		// separate, because strict validators reject a property that a pattern of the same schema also
		// matches
		AllOf: []*jsonschema.Schema{{Properties: map[string]*jsonschema.Schema{
			German:  {Type: "string", Description: "The German text, required."},
			English: {Description: "The English text."},
		}}},
	})
}

// oneOfSchema returns the schema of a string that must be one of the given words.
func oneOfSchema(words []string) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// frequencyMapSchema adds the schema of a frequency map to definitions and returns a reference to it.
func frequencyMapSchema(name string, bandsHz []int, limit float64) *jsonschema.Schema {
	bands := make([]string, len(bandsHz))
	for i, hz := range bandsHz {
		bands[i] = strconv.Itoa(hz)
	}
	definitions[name] = &jsonschema.Schema{
		Types:         []string{"object", "null"},
		Description:   "Coefficients by the nominal centre frequency of the band in Hz.",
		PropertyNames: oneOfSchema(bands),
		AdditionalProperties: &jsonschema.Schema{Types: []string{"number", "null"}, Minimum: new(MinCoefficient),
			Maximum: &limit},
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// fireClassPattern matches the strings that ParseFireClass accepts.
var fireClassPattern = "^(" + strings.Join(FireClasses, "|") + `)(fl|L)?(-s[1-3](,d[0-2])?|-d2)?$`
