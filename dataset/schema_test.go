package dataset

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sabine/dataset/product"
)

// recordSchema is the compiled schema of a source record.
var recordSchema = func() *jsonschema.Schema {
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(product.Schema())))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("record.schema.json", schema); err != nil {
		panic(err)
	}
	return compiler.MustCompile("record.schema.json")
}()

// largeExponent matches numbers that would keep the validator busy for minutes.
var largeExponent = regexp.MustCompile(`(^|[:,[])\s*-?[\d.]+[eE][+-]?\d{4}`)

// refusedBySchema returns the schema error for a text, or nil if the schema accepts the text or the text is
// not JSON.
func refusedBySchema(text string) error {
	if len(text) > maxRecordBytes || largeExponent.MatchString(text) {
		return nil
	}
	record, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil
	}
	return recordSchema.Validate(record)
}

// notInSchema are the rules that are not in the schema: a pattern for the reader's faults, the reason, and
// members that the reader rejects and the schema accepts.
var notInSchema = []struct {
	fault   *regexp.Regexp
	reason  string
	members []string
}{
	{regexp.MustCompile(`invalid JSON`), "a schema applies only to valid JSON", nil},
	{regexp.MustCompile(`duplicate key$`), "validators read the last of two members with the same key",
		[]string{`"slug":"a","slug":"b"`}},
	{regexp.MustCompile(`is out of range for`), "a schema does not know float64", []string{`"x":1e999`}},
	{regexp.MustCompile(`not valid UTF-8$|unpaired surrogate`), "validators read different characters",
		[]string{`"label":"\ud83d"`}},
	{regexp.MustCompile(`more than 100 levels of nesting$`), "a schema cannot count levels",
		[]string{`"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100)}},
	{regexp.MustCompile(`expected at most 2097152 bytes in all fields`), "a schema cannot add lengths",
		[]string{`"structured_meta":{"a":"` + strings.Repeat("a", 1<<20) + `","b":"` + strings.Repeat("b", 1<<20) + `"}`}},
	{regexp.MustCompile(`expected a (string|slug) of at most \d+ bytes, got (1200|9000)$`), "a schema counts characters",
		[]string{`"label":"` + strings.Repeat("é", 600) + `"`, `"url":"http://a/?` + strings.Repeat("木", 2996) + `xy"`}},
	{regexp.MustCompile(`^(label|description|structured_meta|geometry\.exposed_area_m2): expected at most 500 elements$`),
		"members that are null do not count, but a schema would count them",
		[]string{`"structured_meta":{` + list(501, `"k%d":"v"`) + `}`}},
	{regexp.MustCompile(`visible characters.*, got the string "( |\\[tnrf])*([^ "\\]|\\[^tnrf])`),
		"regular expressions differ in their definition of white space", []string{`"label":"\u200b"`, `"manufacturer":{"name":"\u00a0"}`}},
	{regexp.MustCompile(`duplicate language`), "a schema cannot compare keys", []string{`"label":{"de":"A","DE":"A"}`}},
	{regexp.MustCompile(`^label(\.deutsch|\["de-(12345678-12345678|x-.*)"\]): expected a language`),
		"the list of languages is not in the schema", []string{
			`"label":{"de":"A","deutsch":"A"}`, `"label":{"de":"A","de-12345678-12345678":"A"}`, `"label":{"de":"A","de-` +
				strings.Repeat("x-", 60) + `x":"A"}`}},
	{regexp.MustCompile(`2026-02-30|2026-04-31`), "the lengths of months are not in the schema",
		[]string{`"updated_at":"2026-04-31T00:00:00Z"`}},
	{regexp.MustCompile(`in the years 0 to 9999 \(UTC\)`), "a schema cannot compute",
		[]string{`"updated_at":"0000-01-01T00:00:00+01:00"`}},
	{regexp.MustCompile(`http://.*, got the string "http://(:80|a:b|u@|%zz|\[|a\\\\)"$`),
		"the syntax of addresses is not in the schema",
		[]string{`"url":"http://:80"`, `"url":"http://a:b"`, `"url":"http://u@"`, `"url":"http://%zz"`, `"url":"http://["`,
			`"url":"http://a\\"`}},
	{regexp.MustCompile(`a whole number or null, got the number (1e18|9223372036854775808)$`),
		"a schema does not know 64 bits", []string{
			`"images":[{"url":"http://a","display_order":1e18}]`,
			`"images":[{"url":"http://a","display_order":9223372036854775808}]`}},
}

