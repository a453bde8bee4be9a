package analysis

import (
	_ "embed"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// germanWords is the path of a list of German words in all inflected forms, from the Debian package wngerman.
// It is not part of the project.
const germanWords = "/usr/share/dict/ngerman"

// readGermanWords returns the keys of the words in the list. It skips the test if there is no list.
func readGermanWords(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(germanWords)
	if err != nil {
		t.Skipf("NOT CHECKED: the splits of German words, since their list is not there (apt install wngerman): %v", err)
	}
	keys := Words(Key(string(text)))
	slices.Sort(keys)
	return slices.Compact(keys)
}

//go:embed testdata/splits.txt
var judgedSplits string

// spelled formats the pieces of a word as in testdata/splits.txt.
func spelled(word string, pieces []piece) string {
	var b strings.Builder
	for i, p := range pieces {
		if i == 0 && p.from > 0 {
			b.WriteString("?" + word[:p.from])
		}
		if i > 0 || p.from > 0 {
			b.WriteByte('|')
		}
		b.WriteString(word[p.from:p.core])
		if p.end > p.core {
			b.WriteString("-" + word[p.core:p.end])
		}
	}
	return b.String()
}

// TestJudgedSplits compares splits with the reviewed ones. Correct splits must not change, and at most two
// percent of all splits may be wrong.
func TestJudgedSplits(t *testing.T) {
	splitter := NewSplitter(wordsOf(""))
	all, wrong := 0, 0
	for line := range strings.Lines(judgedSplits) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		entry, isWrong := strings.CutPrefix(strings.TrimSpace(line), "! ")
		word, want, _ := strings.Cut(entry, " ")
		got := spelled(Key(word), splitter.pieces(nil, Key(word)))
		all++
		switch {
		case isWrong && got == want:
			wrong++
		case !isWrong && got != want:
			t.Errorf("%s is split as %q, want %q", word, got, want)
		}
	}
	if all < 600 || 50*wrong > all {
		t.Errorf("%d of %d splits are wrong, want 2 of 100 at most, and 600 of them", wrong, all)
	}
}

// TestPartsAreFoundInEveryForm uses random compounds of listed words from a list of German words. Every
// listed form of a part must have the stem under which the compound is indexed.
func TestPartsAreFoundInEveryForm(t *testing.T) {
	words := readGermanWords(t)
	isWord := func(word string) bool { _, ok := slices.BinarySearch(words, word); return ok }
	splitter := NewSplitter(wordsOf(""))
	r := rand.New(rand.NewPCG(1, 2))
	compounds, forms, found := 0, 0, 0
	for compounds < 300 {
		word := words[r.IntN(len(words))]
		pieces := splitter.pieces(nil, word)
		if letters := utf8.RuneCountInString(word); letters < 8 || letters > 20 || len(pieces) < 2 || pieces[0].from > 0 {
			continue
		}
		compounds++
		parts := splitter.Parts(nil, word)
		for _, p := range pieces {
			for _, form := range formsOfNoun(p.word) {
				if !isWord(form) {
					continue
				}
				forms++
				german, _ := Stems(form)
				if slices.ContainsFunc(parts, func(part Part) bool { return part.Stem == german }) {
					found++
				} else {
					t.Logf("%s has no part for %s, a form of %s", word, form, p.word)
				}
			}
		}
	}
	t.Logf("%d of %d forms of the parts of %d compounds find them", found, forms, compounds)
	if 100*found < 98*forms {
		t.Errorf("%d of %d forms of the parts of %d compounds find them, want 98 of 100", found, forms, compounds)
	}
}

// formsOfNoun returns a noun with all endings that it can have. The endings include those of plurals with an
// umlaut, since keys contain no umlauts.
func formsOfNoun(word string) []string {
	forms := []string{word}
	for _, ending := range nounEndings {
		forms = append(forms, word+ending)
	}
	for _, group := range inflections() {
		if group.forms[0] == word && !group.english {
			for _, form := range group.forms {
				forms = append(forms, form, form+"n")
			}
		}
	}
	return forms
}
