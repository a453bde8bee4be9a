package indexes

// Fuzzy finds the words within an edit distance.
type Fuzzy struct{ unexported int }

// A Near is a word and its distance from the word asked for.
type Near struct {
	Term     Term
	Distance int
}

// Near appends the words within distance (1 or 2; a transposition counts 1) of word, by distance, then term.
func (z *Fuzzy) Near(dst []Near, word string, distance int) []Near { panic("unwritten") }
