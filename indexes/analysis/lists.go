package analysis

import (
	"embed"
	"io/fs"
	"iter"
	"strings"
	"sync"
)

// The lists are for people who know the field's words, and each begins with the rules for its lines. Those of
// words are parsed when somebody first asks for a stem or a synonym, in a query or a build: starting a server
// costs nothing for them.
//
//go:embed *.txt everyday/*.txt
var listFiles embed.FS

func entriesOf(list string) iter.Seq[string] {
	return func(yield func(entry string) bool) {
		for line := range strings.Lines(list) {
			if entry := entryOf(line); entry != "" && !yield(entry) {
				return
			}
		}
	}
}

func entryOf(line string) string {
	entry, _, _ := strings.Cut(line, "#")
	return strings.TrimSpace(entry)
}

func listOf(file string) string {
	text, err := listFiles.ReadFile(file)
	if err != nil {
		panic("analysis: " + err.Error()) // what is embedded can be read
	}
	return string(text)
}

// synonymLists are synonyms.txt and the lists of everyday, by their names.
func synonymLists() iter.Seq2[string, string] {
	return func(yield func(name, list string) bool) {
		names, _ := fs.Glob(listFiles, "everyday/*.txt") // the pattern is sound
		for _, name := range append([]string{"synonyms.txt"}, names...) {
			if !yield(name, listOf(name)) {
				return
			}
		}
	}
}

// namedLists returns the lists of a file by their names: the words of the lines that begin so.
func namedLists(file string) map[string][]string {
	lists := map[string][]string{}
	for entry := range entriesOf(listOf(file)) {
		name, words, _ := strings.Cut(entry, ":")
		lists[name] = append(lists[name], strings.Fields(words)...)
	}
	return lists
}

func keysOf(file string) []string {
	var keys []string
	for entry := range entriesOf(listOf(file)) {
		for word := range strings.FieldsSeq(entry) {
			keys = append(keys, Key(word))
		}
	}
	return keys
}

// keySetOf returns the keys of a list of words as a set, once it is asked for.
func keySetOf(file string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, key := range keysOf(file) {
			set[key] = true
		}
		return set
	})
}

var (
	wholeWords    = keySetOf("whole_words.txt")
	functionWords = keySetOf("function_words.txt")
	compoundParts = sync.OnceValue(parseCompoundParts)
)

// IsFunctionWord reports whether a word of a key is an article, a preposition, a conjunction, an auxiliary or
// a pronoun, of German or English, by the package's list. Such a word says nothing of a product.
func IsFunctionWord(word string) bool { return functionWords()[word] }

// IsListed reports whether a word is spelled as a list has it: of the parts of compounds, of German or English,
// or of whole words and their forms. So it is no misspelling of another word.
func IsListed(word string) bool {
	l, ok := listed(word, usePart)
	return ok && l.word == word || isWholeWord(word)
}

// IsNoun reports whether a word is a German part of compounds that is no adjective, as it is spelled alone.
func IsNoun(word string) bool {
	l, ok := listed(word, usePart)
	return ok && l.is(useGerman) && !l.is(useAdjective) && !IsFunctionWord(word)
}

// A compoundPart is a word of which German compounds are made.
type compoundPart struct {
	key     string
	keepsE  bool // in compounds, since without its last e it is another word
	noHead  bool // unless what stands before it is known
	english bool
}

func parseCompoundParts() []compoundPart {
	var parts []compoundPart
	for entry := range entriesOf(listOf("compound_parts.txt")) {
		part := compoundPart{key: Key(entry), keepsE: strings.Contains(entry, "="), noHead: strings.HasPrefix(entry, "-")}
		parts = append(parts, part)
	}
	for _, key := range keysOf("english_parts.txt") {
		parts = append(parts, compoundPart{key: key, english: true})
	}
	return parts
}

// An inflection is a word of inflections.txt or english_inflections.txt and its forms, the word first.
type inflection struct {
	forms   []string
	english bool
}

func inflections() []inflection {
	var all []inflection
	for _, file := range [...]string{"inflections.txt", "english_inflections.txt"} {
		for entry := range entriesOf(listOf(file)) {
			of := inflection{english: strings.HasPrefix(file, "english")}
			for form := range strings.SplitSeq(entry, ",") {
				of.forms = append(of.forms, Key(form))
			}
			all = append(all, of)
		}
	}
	return all
}

// Rules is the number of the rules by which this package reads texts. A snapshot states the number of the
// program that built it. Raise it whenever a text of a product gets other words, stems or parts than before:
// by other code, another list, another dependency. Snapshots of other rules are still served, but their text
// sections cannot be compared with their products.
const Rules = 2
