package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// checked reads records, one per line, with Reader, Parse and Checker. The vocabularies are the content of
// vocabulary.json files. It returns the findings of the checker and of the merged vocabularies.
func checked(t *testing.T, records []string, vocabularies ...string) (found []string, rejected []int, reader *Reader) {
	t.Helper()
	var inputs []Input
	for i, vocabulary := range vocabularies {
		inputs = append(inputs, textInput(fmt.Sprintf("%d/vocabulary.json", i), vocabulary))
	}
	reader = NewReader(append(inputs, textInput("a.ndjson", strings.Join(records, "\n"))))
	checker := NewChecker()
	for raw, err := range reader.Records() {
		if err != nil {
			found = append(found, "! "+err.Error())
			continue
		}
		parsed := Parse(raw)
		if parsed.Product == nil {
			if parsed.Faulty == nil {
				t.Fatalf("%s: %q", raw.JSON, texts(parsed.Faults))
			}
			for _, fault := range append(parsed.Faults, checker.AddFaulty(raw.Place, parsed.Faulty)...) {
				found = append(found, fault.Error())
			}
			continue
		}
		faults, warnings := checker.Add(raw.Place, parsed.Product)
		for i := range faults {
			found = append(found, faults[i].Error())
		}
		for i := range warnings {
			found = append(found, "warning: "+warnings[i].Error())
		}
	}
	faults, ordinals := checker.Finish(reader.Vocabulary())
	for i := range faults {
		found = append(found, faults[i].Error())
	}
	return found, slices.Sorted(maps.Keys(ordinals)), reader
}

// productOf returns a record with the id for a number. It adds a label and a manufacturer if more contains
// none.
func productOf(n int, more string) string {
	for _, member := range []string{fmt.Sprintf(`"label":"Product %d"`, n), `"manufacturer":"Acme"`} {
		if name, _, _ := strings.Cut(member, ":"); !strings.Contains(more, name) {
			more = strings.TrimSuffix(member+","+more, ",")
		}
	}
	return fmt.Sprintf(`{"id":"%s",%s}`, productID(n), more)
}

func productID(n int) string { return fmt.Sprintf("0b6f0d1e-0000-4000-8000-%012d", n) }

