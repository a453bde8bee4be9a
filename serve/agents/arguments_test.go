package agents_test

import (
	"strings"
	"testing"
)

func TestErrorsOfArgumentsStateWhatIsExpected(t *testing.T) {
	s := connect(t, sample, true)
	const surface = `"surfaces":[{"material":"akustikpaneel-fichte-40","area_m2":40}]`
	tests := []struct{ rule, tool, arguments, want string }{
		{"a number is not a text", "search_materials", `{"query":7}`,
			`/properties/query: type: 7 has type "integer", want "string"`},
		{"an object is not a text", "search_materials", `{"query":{"a":1}}`, "/properties/query: type: "},
		{"an object in a list is not a text", "search_materials", `{"category":[{"a":1}]}`, "/properties/category/items: type: "},
		{"an object is not a number", "find_by_absorption", `{"absorption_min":{"125":{"a":1}}}`, "type: "},
		{"a text is not a number", "search_materials", `{"alpha_w_min":"high"}`,
			`/properties/alpha_w_min: type: high has type "string", want "number"`},
		{"a number in quotes is not a number", "search_materials", `{"limit":"10"}`,
			`/properties/limit: type: 10 has type "string", want "integer"`},
		{"a fraction is not an integer", "search_materials", `{"page":0.5}`,
			`/properties/page: type: 0.5 has type "number", want "integer"`},
		{"numbers have bounds", "search_materials", `{"limit":1e300}`, "/properties/limit: maximum: "},
		{"also infinite numbers", "search_materials", `{"limit":1e999}`, `cannot unmarshal "1e999"`},
		{"the message contains the bound", "search_materials", `{"alpha_w_min":1.5}`,
			"/properties/alpha_w_min: maximum: 3/2 is greater than 1"},
		{"crossed bounds", "search_materials", `{"alpha_w_min":0.8,"alpha_w_max":0.2}`,
			"alpha_w_min: 0.8 is larger than alpha_w_max, 0.2"},
		{"a list contains texts", "search_materials", `{"category":[["holz"]]}`,
			`/properties/category/items: type: [holz] has type "array", want "string"`},
		{"a text is not a boolean", "search_materials", `{"facets":"yes"}`,
			`/properties/facets: type: yes has type "string", want "boolean"`},
		{"an unknown argument gets a suggestion", "search_materials", `{"catgory":["holz"]}`,
			`unknown argument "catgory"; the nearest is category`},
		{"also in a surface", "reverberation_time", `{"volume_m3":100,"surfaces":[{"materal":"x","area_m2":1}]}`,
			`surfaces: unknown argument "materal"; the nearest is material`},
		{"without a similar argument all are listed", "get_material", `{"zzz":1,"id":"x"}`,
			`unknown argument "zzz"; the arguments are id, entry, first_entry, language`},
		{"the message on an unknown category lists the known ones", "search_materials", `{"category":["hols"]}`,
			`category: "hols" is not a known value; the nearest is "holz"; allowed: "beton"`},
		{"an unknown manufacturer gets a suggestion", "search_materials", `{"manufacturer":["jurtolm"]}`, `the nearest is "jurtholm"`},
		{"the message lists the allowed values", "search_materials", `{"sort":"best"}`,
			"/properties/sort: enum: best does not equal any of: [relevance alphaW_desc"},
		{"sorts by set-ups are only for find_by_absorption", "search_materials", `{"sort":"margin_desc"}`, "date_desc name_asc thickness_asc depth_asc]"},
		{"the message lists the allowed items of lists", "find_by_absorption", `{"absorption_class":["F"]}`,
			"/properties/absorption_class/items: enum: F does not equal any of: [A B C D E]"},
		{"margin_desc needs absorption_min", "find_by_absorption", `{"sort":"margin_desc"}`,
			"needs absorption_min, which is missing"},
		{"an invalid band gets its neighbours", "find_by_absorption", `{"absorption_min":{"300":0.5}}`,
			`absorption_min: "300:0.5" has 300, which is not a nominal octave band; the nearest are 250 and 500`},
		{"an invalid band of scattering gets its neighbours", "find_by_absorption", `{"scattering_min":{"300":0.5}}`,
			"the nearest are 250 and 315"},
		{"a coefficient must be a number", "find_by_absorption", `{"absorption_min":{"250":"0.5"}}`,
			`/properties/absorption_min/additionalProperties: type: 0.5 has type "string", want "number"`},
		{"a curve is not a text", "find_by_absorption", `{"curve":"125:0.3"}`,
			`/properties/curve: type: 125:0.3 has type "string", want "object"`},
		{"a band cannot contain another band", "find_by_absorption", `{"curve":{"125:0.1,250":0.3}}`,
			`"125:0.1,250" does not match regular expression`},
		{"nor can a band of scattering", "find_by_absorption", `{"scattering_min":{"125:0.1,250":0.3}}`,
			`"125:0.1,250" does not match regular expression`},
		{"a curve and a product are two targets", "find_by_absorption",
			`{"like":"akustikpaneel-fichte-40","curve":{"125":0.1,"250":0.3}}`, "use only one"},
		{"the product of like must exist", "find_by_absorption", `{"like":"akustikpanel-fichte"}`,
			`like: no product has the id "akustikpanel-fichte"; the nearest are akustikpaneel-fichte-40`},
		{"a missing argument is reported", "get_material", `{}`, `missing properties: ["id"]`},
		{"null has no arguments", "get_material", `null`, `missing properties: ["id"]`},
		{"an unknown product gets suggestions", "get_material", `{"id":"akustikpanel-fichte-40"}`,
			"the nearest are akustikpaneel-fichte-40"},
		{"an entry out of range", "get_material", `{"id":"akustikpaneel-fichte-40","entry":1}`,
			"entry: 1 is out of range: akustikpaneel-fichte-40 has the entries 0 to 0"},
		{"one product is not a comparison", "compare_materials", `{"ids":["akustikpaneel-fichte-40"]}`,
			"ids: expected 2 to 4 different ids, got 1"},
		{"five products are too many", "compare_materials", `{"ids":["a","b","c","d","e"]}`, "ids: expected 2 to 4 different ids, got 5"},
		{"the same product twice is not a comparison", "compare_materials", `{"ids":["a","a"]}`, "ids: expected 2 to 4 different ids, got 1"},
		{"an unknown product in a comparison is reported", "compare_materials", `{"ids":["akustikpaneel-fichte-40","nonsense-xyz"]}`,
			`ids: no product has the id "nonsense-xyz"`},
		{"a room needs surfaces", "reverberation_time", `{"volume_m3":100}`, "surfaces: missing"},
		{"an empty list of surfaces", "reverberation_time", `{"volume_m3":100,"surfaces":[]}`, "surfaces: missing"},
		{"a surface is an object", "reverberation_time", `{"volume_m3":100,"surfaces":["x:3"]}`,
			`/properties/surfaces/items: type: x:3 has type "string", want "object"`},
		{"a surface needs an area", "reverberation_time", `{"volume_m3":100,"surfaces":[{"material":"akustikpaneel-fichte-40"}]}`,
			`/properties/surfaces/items: required: missing properties: ["area_m2"]`},
		{"a surface has only one material or curve", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"material":"x","curve":{"125":1},"area_m2":1}]}`,
			"surfaces[0]: expected exactly one of material, standard and curve"},
		{"the product of a surface must exist", "reverberation_time", `{"volume_m3":100,"surfaces":[{"material":"beton-glat","area_m2":3}]}`,
			"the nearest are beton-glatt"},
		{"a curve needs every band", "reverberation_time", `{"volume_m3":100,"surfaces":[{"curve":{"125":0.1},"area_m2":3}]}`,
			"has no coefficient at 250 Hz"},
		{"the entry of a surface must exist", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"material":"akustikpaneel-fichte-40","entry":7,"area_m2":3}]}`,
			`has no ISO 354 entry "7"`},
		{"Eyring gives no time for alpha 1", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"curve":{"125":1,"250":1,"500":1,"1000":1,"2000":1,"4000":1},"area_m2":3}]}`,
			"surfaces: "},
		{"a volume of 0", "reverberation_time", `{"volume_m3":0,` + surface + `}`, "volume_m3: "},
		{"two targets", "reverberation_time", `{"volume_m3":180,"din18041":"A3","target_s":1,` + surface + `}`,
			"din18041 and target_s"},
		{"a use has a range of volumes", "reverberation_time", `{"volume_m3":5,"din18041":"A3",` + surface + `}`, "din18041: "},
		{"air needs both values", "reverberation_time", `{"volume_m3":180,"air":{"temperature_c":20},` + surface + `}`,
			`/properties/air: required: missing properties: ["humidity_percent"]`},
		{"a null humidity is missing", "reverberation_time", `{"volume_m3":180,"air":{"temperature_c":20,"humidity_percent":null},` +
			surface + `}`, `/properties/air: required: missing properties: ["humidity_percent"]`},
		{"a null area is missing", "reverberation_time",
			`{"volume_m3":100,"surfaces":[{"material":"akustikpaneel-fichte-40","area_m2":null}]}`,
			`/properties/surfaces/items: required: missing properties: ["area_m2"]`},
		{"values of air have bounds", "reverberation_time", `{"volume_m3":180,"air":{"temperature_c":200,"humidity_percent":50},` +
			surface + `}`, "/properties/air/properties/temperature_c: maximum: 200/1 is greater than 50"},
	}
	for _, tt := range tests {
		if _, got, failed := s.call(t, tt.tool, tt.arguments); !failed || !strings.Contains(got, tt.want) ||
			!strings.HasPrefix(got, tt.tool+": ") {
			t.Errorf("%s: %s %s\n got %s\nwant %s", tt.rule, tt.tool, tt.arguments, got, tt.want)
		}
	}
}

func TestAnswersRepeatTheTargetUnchanged(t *testing.T) {
	s := connect(t, sample, true)
	for _, target := range []string{"0.6", "0.60", "1.0", "6e-1"} {
		got, said, _ := s.call(t, "reverberation_time", // of duplicate members, the last one is used
			`{"volume_m3":180,"target_s":2,"surfaces":[{"material":"beton-glatt","area_m2":40}],"target_s":`+target+`}`)
		if got.Get("target").Str != target || !strings.Contains(said, "target "+target+"\n") {
			t.Errorf("%s: got %s", target, said)
		}
	}
}

func TestEquivalentArguments(t *testing.T) {
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
		{`{"limit":5}`, `{"limit":3,"limit":5}`}, // of duplicate members, the last one is used
		{`{"limit":5}`, `{"limit":"x","li\u006dit":5}`},
	} {
		a, _, _ := s.call(t, "search_materials", same[0])
		if b, said, failed := s.call(t, "search_materials", same[1]); failed || a.Raw != b.Raw {
			t.Errorf("%s and %s: %s", same[0], same[1], said)
		}
	}
}
