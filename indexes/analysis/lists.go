package analysis

import (
	"embed"
	"iter"
	"path"
	"strings"
	"sync"
)

// The lists are for people who know the field's words, and each begins with the rules for its lines. They are parsed when
// somebody first asks for a stem or a synonym, in a query or a build: starting a server costs nothing for them.
var (
	//go:embed synonyms.txt everyday/*.txt
	synonymFiles embed.FS
	//go:embed compound_parts.txt
	compoundPartList string
	//go:embed english_parts.txt
	englishPartList string
	//go:embed whole_words.txt
	wholeWordList string
	//go:embed inflections.txt
	inflectionList string
	//go:embed english_inflections.txt
	englishInflectionList string
	//go:embed adjectives.txt
	adjectiveList string
	//go:embed function_words.txt
	functionWordList string
	//go:embed affixes.txt
	affixList string
)

// entryOf returns what a line of a list has besides its comment.
func entryOf(line string) string {
	entry, _, _ := strings.Cut(line, "#")
	return strings.TrimSpace(entry)
}

// synonymLists are synonyms.txt and the lists of everyday, by their names.
func synonymLists() iter.Seq2[string, string] {
	return func(yield func(name, list string) bool) {
		for _, folder := range [...]string{".", "everyday"} {
			files, _ := synonymFiles.ReadDir(folder) // what is embedded can be read
			for _, file := range files {
				name := path.Join(folder, file.Name())
				if list, err := synonymFiles.ReadFile(name); err == nil && !yield(name, string(list)) {
					return
				}
			}
		}
	}
}

// eachEntry calls visit with every entry of a list.
func eachEntry(list string, visit func(entry string)) {
	for line := range strings.Lines(list) {
		if entry := entryOf(line); entry != "" {
			visit(entry)
		}
	}
}

// namedLists returns the lists of a file by their names: the words of the lines that begin so.
func namedLists(file string) map[string][]string {
	lists := map[string][]string{}
	eachEntry(file, func(entry string) {
		name, words, _ := strings.Cut(entry, ":")
		lists[name] = append(lists[name], strings.Fields(words)...)
	})
	return lists
}

// keysOf returns the keys of a list with one word on each line.
func keysOf(list string) []string {
	var keys []string
	eachEntry(list, func(entry string) { keys = append(keys, Key(entry)) })
	return keys
}

// A compoundPart is a word of which German compounds are made.
type compoundPart struct {
	key     string
	keepsE  bool // in compounds, since without its last e it is another word
	noHead  bool // unless what stands before it is known
	english bool
}

// compoundParts are the words of compound_parts.txt and of english_parts.txt.
var compoundParts = sync.OnceValue(parseCompoundParts)

func parseCompoundParts() []compoundPart {
	var parts []compoundPart
	eachEntry(compoundPartList, func(entry string) {
		parts = append(parts, compoundPart{key: Key(entry), keepsE: strings.Contains(entry, "="), noHead: strings.HasPrefix(entry, "-")})
	})
	for _, key := range keysOf(englishPartList) {
		parts = append(parts, compoundPart{key: key, english: true})
	}
	return parts
}

// adjectives are the words of adjectives.txt.
func adjectives() []string { return keysOf(adjectiveList) }

// wholeWords are the words of whole_words.txt.
var wholeWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, key := range keysOf(wholeWordList) {
		words[key] = true
	}
	return words
})

// An inflection is a word of inflections.txt or english_inflections.txt and its forms, the word first.
type inflection struct {
	forms   []string
	english bool
}

func inflections() []inflection {
	var all []inflection
	add := func(list string, english bool) {
		eachEntry(list, func(entry string) {
			of := inflection{english: english}
			for form := range strings.SplitSeq(entry, ",") {
				of.forms = append(of.forms, Key(form))
			}
			all = append(all, of)
		})
	}
	add(inflectionList, false)
	add(englishInflectionList, true)
	return all
}
