package indexes

import "sabine/indexes/snapshot"

// An Index reads every structure of one snapshot where it lies. All of it is valid as long as the file is open, and
// safe for concurrent use. A reader never trusts a number from the file: what does not fit reads as empty.
type Index struct {
	Meta     Meta
	Docs     int
	Bodies   Bodies
	IDs      Identifiers
	Slugs    Identifiers
	IDKeys   Identifiers
	Sets     *Sets
	Facets   [NumFamilies]Facet
	Alpha    Alpha
	Orders   [NumOrders]Sorted
	Terms    Terms
	Prefixes Terms
	Fuzzy    *Fuzzy
	Stems    Groups
	Parts    Groups
	Streams  Streams
	Pairs    Pairs
	Names    Groups // key of a label or commercial name to documents
	Makers   Groups // key of a manufacturer's name to values of FamilyManufacturer
	SlugKeys Groups // key of a slug to documents
	Trigrams NameTrigrams
}

// Open reads the structures of a snapshot. It checks the head of every section, not its content: its cost does not
// grow with the catalogue. A section that is missing or does not fit is a *snapshot.CorruptError.
func Open(f *snapshot.File) (*Index, error) { panic("unwritten") }

// Check walks every structure and returns each promise of the format that does not hold.
func (x *Index) Check() error { panic("unwritten") }

// corrupt returns a fault of a section: what the format promises at an offset from the section's start. Open turns
// the offset into that of the file and names the file.
func corrupt(kind snapshot.Kind, offset int64, want string) error {
	return &snapshot.CorruptError{Section: kind, Offset: offset, Want: want}
}

// Bodies are the ready parts of every document.
type Bodies struct{ unexported int }

// At returns the body of a document, its bytes where they lie. It is zero for a document that is not there.
func (b *Bodies) At(d Doc) (body Body) { panic("unwritten") }

// Identifiers finds the document of an exact key (a UUID of 16 bytes, a slug, the key of an id).
type Identifiers struct{ unexported int }

// Find returns the document of a key.
func (t *Identifiers) Find(key []byte) (Doc, bool) { panic("unwritten") }

// Facet is one family: its values in ascending order of bytes (fire classes A1 to F), each with its set.
type Facet struct{ unexported int }

func (f *Facet) Len() int                      { panic("unwritten") } // number of values
func (f *Facet) Value(i int) string            { panic("unwritten") } // valid while the file is open
func (f *Facet) Maker(i int) Maker             { panic("unwritten") } // of FamilyManufacturer, whose value is the slug
func (f *Facet) Find(value string) (int, bool) { panic("unwritten") }
func (f *Facet) Set(i int) Set                 { panic("unwritten") } // of FamilyFireClass: that class or safer
// Of appends the values of a document by number, ascending, from the column: at most one but for installations.
func (f *Facet) Of(dst []uint32, d Doc) []uint32 { panic("unwritten") }

// FindMakerID finds a manufacturer by its UUID.
func (f *Facet) FindMakerID(id string) (int, bool) { panic("unwritten") }

// Alpha is the alpha_w of every document that has one.
type Alpha struct{ unexported int }

// Of returns a document's alpha_w.
func (a *Alpha) Of(d Doc) (float64, bool) { panic("unwritten") }

// Range unites dst with the documents whose alpha_w lies in [min, max].
func (a *Alpha) Range(dst Dense, min, max float64) { panic("unwritten") }

// Sorted is one order of all documents.
type Sorted struct{ unexported int }

func (o *Sorted) At(place int) Doc { panic("unwritten") } // the document at a place
func (o *Sorted) Place(d Doc) int  { panic("unwritten") } // the place of a document

// Term is the number of a word: its place among all words of the catalogue in ascending order of bytes.
type Term uint32

// Terms is a sorted table of words, each with one set of documents per field.
type Terms struct{ unexported int }

func (t *Terms) Len() int                          { panic("unwritten") }
func (t *Terms) Word(i Term) string                { panic("unwritten") } // valid while the file is open
func (t *Terms) Find(word string) (Term, bool)     { panic("unwritten") }
func (t *Terms) Range(prefix string) (lo, hi Term) { panic("unwritten") } // the words that begin so: lo to hi-1
func (t *Terms) Set(i Term, f Field) Set           { panic("unwritten") }

// Fuzzy finds the words within an edit distance.
type Fuzzy struct{ unexported int }

// A Near is a word and its distance from the word asked for.
type Near struct {
	Term     Term
	Distance int
}

// Near appends the words within distance (1 or 2; a transposition counts 1) of word, by distance, then term.
func (z *Fuzzy) Near(dst []Near, word string, distance int) []Near { panic("unwritten") }

// Groups is a sorted table of keys, each with a list of numbers in ascending order.
type Groups struct{ unexported int }

func (g *Groups) Len() int                         { panic("unwritten") }
func (g *Groups) Key(i int) string                 { panic("unwritten") }
func (g *Groups) Find(key string) (int, bool)      { panic("unwritten") }
func (g *Groups) Range(prefix string) (lo, hi int) { panic("unwritten") }
func (g *Groups) Numbers(i int) []uint32           { panic("unwritten") } // where they lie
func (g *Groups) NumbersOf(lo, hi int) []uint32    { panic("unwritten") } // of neighbouring keys, one after the other

// Stem keys carry their language as the first byte.
const (
	StemGerman  = "d"
	StemEnglish = "e"
)

// NameTrigrams finds names by trigram. Names are numbered as in Index.Names, makers as in Index.Makers behind them.
type NameTrigrams struct{ unexported int }

// Names returns the numbers of the names that hold a trigram, ascending, where they lie.
func (t *NameTrigrams) Names(trigram string) []uint32 { panic("unwritten") }

// Size returns how many distinct trigrams a name has.
func (t *NameTrigrams) Size(name uint32) int { panic("unwritten") }

// Streams are each document's words in order, text by text, for the fields that have texts of their own: name,
// manufacturer, description.
type Streams struct{ unexported int }

// Phrase reports whether the terms stand next to each other, in order, in one text of a field of the document.
func (s *Streams) Phrase(d Doc, f Field, terms []Term) bool { panic("unwritten") }

// FrequentDocs is the number of documents, in one field, from which a word counts as frequent there.
const FrequentDocs = 256

// Pairs are the documents in which two words are neighbours, for words that are both frequent in the field. Other
// pairs are found through the streams, where few documents have to be read.
type Pairs struct{ unexported int }

// Set returns the documents in which b stands right behind a in field f; ok is false when the pair is not kept
// because one of them is not frequent there.
func (p *Pairs) Set(a, b Term, f Field) (s Set, ok bool) { panic("unwritten") }

// PhraseInto unites dst with the documents in which the terms stand next to each other, in order, in one text of the
// field: by the pairs where they are kept, by the streams otherwise, by the vocabulary's texts for FieldCategory.
// One term alone is its set. scratch is overwritten.
func (x *Index) PhraseInto(dst, scratch Dense, f Field, terms []Term) { panic("unwritten") }
