package agents_test

import (
	"strings"
	"testing"
)

func TestWrongArgumentsSayWhatIsExpected(t *testing.T) {
	s := connect(t, sample, true)
	const surface = `"surfaces":[{"material":"akustikpaneel-fichte-40","area_m2":40}]`
	tests := []struct{ rule, tool, arguments, want string }{
		{"a number is no text", "search_materials", `{"query":7}`,
			`/properties/query: type: 7 has type "integer", want "string"`},
		{"an object is no text", "search_materials", `{"query":{"a":1}}`, "/properties/query: type: "},
		{"nor one of a list", "search_materials", `{"category":[{"a":1}]}`, "/properties/category/items: type: "},
		{"an object is no number", "find_by_absorption", `{"absorption_min":{"125":{"a":1}}}`, "type: "},
		{"a text is no number", "search_materials", `{"alpha_w_min":"high"}`,
			`/properties/alpha_w_min: type: high has type "string", want "number"`},
		{"nor a number in quotes", "search_materials", `{"limit":"10"}`,
			`/properties/limit: type: 10 has type "string", want "integer"`},
		{"a fraction is no whole number", "search_materials", `{"page":0.5}`,
			`/properties/page: type: 0.5 has type "number", want "integer"`},
		{"numbers have bounds", "search_materials", `{"limit":1e300}`, "/properties/limit: maximum: "},
		{"also those that are infinite", "search_materials", `{"limit":1e999}`, `cannot unmarshal "1e999"`},
		{"bounds are told", "search_materials", `{"alpha_w_min":1.5}`,
			"/properties/alpha_w_min: maximum: 3/2 is greater than 1"},
		{"crossed bounds", "search_materials", `{"alpha_w_min":0.8,"alpha_w_max":0.2}`,
			"alpha_w_min: 0.8 is more than alpha_w_max, 0.2"},
		{"a list is of texts", "search_materials", `{"category":[["holz"]]}`,
			`/properties/category/items: type: [holz] has type "array", want "string"`},
		{"a text is no boolean", "search_materials", `{"facets":"yes"}`,
			`/properties/facets: type: yes has type "string", want "boolean"`},
		{"an unknown argument has a nearest", "search_materials", `{"catgory":["holz"]}`,
			`there is no argument "catgory", the nearest is category`},
		{"also in a surface", "reverberation_time", `{"volume_m3":100,"surfaces":[{"materal":"x","area_m2":1}]}`,
			`surfaces: there is no argument "materal", the nearest is material`},
		{"or all of them", "get_material", `{"zzz":1,"id":"x"}`,
			`there is no argument "zzz"; there are id, entry, first_entry, language`},
		{"an unknown category names the known", "search_materials", `{"category":["hols"]}`,
			`category: "hols" is not a known value, the nearest is "holz"; allowed: "beton"`},
		{"an unknown manufacturer too", "search_materials", `{"manufacturer":["jurtolm"]}`, `the nearest is "jurtholm"`},
		{"an enumeration is told", "search_materials", `{"sort":"best"}`,
			"/properties/sort: enum: best does not equal any of: [relevance alphaW_desc"},
		{"and lacks what only needs have", "search_materials", `{"sort":"margin_desc"}`, "date_desc name_asc thickness_asc depth_asc]"},
		{"so is that of lists", "find_by_absorption", `{"absorption_class":["F"]}`,
			"/properties/absorption_class/items: enum: F does not equal any of: [A B C D E]"},
		{"a sort needs what it sorts by", "find_by_absorption", `{"sort":"margin_desc"}`,
			"sorts by the margin over absorption_min, which is missing"},
		{"a band that is none names those that are", "find_by_absorption", `{"absorption_min":{"300":0.5}}`,
			`absorption_min: "300:0.5" has 300, which is no octave band; next to it are 250 and 500`},
		{"a band of scattering has neighbours", "find_by_absorption", `{"scattering_min":{"300":0.5}}`,
			"next to it are 250 and 315"},
		{"a coefficient is a number", "find_by_absorption", `{"absorption_min":{"250":"0.5"}}`,
			`/properties/absorption_min/additionalProperties: type: 0.5 has type "string", want "number"`},
		{"a curve is no text", "find_by_absorption", `{"curve":"125:0.3"}`,
			`/properties/curve: type: 125:0.3 has type "string", want "object"`},
		{"a band holds no further one", "find_by_absorption", `{"curve":{"125:0.1,250":0.3}}`,
			`"125:0.1,250" does not match regular expression`},
		{"nor one of scattering", "find_by_absorption", `{"scattering_min":{"125:0.1,250":0.3}}`,
			`"125:0.1,250" does not match regular expression`},
		{"a curve and a product are two targets", "find_by_absorption",
			`{"like":"akustikpaneel-fichte-40","curve":{"125":0.1,"250":0.3}}`, "give one of them"},
		{"what like names has to be there", "find_by_absorption", `{"like":"akustikpanel-fichte"}`,
			`like: no product has the id "akustikpanel-fichte"; the nearest are akustikpaneel-fichte-40`},
		{"a missing argument is told", "get_material", `{}`, `missing properties: ["id"]`},
		{"no arguments are none", "get_material", `null`, `missing properties: ["id"]`},
		{"an unknown product has nearest", "get_material", `{"id":"akustikpanel-fichte-40"}`,
			"the nearest are akustikpaneel-fichte-40"},
		{"an entry that there is not", "get_material", `{"id":"akustikpaneel-fichte-40","entry":1}`,
			"akustikpaneel-fichte-40 has the entries 0 to 0, got 1"},
		{"one product is no comparison", "compare_materials", `{"ids":["akustikpaneel-fichte-40"]}`,
			"ids: expected two to 4 different ids, got 1"},
		{"nor are five", "compare_materials", `{"ids":["a","b","c","d","e"]}`, "ids: expected two to 4 different ids, got 5"},
		{"nor is one twice", "compare_materials", `{"ids":["a","a"]}`, "ids: expected two to 4 different ids, got 1"},
		{"an unknown one is told", "compare_materials", `{"ids":["akustikpaneel-fichte-40","nonsense-xyz"]}`,
			`ids: no product has the id "nonsense-xyz"`},
		{"a room has surfaces", "reverberation_time", `{"volume_m3":100}`, "surfaces: none is given"},
		{"more than none", "reverberation_time", `{"volume_m3":100,"surfaces":[]}`, "surfaces: none is given"},
		{"of objects", "reverberation_time", `{"volume_m3":100,"surfaces":["x:3"]}`,
			`/properties/surfaces/items: type: x:3 has type "string", want "object"`},
		{"with an area", "reverberation_time", `{"volume_m3":100,"surfaces":[{"material":"akustikpaneel-fichte-40"}]}`,
			`/properties/surfaces/items: required: missing properties: ["area_m2"]`},
		{"and one thing on it", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"material":"x","curve":{"125":1},"area_m2":1}]}`,
			"surfaces[0]: expected a material, a standard surface or a curve, and one of them"},
		{"that there is", "reverberation_time", `{"volume_m3":100,"surfaces":[{"material":"beton-glat","area_m2":3}]}`,
			"the nearest are beton-glatt"},
		{"with every band", "reverberation_time", `{"volume_m3":100,"surfaces":[{"curve":{"125":0.1},"area_m2":3}]}`,
			"has no coefficient at 250 Hz"},
		{"and an entry that it has", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"material":"akustikpaneel-fichte-40","entry":7,"area_m2":3}]}`,
			`has no ISO 354 entry "7"`},
		{"alpha of 1 has no time after Eyring", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"curve":{"125":1,"250":1,"500":1,"1000":1,"2000":1,"4000":1},"area_m2":3}]}`,
			"surfaces: "},
		{"a volume of 0", "reverberation_time", `{"volume_m3":0,` + surface + `}`, "volume_m3: "},
		{"two targets", "reverberation_time", `{"volume_m3":180,"din18041":"A3","target_s":1,` + surface + `}`,
			"din18041 and target_s are two targets"},
		{"a use has its volumes", "reverberation_time", `{"volume_m3":5,"din18041":"A3",` + surface + `}`, "din18041: "},
		{"air is whole", "reverberation_time", `{"volume_m3":180,"air":{"temperature_c":20},` + surface + `}`,
			`/properties/air: required: missing properties: ["humidity_percent"]`},
		{"null is not there", "reverberation_time", `{"volume_m3":180,"air":{"temperature_c":20,"humidity_percent":null},` +
			surface + `}`, `/properties/air: required: missing properties: ["humidity_percent"]`},
		{"nor is an area of null", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"material":"akustikpaneel-fichte-40","area_m2":null}]}`,
			`/properties/surfaces/items: required: missing properties: ["area_m2"]`},
		{"and has bounds", "reverberation_time", `{"volume_m3":180,"air":{"temperature_c":200,"humidity_percent":50},` +
			surface + `}`, "/properties/air/properties/temperature_c: maximum: 200/1 is greater than 50"},
	}
	for _, tt := range tests {
		if _, got, failed := s.call(t, tt.tool, tt.arguments); !failed || !strings.Contains(got, tt.want) ||
			!strings.HasPrefix(got, tt.tool+": ") {
			t.Errorf("%s: %s %s\n got %s\nwant %s", tt.rule, tt.tool, tt.arguments, got, tt.want)
		}
	}
}

