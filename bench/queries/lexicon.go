package queries

// A lexicon is what the words of all products together tell. Its words are in small letters.
type lexicon struct {
	often    map[string]int      // how often a word occurs in names, manufacturers, categories and descriptions
	labelled map[string][]int    // word of a label to the products, by place, that have it there
	parts    map[string][]string // word to its parts, once they were asked for
}

func newLexicon(products []Product) *lexicon {
	x := &lexicon{often: map[string]int{}, labelled: map[string][]int{}, parts: map[string][]string{}}
	for place := range products {
		p := &products[place]
		for _, text := range append(p.texts(), p.Category) {
			for _, word := range words(text) {
				x.often[word]++
			}
		}
		for _, word := range p.labelWords() {
			x.labelled[word] = append(x.labelled[word], place)
		}
	}
	return x
}
