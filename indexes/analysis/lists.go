package analysis

import (
	_ "embed"
	"strings"
	"sync"
)

// The lists are for people who know the field's words, and each begins with the rules for its lines. They are parsed when
// somebody first asks, the synonyms for the first query and both for a build: starting a server costs nothing for them.
var (
	//go:embed synonyms.txt
	synonymList string
	//go:embed compound_parts.txt
	compoundPartList string
	//go:embed function_words.txt
	functionWordList string
)

// entryOf returns what a line of a list has besides its comment.
func entryOf(line string) string {
	entry, _, _ := strings.Cut(line, "#")
	return strings.TrimSpace(entry)
}

// parseGroup returns the synonyms of a line of synonyms.txt, in their order. The mark of a word that stands in several
// groups is for readers and the test, and a key is without it.
func parseGroup(line string) []Synonym {
	var group []Synonym
	for text := range strings.SplitSeq(entryOf(line), ",") {
		if key := Key(text); key != "" {
			group = append(group, newSynonym(key, strings.Contains(text, "=")))
		}
	}
	return group
}

// A compoundPart is a word of building and acoustics of which German compounds are made.
type compoundPart struct {
	key    string
	keepsE bool // in compounds, since without its last e it is another word
}

// compoundParts are the words of compound_parts.txt.
var compoundParts = sync.OnceValue(parseCompoundParts)

func parseCompoundParts() []compoundPart {
	var parts []compoundPart
	for line := range strings.Lines(compoundPartList) {
		entry := entryOf(line)
		if key := Key(entry); key != "" {
			parts = append(parts, compoundPart{key: key, keepsE: strings.HasPrefix(entry, "=")})
		}
	}
	return parts
}
