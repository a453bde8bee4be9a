package indexes

// Term is the number of a word: its place among all words of the catalogue in ascending order of bytes.
type Term uint32

// Terms is a sorted table of words, each with one set of documents per field.
type Terms struct{ unexported int }

func (t *Terms) Len() int                          { panic("unwritten") }
func (t *Terms) Word(i Term) string                { panic("unwritten") } // valid while the file is open
func (t *Terms) Find(word string) (Term, bool)     { panic("unwritten") }
func (t *Terms) Range(prefix string) (lo, hi Term) { panic("unwritten") } // the words that begin so: lo to hi-1
func (t *Terms) Set(i Term, f Field) Set           { panic("unwritten") }
