package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestSynonyms(t *testing.T) {
	tests := []struct{ rule, key, want string }{
		{"in either direction", "vorhang", "curtain drape drapery gardine"},
		{"and back", "curtain", "drape drapery gardine vorhang"},
		{"of several words", "rock wool", "mineral wool mineralwolle rockwool steinwolle stone wool"},
		{"both spellings of English", "gray", "grau grey"},
		{"words that do not match parts of compounds are marked", "textil", "=stoff fabric textile"},
		{"a key of several groups has the synonyms of all, but not the synonyms of its synonyms", "rug", "teppich"},
		{"each once", "fibreglass", "fiberglass glasfaser glass fiber glass fibre glass wool glasswool glaswolle"},
		{"an inflected form has the synonyms of the word", "teppiche", "carpet rug"},
		{"also in English", "rugs", "teppich"},
		{"also in -ies", "pantries", "larder pantry speisekammer vorratskammer"},
		{"a prefix of a word is not a form, even if it is the stem", "foli", ""},
		{"a listed form also has the synonyms of the word", "menschen", "human leute people person"},
		{"so has a key whose last word is a form", "rock wools", "mineral wool mineralwolle rockwool steinwolle stone wool"},
		{"also an irregular form", "schafe", "sheep"},
		{"a German word that keeps its e does not share synonyms", "deck", ""},
		{"nor does a word that only begins with a key", "vorhangkaufhaus", ""},
		{"nor a part of a key", "rock", ""},
		{"an unknown key has no synonyms", "quatsch", ""},
		{"an empty key has no synonyms", "", ""},
	}
	for _, test := range tests {
		var got []string
		for _, s := range Synonyms(test.key) {
			got = append(got, marked(s))
		}
		slices.Sort(got)
		if joined := strings.Join(got, " "); joined != test.want {
			t.Errorf("%s: synonyms of %q are %q, want %q", test.rule, test.key, joined, test.want)
		}
	}
}

// marked formats a synonym as in the lists.
func marked(s *Synonym) string {
	if s.Whole {
		return "=" + s.Key
	}
	return s.Key
}

// TestSynonymsAreMutual checks that each key is a synonym of all its synonyms.
func TestSynonymsAreMutual(t *testing.T) {
	for key, listed := range ListedSynonyms() {
		for _, s := range listed.synonyms {
			back := func(of *Synonym) bool { return of.Key == key }
			if s.Key == key || !slices.ContainsFunc(ListedSynonyms()[s.Key].synonyms, back) {
				t.Errorf("%q is a synonym of %q, but not the reverse", s.Key, key)
			}
		}
	}
}

func TestInflectedForms(t *testing.T) {
	tests := []struct {
		rule, form, word string
		want             bool
	}{
		{"a German plural", "decken", "decke", true},
		{"a plural with an umlaut, which keys do not have", "vorhange", "vorhang", true},
		{"a German adjective", "gelochter", "gelocht", true},
		{"an English plural", "ceilings", "ceiling", true},
		{"not a shorter word with the same stem", "deck", "decke", false},
		{"not a compound", "deckensegel", "decke", false},
		{"the word itself", "decke", "decke", true},
		{"not a word with another stem", "wandel", "wand", false},
	}
	for _, test := range tests {
		s := &Synonym{Key: test.word, Last: test.word}
		if got := s.HasForm(test.form); got != test.want {
			t.Errorf("%s: %q is an inflected form of %q: %v", test.rule, test.form, test.word, got)
		}
	}
}
