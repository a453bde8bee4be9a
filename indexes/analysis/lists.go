package analysis

import (
	"embed"
	"io/fs"
	"iter"
	"strings"
	"sync"
)

// The lists are edited by people who know the words of the field. Each list begins with the rules for its
// lines. Word lists are parsed when a query or a build first needs a stem or a synonym, so they do not delay
// the start of a server.
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
		panic("analysis: " + err.Error()) // embedded files are always readable
	}
	return string(text)
}

// synonymLists yields synonyms.txt and the lists of everyday with their names.
func synonymLists() iter.Seq2[string, string] {
	return func(yield func(name, list string) bool) {
		names, _ := fs.Glob(listFiles, "everyday/*.txt") // the pattern is valid
		for _, name := range append([]string{"synonyms.txt"}, names...) {
			if !yield(name, listOf(name)) {
				return
			}
		}
	}
}

// namedLists returns the lists in a file, by the names at the beginning of its lines.
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

// keySetOf returns a function that parses a word list once and returns the set of its keys.
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

// IsFunctionWord reports whether a word in a key is in the list of German and English articles, prepositions,
// conjunctions, auxiliaries and pronouns. These words do not describe products.
func IsFunctionWord(word string) bool { return functionWords()[word] }

// IsListed reports whether a word is a listed German or English part of compounds, or a whole word or its
// form. Listed words are not treated as misspelled.
func IsListed(word string) bool {
	l, ok := listed(word, usePart)
	return ok && l.word == word || isWholeWord(word)
}

// IsNoun reports whether a word is a German part of compounds, spelled as a separate word, and not an
// adjective.
func IsNoun(word string) bool {
	l, ok := listed(word, usePart)
	return ok && l.is(useGerman) && !l.is(useAdjective) && !IsFunctionWord(word)
}

// A compoundPart is a word from which German compounds are formed.
type compoundPart struct {
	key     string
	keepsE  bool // in compounds, because without its last e it is another word
	noHead  bool // unless the letters before it are known
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

// An inflection is a word from inflections.txt or english_inflections.txt with its forms; the word is first.
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

// Rules is the version of the rules by which this package reads texts. A snapshot stores the version used to
// build it. Increment Rules after every change of code, lists or dependencies that gives any product text
// other words, stems or parts. Snapshots with other rules are still served, but their text sections cannot be
// compared with their products.
const Rules = 2
