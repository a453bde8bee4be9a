package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// list returns n elements, separated by commas. The format contains the number of the element.
func list(n int, format string) string {
	elements := make([]string, n)
	for i := range elements {
		elements[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(elements, ",")
}

func TestLimitsOfTexts(t *testing.T) {
	tests := []struct {
		record string // %s is a string
		limit  int
		path   string
	}{
		{`"label":"%s"`, 1000, "label"},
		{`"label":{"de":"A","en":"%s"}`, 1000, "label.en"},
		{`"commercial_name":"%s"`, 1000, "commercial_name"},
		{`"description":"%s"`, 64 << 10, "description"},
		{`"description":{"de":"%s"}`, 64 << 10, "description.de"},
		{`"manufacturer":"%s"`, 1000, "manufacturer"},
		{`"manufacturer":{"name":"%s"}`, 1000, "manufacturer.name"},
		{`"material_category":"%s"`, 1000, "material_category"},
		{`"installation_types":["wall","%s"]`, 1000, "installation_types[1]"},
		{`"structured_meta":{"k":"%s"}`, 1 << 20, "structured_meta.k"},
		{`"images":[{"url":"http://a","filename":"%s"}]`, 1000, "images[0].filename"},
		{
			`"geometry":{"shape":"box","bounding_box_mm":{"width":1,"height":1,"depth":1},"size_variants":[{"width":1,"height":1,"depth":1,"label":"%s"}]}`,
			1000, "geometry.size_variants[0].label"},
		{`"measurements":{"absorption_iso_354":[{"source_kind":"measured","mounting":"%s"}]}`, 1000,
			"measurements.absorption_iso_354[0].mounting"},
		{`"measurements":{"scatter_iso_17497_1":[{"source_kind":"measured","label":"%s"}]}`, 1000,
			"measurements.scatter_iso_17497_1[0].label"},
	}
	for _, test := range tests {
		long := strings.Repeat("a", test.limit)
		if parsed := parseText(record(fmt.Sprintf(test.record, long))); parsed.Product == nil {
			t.Errorf("%s at its limit: %q", test.path, texts(parsed.Faults))
		}
		want := []string{fmt.Sprintf("%s: expected a string of at most %d bytes, got %d", test.path, test.limit, test.limit+1)}
		if got := texts(parseText(record(fmt.Sprintf(test.record, long+"a"))).Faults); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	key := strings.Repeat("k", 1001)
	if got := texts(parseText(record(`"structured_meta":{"` + key + `":1}`)).Faults); len(got) != 1 ||
		!strings.HasSuffix(got[0], "expected a string of at most 1000 bytes, got 1001") {
		t.Errorf("a key: %q", got)
	}
	address := "http://a/" + strings.Repeat("a", 8<<10-9)
	if parsed := parseText(record(`"url":"` + address + `"`)); parsed.Product == nil {
		t.Errorf("an address at its limit: %q", texts(parsed.Faults))
	}
	if got := texts(parseText(record(`"url":"` + address + `a"`)).Faults); !slices.Equal(got,
		[]string{"url: expected a string of at most 8192 bytes, got 8193"}) {
		t.Errorf("an address: %q", got)
	}
}

func TestLimitsOfLists(t *testing.T) {
	const size = `{"width":1,"height":1,"depth":1}`
	tests := []struct{ before, element, after, path string }{
		{`"label":{"de":"A",`, `"aa-x-a%05d":"A"`, `}`, "label"},
		{`"installation_types":[`, `"t%d"`, `]`, "installation_types"},
		{`"images":[`, `{"url":"http://a/%d"}`, `]`, "images"},
		{`"structured_meta":{`, `"k%d":"v"`, `}`, "structured_meta"},
		{`"geometry":{"shape":"box","bounding_box_mm":` + size + `,"size_variants":[`,
			`{"width":1,"height":1,"depth":1,"label":"%d"}`, `]}`, "geometry.size_variants"},
		{`"geometry":{"shape":"box","bounding_box_mm":` + size + `,"exposed_area_m2":{`, `"m%d":1`, `}}`,
			"geometry.exposed_area_m2"},
		{`"measurements":{"absorption_iso_354":[`, `{"source_kind":"measured","label":"%d"}`, `]}`,
			"measurements.absorption_iso_354"},
		{`"measurements":{"scatter_iso_17497_1":[`, `{"source_kind":"measured","label":"%d"}`, `]}`,
			"measurements.scatter_iso_17497_1"},
		{`"measurements":{"diffusion_iso_17497_2":[`, `{"source_kind":"measured","label":"%d"}`, `]}`,
			"measurements.diffusion_iso_17497_2"},
	}
	for _, test := range tests {
		most := 500
		if test.path == "label" {
			most-- // the German text is an element too
		}
		if parsed := parseText(record(test.before + list(most, test.element) + test.after)); parsed.Product == nil {
			t.Errorf("%s at its limit: %q", test.path, texts(parsed.Faults))
		}
		got := texts(parseText(record(test.before + list(most+10, test.element) + test.after)).Faults)
		if want := []string{test.path + ": expected at most 500 elements"}; !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestLimitOfAllFields(t *testing.T) {
	meta := `"structured_meta":{"a":"` + strings.Repeat("a", 1<<20) + `","b":"` + strings.Repeat("b", 1<<20-200) + `"}`
	if parsed := parseText(record(meta + `,"unknown":"` + strings.Repeat("x", 3<<20) + `"`)); parsed.Product == nil {
		t.Errorf("below it: %q", texts(parsed.Faults))
	}
	got := texts(parseText(record(meta + `,"description":"` + strings.Repeat("c", 1000) + `"`)).Faults)
	if len(got) != 1 || !strings.HasPrefix(got[0], "expected at most 2097152 bytes in all fields together, got 2098016") {
		t.Errorf("got %q", got)
	}
}

func TestLimitsOfVocabularies(t *testing.T) {
	long := strings.Repeat("a", 1001)
	tests := []struct{ rule, vocabulary, want string }{
		{"values at their limit", `{"material_category":{` + list(5000, `"v%d":{"de":"A"}`) + `}}`, ""},
		{"values", `{"material_category":{` + list(5010, `"v%d":{"de":"A"}`) + `}}`,
			"material_category: expected at most 5000 elements"},
		{"synonyms at their limit", `{"material_category":{"a":{"synonyms":[` + list(500, `"s%d"`) + `]}}}`, ""},
		{"synonyms", `{"material_category":{"a":{"synonyms":[` + list(510, `"s%d"`) + `]}}}`,
			"material_category.a.synonyms: expected at most 500 elements"},
		{"a synonym", `{"material_category":{"a":{"synonyms":["` + long + `"]}}}`,
			"material_category.a.synonyms[0]: expected a string of at most 1000 bytes, got 1001"},
		{"a name", `{"material_category":{"a":{"de":"` + long + `"}}}`,
			"material_category.a.de: expected a string of at most 1000 bytes, got 1001"},
		{"a value", `{"material_category":{"` + long + `":{}}}`, `material_category["` + long[:100] +
			`…"]: expected a string of at most 1000 bytes, got 1001`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got := ""
			for _, err := range NewReader([]Input{textInput("vocabulary.json", test.vocabulary)}).Records() {
				got += strings.TrimPrefix(err.Error(), "vocabulary.json (byte 0): ")
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestLimitOfSynonymsInAllVocabularies(t *testing.T) {
	vocabulary := func(synonyms string) Input {
		return textInput("vocabulary.json", `{"material_category":{"a":{"synonyms":[`+synonyms+`]}}}`)
	}
	full := vocabulary(list(500, `"s%d"`))
	for _, test := range []struct {
		rule   string
		second Input
		want   []string
	}{
		{"the same ones again", full, nil},
		{"one more", vocabulary(`"s1","s"`),
			[]string{"vocabulary.json (byte 0): material_category.a.synonyms: expected at most 500 elements"}},
	} {
		var got []string
		for _, err := range NewReader([]Input{full, test.second}).Records() {
			got = append(got, err.Error())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestControlCharactersCauseWarnings(t *testing.T) {
	const says = " contains the control character %s, which a terminal or a browser may interpret"
	tests := []struct{ record, want string }{
		{`"label":"A\u001b[31m"`, "label:U+001B"},
		{`"label":{"de":"A","en":"B\u0007"}`, "label.en:U+0007"},
		{`"commercial_name":"A\u007f"`, "commercial_name:U+007F"},
		{`"commercial_name":"A` + "\u007f" + `"`, "commercial_name:U+007F"},
		{`"description":"A` + "\u009b" + `31m"`, "description:U+009B"},
		{`"description":"A\u009b31m"`, "description:U+009B"},
		{`"description":"over\rwritten"`, "description:U+000D"},
		{`"manufacturer":"A` + "\u202e" + `"`, "manufacturer:U+202E"},
		{`"manufacturer":{"name":"A\u2066"}`, "manufacturer.name:U+2066"},
		{`"installation_types":["w\u0000all"]`, "installation_types[0]:U+0000"},
		{`"structured_meta":{"k":"A\u001b"}`, "structured_meta.k:U+001B"},
		{`"structured_meta":{"k\u001b":"A"}`, `structured_meta["k\x1b"]:U+001B`},
		{`"url":"http://a/` + "\u202a" + `"`, "url:U+202A"},
		{`"measurements":{"absorption_iso_354":[{"source_kind":"measured","label":"A\u001b"}]}`,
			"measurements.absorption_iso_354[0].label:U+001B"},
		{`"description":"two\nlines\r\nand a\ttab – „so“ é ü ½ †"`, ""},
	}
	for _, test := range tests {
		parsed := parseText(record(test.record))
		got := strings.Join(texts(parsed.Warnings), " / ")
		want := ""
		if path, character, ok := strings.Cut(test.want, ":"); ok {
			want = path + ":" + fmt.Sprintf(says, character)
		}
		if got != want || parsed.Product == nil {
			t.Errorf("%s:\ngot  %s, faults %q\nwant %s", test.record, got, texts(parsed.Faults), want)
		}
	}
	reader := NewReader([]Input{textInput("vocabulary.json", `{"material_category":{"a":{"de":"A\u001b"}}}`)})
	for _, err := range reader.Records() {
		t.Error(err)
	}
	if got := reader.Warnings(); len(got) != 1 || got[0].Path != "material_category.a.de" {
		t.Errorf("a vocabulary: %v", got)
	}
}
