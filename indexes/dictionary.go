package indexes

import (
	"maps"
	"slices"
	"strings"

	"sabine/indexes/analysis"
)

// Section KindDictionary contains groups (see groups.go) with the words of a bilingual dictionary and those
// of their translations that occur in the catalogue. A key begins with the language of the words, d or e as
// in KindStems. Then it has one to three words, the last one stemmed, or = and the unchanged words. Let n be
// the number of keys in KindStems. A number below n is the index of such a key. Any other number minus n is
// the index of a key in KindParts. The referenced keys are the stems of the translations, and the compound
// parts with these stems. Without a dictionary, the section has no keys.

// A Translation is a pair of keys in two languages with the same meaning. At least one key is a single word.
type Translation struct{ German, English string }

// maxTranslations is the maximum number of translations of a word in a dictionary, counted by stem even if
// the catalogue lacks them. Words with more translations are too ambiguous, such as set, run and strike.
const maxTranslations = 24

// wholeWords follows the language in keys whose words are not stemmed.
const wholeWords = "="

// A Dictionary maps words to their translations in the catalogue.
type Dictionary struct {
	Groups
	stems int // number of keys in Index.Stems
}

// WholeWords returns the index of the key that consists of one to three unchanged words. language is
// StemGerman or StemEnglish.
func (d *Dictionary) WholeWords(language, words string) (place int, ok bool) {
	if language == StemGerman { // constants, since language + wholeWords would allocate
		return d.FindJoined(StemGerman+wholeWords, words)
	}
	return d.FindJoined(StemEnglish+wholeWords, words)
}

// A translator finds the translations that are words of a catalogue.
type translator struct {
	translations []Translation
	german       []string           // for each translation, the stem of the last German word
	english      []string           // for each translation, the stem of the last English word
	stems, parts *groupLists        // stems and compound parts of the catalogue
	sources      map[string]*source // by key of the section
}

// A source is a key of the section and its translations.
type source struct {
	numbers []uint32 // of the translations that are in the catalogue
	stems   []string // stems of all translations, at most maxTranslations plus one
}

// A direction is a translation from one language into a single word of the other.
type direction struct {
	number         int    // index of the translation
	whole, stemmed []byte // keys in the section
	into, stem     string // language and stem of the target word
}

// dictionaryOf returns the groups of the section and the number of translations in them.
func dictionaryOf(translations []Translation, stems, parts *groupLists) (groups *groupLists, used int) {
	t := translator{translations: translations, stems: stems, parts: parts, sources: map[string]*source{}}
	for _, tr := range translations {
		german, _ := analysis.Stems(lastWord(tr.German))
		_, english := analysis.Stems(lastWord(tr.English))
		t.german, t.english = append(t.german, german), append(t.english, english)
	}
	t.each(t.findTargets)
	t.each(t.addStem)
	maps.DeleteFunc(t.sources, func(_ string, s *source) bool { return len(s.stems) > maxTranslations })
	last := -1 // index of the last translation that was counted; both of its directions may be used
	t.each(func(d *direction) {
		if d.number != last && t.sources[string(d.whole)] != nil && len(t.targets(d)) > 0 {
			last = d.number
			used++
		}
	})
	var b groupBuilder
	for key, s := range t.sources {
		for _, number := range s.numbers {
			b.add(key, number)
		}
	}
	return b.groups(), used
}

func lastWord(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }

// each calls visit for both directions of every translation. The direction is valid only during the call.
func (t *translator) each(visit func(*direction)) {
	var d direction
	turn := func(from, words, fromStem, into, word, stem string) {
		if strings.Contains(word, " ") {
			return
		}
		d.whole = append(append(append(d.whole[:0], from...), wholeWords...), words...)
		d.stemmed = append(append(d.stemmed[:0], from...), words[:len(words)-len(lastWord(words))]...)
		d.stemmed = append(d.stemmed, fromStem...)
		d.into, d.stem = into, stem
		visit(&d)
	}
	for i, tr := range t.translations {
		d.number = i
		turn(StemGerman, tr.German, t.german[i], StemEnglish, tr.English, t.english[i])
		turn(StemEnglish, tr.English, t.english[i], StemGerman, tr.German, t.german[i])
	}
}

// targets returns the numbers of the stem and the compound part of a target word that are in the catalogue.
func (t *translator) targets(d *direction) []uint32 {
	var numbers []uint32
	if at, ok := slices.BinarySearch(t.stems.keys, d.into+d.stem); ok {
		numbers = append(numbers, uint32(at))
	}
	if at, ok := slices.BinarySearch(t.parts.keys, d.stem); ok && d.into == StemGerman {
		numbers = append(numbers, uint32(len(t.stems.keys)+at))
	}
	return numbers
}

// findTargets adds the numbers of the target word to the keys of a direction, if it is in the catalogue.
func (t *translator) findTargets(d *direction) {
	numbers := t.targets(d)
	if numbers == nil {
		return
	}
	for _, key := range [...][]byte{d.whole, d.stemmed} {
		s := t.sources[string(key)]
		if s == nil {
			s = &source{}
			t.sources[string(key)] = s
		}
		s.numbers = append(s.numbers, numbers...)
	}
}

// addStem adds the stem of the target word to the keys of a direction, if findTargets has created them. A key
// of more than maxTranslations stems is not stored.
func (t *translator) addStem(d *direction) {
	for _, key := range [...][]byte{d.whole, d.stemmed} {
		if s := t.sources[string(key)]; s != nil && len(s.stems) <= maxTranslations && !slices.Contains(s.stems, d.stem) {
			s.stems = append(s.stems, d.stem)
		}
	}
}

// groupsForRebuild returns the dictionary for a rebuild that has the same stems and parts. It omits entries
// that a build cannot write.
func (d *Dictionary) groupsForRebuild(stems, parts *groupLists) *groupLists {
	var b groupBuilder
	for i := range d.Len() {
		if key := d.Key(i); strings.HasPrefix(key, StemGerman) || strings.HasPrefix(key, StemEnglish) {
			for _, number := range d.Numbers(i) {
				if int64(number) < int64(len(stems.keys)+len(parts.keys)) {
					b.add(key, number)
				}
			}
		}
	}
	return b.groups()
}