// differsFromSchema describes a difference between the schema and the reader for a record, or returns "".
func differsFromSchema(text string, parsed Parsed) string {
	refused := refusedBySchema(text)
	if refused != nil && len(parsed.Faults) == 0 {
		return fmt.Sprintf("the schema rejects a record that the reader accepts: %.300s: %v", text, refused)
	}
	for _, fault := range texts(parsed.Faults) {
		lacking := false
		for _, rule := range notInSchema {
			lacking = lacking || rule.fault.MatchString(fault)
		}
		if refused == nil && !lacking {
			return fmt.Sprintf("the schema accepts a record that the reader rejects: %.300s: %s", text, fault)
		}
	}
	return ""
}

func TestRulesNotInSchema(t *testing.T) {
	for _, rule := range notInSchema {
		for _, members := range rule.members {
			faults := texts(Parse(Raw{Place: Place{Input: "a.ndjson", Line: 1, Index: -1},
				JSON: []byte(record(members))}).Faults)
			if len(faults) != 1 || !rule.fault.MatchString(faults[0]) {
				t.Errorf("%s: %.100s: got %q, want %s", rule.reason, members, faults, rule.fault)
			}
			if err := refusedBySchema(record(members)); err != nil {
				t.Errorf("%s: %.100s: the schema rejects it too: %v", rule.reason, members, err)
			}
		}
	}
}

// fullRecord has all members of a record.
const fullRecord = `{"id":"` + testID + `","slug":"a-1","published":true,"label":{"de":"A","en":"B"},"commercial_name":"C","description":{"de":"A"},
	"manufacturer":{"id":"` + testID + `","slug":"search","name":"M"},"data_source":"ptb","purchasable":true,"material_category":"holz",
	"absorption_character":"tiefton","installation_types":["wall"],"fire_class":"B-s1,d0","alpha_w":0.5,"alpha_w_min":0.5,"absorption_octave":{"250":0.5},
	"updated_at":"2026-01-31T12:00:00Z","has_epd":true,"url":"http://a","epd_url":"https://a","structured_meta":{"k":"v"},
	"images":[{"id":"i","url":"http://a","filename":"f","display_order":1}],
	"geometry":{"shape":"box","bounding_box_mm":{"width":1,"height":1,"depth":1},"size_variants":[{"label":"s","width":1,"height":1,"depth":1}],
		"exposed_area_m2":{"wall":1}},
	"measurements":{
		"absorption_iso_354":[{"id":"a","label":"A","source_kind":"measured","source_norm":"N","measuring_option":"O","mounting":"E","thickness_mm":1,
			"air_gap_mm":1,"calculated_absorption":1,"alpha_s_octave":{"250":0.5},"alpha_s_third_octave":{"250":0.5}}],
		"scatter_iso_17497_1":[{"id":"a","label":"A","source_kind":"measured","source_norm":"N","measuring_option":"O",
			"scatter_octave":{"250":0.5},"scatter_third_octave":{"250":0.5}}],
		"diffusion_iso_17497_2":[{"id":"a","label":"A","source_kind":"measured","source_norm":"N","measuring_option":"O","limit_frequency_hz":1,
			"directional_diffusion_octave":{"250":0.5},"directional_diffusion_third_octave":{"250":0.5},
			"normalized_directional_diffusion_octave":{"250":0.5},"normalized_directional_diffusion_third_octave":{"250":0.5},
			"diffusion_octave":{"250":0.5},"diffusion_third_octave":{"250":0.5},
			"normalized_diffusion_octave":{"250":0.5},"normalized_diffusion_third_octave":{"250":0.5}}]}}`

