package analysis

// Normalize returns the text as queryMeta.normalizedQuery shows it: NFKC, Unicode case folding, punctuation to
// blanks, blanks collapsed and trimmed, diacritics folded, ß to ss. Säule gives saule, Saeule stays saeule.
func Normalize(text string) string { panic("unwritten") }

// Key returns the folded key of a text, the form that is indexed and compared: the normalised text, also ø to o, ł to
// l, å to a, then ae, oe, ue to a, o, u (ue not after a vowel or q). Words are separated by single blanks.
func Key(text string) string { panic("unwritten") }

// FoldKey returns the key of a text that Normalize has returned.
func FoldKey(normalized string) string { panic("unwritten") }

// Words splits a key at its blanks.
func Words(key string) []string { panic("unwritten") }

// Stems returns the German and the English stem of a word of a key.
func Stems(word string) (german, english string) { panic("unwritten") }

// Trigrams appends the distinct trigrams of a key as pg_trgm has them: each word padded by two blanks before and one
// behind, three letters each.
func Trigrams(dst []string, key string) []string { panic("unwritten") }

// Similarity is pg_trgm's: distinct trigrams shared over those united; 0 to 1.
func Similarity(a, b []string) float64 { panic("unwritten") }

// A Splitter finds the parts of German compounds among known words.
type Splitter struct{ unexported int }

// NewSplitter returns a splitter that knows the given words and the package's own list of building and acoustics words.
func NewSplitter(words []string) *Splitter { panic("unwritten") }

// Parts appends the parts, of three letters or more, of a word; none when the word is no compound of known words.
func (s *Splitter) Parts(dst []string, word string) []string { panic("unwritten") }
