package dataset

import "testing"

func TestWordsOfAFamily(t *testing.T) {
	declared := &Vocabulary{Families: map[string]map[string]Term{"material_category": {
		"metall":  {Names: map[string]string{"de": "Metall", "en": "Metal"}, Synonyms: []string{"Blech"}},
		"textil":  {Names: map[string]string{"en": "Textile"}, Synonyms: []string{"Vlies", "metal"}},
		"holz-ab": {},
	}}}
	w := NewWords(declared, "material_category")
	for _, test := range []struct{ rule, word, want string }{
		{"a value is a word for itself", "holz-ab", "holz-ab"},
		{"hyphens and blanks do not count", "Holz AB", "holz-ab"},
		{"a name of any language", "TEXTILE", "textil"},
		{"a synonym", "vlies", "textil"},
		{"a name comes before a synonym of another value", "metal", "metall"},
		{"any other word has no value", "Kork", ""},
	} {
		if got := w.Value(test.word); got != test.want {
			t.Errorf("%s: %q is %q, want %q", test.rule, test.word, got, test.want)
		}
	}
	if w.Open || w.Nearest("Textill") != "Textile" && w.Nearest("Textill") != "textil" || w.Nearest("Quarz") != "" {
		t.Errorf("got open %v, nearest %q and %q", w.Open, w.Nearest("Textill"), w.Nearest("Quarz"))
	}
	if sample := NewWords(nil, "material_category"); !sample.Open || sample.Value("textil") != "textil" {
		t.Error("a family that is not declared has no words of the sample")
	}
}
