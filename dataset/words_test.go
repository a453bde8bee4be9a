package dataset

import (
	"strings"
	"testing"
)

func TestWordsOfAFamily(t *testing.T) {
	declared := &Vocabulary{Families: map[string]map[string]Term{"material_category": {
		"metall":  {Names: map[string]string{"de": "Metall", "en": "Metal"}, Synonyms: []string{"Blech"}},
		"textil":  {Names: map[string]string{"en": "Textile"}, Synonyms: []string{"Vlies", "metal"}},
		"holz-ab": {},
	}}}
	closed, open := NewWords(declared, "material_category"), NewWords(nil, "material_category")
	for _, test := range []struct {
		rule         string
		words        *Words
		text         string
		isList, asIs bool
		want         Meaning // without problems
	}{
		{"a value is a word for itself", closed, "holz-ab", false, false, Meaning{Values: "holz-ab"}},
		{"hyphens and spaces are ignored", closed, "Holz AB", false, false, Meaning{Values: "holz-ab"}},
		{"a name of any language", closed, "TEXTILE", false, false, Meaning{Values: "textil"}},
		{"a synonym", closed, "vlies", false, false, Meaning{Values: "textil"}},
		{"a name comes before a synonym of another value", closed, "metal", false, false, Meaning{Values: "metall"}},
		{"any other word has no value", closed, "Kork", false, false, Meaning{Unknown: "Kork"}},
		{"a word may have a comma", closed, "Vlies, Blech", false, false, Meaning{Unknown: "Vlies, Blech"}},
		{
			"a list, each value once", closed, "Vlies, Blech / Textile;Kork", true, false,
			Meaning{Values: "textil metall", Unknown: "Kork"},
		},
		{"a JSON array", closed, `["Vlies", "Kork"]`, true, false, Meaning{Values: "textil", Unknown: "Kork"}},
		{"a text that only begins like a JSON array", closed, "[Vlies, Kork", true, false, Meaning{Unknown: "Kork", Values: "textil"}},
		{"an open family has the words of the sample", open, "Textil", false, false, Meaning{Values: "textil"}},
		{"and any other", open, "Quarz", false, false, Meaning{Values: "Quarz"}},
		{"as in an export", open, "Textil", false, true, Meaning{Values: "Textil"}},
	} {
		for range 2 { // the second time from the cache
			got := test.words.Read(test.text, test.isList, test.asIs)
			if strings.ReplaceAll(got.Values, ListMark, " ") != test.want.Values || got.Unknown != test.want.Unknown ||
				(len(got.Problems) > 0) != (got.Unknown != "") {
				t.Errorf("%s: %q is %q, want %q", test.rule, test.text, got, test.want)
			}
		}
	}
	want := `"Textill" is not in the vocabulary of material_category; the nearest word is "textil"; ` +
		"stored as text in structured_meta"
	if got := closed.Read("Textill", false, false).Problems; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