func TestATargetIsRepeatedAsItWasWritten(t *testing.T) {
	s := connect(t, sample, true)
	for _, target := range []string{"0.6", "0.60", "1.0", "6e-1"} {
		got, said, _ := s.call(t, "reverberation_time", // the last one counts
			`{"volume_m3":180,"target_s":2,"surfaces":[{"material":"beton-glatt","area_m2":40}],"target_s":`+target+`}`)
		if got.Get("target").Str != target || !strings.Contains(said, "target "+target+"\n") {
			t.Errorf("%s: got %s", target, said)
		}
	}
}

func TestArgumentsThatMeanTheSame(t *testing.T) {
	s := connect(t, sample, true)
	for _, same := range [][2]string{
		{`{"category":["holz"]}`, `{"category":"holz"}`},
		{`{"category":["holz"]}`, `{"category":["Wood"]}`},
		{`{"category":["holz"]}`, `{"category":["holz"],"fire_class":" ","alpha_w_min":"","installation":null}`},
		{`{"category":["holz"]}`, `{"category":["timber"]}`},
		{`{"installation":["ceiling"]}`, `{"installation":["Decke"]}`},
		{`{"manufacturer":["beispiel-akustik"]}`, `{"manufacturer":["Beispiel Akustik"]}`},
		{`{}`, `{"query":"","category":null,"limit":10,"page":0,"language":"en"}`},
		{`{"limit":5}`, `{"limit":5.0}`},
		{`{"limit":5}`, `{"limit":3,"limit":5}`}, // of an argument that is given twice the last one counts
		{`{"limit":5}`, `{"limit":"x","li\u006dit":5}`},
	} {
		a, _, _ := s.call(t, "search_materials", same[0])
		if b, said, failed := s.call(t, "search_materials", same[1]); failed || a.Raw != b.Raw {
			t.Errorf("%s and %s: %s", same[0], same[1], said)
		}
	}
}