// TestSchemaAndReaderAgree replaces each value in a record with other values, and removes each member. The
// other tests of the reader check the limits in the same way (see parseText).
func TestSchemaAndReaderAgree(t *testing.T) {
	t.Parallel()
	values := []string{`null`, `true`, `0`, `-0.05`, `-0.11`, `0.5`, `1.2`, `1.21`, `2`, `2.01`, `3.0`, `1e9`, `1.1e9`,
		`""`, `" \t\n"`, `"x"`, `"X y"`, `"search"`,
		`"measured"`, `"simulated"`, `"panel"`, `"manufacturer"`, `"A1"`, `"Bfl-s1"`, `"A1-s4"`, `"FTP://a"`,
		`"HTTP://ä/?q#f"`, `"https://a\u007f"`, `"http:// a"`, `"http://?a"`,
		`"` + strings.ToUpper(testID) + `"`, `"2026-01-31t12:00:00.5+01:00"`, `"2026-13-01T00:00:00Z"`,
		`"2026-01-31T24:00:00Z"`,
		`"` + strings.Repeat("x", 200) + `"`, `"` + strings.Repeat("x", 201) + `"`, `"` + strings.Repeat("é", 1001) + `"`,
		`[]`, `[null]`, `[""]`, `["a","a"]`, `[{}]`,
		`{}`, `{"a":null}`, `{"":1}`, `{" ":null}`, `{"de":"x","fr":null,"?":null}`, `{"de":null}`, `{"de":"x","x_y":"y"}`,
		`{"63":1,"8000":null}`, `{"50":1}`, `{"063":1}`,
		`{"name":"n"}`, `{"` + strings.Repeat("k", 1001) + `":null}`, `{"k":[]}`}
	var full any
	if err := json.Unmarshal([]byte(fullRecord), &full); err != nil {
		t.Fatal(err)
	}
	accepted, refused := 0, 0
	judge := func(rule string) {
		text, err := json.Marshal(full)
		if err != nil {
			t.Fatal(err)
		}
		parsed := Parse(Raw{JSON: text})
		if problem := differsFromSchema(string(text), parsed); problem != "" {
			t.Errorf("%s: %s", rule, problem)
		}
		if len(parsed.Faults) > 0 {
			refused++
		} else {
			accepted++
		}
	}
	judge("the full record")
	if refused > 0 {
		t.Fatal("the full record has faults")
	}
	var walk func(path string, value any, set func(any))
	walk = func(path string, value any, set func(any)) {
		for _, other := range values {
			set(json.RawMessage(other))
			judge(path + ": " + other)
		}
		set(value)
		switch value := value.(type) {
		case map[string]any:
			for key, inner := range maps.Clone(value) {
				delete(value, key)
				judge(path + " without " + key)
				walk(path+"."+key, inner, func(v any) { value[key] = v })
			}
		case []any:
			walk(path+"[]", value[0], func(v any) { value[0] = v })
		}
	}
	walk("", full, func(v any) { full = v })
	if accepted < 1000 || refused < 1000 {
		t.Errorf("accepted %d records and rejected %d: want more than 1000 each", accepted, refused)
	}
}

// TestSchemaAndReaderKnowTheSameFields compares the fields of schema, reader and fullRecord.
func TestSchemaAndReaderKnowTheSameFields(t *testing.T) {
	var inReader, inSchema, inRecord []string
	var walkReader func(object string)
	walkReader = func(object string) {
		names, _ := recordFields.level(object + "?")
		for _, name := range names {
			inReader = append(inReader, object+name)
			if _, last := recordFields.level(object + name + ".?"); last == "?" {
				walkReader(object + name + ".")
			}
		}
	}
	walkReader("")
	var walkSchema func(object string, schema *jsonschema.Schema)
	walkSchema = func(object string, schema *jsonschema.Schema) {
		if schema.Items2020 != nil {
			schema = schema.Items2020
		}
		for name, inner := range schema.Properties {
			if len(schema.PatternProperties) > 0 { // a Text in several languages
				continue
			}
			inSchema = append(inSchema, object+name)
			walkSchema(object+name+".", inner)
			if inner.Description == "" {
				t.Errorf("%s has no description", object+name)
			}
		}
	}
	walkSchema("", recordSchema)
	var walkRecord func(object string, value any)
	walkRecord = func(object string, value any) {
		if list, ok := value.([]any); ok {
			value = list[0]
		}
		members, _ := value.(map[string]any)
		for name, inner := range members {
			inRecord = append(inRecord, object+name)
			walkRecord(object+name+".", inner)
		}
	}
	var full any
	if err := json.Unmarshal([]byte(fullRecord), &full); err != nil {
		t.Fatal(err)
	}
	walkRecord("", full)
	slices.Sort(inReader)
	slices.Sort(inSchema)
	if !slices.Equal(inReader, inSchema) {
		t.Errorf("the reader knows  %q\nthe schema knows %q", inReader, inSchema)
	}
	for _, name := range inReader {
		if !slices.Contains(inRecord, name) {
			t.Errorf("fullRecord lacks %s", name)
		}
	}
}
