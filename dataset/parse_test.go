package dataset

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// parseText parses a record as the first line of a.ndjson. It verifies that the JSON Schema agrees with
// Parse.
func parseText(text string) Parsed {
	parsed := Parse(Raw{Place: Place{Input: "a.ndjson", Line: 1, Index: -1}, JSON: []byte(text)})
	if problem := differsFromSchema(text, parsed); problem != "" {
		panic(problem)
	}
	return parsed
}

// texts returns faults or warnings as text, without place and product.
func texts(found []Fault) (texts []string) {
	for i := range found {
		text := strings.TrimPrefix(found[i].Error(), "a.ndjson:1: ")
		texts = append(texts, strings.TrimPrefix(text, "product "+testID+": "))
	}
	return texts
}

const testID = "0b6f0d1e-0000-4000-8000-000000000001"

// record returns a record with id, label, manufacturer and the members in more, which override them.
func record(more string) string {
	members := ""
	for _, member := range []string{`"id":"` + testID + `"`, `"label":"A"`, `"manufacturer":"Acme"`} {
		if name, _, _ := strings.Cut(member, ":"); !strings.HasPrefix(more, name) {
			members += member + ","
		}
	}
	return "{" + strings.TrimSuffix(members+more, ",") + "}"
}

func TestFaults(t *testing.T) {
	absorption := func(entry string) string { return `"measurements":{"absorption_iso_354":[` + entry + `]}` }
	octave := func(bands string) string {
		return absorption(`{"source_kind":"measured","alpha_s_octave":{` + bands + `}}`)
	}
	geometry := func(members string) string { return `"geometry":{` + members + `}` }
	const box = `"bounding_box_mm":{"width":1,"height":2,"depth":3}`
	long := strings.Repeat("a", 201)
	tests := []struct {
		more string
		want []string
	}{
		{`"id":null`, []string{"id: missing, expected a UUID"}},
		{`"id":7`, []string{"product 7: id: expected a UUID, got the number 7"}},
		{`"id":"x y"`, []string{`product "x y": id: expected a UUID, got the string "x y"`}},
		{`"id":"{` + testID + `}"`, []string{`product {` + testID + `}: id: expected a UUID, got the string "{` + testID +
			`}"`}},
		{`"id":"0b6f0d1e000040008000000000000001"`,
			[]string{
				`product 0b6f0d1e000040008000000000000001: id: expected a UUID, got the string "0b6f0d1e000040008000000000000001"`}},
		{`"slug":""`, []string{`slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got ""`}},
		{`"slug":"A"`, []string{`slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got "A"`}},
		{`"slug":"a--b"`, []string{`slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got "a--b"`}},
		{`"slug":"-a"`, []string{`slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got "-a"`}},
		{`"slug":"a-"`, []string{`slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got "a-"`}},
		{`"slug":"` + long + `"`, []string{`slug: expected a slug of at most 200 bytes, got "` + long[:100] + `…"`}},
		{`"slug":"` + testID + `"`, []string{`slug: expected a slug that is not a UUID, got "` + testID +
			`"`}},
		{`"slug":"search"`, []string{`slug: "search" is reserved for the address of the search page`}},
		{`"slug":1`, []string{"slug: expected a slug or null, got the number 1"}},
		{`"published":"yes"`, []string{`published: expected true, false or null, got the string "yes"`}},
		{`"label":null`, []string{"label: missing, expected a string, or an object that maps locales to strings"}},
		{`"label":" "`, []string{`label: expected a string with visible characters, got the string " "`}},
		{`"label":[]`, []string{"label: expected a string, or an object that maps locales to strings, got an array"}},
		{`"label":{}`, []string{"label.de: missing, expected the German text"}},
		{`"label":{"en":"A","de":null}`, []string{"label.de: missing, expected the German text"}},
		{`"label":{"de":"A","en":""}`, []string{`label.en: expected a string with visible characters, got the string ""`}},
		{`"label":{"de":"A","deutsch!":"A"}`,
			[]string{`label["deutsch!"]: expected a language (BCP 47), such as de, en or pt-BR, as the key`}},
		{`"label":{"de":"A","pt_BR":"A"}`,
			[]string{`label.pt_BR: expected a language (BCP 47), such as de, en or pt-BR, as the key`}},
		{`"label":{"de":"A","DE":"A"}`, []string{`label.DE: duplicate language, the same as "de"`}},
		{`"label":{"de":1}`, []string{"label.de: expected a string or null, got the number 1"}},
		{`"commercial_name":{}`, []string{"commercial_name: expected a string or null, got an object"}},
		{`"description":{"en":"A"}`, []string{"description.de: missing, expected the German text"}},
		{`"description":false`, []string{"description: expected a string, or an object that maps locales to strings, got false"}},
		{`"manufacturer":null`, []string{"manufacturer: missing, expected a string with visible characters, or an object with a name"}},
		{`"manufacturer":""`,
			[]string{`manufacturer: expected a string with visible characters, or an object with a name, got the string ""`}},
		{`"manufacturer":{"id":"x","slug":"X"}`, []string{
			`manufacturer.id: expected a UUID, got the string "x"`,
			`manufacturer.slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got "X"`,
			"manufacturer.name: missing, expected the manufacturer's name"}},
		{`"manufacturer":{"name":3}`,
			[]string{"manufacturer.name: expected a string with visible characters, got the number 3"}},
		{`"data_source":"PTB"`, []string{`data_source: expected manufacturer or ptb, got the string "PTB"`}},
		{`"purchasable":0`, []string{"purchasable: expected true, false or null, got the number 0"}},
		{`"material_category":""`,
			[]string{`material_category: expected a string with visible characters, or null, got the string ""`}},
		{`"absorption_character":[]`, []string{"absorption_character: expected a string or null, got an array"}},
		{`"installation_types":"wall"`,
			[]string{`installation_types: expected an array of strings, or null, got the string "wall"`}},
		{`"installation_types":["wall",null,""]`, []string{
			"installation_types[1]: expected a string with visible characters, got null",
			`installation_types[2]: expected a string with visible characters, got the string ""`}},
		{`"fire_class":"B-s1,d3"`,
			[]string{
				`fire_class: expected a class of DIN EN 13501-1, such as A1, B-s1,d0, Bfl-s1 or E-d2, got the string "B-s1,d3"`}},
		{`"alpha_w":1.05`, []string{"alpha_w: expected a number from 0 to 1, got the number 1.05"}},
		{`"alpha_w":"0.5"`, []string{`alpha_w: expected a number or null, got the string "0.5"`}},
		{`"alpha_w_min":-0.1`, []string{"alpha_w_min: expected a number from 0 to 1, got the number -0.1"}},
		{`"updated_at":"2026-01-31"`,
			[]string{`updated_at: expected a date-time such as 2026-01-31T12:00:00Z (RFC 3339), got the string "2026-01-31"`}},
		{`"updated_at":"2026-01-31T1:00:00Z"`,
			[]string{
				`updated_at: expected a date-time such as 2026-01-31T12:00:00Z (RFC 3339), got the string "2026-01-31T1:00:00Z"`}},
		{`"updated_at":"2026-01-31T12:00:00,5Z"`,
			[]string{
				`updated_at: expected a date-time such as 2026-01-31T12:00:00Z (RFC 3339), got the string "2026-01-31T12:00:00,5Z"`}},
		{`"updated_at":"2026-01-31T12:00:00+24:00"`,
			[]string{
				`updated_at: expected a date-time such as 2026-01-31T12:00:00Z (RFC 3339), got the string "2026-01-31T12:00:00+24:00"`}},
		{`"updated_at":"2026-02-30T00:00:00Z"`,
			[]string{
				`updated_at: expected a date-time such as 2026-01-31T12:00:00Z (RFC 3339), got the string "2026-02-30T00:00:00Z"`}},
		{`"updated_at":"0000-01-01T00:00:00+01:00"`,
			[]string{
				`updated_at: expected a date-time in the years 0 to 9999 (UTC), got the string "0000-01-01T00:00:00+01:00"`}},
		{`"has_epd":"no"`, []string{`has_epd: expected true, false or null, got the string "no"`}},
		{`"url":"acme.example"`,
			[]string{`url: expected an address that begins with http:// or https://, got the string "acme.example"`}},
		{`"url":"ftp://acme.example"`,
			[]string{`url: expected an address that begins with http:// or https://, got the string "ftp://acme.example"`}},
		{`"url":"http:///x"`,
			[]string{`url: expected an address that begins with http:// or https://, got the string "http:///x"`}},
		{`"epd_url":"https://a b"`,
			[]string{`epd_url: expected an address that begins with http:// or https://, got the string "https://a b"`}},
		{`"structured_meta":[]`, []string{"structured_meta: expected an object with strings, numbers or booleans, or null, got an array"}},
		{`"structured_meta":{"a b":{},"":[]}`, []string{
			`structured_meta["a b"]: expected a string, a number, true or false, got an object`,
			`structured_meta[""]: expected a string, a number, true or false, got an array`}},
		{`"images":{}`, []string{"images: expected an array of images, or null, got an object"}},
		{`"images":[1,{"id":"","display_order":1.5,"filename":2}]`, []string{
			"images[0]: expected an object, got the number 1",
			`images[1].id: expected a string with visible characters, or null, got the string ""`,
			"images[1].url: missing, expected an address that begins with http:// or https://",
			"images[1].filename: expected a string or null, got the number 2",
			"images[1].display_order: expected a whole number or null, got the number 1.5"}},
		{`"geometry":[]`, []string{"geometry: expected an object or null, got an array"}},
		{geometry(``), []string{
			"geometry.shape: missing, expected panel, baffle, box, cylinder, sphere or sheet",
			"geometry.bounding_box_mm: missing, expected an object with width, height and depth"}},
		{geometry(`"shape":"cube",` + box),
			[]string{`geometry.shape: expected panel, baffle, box, cylinder, sphere or sheet, got the string "cube"`}},
		{geometry(`"shape":"box","bounding_box_mm":{"width":0,"height":"2","depth":1e10}`), []string{
			"geometry.bounding_box_mm.width: expected a length in millimetres, greater than 0, got the number 0",
			`geometry.bounding_box_mm.height: expected a length in millimetres, greater than 0, got the string "2"`,
			"geometry.bounding_box_mm.depth: expected a length in millimetres, greater than 0, got the number 1e10"}},
		{geometry(`"shape":"box",` + box + `,"size_variants":[{"label":1,"width":1,"height":1}]`), []string{
			"geometry.size_variants[0].depth: missing, expected a length in millimetres, greater than 0",
			"geometry.size_variants[0].label: expected a string or null, got the number 1"}},
		{geometry(`"shape":"box",` + box + `,"exposed_area_m2":{"wall":-1,"":1}`), []string{
			"geometry.exposed_area_m2.wall: expected an area in square metres, 0 or more, got the number -1",
			`geometry.exposed_area_m2[""]: expected a mounting as the key`}},
		{`"measurements":[]`, []string{"measurements: expected an object or null, got an array"}},
		{`"measurements":{"absorption_iso_354":{}}`,
			[]string{"measurements.absorption_iso_354: expected an array of measurements, or null, got an object"}},
		{absorption(`1,{}`), []string{
			"measurements.absorption_iso_354[0]: expected an object, got the number 1",
			"measurements.absorption_iso_354[1].source_kind: missing, expected measured, literature or simulated"}},
		{
			absorption(
				`{"source_kind":"guessed","id":"","label":2,"source_norm":[],"mounting":1,"thickness_mm":"4","calculated_absorption":true}`), []string{
				`measurements.absorption_iso_354[0].id: expected a string with visible characters, or null, got the string ""`,
				"measurements.absorption_iso_354[0].label: expected a string or null, got the number 2",
				`measurements.absorption_iso_354[0].source_kind: expected measured, literature or simulated, got the string "guessed"`,
				"measurements.absorption_iso_354[0].source_norm: expected a string or null, got an array",
				"measurements.absorption_iso_354[0].mounting: expected a string or null, got the number 1",
				`measurements.absorption_iso_354[0].thickness_mm: expected a number or null, got the string "4"`,
				"measurements.absorption_iso_354[0].calculated_absorption: expected a number or null, got true"}},
		{octave(`"300":0.5`),
			[]string{`measurements.absorption_iso_354[0].alpha_s_octave["300"]: not the centre frequency of an octave band`}},
		{octave(`"100":0.5,"0125":1,"125.0":1,"16000":1,"125 ":1`), []string{
			`measurements.absorption_iso_354[0].alpha_s_octave["100"]: not the centre frequency of an octave band`,
			`measurements.absorption_iso_354[0].alpha_s_octave["0125"]: not the centre frequency of an octave band`,
			`measurements.absorption_iso_354[0].alpha_s_octave["125.0"]: not the centre frequency of an octave band`,
			`measurements.absorption_iso_354[0].alpha_s_octave["16000"]: not the centre frequency of an octave band`,
			`measurements.absorption_iso_354[0].alpha_s_octave["125 "]: not the centre frequency of an octave band`}},
		{octave(`"125":2.01,"250":-0.11,"500":"1"`), []string{
			`measurements.absorption_iso_354[0].alpha_s_octave["125"]: expected a coefficient from -0.1 to 2, got 2.01`,
			`measurements.absorption_iso_354[0].alpha_s_octave["250"]: expected a coefficient from -0.1 to 2, got -0.11`,
			`measurements.absorption_iso_354[0].alpha_s_octave["500"]: expected a number, got the string "1"`}},
		{absorption(`{"source_kind":"measured","alpha_s_third_octave":{"40":1}}`), []string{
			`measurements.absorption_iso_354[0].alpha_s_third_octave["40"]: not the centre frequency of a third-octave band`}},
		{absorption(`{"source_kind":"measured","alpha_s_octave":[0.1]}`), []string{
			"measurements.absorption_iso_354[0].alpha_s_octave: expected an object that maps bands to coefficients, or null, got an array"}},
		{
			`"measurements":{"scatter_iso_17497_1":[{"source_kind":"measured","scatter_octave":{"125":1.3}}],"diffusion_iso_17497_2":[{"source_kind":"simulated","normalized_diffusion_third_octave":{"100":1.21}}]}`, []string{
				`measurements.scatter_iso_17497_1[0].scatter_octave["125"]: expected a coefficient from -0.1 to 1.2, got 1.3`,
				`measurements.diffusion_iso_17497_2[0].source_kind: expected measured, got the string "simulated"`,
				`measurements.diffusion_iso_17497_2[0].normalized_diffusion_third_octave["100"]: expected a coefficient from -0.1 to 1.2, got 1.21`}},
		{`"slug":"a","slug":"b"`, []string{"slug: duplicate key"}},
		{`"x":{"a":1,"\u0061":2}`, []string{"x.a: duplicate key"}},
		{`"x":{"a":1,"a":2,"b":{"c":1,"c":1e999},"a":3}`, []string{
			"x.a: duplicate key", "x.b.c: duplicate key",
			"x.b.c: 1e999 is out of range for a 64-bit floating-point number", "x.a: duplicate key"}},
		{`"images":[{"url":"http://a","url":"http://b"}]`, []string{"images[0].url: duplicate key"}},
		{octave(`"125":0.1,"125":0.2`),
			[]string{`measurements.absorption_iso_354[0].alpha_s_octave["125"]: duplicate key`}},
		{`"x":1e999`, []string{"x: 1e999 is out of range for a 64-bit floating-point number"}},
		{`"x":["` + "\xff" + `"]`, []string{"x[0]: not valid UTF-8"}},
		{`"x":"\ud83d"`, []string{"x: invalid escape sequence: unpaired surrogate"}},
		{`"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100), []string{
			"x" + strings.Repeat("[0]", 99) + ": more than 100 levels of nesting"}},
		{`"slug":"A","published":1,"fire_class":"G"`, []string{
			`slug: expected a slug: groups of a-z and 0-9 joined by single hyphens, got "A"`,
			"published: expected true, false or null, got the number 1",
			`fire_class: expected a class of DIN EN 13501-1, such as A1, B-s1,d0, Bfl-s1 or E-d2, got the string "G"`}},
	}
	for _, test := range tests {
		parsed := parseText(record(test.more))
		if got := texts(parsed.Faults); !slices.Equal(got, test.want) {
			t.Errorf("%.100s\ngot  %q\nwant %q", test.more, got, test.want)
		}
		if parsed.Product != nil {
			t.Errorf("%.100s: got a product and faults", test.more)
		}
	}
}

// TestInvisibleCharacters checks that a string is a fault unless it contains a visible character.
func TestInvisibleCharacters(t *testing.T) {
	const expected = "expected a string with visible characters"
	fields := []struct{ more, want string }{ // %s is a string
		{`"label":%s`, "label: " + expected},
		{`"label":{"de":"A","en":%s}`, "label.en: " + expected},
		{`"manufacturer":%s`, "manufacturer: " + expected + ", or an object with a name"},
		{`"manufacturer":{"name":%s}`, "manufacturer.name: " + expected},
		{`"material_category":%s`, "material_category: " + expected + ", or null"},
		{`"absorption_character":%s`, "absorption_character: " + expected + ", or null"},
		{`"installation_types":["wall",%s]`, "installation_types[1]: " + expected},
	}
	for name, invisible := range map[string]string{
		"nothing": "", "blanks": " \t\n", "controls": "\x00\x1f\x7f\u0085", "a no-break space": "\u00a0",
		"blanks of all widths":          "\u1680\u2000\u200a\u202f\u205f\u3000",
		"line and paragraph separators": "\u2028\u2029", "a zero-width space": "\u200b",
		"joiners": "\u200c\u200d\u2060\u034f", "a byte-order mark": "\ufeff",
		"a soft hyphen": "\u00ad", "a Mongolian vowel separator": "\u180e", "Hangul fillers": "\u115f\u1160\u3164\uffa0",
		"Khmer inherent vowels": "\u17b4\u17b5",
		"a braille blank":       "\u2800", "direction marks": "\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
		"variation selectors": "\ufe00\ufe0f\u180b\U000e0100",
		"tags":                "\U000e0001\U000e0041\U000e007f", "invisible operators": "\u2061\u2064\u206f",
		"several": "\u200b \ufeff\u00ad",
	} {
		text, err := json.Marshal(invisible)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			want := f.want + ", got the string " + strconv.Quote(invisible)
			if got := texts(parseText(record(fmt.Sprintf(f.more, text))).Faults); !slices.Equal(got, []string{want}) {
				t.Errorf("%s: %s\ngot  %q\nwant %q", name, f.more, got, want)
			}
		}
		if parsed := parseText(record(`"label":"` + strings.Trim(string(text), `"`) + `ß"`)); parsed.Product == nil {
			t.Errorf("%s and a letter: %q", name, texts(parsed.Faults))
		}
	}
	for _, visible := range []string{".", "é", "\u0301", "\u0600", "\u06dd", "木", "\u2801", "\ufffd", "😀"} {
		if parsed := parseText(record(`"label":"` + visible + `"`)); parsed.Product == nil {
			t.Errorf("%q: %q", visible, texts(parsed.Faults))
		}
	}
}

