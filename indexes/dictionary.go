package indexes

import (
	"slices"
	"strings"

	"sabine/indexes/analysis"
)

// Section KindDictionary is groups, see groups.go: words of a bilingual dictionary with their translations,
// as far as the catalogue has these. A key is the language of the words as in KindStems, d or e, and one to
// three words with the stem of the last; or = behind the language, and the words as they are. The numbers
// below the number of keys of KindStems are keys of that, the others, less that number, of KindParts: the
// stems of the translations, and the parts of compounds that they are. Built without a dictionary, the
// section has no keys.

// A Translation is words of two languages, as keys, which translate each other. Those of one side at least
// are a single word.
type Translation struct{ German, English string }

// maxTranslations is how many words, by their stems, a word may have as its translations in a dictionary,
// whether the catalogue has them or not. Those with more have so many meanings that they say nothing: set,
// run, strike.
const maxTranslations = 24

// wholeWords stands in the keys of words that are not stemmed, behind the language.
const wholeWords = "="

// A Dictionary leads from words to their translations.
type Dictionary struct {
	Groups
	stems int // keys of Index.Stems
}

// WholeWords returns the place of one to three words as they are.
func (d *Dictionary) WholeWords(language, words string) (place int, ok bool) {
	if language == StemGerman {
		return d.FindJoined(StemGerman+wholeWords, words)
	}
	return d.FindJoined(StemEnglish+wholeWords, words)
}

// A translator finds the translations that a catalogue has.
type translator struct {
	translations []Translation
	german       []string // the stem of the last word, by translation
	english      []string
	stems, parts *groupLists // of the catalogue
	sources      map[string]*source
}

// A source is a key of the section.
type source struct {
	numbers []uint32
	stems   []string // of all translations; one more than maxTranslations at most
}

// A direction is a translation from one language into a single word of the other.
type direction struct {
	number         int    // of the translation
	whole, stemmed []byte // the keys of the section
	into, stem     string // language and stem of the word
}

// dictionaryOf returns the section for translations into words of the catalogue, and how many of them it has.
func dictionaryOf(translations []Translation, stems, parts *groupLists) (groups *groupLists, used int) {
	t := translator{translations: translations, stems: stems, parts: parts, sources: map[string]*source{}}
	for _, tr := range translations {
		german, _ := analysis.Stems(lastWord(tr.German))
		_, english := analysis.Stems(lastWord(tr.English))
		t.german, t.english = append(t.german, german), append(t.english, english)
	}
	t.each(t.findTargets)
	t.each(t.count)
	last := -1 // that was used
	t.each(func(d *direction) {
		if d.number != last && t.keeps(d.whole) && len(t.targets(d)) > 0 {
			last = d.number
			used++
		}
	})
	var b groupBuilder
	for key, s := range t.sources {
		if len(s.stems) <= maxTranslations {
			for _, number := range s.numbers {
				b.add(key, number)
			}
		}
	}
	return b.groups(), used
}

func lastWord(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }

// each calls visit with every direction of the translations, which is good until it returns.
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

// targets returns the numbers of what a direction leads to, none when the catalogue does not have it.
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

// findTargets gives the keys of a direction the numbers that it leads to.
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

// count counts the words that a direction's keys are translated by.
func (t *translator) count(d *direction) {
	for _, key := range [...][]byte{d.whole, d.stemmed} {
		if s := t.sources[string(key)]; s != nil && len(s.stems) <= maxTranslations && !slices.Contains(s.stems, d.stem) {
			s.stems = append(s.stems, d.stem)
		}
	}
}

// keeps reports whether the section has a key.
func (t *translator) keeps(key []byte) bool {
	s := t.sources[string(key)]
	return s != nil && len(s.stems) <= maxTranslations
}

// groupsAgain returns the dictionary for a build with the same stems and parts: what a build would not write
// is left out.
func (d *Dictionary) groupsAgain(stems, parts *groupLists) *groupLists {
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
