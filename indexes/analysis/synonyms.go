package analysis

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Synonym is a key with the same meaning as another key in a catalogue of acoustic products.
type Synonym struct {
	Key   string
	Whole bool // whether it does not match parts of compounds: Stoff is fabric, but Schaumstoff is not

	Last string // last word of Key

	once            sync.Once
	german, english string // stems of Last, computed on first use
}

// Stems returns the German and the English stem of the last word.
func (s *Synonym) Stems() (german, english string) {
	s.once.Do(func() { s.german, s.english = Stems(s.Last) })
	return s.german, s.english
}

// MaxSynonymWords is the maximum number of words in a key that has synonyms.
const MaxSynonymWords = 3

// maxInflection is the maximum number of letters that an inflected form adds to a word, as in -ern and -ing.
const maxInflection = 3

// Synonyms returns the synonyms of a key in the lists. If the last word of a key is an inflected form, the
// key has the synonyms of the base form: carpets has the synonyms of carpet, and Teppiche the synonyms of
// Teppich. A listed single word also has the synonyms of listed words with the same stem: curtained may be a
// colour, but it also matches curtain.
func Synonyms(key string) []*Synonym {
	german, english := Stems(key)
	return ListedSynonyms().Append(nil, key, german, english)
}

// Append is like Synonyms, but uses the synonyms in the table and appends distinct synonyms to dst, which
// must be empty. german and english are the stems of the key. They are used only if the key is a single word.
func (table SynonymTable) Append(dst []*Synonym, key, german, english string) []*Synonym {
	last := strings.LastIndexByte(key, ' ') + 1
	if own := table[key]; own != nil {
		dst = append(dst, own.synonyms...)
	} else if !HasDigit(key[last:]) { // a word with a digit is its own stem
		for end := len(key) - 1; end >= max(last+MinPart, len(key)-maxInflection); end-- {
			own := table[key[:end]]
			if own == nil {
				continue
			}
			if last > 0 {
				german, english = Stems(key[last:])
			}
			if own.hasStem(german, english) {
				dst = append(dst, own.synonyms...)
				break
			}
		}
	}
	if last > 0 || len(key) < minSure || len(key) > maxSplit { // only for single words
		return dst
	}
	dst = table.appendOfStem(dst, key, german, germanEnds[:], func(s *Synonym) bool {
		stem, _ := s.Stems()
		return stem == german
	})
	isEnglish := func(s *Synonym) bool {
		_, stem := s.Stems()
		return stem == english
	}
	dst = table.appendOfStem(dst, key, english, englishEnds[:], isEnglish)
	if stem, ok := strings.CutSuffix(english, "i"); ok { // the stem of libraries is librari
		dst = table.appendOfStem(dst, key, stem, []string{"y"}, isEnglish)
	}
	return dst
}

// The endings that may follow a stem in a listed word.
var (
	germanEnds  = [...]string{"", "e", "en", "um"}
	englishEnds = [...]string{"", "e", "s", "ed", "ing"}
)

// appendOfStem appends the synonyms of listed words that consist of stem and one of ends, and for which
// hasStem returns true.
func (table SynonymTable) appendOfStem(dst []*Synonym, key, stem string, ends []string,
	hasStem func(s *Synonym) bool) []*Synonym {
	if stem == key { // stem and an ending would begin with the key
		return dst
	}
	var buf [maxSplit + MinPart]byte
	for _, end := range ends {
		word := append(append(buf[:0], stem...), end...)
		own := table[string(word)]
		// foli, the beginning of Folie, is not a form of it
		if own == nil || strings.HasPrefix(own.Key, key) || !hasStem(&own.Synonym) {
			continue
		}
		for _, s := range own.synonyms {
			if s.Key != key && !slices.Contains(dst, s) {
				dst = append(dst, s)
			}
		}
	}
	return dst
}

// SynonymWords returns the number of words in the longest key with synonyms whose first word is first, or 0
// if there is no such key.
func SynonymWords(first string) int { return synonymWords()[first] }

var synonymWords = sync.OnceValue(func() map[string]int {
	longest := map[string]int{}
	for key := range ListedSynonyms() {
		first, _, _ := strings.Cut(key, " ")
		longest[first] = max(longest[first], 1+strings.Count(key, " "))
	}
	return longest
})

