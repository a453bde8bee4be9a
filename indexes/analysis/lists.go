package analysis

import (
	"embed"
	"io/fs"
	"iter"
	"strings"
	"sync"
)

// The lists are edited by experts in the field. Each list begins with a description of its lines. A word list
// is parsed when a query or a build first needs a stem or a synonym, so that it does not delay the start of a
// server.
//
//go:embed *.txt everyday/*.txt
var listFiles embed.FS

// entriesOf returns an iterator over the lines of a file that are not empty, without comments.
func entriesOf(file string) iter.Seq[string] {
	return func(yield func(entry string) bool) {
		for line := range strings.Lines(listOf(file)) {
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
		panic("analysis: " + err.Error()) // embedded files can always be read
	}
	return string(text)
}

// synonymFiles returns the names of synonyms.txt and of the files in everyday.
func synonymFiles() []string {
	names, _ := fs.Glob(listFiles, "everyday/*.txt") // no error, since the pattern is valid
	return append([]string{"synonyms.txt"}, names...)
}

// namedLists returns the lists in a file. The keys of the map are the names at the beginnings of the lines.
func namedLists(file string) map[string][]string {
	lists := map[string][]string{}
	for entry := range entriesOf(file) {
		name, words, _ := strings.Cut(entry, ":")
		lists[name] = append(lists[name], strings.Fields(words)...)
	}
	return lists
}

// keysOf returns the keys of all words in a file.
func keysOf(file string) []string {
	var keys []string
	for entry := range entriesOf(file) {
		for word := range strings.FieldsSeq(entry) {
			keys = append(keys, Key(word))
		}
	}
	return keys
}

// keySetOf returns a function that parses a word list once and then returns the keys of its words.
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

// IsFunctionWord reports whether a word of a key is a German or English article, preposition, conjunction,
// auxiliary or pronoun in the list. Function words do not describe products.
func IsFunctionWord(word string) bool { return functionWords()[word] }

// A compoundPart is a word that occurs in German compounds.
type compoundPart struct {
	key     string
	keepsE  bool // whether it retains its final e in compounds, because without the e it is another word
	noHead  bool // whether it is a head only after known letters
	english bool
}

func parseCompoundParts() []compoundPart {
	var parts []compoundPart
	for entry := range entriesOf("compound_parts.txt") {
		part := compoundPart{key: Key(entry), keepsE: strings.Contains(entry, "="), noHead: strings.HasPrefix(entry, "-")}
		parts = append(parts, part)
	}
	for _, key := range keysOf("english_parts.txt") {
		parts = append(parts, compoundPart{key: key, english: true})
	}
	return parts
}

// An inflection is a word in inflections.txt or english_inflections.txt, followed by its forms.
type inflection struct {
	forms   []string
	english bool
}

func inflections() []inflection {
	var all []inflection
	for _, file := range [...]string{"inflections.txt", "english_inflections.txt"} {
		for entry := range entriesOf(file) {
			of := inflection{english: strings.HasPrefix(file, "english")}
			for form := range strings.SplitSeq(entry, ",") {
				of.forms = append(of.forms, Key(form))
			}
			all = append(all, of)
		}
	}
	return all
}

// Rules is the version of this package's rules for reading texts. A snapshot stores the version with which it
// was built. Increment Rules after every change in code, lists or dependencies that changes the words, stems
// or parts of any product text. Snapshots with other rules are still served, but their text sections cannot
// be compared with a rebuild.
const Rules = 2
