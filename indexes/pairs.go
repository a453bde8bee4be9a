package indexes

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
