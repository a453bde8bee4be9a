package analysis

import (
	"slices"
	"strings"
	"sync"
)

// A Synonym is a key that means the same as another in a catalogue of acoustic products.
type Synonym struct {
	Key   string
	Whole bool // not meant as a part of compounds: Stoff is fabric, but Schaumstoff is not

	Last string // the last word

	once            sync.Once
	german, english string // its stems, once they are asked for
}

// Stems returns the German and the English stem of the last word.
func (s *Synonym) Stems() (german, english string) {
	s.once.Do(func() { s.german, s.english = Stems(s.Last) })
	return s.german, s.english
}

// MaxSynonymWords is the number of words that a key with synonyms has at most.
const MaxSynonymWords = 3

// maxInflection is the number of letters by which an inflected form may be longer than the listed word: -ern, -ing.
const maxInflection = 3

// Synonyms returns the synonyms of a key by the package's list, and none when the key is not listed. A key whose last word
// is an inflected form has the synonyms of the word itself: those of carpets and Teppiche are those of carpet and Teppich.
func Synonyms(key string) []*Synonym {
	table := synonymTable()
	if own := table[key]; own != nil {
		return own.synonyms
	}
	last := strings.LastIndexByte(key, ' ') + 1
	for end := len(key) - 1; end >= max(last+MinPart, len(key)-maxInflection); end-- {
		if own := table[key[:end]]; own != nil && own.isInflected(key[last:]) {
			return own.synonyms
		}
	}
	return nil
}

// SynonymWords returns how many words the longest key with synonyms has that begins with a word, 0 when none does.
func SynonymWords(first string) int { return synonymWords()[first] }

var synonymWords = sync.OnceValue(func() map[string]int {
	longest := map[string]int{}
	for key := range synonymTable() {
		first, _, _ := strings.Cut(key, " ")
		longest[first] = max(longest[first], 1+strings.Count(key, " "))
	}
	return longest
})

// Listed calls visit with every key that has synonyms, in no order.
func Listed(visit func(s *Synonym)) {
	for _, own := range synonymTable() {
		visit(&own.Synonym)
	}
}

// HasForm reports whether a word is the synonym's last word or an inflected form of it.
func (s *Synonym) HasForm(word string) bool { return word == s.Last || s.isInflected(word) }

// isInflected reports whether a word is an inflected form of the synonym's last word: one that begins with it and shares a
// stem with it. A shared stem is not enough: deck and Decke share one.
func (s *Synonym) isInflected(form string) bool {
	if len(form) <= len(s.Last) || !strings.HasPrefix(form, s.Last) {
		return false
	}
	german, english := Stems(form)
	ownGerman, ownEnglish := s.Stems()
	return german == ownGerman || english == ownEnglish
}

// A listedKey is a key of the list with its synonyms.
type listedKey struct {
	Synonym
	synonyms []*Synonym
}

// synonymTable holds every listed key.
var synonymTable = sync.OnceValue(parseSynonyms)

// parseSynonyms reads the lists. A key that stands in several groups has the synonyms of all of them.
func parseSynonyms() map[string]*listedKey {
	table := map[string]*listedKey{}
	for _, list := range synonymLists() {
		eachEntry(list, func(entry string) {
			var group []*listedKey
			for text := range strings.SplitSeq(entry, ",") {
				key := Key(text)
				own := table[key]
				if own == nil {
					own = &listedKey{Synonym: Synonym{Key: key, Whole: strings.Contains(text, "="), Last: key[strings.LastIndexByte(key, ' ')+1:]}}
					table[key] = own
				}
				group = append(group, own)
			}
			for _, own := range group {
				for _, other := range group {
					if own != other && !slices.Contains(own.synonyms, &other.Synonym) {
						own.synonyms = append(own.synonyms, &other.Synonym)
					}
				}
			}
		})
	}
	return table
}