// Each calls visit for every key in the table, in no particular order.
func (table SynonymTable) Each(visit func(s *Synonym)) {
	for _, own := range table {
		visit(&own.Synonym)
	}
}

// HasForm reports whether word is the last word of the synonym or an inflected form of that word. A form
// begins with the last word and has a stem in common with it. A common stem is not sufficient: deck and Decke
// have one.
func (s *Synonym) HasForm(word string) bool {
	return word == s.Last || strings.HasPrefix(word, s.Last) && s.hasStem(Stems(word))
}

// hasStem reports whether the last word of the synonym has the given German stem or the given English stem.
func (s *Synonym) hasStem(german, english string) bool {
	ownGerman, ownEnglish := s.Stems()
	return german == ownGerman || english == ownEnglish
}

// A listedKey is a key in a table, with its synonyms.
type listedKey struct {
	Synonym
	synonyms []*Synonym
}

// A SynonymTable maps each key to its synonyms.
type SynonymTable map[string]*listedKey

// A SynonymGroup makes the keys in From synonyms of each other or, if To is set, makes the keys in To
// synonyms of those in From.
type SynonymGroup struct {
	From []string `json:"from"`
	To   []string `json:"to,omitempty"`
}

// These limits for groups bound the memory of a server and the time of a query.
const (
	maxSynonymPairs = 500_000 // a group of n keys has n*(n-1) pairs
	maxSynonymsOf   = 500     // for each key
)

// A SynonymCount counts the synonyms in groups.
type SynonymCount struct {
	pairs int
	of    map[string]int // number of synonyms for each key
}

// Add counts the synonyms of a group. It returns a description of a limit that is exceeded, or "".
func (c *SynonymCount) Add(g SynonymGroup) (limit string) {
	each := len(g.To)
	if each == 0 {
		each = len(g.From) - 1
	}
	if c.pairs += each * len(g.From); c.pairs > maxSynonymPairs {
		return fmt.Sprintf("at most %d pairs of synonyms in all groups: n terms make n*(n-1) pairs", maxSynonymPairs)
	}
	if c.of == nil {
		c.of = map[string]int{}
	}
	for _, key := range g.From {
		if c.of[key] += each; c.of[key] > maxSynonymsOf {
			return fmt.Sprintf("at most %d synonyms for each term in all groups, but %.100q has more", maxSynonymsOf, key)
		}
	}
	return ""
}

// NewSynonymTable returns a table of groups, or nil. A key in several groups has all their synonyms.
func NewSynonymTable(groups []SynonymGroup) SynonymTable {
	if len(groups) == 0 {
		return nil
	}
	table := SynonymTable{}
	for _, g := range groups {
		for _, key := range slices.Concat(g.From, g.To) {
			table.key(key, len(QueryNumberKeys(nil, key)) > 0) // 600 and mm must not match 600x600
		}
		table.add(g)
	}
	return table
}

// add adds a group whose keys are already in the table.
func (table SynonymTable) add(g SynonymGroup) {
	to := g.To
	if len(to) == 0 {
		to = g.From
	}
	for _, key := range g.From {
		own := table[key]
		for _, synonym := range to {
			other := table[synonym]
			if own != other && !slices.Contains(own.synonyms, &other.Synonym) {
				own.synonyms = append(own.synonyms, &other.Synonym)
			}
		}
	}
}

// key returns a key in the table. If the key is missing, it is added.
func (table SynonymTable) key(key string, whole bool) *listedKey {
	own := table[key]
	if own == nil {
		own = &listedKey{Synonym: Synonym{Key: key, Whole: whole, Last: key[strings.LastIndexByte(key, ' ')+1:]}}
		table[key] = own
	}
	return own
}

// ListedSynonyms returns the table of all listed keys.
var ListedSynonyms = sync.OnceValue(parseSynonyms)

// parseSynonyms parses the lists of synonyms.
func parseSynonyms() SynonymTable {
	table := SynonymTable{}
	for _, file := range synonymFiles() {
		for entry := range entriesOf(file) {
			var g SynonymGroup
			for text := range strings.SplitSeq(entry, ",") {
				own := table.key(Key(text), strings.Contains(text, "="))
				g.From = append(g.From, own.Key)
			}
			table.add(g)
		}
	}
	return table
}