func TestInvalidRecords(t *testing.T) {
	tests := map[string]string{
		``:           "a.ndjson:1: invalid JSON at byte 0: expected a value",
		`{"id":1,}`:  "a.ndjson:1: invalid JSON at byte 8: expected a key in quotes",
		`{} {}`:      "a.ndjson:1: invalid JSON at byte 3: expected the end of the record",
		`[]`:         "a.ndjson:1: expected a record (a JSON object), got an array",
		`null`:       "a.ndjson:1: expected a record (a JSON object), got null",
		`"x"`:        `a.ndjson:1: expected a record (a JSON object), got the string "x"`,
		`{"id":"\x"`: `a.ndjson:1: invalid JSON at byte 7: expected one of " \ / b f n r t after the backslash, or u and four hexadecimal digits`,
	}
	for text, want := range tests {
		parsed := parseText(text)
		if len(parsed.Faults) != 1 || parsed.Faults[0].Error() != want || parsed.Product != nil {
			t.Errorf("%s: got %v, want %s", text, parsed.Faults, want)
		}
	}
	deep := `{"id":"x","a":` + strings.Repeat("[", maxRecordBytes)
	if parsed := parseText(deep); len(parsed.Faults) != 1 || parsed.Faults[0].Record != "x" ||
		parsed.Faults[0].Problem != "more than 100 levels of nesting" {
		t.Errorf("16 MiB of brackets: %d faults", len(parsed.Faults))
	}
	if parsed := parseText(record(`"x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99))); parsed.Product == nil {
		t.Errorf("100 levels are not too deep: %q", texts(parsed.Faults))
	}
}

func TestAFaultNamesItsPosition(t *testing.T) {
	fault := Fault{Record: "0b6f", Path: `measurements.absorption_iso_354[2].alpha_s_octave["300"]`,
		Problem: "not the centre frequency of an octave band"}
	tests := []struct {
		place Place
		want  string
	}{
		{Place{Input: "catalogue.ndjson", Line: 41, Index: -1, Offset: 9},
			`catalogue.ndjson:41: product 0b6f: measurements.absorption_iso_354[2].alpha_s_octave["300"]: not the centre frequency of an octave band`},
		{Place{Input: "catalogue.json", Index: 40, Offset: 81234},
			`catalogue.json[40] (byte 81234): product 0b6f: measurements.absorption_iso_354[2].alpha_s_octave["300"]: not the centre frequency of an octave band`},
		{Place{Input: "-", Index: -1, Offset: 0},
			`- (byte 0): product 0b6f: measurements.absorption_iso_354[2].alpha_s_octave["300"]: not the centre frequency of an octave band`},
	}
	for _, test := range tests {
		fault.Place = test.place
		if got := fault.Error(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	whole := Fault{Place: Place{Input: "a.json", Index: -1, Offset: -1}, Problem: "empty input"}
	if got := whole.Error(); got != "a.json: empty input" {
		t.Errorf("an input as a whole: %s", got)
	}
	long := Fault{Place: Place{Input: "a", Line: 1}, Record: strings.Repeat("ü\n", 60), Problem: "x"}
	if got := long.Error(); strings.Contains(got, "\n") || len(got) > 300 {
		t.Errorf("a record's id of 60 lines: %q", got)
	}
}

func TestWarnings(t *testing.T) {
	absorption := func(entry string) string {
		return `"measurements":{"absorption_iso_354":[{"source_kind":"measured",` + entry + `}]}`
	}
	flat := func(bands []int, value string) string {
		var members []string
		for _, hz := range bands {
			members = append(members, fmt.Sprintf(`"%d":%s`, hz, value))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	rated := absorption(`"alpha_s_octave":` + flat(acoustics.OctaveBands, "0.8")) // alpha_w 0.80
	tests := []struct {
		more string
		want []string
	}{
		{`"alpha_w":0.85,` + rated, nil},
		{`"alpha_w":0.75,` + rated, nil},
		{`"alpha_w":0.9,` + rated, []string{"alpha_w: declared as 0.9, but the value computed from the most absorptive set-up is 0.8"}},
		{`"alpha_w":0.5`, nil},
		{`"alpha_w":0.5,"alpha_w_min":0.6`, []string{"alpha_w_min: 0.6 is greater than alpha_w, which is 0.5"}},
		{`"has_epd":true`, []string{"has_epd: true without an epd_url"}},
		{`"has_epd":false,"epd_url":"https://a.example"`, []string{"has_epd: false with an epd_url"}},
		{`"material_category":"a,b","installation_types":[" a"]`, []string{
			`material_category: no filter can select "a,b", because commas separate values`,
			`installation_types[0]: no filter can select " a", because filters trim the spaces around values`}},
		{absorption(`"alpha_s_octave":{"250":-0.05,"125":-0.1,"500":0}`), []string{
			"measurements.absorption_iso_354[0].alpha_s_octave: negative coefficients at 125, 250 Hz"}},
		{absorption(`"alpha_s_third_octave":` + flat(acoustics.ThirdBands, "0.5")), nil},
		{absorption(`"alpha_s_third_octave":` + flat(acoustics.StandardThirds, "0.5")), nil},
		{absorption(`"alpha_s_third_octave":` + flat(acoustics.ThirdBands[4:20], "0.5")), []string{
			"measurements.absorption_iso_354[0].alpha_s_third_octave: no coefficients at 100, 5000 Hz"}},
		{absorption(`"alpha_s_third_octave":` + flat(append([]int{50}, acoustics.StandardThirds...), "0.5")), []string{
			"measurements.absorption_iso_354[0].alpha_s_third_octave: no coefficients at 63, 80 Hz"}},
		{absorption(`"thickness_mm":-1,"air_gap_mm":0`),
			[]string{"measurements.absorption_iso_354[0].thickness_mm: negative: -1"}},
		{absorption(`"air_gap_mm":360,"thickness_mm":40,"mounting":"E-400"`), nil},
		{absorption(`"air_gap_mm":200,"mounting":"E-400"`), nil},
		{absorption(`"air_gap_mm":200,"thickness_mm":40,"mounting":"E"`), nil},
		{absorption(`"air_gap_mm":400,"thickness_mm":12.5,"mounting":"Typ E 400"`), []string{
			"measurements.absorption_iso_354[0].air_gap_mm: 400 and the thickness of 12.5 mm contradict the mounting " +
				`"Typ E 400", in which the face of the specimen is 400 mm from the surface; the air gap is used`}},
		{absorption(`"air_gap_mm":450,"mounting":"E-400"`), []string{
			`measurements.absorption_iso_354[0].air_gap_mm: 450 contradicts the mounting "E-400", in which the face of the specimen is 400 mm ` +
				"from the surface; the air gap is used"}},
		{`"measurements":{"absorption_iso_354":[{"source_kind":"measured","id":"abs-2"},{"source_kind":"measured"}]}`,
			[]string{
				`measurements.absorption_iso_354[1].id: "abs-2" is also the id of entry [0]`}},
	}
	for _, test := range tests {
		parsed := parseText(record(test.more))
		if got := texts(parsed.Warnings); !slices.Equal(got, test.want) || parsed.Product == nil {
			t.Errorf("%s\ngot  %q, faults %q\nwant %q", test.more, got, texts(parsed.Faults), test.want)
		}
	}
}

func TestDefaultsAndDerivations(t *testing.T) {
	p := parseText(record(``)).Product
	if p == nil {
		t.Fatal("the shortest record has faults")
	}
	want := &product.Product{
		ID: p.ID, Published: true, Label: product.Text{{Locale: "de", Text: "A"}}, Purchasable: true,
		InstallationTypes: []string{},
		Manufacturer:      product.Manufacturer{ID: p.Manufacturer.ID, Slug: "acme", Name: "Acme"},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("the shortest record gives\n%+v, want\n%+v", p, want)
	}
	value := func(v any) string {
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer {
			if r.IsNil() {
				return "null"
			}
			v = r.Elem().Interface()
		}
		return fmt.Sprint(v)
	}
	measured := func(octaves ...string) string {
		var entries []string
		for _, octave := range octaves {
			entries = append(entries, `{"source_kind":"measured","alpha_s_octave":`+octave+`}`)
		}
		return `"measurements":{"absorption_iso_354":[` + strings.Join(entries, ",") + `]}`
	}
	const (
		high = `{"125":0.2,"250":0.8,"500":0.8,"1000":0.8,"2000":0.8,"4000":0.8}`
		low  = `{"125":0.2,"250":0.3,"500":0.3,"1000":0.3,"2000":0.3,"4000":0.3}`
		none = `{"250":0.9}`
	)
	tests := []struct {
		rule, more string
		field      func(p *product.Product) string
		want       string
	}{
		{"ids are in small letters", `"id":"` + strings.ToUpper(testID) + `"`, func(p *product.Product) string {
			return p.ID.String()
		}, testID},
		{"null is absent",
			`"slug":null,"published":null,"purchasable":null,"images":null,"geometry":null,"measurements":null`,
			func(p *product.Product) string {
				return value(p.Slug) + value(p.Published)
			}, "nulltrue"},
		{"unpublished", `"published":false`, func(p *product.Product) string { return value(p.Published) }, "false"},
		{"reference material is not for sale", `"data_source":"ptb"`, func(p *product.Product) string {
			return value(p.Purchasable)
		}, "false"},
		{"unless it says so", `"data_source":"ptb","purchasable":true`, func(p *product.Product) string {
			return value(p.Purchasable)
		}, "true"},
		{"locales ascend", `"label":{"en":"E","de":"D","de-AT":"A"}`, func(p *product.Product) string {
			return fmt.Sprint(p.Label)
		}, "[{de D} {de-AT A} {en E}]"},
		{"an empty description stays", `"description":""`, func(p *product.Product) string {
			return fmt.Sprint(p.Description)
		}, "[{de }]"},
		{"a manufacturer's slug and id come of its name", `"manufacturer":"Müller & Söhne"`, func(p *product.Product) string {
			return p.Manufacturer.Slug + " " + p.Manufacturer.ID.String()
		}, "mueller-soehne d52a927a-bbe9-5c26-844a-c30547a98291"},
		{"or of the declared slug", `"manufacturer":{"name":"M","slug":"mueller-soehne","id":null}`,
			func(p *product.Product) string {
				return p.Manufacturer.Name + " " + p.Manufacturer.ID.String()
			}, "M d52a927a-bbe9-5c26-844a-c30547a98291"},
		{"or are declared", `"manufacturer":{"name":"M","id":"` + strings.ToUpper(testID) + `"}`,
			func(p *product.Product) string {
				return p.Manufacturer.Slug + " " + p.Manufacturer.ID.String()
			}, "m " + testID},
		{"installation types once", `"installation_types":["wall","ceiling","wall"]`, func(p *product.Product) string {
			return fmt.Sprint(p.InstallationTypes)
		}, "[wall ceiling]"},
		{"small letters in a date-time", `"updated_at":"2026-01-31t01:30:00z"`, func(p *product.Product) string {
			return p.UpdatedAt.Format(time.RFC3339Nano)
		}, "2026-01-31T01:30:00Z"},
		{"UTC", `"updated_at":"2026-01-31T01:30:00.5+02:00"`, func(p *product.Product) string {
			return p.UpdatedAt.Format(time.RFC3339Nano)
		}, "2026-01-30T23:30:00.5Z"},
		{"an EPD by its link", `"epd_url":"https://a.example/epd.pdf"`, func(p *product.Product) string {
			return value(p.HasEPD)
		}, "true"},
		{"meta as text, by key", `"structured_meta":{"b":1.50,"a":true,"c":null,"B":"x"}`, func(p *product.Product) string {
			return fmt.Sprint(p.StructuredMeta)
		}, "[{B x} {a true} {b 1.50}]"},
		{"images in display order, null last",
			`"images":[{"url":"http://a/1"},{"url":"http://a/2","display_order":2.0},{"url":"http://a/3","display_order":-1},{"url":"http://a/4"}]`, func(p *product.Product) string {
				var urls []string
				for _, image := range p.Images {
					urls = append(urls, image.URL)
				}
				return strings.Join(urls, " ")
			}, "http://a/3 http://a/2 http://a/1 http://a/4"},
		{"no pictures are null", `"images":[]`, func(p *product.Product) string { return value(p.Images == nil) }, "true"},
		{"ids and labels of entries", measured(low, high) + ``, func(p *product.Product) string {
			a := p.Measurements.Absorption[1]
			return a.ID + " " + a.Label + " " + a.SourceNorm
		}, "abs-2 Absorption 2 ISO 354"},
		{"ids and labels of scatter and diffusion",
			`"measurements":{"scatter_iso_17497_1":[{"source_kind":"literature","id":"x"}],"diffusion_iso_17497_2":[{"source_kind":"measured"}]}`, func(p *product.Product) string {
				s, d := p.Measurements.Scatter[0], p.Measurements.Diffusion[0]
				return s.ID + " " + s.Label + " " + s.SourceNorm + " " + d.ID + " " + d.Label + " " + d.SourceNorm
			}, "x Scatter 1 ISO 17497-1 dif-1 Diffusion 1 ISO 17497-2"},
		{"bands ascend, null is absent", measured(`{"8000":1,"63":0.5,"500":null,"125":1.2}`),
			func(p *product.Product) string {
				return fmt.Sprint(p.Measurements.Absorption[0].AlphaSOctave)
			}, "[{63 0.5} {125 1.2} {8000 1}]"},
		{"an empty map stays", measured(`{}`), func(p *product.Product) string {
			return value(p.Measurements.Absorption[0].AlphaSOctave != nil)
		}, "true"},
		{"ratings of the most absorptive set-up", measured(low, none, high), func(p *product.Product) string {
			return value(p.AlphaW) + " " + value(p.AlphaWMin) + " " + value(p.NRC.Float())
		}, "0.8 0.3 0.8"},
		{"declared ratings stay", `"alpha_w":0.85,"alpha_w_min":0.1,` + measured(low, high), func(p *product.Product) string {
			return value(p.AlphaW) + " " + value(p.AlphaWMin)
		}, "0.85 0.1"},
		{"alpha_w_min that is not declared is at most a declared alpha_w", `"alpha_w":0.2,` + measured(low, high),
			func(p *product.Product) string {
				return value(p.AlphaW) + " " + value(p.AlphaWMin)
			}, "0.2 0.2"},
		{"a declared alpha_w_min stays, also above alpha_w", `"alpha_w":0.2,"alpha_w_min":0.25,` + measured(low, high),
			func(p *product.Product) string {
				return value(p.AlphaW) + " " + value(p.AlphaWMin)
			}, "0.2 0.25"},
		{"alpha_w_min of alpha_w alone", `"alpha_w":0.85`, func(p *product.Product) string {
			return value(p.AlphaW) + " " + value(p.AlphaWMin)
		}, "0.85 0.85"},
		{"nothing to rate", measured(none), func(p *product.Product) string {
			return value(p.AlphaW) + value(p.AlphaWMin) + value(p.NRC == nil) + value(p.SAA == nil)
		}, "nullnulltruetrue"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			parsed := parseText(record(test.more))
			if parsed.Product == nil {
				t.Fatalf("%s: %q", test.more, texts(parsed.Faults))
			}
			if len(parsed.Unknown) > 0 {
				t.Errorf("unknown fields %q", parsed.Unknown)
			}
			if got := test.field(parsed.Product); got != test.want {
				t.Errorf("%s\ngot  %s\nwant %s", test.more, got, test.want)
			}
		})
	}
}

func TestFireClasses(t *testing.T) {
	for text, want := range map[string]string{
		"A1": "A1", "A2-s1,d0": "A2", "B": "B", "B-s3": "B", "Bfl-s1": "B", "A2L-s1,d2": "A2", "E-d2": "E", "F": "F",
		"Efl": "E", "CL-s2": "C", "EL-d2": "E",
		"": "", "A": "", "A3": "", "b": "", "B-s4": "", "B-s1,d3": "", "B-d1": "", "B-s1, d0": "", "Bfl-s1,d0x": "",
		"BfL": "", "B ": "", "B-s1-d0": "", "B-": "",
	} {
		parsed := parseText(record(fmt.Sprintf(`"fire_class":%q`, text)))
		got := ""
		if parsed.Product != nil {
			got = parsed.Product.FireClass.Class
			if parsed.Product.FireClass.Text != text {
				t.Errorf("%q is kept as %q", text, parsed.Product.FireClass.Text)
			}
		}
		if got != want {
			t.Errorf("%q has the letter class %q, want %q", text, got, want)
		}
	}
}

func TestManufacturerSlugs(t *testing.T) {
	for name, want := range map[string]string{
		"Müller & Söhne": "mueller-soehne", "Mu\u0308ller": "mueller", "ACME": "acme", "Weiß GmbH": "weiss-gmbh",
		"L'Oréal S.A.": "l-oreal-s-a", "Ødegård+Łódź": "odegard-lodz",
		"  3M™ ": "3mtm", "Ångström": "angstroem", "Đông Á": "dong-a", "Ecophon/Saint-Gobain": "ecophon-saint-gobain",
		"Œuvre":                    "oeuvre",
		strings.Repeat("ab ", 100): strings.TrimSuffix(strings.Repeat("ab-", 67), "-")[:200],
	} {
		if got := SlugOf(name); got != want {
			t.Errorf("SlugOf(%q) = %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"株式会社", "!!!", testID} {
		if got := SlugOf(name); slugProblem(got) != "" || !strings.HasPrefix(got, "manufacturer-") {
			t.Errorf("SlugOf(%q) = %q", name, got)
		}
	}
}

func TestDeclaredNRCAndSAAAreIgnored(t *testing.T) {
	parsed := parseText(
		record(
			`"nrc":0.1,"saa":0.2,"absorption_octave":{"250":0.3},"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"250":0.8,"500":0.8,"1000":0.8,"2000":0.8}}]}`))
	if parsed.Product == nil {
		t.Fatal(texts(parsed.Faults))
	}
	if want := []string{"nrc", "saa"}; !slices.Equal(parsed.Unknown, want) {
		t.Errorf("unknown fields %q, want %q", parsed.Unknown, want)
	}
	if p := parsed.Product; p.NRC == nil || p.NRC.Float() != 0.8 || p.SAA != nil ||
		fmt.Sprint(p.AbsorptionOctave) != "[{250 0.8} {500 0.8} {1000 0.8} {2000 0.8}]" {
		t.Errorf("got nrc %v, saa %v, absorption_octave %v", p.NRC, p.SAA, p.AbsorptionOctave)
	}
}

func TestDeclaredRatingsAreComparedWithComputedRatings(t *testing.T) {
	// alpha_w 0.8 without shape indicators, class B, NRC 0.8, no SAA
	const measured = `"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"250":0.8,"500":0.8,"1000":0.8,"2000":0.8,"4000":0.8}}]}`
	const octave = `"absorption_octave":{"125":0.8,"250":0.8,"500":0.8,"1000":0.8,"2000":0.8,"4000":0.8}`
	meta := func(key, value string) string { return `"structured_meta":{"` + key + `":"` + value + `"},` }
	for _, test := range []struct {
		rule, members string
		want          []string
	}{
		{"a rating may differ by 0.05", meta("NRC", "0.85") + measured, nil},
		{"but not by more", meta("NRC", "0.9") + measured,
			[]string{"structured_meta.NRC: declared as 0.9, but the value computed from the coefficients is 0.8"}},
		{"with a comma, in any case", meta("nrc", "0,90") + measured,
			[]string{"structured_meta.nrc: declared as 0,90, but the value computed from the coefficients is 0.8"}},
		{"what can't be computed is not held", meta("SAA", "0.1") + measured, nil},
		{"nor is what is no number", meta("NRC", "siehe Bericht") + measured, nil},
		{"a class that is the same", meta("Absorberklasse", "b") + measured, nil},
		{"in words", meta("Absorberklasse", "Klasse B") + measured, nil},
		{"and another", meta("absorption_class", "A") + measured,
			[]string{"structured_meta.absorption_class: declared as A, but the value computed from the coefficients is B"}},
		{"the class is that of a declared alpha_w", `"alpha_w":0.78,` + meta("Absorberklasse", "C") + measured, nil},
		{"none where there is one", meta("Absorberklasse", "nicht klassifiziert") + measured,
			[]string{"structured_meta.Absorberklasse: declared as nicht klassifiziert, but the value computed from the coefficients is B"}},
		{"what is no class", meta("Absorberklasse", "F") + measured, nil},
		{"shape indicators that are none", meta("Formindikatoren", "(LH)") + measured,
			[]string{"structured_meta.Formindikatoren: declared as (LH), but the value computed from the coefficients is none"}},
		{"what is no shape indicator", meta("Formindikatoren", "gut") + measured, nil},
		{"practical coefficients give class and shape", meta("Absorberklasse", "C") + octave,
			[]string{"structured_meta.Absorberklasse: declared as C, but the value computed from the coefficients is B"}},
		{"practical coefficients that are replaced by the same", `"absorption_octave":{"250":0.85,"63":0.1},` + measured,
			nil},
		{"practical coefficients that are replaced by different ones", `"absorption_octave":{"250":0.9,"500":0.8,"1000":0.1},` + measured,
			[]string{
				"absorption_octave: replaced by values computed from the most absorptive set-up: declared as 0.9 at 250 Hz " +
					"(computed: 0.8), 0.1 at 1000 Hz (computed: 0.8)"}},
	} {
		if got := texts(parseText(record(test.members)).Warnings); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestDeclaredCurveIsUsedWithoutOctaveValues(t *testing.T) {
	const declared = `"absorption_octave":{"250":0.84,"500":0.8,"1000":0.8,"2000":0.8,"4000":0.8},`
	const own = "[{250 0.84} {500 0.8} {1000 0.8} {2000 0.8} {4000 0.8}]"
	absorption := func(entry string) string {
		return `"measurements":{"absorption_iso_354":[{"source_kind":"measured"` + entry + `}]}`
	}
	for _, test := range []struct {
		rule, members string
		curve         string
		declared      bool
		alphaW        string
		warnings      []string
	}{
		{"it gives alpha_w", declared, own, true, "0.8", nil},
		{"unless alpha_w is declared", declared + `"alpha_w":0.85`, own, true, "0.85", nil},
		{"a different declared alpha_w causes a warning", declared + `"alpha_w":0.4`, own, true, "0.4",
			[]string{"alpha_w: declared as 0.4, but the value computed from absorption_octave is 0.8"}},
		{"also with a set-up without octave values", declared + absorption(`,"alpha_s_third_octave":{"400":0.1}`), own,
			true, "0.8", nil},
		{"with too few bands for alpha_w there is none", `"absorption_octave":{"63":0.1}`, "[{63 0.1}]", true, "none", nil},
		{"otherwise the computed curve is used",
			declared + absorption(`,"alpha_s_octave":{"250":0.5,"500":0.5,"1000":0.5,"2000":0.5,"4000":0.5}`),
			"[{250 0.5} {500 0.5} {1000 0.5} {2000 0.5} {4000 0.5}]", false, "0.5", nil},
		{"also from one octave", declared + absorption(`,"alpha_s_octave":{"125":0.5}`), "[{125 0.5}]", false, "none", nil},
		{"an empty one is none", `"absorption_octave":{}`, "[]", false, "none", nil},
		{"nor is null", `"absorption_octave":null`, "[]", false, "none", nil},
	} {
		parsed := parseText(record(strings.TrimSuffix(test.members, ",")))
		p := parsed.Product
		if p == nil {
			t.Errorf("%s: %q", test.rule, texts(parsed.Faults))
			continue
		}
		alphaW := "none"
		if p.AlphaW != nil {
			alphaW = formatNumber(*p.AlphaW)
		}
		warnings := slices.DeleteFunc(texts(parsed.Warnings), func(w string) bool { return !strings.HasPrefix(w, "alpha_w") })
		if fmt.Sprint(p.AbsorptionOctave) != test.curve || p.DeclaredOctave != test.declared || alphaW != test.alphaW ||
			!slices.Equal(warnings, test.warnings) {
			t.Errorf("%s: got %v, declared %v, alpha_w %s, warnings %q", test.rule, p.AbsorptionOctave, p.DeclaredOctave,
				alphaW, warnings)
		}
		if len(parsed.Unknown) > 0 {
			t.Errorf("%s: unknown fields %q", test.rule, parsed.Unknown)
		}
	}
	for _, test := range []struct{ members, want string }{
		{`"absorption_octave":{"300":0.1}`, `absorption_octave["300"]: not the centre frequency of an octave band`},
		{`"absorption_octave":{"250":2.1}`, `absorption_octave["250"]: expected a coefficient from -0.1 to 2, got 2.1`},
		{`"absorption_octave":0.5`,
			"absorption_octave: expected an object that maps bands to coefficients, or null, got the number 0.5"},
	} {
		if got := texts(parseText(record(test.members)).Faults); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: got %q, want %q", test.members, got, test.want)
		}
	}
}

func TestUnknownFields(t *testing.T) {
	parsed := parseText(
		record(
			`"manufacturer":{"name":"M","country":"DE"},"foo":1,"a.b":{"c":{}},"images":[{"url":"http://a","alt":1},{"url":"http://a","alt":2}],` +
				`"geometry":{"shape":"box","bounding_box_mm":{"width":1,"height":1,"depth":1,"unit":"mm"},"size_variants":[{"width":1,"height":1,"depth":1,"sku":1}],"colour":1},` +
				`"measurements":{"impact":[],"absorption_iso_354":[{"source_kind":"measured","lab":1}],"scatter_iso_17497_1":[{"source_kind":"measured","lab":1}],"diffusion_iso_17497_2":[{"source_kind":"measured","scatter_octave":{}}]}`))
	want := []string{
		`["a.b"]`, "foo", "geometry.bounding_box_mm.unit", "geometry.colour", "geometry.size_variants.sku", "images.alt",
		"manufacturer.country",
		"measurements.absorption_iso_354.lab", "measurements.diffusion_iso_17497_2.scatter_octave", "measurements.impact",
		"measurements.scatter_iso_17497_1.lab",
	}
	if !slices.Equal(parsed.Unknown, want) || parsed.Product == nil {
		t.Errorf("got  %q, faults %q\nwant %q", parsed.Unknown, texts(parsed.Faults), want)
	}
}

func TestExposedAreas(t *testing.T) {
	tests := []struct {
		rule, shape string
		box         product.BoxMM
		mountings   []string
		want        string
	}{
		{"wall when there is no installation type", "panel", product.BoxMM{Width: 1200, Height: 600, Depth: 40}, nil,
			"[{wall 0.72}]"},
		{"edges do not count at 50 mm", "panel", product.BoxMM{Width: 1000, Height: 1000, Depth: 50},
			[]string{"wall", "ceiling"}, "[{ceiling 1} {wall 1}]"},
		{"edges count over 50 mm", "panel", product.BoxMM{Width: 1000, Height: 1000, Depth: 51}, []string{"wall"},
			"[{wall 1.204}]"},
		{"free-standing: both faces and the edges", "baffle", product.BoxMM{Width: 1000, Height: 500, Depth: 40},
			[]string{"free-standing"}, "[{free-standing 1.12}]"},
		{"others as a wall", "sheet", product.BoxMM{Width: 1000, Height: 500, Depth: 2}, []string{"floor"}, "[{floor 0.5}]"},
		{"a cylinder's curved surface", "cylinder", product.BoxMM{Width: 200, Height: 1000, Depth: 200},
			[]string{"wall", "free-standing"}, "[{free-standing 0.6283} {wall 0.6283}]"},
		{"a sphere's", "sphere", product.BoxMM{Width: 500, Height: 500, Depth: 500}, []string{"ceiling"},
			"[{ceiling 0.7854}]"},
		{"to 0.0001 m²", "panel", product.BoxMM{Width: 333.3, Height: 333.3, Depth: 1}, []string{"wall"}, "[{wall 0.1111}]"},
	}
	for _, test := range tests {
		if got := fmt.Sprint(exposedAreas(test.shape, test.box, test.mountings)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
	const geometry = `"geometry":{"shape":"panel","bounding_box_mm":{"width":1000,"height":1000,"depth":40}%s},"installation_types":["ceiling"]`
	for more, want := range map[string]string{
		"":                        "[{ceiling 1}]",
		`,"exposed_area_m2":null`: "[{ceiling 1}]",
		`,"exposed_area_m2":{}`:   "[]",
		`,"exposed_area_m2":{"wall":2.00005,"E":1,"x":null}`: "[{E 1} {wall 2.00005}]",
	} {
		p := parseText(record(fmt.Sprintf(geometry, more))).Product
		if got := fmt.Sprint(p.Geometry.ExposedAreas); got != want {
			t.Errorf("%q: got %s, want %s", more, got, want)
		}
	}
}

func TestTextIn(t *testing.T) {
	text := product.Text{{Locale: "de", Text: "D"}, {Locale: "de-AT", Text: "A"}, {Locale: "en-GB", Text: "G"},
		{Locale: "en-US", Text: "U"}, {Locale: "fr", Text: "F"}}
	for locale, want := range map[string]string{
		"de": "D", "de-AT": "A", "de-CH": "D", "en": "G", "en-US": "U", "EN-us": "U", "en-AU": "G", "fr-CA": "F", "it": "D",
		"": "D",
	} {
		if got := text.In(locale); got != want {
			t.Errorf("In(%q) = %q, want %q", locale, got, want)
		}
	}
	if got := product.Text(nil).In("de"); got != "" {
		t.Errorf("an empty text in German: %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(
		[]byte(`{"id":"00000000-0000-0000-0000-000000000000","label":"L","manufacturer":{"name":"M"},"published":false}`))
	f.Add([]byte(record(``)))
	f.Add(
		[]byte(
			record(
				`"slug":"a","label":{"de":"A","en":"B"},"fire_class":"B-s1,d0","alpha_w":0.5,"updated_at":"2026-01-31T12:00:00Z","url":"https://a.example","structured_meta":{"a":1}`)))
	f.Add(
		[]byte(
			record(
				`"geometry":{"shape":"sphere","bounding_box_mm":{"width":1,"height":2,"depth":3},"size_variants":[{"width":1,"height":2,"depth":3}]},"images":[{"url":"http://a","display_order":1}]`)))
	f.Add(
		[]byte(
			record(
				`"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"125":0.1,"250":-0.1},"alpha_s_third_octave":{"100":1.9}}],"diffusion_iso_17497_2":[{"source_kind":"measured"}]}`)))
	for _, text := range jsonSeeds {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		parsed := Parse(Raw{Place: Place{Input: "a.ndjson", Line: 1, Index: -1}, JSON: text})
		if parsed.Product != nil {
			if err := refusedBySchema(string(text)); err != nil {
				t.Errorf("the schema rejects a record that the reader accepts: %v", err)
			}
		}
		if (parsed.Product == nil) != (len(parsed.Faults) > 0) {
			t.Fatalf("product %v with faults %v", parsed.Product, parsed.Faults)
		}
		for i := range parsed.Faults {
			if message := parsed.Faults[i].Error(); strings.ContainsAny(message, "\n\r\x00") {
				t.Errorf("a fault of several lines: %q", message)
			}
		}
		p := parsed.Product
		if p == nil {
			return
		}
		if p.Label.In("de") == "" || p.Manufacturer.Name == "" || slugProblem(p.Manufacturer.Slug) != "" {
			t.Errorf("a product without label or manufacturer: %+v", p)
		}
		source := product.AppendSource(nil, p)
		if again := parseText(string(source)); !reflect.DeepEqual(again.Product, p) || len(again.Unknown) > 0 {
			t.Errorf("%s is a different product: %v", source, again.Faults)
		}
	})
}

func TestManufacturersOfSeveralRecords(t *testing.T) {
	idOf := func(slug string) string { return uuid.NewSHA1(manufacturerNamespace, []byte(slug)).String() }
	for _, test := range []struct{ manufacturer, slug string }{
		{`"Ä"`, "ae"}, {`"Ä"`, "ae"}, {`"B"`, "b"}, {`{"name":"B","slug":"ae"}`, "ae"}, {`{"name":"B"}`, "b"},
		{`{"name":"C","slug":"b"}`, "b"}, {`"Ä"`, "ae"},
	} {
		m := Parse(Raw{JSON: []byte(`{"id":"00000000-0000-4000-8000-000000000001","label":"L","manufacturer":` +
			test.manufacturer + `}`)}).Product.Manufacturer
		if m.Slug != test.slug || m.ID.String() != idOf(test.slug) {
			t.Errorf("%s: got %+v, want the slug %s", test.manufacturer, m, test.slug)
		}
	}
}