func TestChecker(t *testing.T) {
	id := productID
	tests := []struct {
		rule    string
		records []string
		want    []string
	}{
		{"nothing to find", []string{productOf(1, `"slug":"a"`), productOf(2, `"slug":"b"`), productOf(3, ``)}, nil},
		{"an id twice", []string{productOf(1, ``), productOf(2, ``), productOf(1, `"label":"B"`)}, []string{
			"a.ndjson:3: product " + id(1) + ": id: duplicate id, first used in a.ndjson:1"}},
		{"a slug twice, of an unpublished product too", []string{productOf(1, `"slug":"a","published":false`),
			productOf(2, `"slug":"a"`)}, []string{
			"a.ndjson:2: product " + id(2) + `: slug: "a" is a duplicate slug, first used in a.ndjson:1, product ` +
				id(1)}},
		{"id and slug twice", []string{productOf(1, `"slug":"a"`), productOf(1, `"slug":"a"`)}, []string{
			"a.ndjson:2: product " + id(1) + ": id: duplicate id, first used in a.ndjson:1",
			"a.ndjson:2: product " + id(1) + `: slug: "a" is a duplicate slug, first used in a.ndjson:1, product ` +
				id(1)}},
		{"a product with a duplicate slug still claims its id", []string{productOf(1, `"slug":"a"`),
			productOf(2, `"slug":"a"`), productOf(2, `"slug":"b"`), productOf(3, `"slug":"b"`)}, []string{
			"a.ndjson:2: product " + id(2) + `: slug: "a" is a duplicate slug, first used in a.ndjson:1, product ` + id(1),
			"a.ndjson:3: product " + id(2) + ": id: duplicate id, first used in a.ndjson:2",
			"a.ndjson:4: product " + id(3) + `: slug: "b" is a duplicate slug, first used in a.ndjson:3, product ` +
				id(2)}},
		{"a record whose id can't be read has its slug and manufacturer all the same", []string{
			`{"id":"x","slug":"a","label":"A","manufacturer":"Acme"}`, productOf(1, `"slug":"a"`),
			productOf(2, `"manufacturer":"ACME"`)}, []string{
			`a.ndjson:1: product x: id: expected a UUID, got the string "x"`,
			"a.ndjson:2: product " + id(1) + `: slug: "a" is a duplicate slug, first used in a.ndjson:1`,
			"a.ndjson:3: product " + id(2) + `: manufacturer: the slug acme has the name "ACME" here and "Acme" in a.ndjson:1`}},
		{"two records without an id claim no id", []string{`{"label":"A","manufacturer":"Acme"}`,
			`{"label":"B","manufacturer":"Acme"}`}, []string{
			"a.ndjson:1: id: missing, expected a UUID", "a.ndjson:2: id: missing, expected a UUID"}},
		{"a manufacturer in conflict takes neither slug nor id", []string{
			productOf(1, `"manufacturer":{"name":"M","id":"`+id(8)+`"}`), productOf(2, `"manufacturer":{"name":"N","id":"`+
				id(8)+`"}`), productOf(3, `"manufacturer":"N"`), productOf(4, `"manufacturer":{"name":"M","id":"`+id(8)+`"}`)},
			[]string{
				"a.ndjson:2: product " + id(2) + ": manufacturer: the id " + id(8) +
					" has the slug n here and m in a.ndjson:1, product " + id(1)}},
		{"a record with other faults is compared with the others, and they with it", []string{
			productOf(1, `"slug":"a"`), productOf(1, `"slug":"a","alpha_w":2`), productOf(2, `"slug":"b","alpha_w":2`),
			productOf(2, `"slug":"b"`), productOf(3, `"manufacturer":{"name":"ACME","id":"x"}`)}, []string{
			"a.ndjson:2: product " + id(1) + ": alpha_w: expected a number from 0 to 1, got the number 2",
			"a.ndjson:2: product " + id(1) + ": id: duplicate id, first used in a.ndjson:1",
			"a.ndjson:2: product " + id(1) + `: slug: "a" is a duplicate slug, first used in a.ndjson:1, product ` + id(1),
			"a.ndjson:3: product " + id(2) + ": alpha_w: expected a number from 0 to 1, got the number 2",
			"a.ndjson:4: product " + id(2) + ": id: duplicate id, first used in a.ndjson:3",
			"a.ndjson:4: product " + id(2) + `: slug: "b" is a duplicate slug, first used in a.ndjson:3, product ` + id(2),
			"a.ndjson:5: product " + id(3) + `: manufacturer.id: expected a UUID, got the string "x"`}},
		{"one slug has one name", []string{productOf(1, ``), productOf(2, `"manufacturer":"ACME"`)}, []string{
			"a.ndjson:2: product " + id(2) +
				`: manufacturer: the slug acme has the name "ACME" here and "Acme" in a.ndjson:1, product ` + id(1)}},
		{"one slug has one id", []string{productOf(1, `"manufacturer":{"name":"M","id":"`+id(8)+`"}`),
			productOf(2, `"manufacturer":{"name":"M","id":"`+id(9)+`"}`)}, []string{
			"a.ndjson:2: product " + id(2) + ": manufacturer: the slug m has the id " + id(9) + " here and " + id(8) +
				" in a.ndjson:1, product " + id(1)}},
		{"one id has one slug", []string{productOf(1, `"manufacturer":{"name":"M","id":"`+id(8)+`"}`),
			productOf(2, `"manufacturer":{"name":"N","id":"`+id(8)+`"}`)}, []string{
			"a.ndjson:2: product " + id(2) + ": manufacturer: the id " + id(8) +
				" has the slug n here and m in a.ndjson:1, product " + id(1)}},
		{"two equal labels of a manufacturer", []string{productOf(1, `"label":"A"`), productOf(2, `"label":"A"`),
			productOf(3, `"label":"A","manufacturer":"Other"`)}, []string{
			"warning: a.ndjson:2: product " + id(2) +
				`: label: "A" is also the label of another product of this manufacturer: a.ndjson:1, product ` + id(1)}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if got, _, _ := checked(t, test.records); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestVocabularyClosesItsFamilies(t *testing.T) {
	const vocabulary = `{"material_category":{"holz":{"de":"Holz"},"textil":{}},"installation_types":{"wall":{"de":"Wand"}}}`
	records := []string{
		productOf(1, `"material_category":"holz","absorption_character":"any","installation_types":["wall"]`),
		productOf(2, `"material_category":"Holz","installation_types":["floor","wall","roof"],"published":false`),
		productOf(3, `"material_category":"metall"`),
		productOf(4, ``),
	}
	want := []string{
		"a.ndjson:2: product " + productID(2) + `: material_category: "Holz" is not in the vocabulary`,
		"a.ndjson:2: product " + productID(2) + `: installation_types: "floor" is not in the vocabulary`,
		"a.ndjson:2: product " + productID(2) + `: installation_types: "roof" is not in the vocabulary`,
		"a.ndjson:3: product " + productID(3) + `: material_category: "metall" is not in the vocabulary`,
	}
	got, rejected, _ := checked(t, records, vocabulary)
	if !slices.Equal(got, want) || !slices.Equal(rejected, []int{1, 2}) {
		t.Errorf("got  %q, rejected %v\nwant %q, [1 2]", got, rejected, want)
	}
	if got, rejected, reader := checked(t, records); got != nil || rejected != nil || reader.Vocabulary() != nil {
		t.Errorf("without a vocabulary: %q, rejected %v", got, rejected)
	}
	if got, rejected, _ := checked(t, records[:3], `{"absorption_character":{}}`); len(got) != 1 ||
		!slices.Equal(rejected, []int{0}) {
		t.Errorf("family without values: %q, rejected %v", got, rejected)
	}
}

func TestVocabulariesMerge(t *testing.T) {
	found, _, reader := checked(t, nil,
		`{"material_category":{"textil":{"de":"Textil","synonyms":["Stoff","fabric"]},"holz":null},"absorption_character":null}`,
		`{"material_category":{"textil":{"de":"Textil","en":"Textile","synonyms":["fabric","cloth"]},"metall":{}},"installation_types":{}}`,
	)
	want :=
		`map[installation_types:map[] material_category:map[metall:{map[] []} textil:{map[de:Textil en:Textile] [Stoff fabric cloth]}]]`
	if got := fmt.Sprint(reader.Vocabulary().Families); got != want || found != nil {
		t.Errorf("got  %s, %q\nwant %s", got, found, want)
	}
}

func TestVocabularyFaults(t *testing.T) {
	tests := []struct {
		rule         string
		vocabularies []string
		want         []string
	}{
		{"a conflict", []string{`{"material_category":{"a":{"de":"A"}}}`, ` {"material_category":{"a":{"de":"B"}}}`},
			[]string{
				`! 1/vocabulary.json (byte 1): material_category.a.de: "B" conflicts with "A" in 0/vocabulary.json (byte 0)`}},
		{"no vocabulary", []string{`[]`},
			[]string{"! 0/vocabulary.json (byte 0): expected an object that maps families to values, got an array"}},
		{"no family", []string{`{"colour":{}}`},
			[]string{
				"! 0/vocabulary.json (byte 0): colour: unknown family: expected material_category, absorption_character or " +
					"installation_types"}},
		{"wrong types, all of them",
			[]string{
				`{"material_category":[],"absorption_character":{"a":1,"b":{"de":"","x!":"x","synonyms":"s"},"":{},"c":{"synonyms":[1,"ok"]}}}`}, []string{
				"! 0/vocabulary.json (byte 0): material_category: expected an object that maps values to names, or null, got an array",
				"! 0/vocabulary.json (byte 0): absorption_character.a: expected an object that maps locales to names, or null, got the " +
					"number 1",
				`! 0/vocabulary.json (byte 0): absorption_character.b.de: expected a name, a string with visible characters, got the string ""`,
				`! 0/vocabulary.json (byte 0): absorption_character.b["x!"]: expected a language (BCP 47), such as de, en or pt-BR, or synonyms as the key`,
				`! 0/vocabulary.json (byte 0): absorption_character.b.synonyms: expected an array of strings, or null, got the string "s"`,
				`! 0/vocabulary.json (byte 0): absorption_character[""]: expected a value as the key`,
				"! 0/vocabulary.json (byte 0): absorption_character.c.synonyms[0]: expected a string with visible characters, got " +
					"the number 1"}},
		{"a duplicate key", []string{`{"material_category":{"a":{},"a":{}}}`},
			[]string{"! 0/vocabulary.json (byte 0): material_category.a: duplicate key"}},
		{"no JSON", []string{`{"material_category":`},
			[]string{"! 0/vocabulary.json (byte 21): invalid JSON at byte 21: expected the rest of the value"}},
		{"nothing", []string{``}, []string{"! 0/vocabulary.json (byte 0): invalid JSON at byte 0: expected a value"}},
		{"two vocabularies", []string{`{} {}`},
			[]string{"! 0/vocabulary.json (byte 3): invalid JSON at byte 3: expected the end of the input after the vocabulary"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if got, _, _ := checked(t, nil, test.vocabularies...); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestVocabularyInTheContainer(t *testing.T) {
	const vocabulary = `"vocabulary":{"material_category":{"a":{"de":"A"}}}`
	for name, text := range map[string]string{
		"before the records": `{` + vocabulary + `,"products":[{}]}`,
		"behind the records": `{"items":[{}],` + vocabulary + `}`,
	} {
		reader := NewReader([]Input{textInput("a.json", text)})
		if got := readAll(t, reader); len(got) != 1 ||
			fmt.Sprint(reader.Vocabulary()) != "&{map[material_category:map[a:{map[de:A] []}]]}" {
			t.Errorf("%s: %q, vocabulary %v", name, got, reader.Vocabulary())
		}
	}
	reader := NewReader([]Input{textInput("a.json", `{"items":[{}],"vocabulary":{"x":1}}`)})
	want := []string{"a.json[0] (byte 10) {}",
		"! a.json (byte 0): vocabulary.x: unknown family: expected material_category, absorption_character or " +
			"installation_types"}
	if got := readAll(t, reader); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	reader = NewReader([]Input{textInput("a.json", `{`+vocabulary+`}`)})
	if readAll(t, reader); reader.Vocabulary() != nil {
		t.Error("an object without records is a record, not a container")
	}
}
