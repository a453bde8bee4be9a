package analysis

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestListsAreValid(t *testing.T) {
	for _, fault := range slices.Concat(
		checkSynonyms(func(yield func(file, list string) bool) {
			for _, file := range synonymFiles() {
				if !yield(file, listOf(file)) {
					return
				}
			}
		}), checkCompoundParts("compound_parts.txt", listOf("compound_parts.txt")),
		checkCompoundParts("english_parts.txt", listOf("english_parts.txt")), checkWords("adjectives.txt",
			listOf("adjectives.txt")), checkWords("whole_words.txt", listOf("whole_words.txt")),
		checkInflections("inflections.txt", listOf("inflections.txt")),
		checkInflections("english_inflections.txt", listOf("english_inflections.txt")),
		checkFunctionWords("function_words.txt", listOf("function_words.txt"))) {
		t.Error(fault)
	}
}

// A listCheck collects the errors in one list.
type listCheck struct {
	file   string
	faults []string
}

func (c *listCheck) addFault(line int, format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf("%s:%d: %s", c.file, line, fmt.Sprintf(format, args...)))
}

// eachEntry calls visit for each line, without its comment, and checks the rules that apply to all lists.
func (c *listCheck) eachEntry(list string, visit func(line int, entry string)) {
	before, line := "", 0 // previous entry in the block
	for text := range strings.Lines(list) {
		line++
		if strings.TrimSpace(text)+"\n" != text {
			c.addFault(line, "%q must not begin or end with blanks, and needs a line feed", text)
		}
		entry := entryOf(text)
		if entry == "" {
			if strings.TrimSpace(text) == "" {
				before = ""
			}
			continue
		}
		if Key(entry) < Key(before) {
			c.addFault(line, "%q must not follow %q: the lines of a block must ascend", entry, before)
		}
		before = entry
		visit(line, entry)
	}
}

// isWritten reports whether a text consists of words, separated by single blanks or hyphens.
func isWritten(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	return Key(text) != "" && len(text) == len(strings.Join(words, " ")) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return !isAlphabetic(w)
		})
}

// checkSynonyms checks the lists of synonyms, which form a single list in several files.
func checkSynonyms(lists iter.Seq2[string, string]) []string {
	type place struct {
		check          *listCheck
		line           int // number of the first line
		whole, several bool
		groups         int
	}
	places := map[string]*place{}
	var keys []string // keys of positions, in the order of the lists
	var checks []*listCheck
	for file, list := range lists {
		c := &listCheck{file: file}
		checks = append(checks, c)
		c.eachEntry(list, func(line int, entry string) {
			var group []string
			for text := range strings.SplitSeq(entry, ", ") {
				text, whole := strings.CutPrefix(text, "=")
				text, several := strings.CutPrefix(text, "+")
				key := Key(text)
				if !isWritten(text) || len(Words(key)) > MaxSynonymWords {
					c.addFault(line, "%q, want 1 to %d words of letters, and a comma and a blank before the next synonym", text,
						MaxSynonymWords)
					continue
				}
				if slices.Contains(group, key) {
					c.addFault(line, "%q is twice in its group", text)
					continue
				}
				group = append(group, key)
				p := places[key]
				if p == nil {
					p = &place{check: c, line: line, whole: whole, several: several}
					places[key] = p
					keys = append(keys, key)
				}
				p.groups++
				if p.groups > 1 && (!several || !p.several) {
					c.addFault(line, "%q is also in %s:%d: write + before both if both are correct", text, p.check.file, p.line)
				}
				if p.whole != whole {
					c.addFault(line, "%q has = here or in %s:%d, but not in both", text, p.check.file, p.line)
				}
			}
			if len(group) == 1 {
				c.addFault(line, "%q has no synonym", entry)
			}
		})
	}
	for _, key := range keys {
		if p := places[key]; p.several && p.groups == 1 {
			p.check.addFault(p.line, "%q is in only one group: remove the +", key)
		}
	}
	var faults []string
	for _, c := range checks {
		faults = append(faults, c.faults...)
	}
	return faults
}

// checkSynonymList is like checkSynonyms, but for one list.
func checkSynonymList(file, list string) []string {
	return checkSynonyms(func(yield func(file, list string) bool) { yield(file, list) })
}

func checkCompoundParts(file, list string) []string {
	c := &listCheck{file: file}
	lines := map[string]int{}
	c.eachEntry(list, func(line int, entry string) {
		word, _ := strings.CutPrefix(entry, "-")
		word, keepsE := strings.CutPrefix(word, "=")
		key := Key(word)
		if !isAlphabetic(word) || utf8.RuneCountInString(key) < MinPart {
			c.addFault(line, "%q, want one word of %d letters or more", word, MinPart)
		}
		if keepsE && (!strings.HasSuffix(key, "e") || len(key) <= minSure) {
			c.addFault(line, "%q has no final e to keep: remove the =", word)
		}
		if lines[key] > 0 {
			c.addFault(line, "%q is also in line %d", word, lines[key])
		} else {
			lines[key] = line
		}
	})
	return c.faults
}

// checkWords checks a list that has one word in each line.
func checkWords(file, list string) []string {
	c := &listCheck{file: file}
	before := ""
	c.eachEntry(list, func(line int, entry string) {
		if !isAlphabetic(entry) || utf8.RuneCountInString(Key(entry)) < MinPart {
			c.addFault(line, "%q, want one word of %d letters or more", entry, MinPart)
		}
		if Key(entry) == before {
			c.addFault(line, "%q is also in line %d", entry, line-1)
		}
		before = Key(entry)
	})
	return c.faults
}

// checkInflections checks a list of words with their inflected forms.
func checkInflections(file, list string) []string {
	c := &listCheck{file: file}
	lines := map[string]int{}
	c.eachEntry(list, func(line int, entry string) {
		for text := range strings.SplitSeq(entry, ", ") {
			if !isAlphabetic(text) || text == "" {
				c.addFault(line, "%q, want one word of letters, and a comma and a blank before the next form", text)
			}
		}
		word, _, _ := strings.Cut(entry, ",")
		if key := Key(word); lines[key] > 0 {
			c.addFault(line, "%q is also in line %d", word, lines[key])
		} else {
			lines[key] = line
		}
	})
	return c.faults
}

func checkFunctionWords(file, list string) []string {
	c := &listCheck{file: file}
	lines := map[string]int{}
	c.eachEntry(list, func(line int, entry string) {
		for word := range strings.SplitSeq(entry, " ") {
			key := Key(word)
			if !isAlphabetic(word) {
				c.addFault(line, "%q, want words of letters, with single blanks between", word)
			}
			if lines[key] > 0 {
				c.addFault(line, "%q is also in line %d", word, lines[key])
			} else {
				lines[key] = line
			}
		}
	})
	return c.faults
}

// TestFaultsOfLists checks the messages for users who edit a list.
func TestFaultsOfLists(t *testing.T) {
	tests := []struct {
		rule, list, want string
		check            func(file, list string) []string
	}{
		{"words in normal spelling, a mark, comments", "# Rooms\nBüro, office # at work\nHalle, =hall\n", "",
			checkSynonymList},
		{"a blank line ends a block", "wand, =wall\n\ndecke, ceiling\n", "", checkSynonymList},
		{"a comment does not", "wand, =wall\n# more\ndecke, ceiling\n",
			`l:3: "decke, ceiling" must not follow "wand, =wall": the lines of a block must ascend`, checkSynonymList},
		{"ä is sorted as a", "säule, column\nsaum, hem\n", "", checkSynonymList},
		{"blanks at the end", "decke, ceiling \n",
			`l:1: "decke, ceiling \n" must not begin or end with blanks, and needs a line feed`, checkSynonymList},
		{"no end of the last line", "decke, ceiling",
			`l:1: "decke, ceiling" must not begin or end with blanks, and needs a line feed`, checkSynonymList},
		{"a group of one", "\ndecke\n", `l:2: "decke" has no synonym`, checkSynonymList},
		{"another separator", "decke; ceiling\n",
			`l:1: "decke; ceiling", want 1 to 3 words of letters, and a comma and a blank before the next synonym`,
			checkSynonymList},
		{"nothing between commas", "decke, , ceiling\n",
			`l:1: "", want 1 to 3 words of letters, and a comma and a blank before the next synonym`, checkSynonymList},
		{"too long a phrase", "a b c d, e, f\n",
			`l:1: "a b c d", want 1 to 3 words of letters, and a comma and a blank before the next synonym`, checkSynonymList},
		{"a word and its other spelling", "column, Säule, saeule\n", `l:1: "saeule" is twice in its group`,
			checkSynonymList},
		{"two groups", "+carpet, rug\n+carpet, teppich\n", "", checkSynonymList},
		{"two groups without marks", "carpet, rug\n+carpet, teppich\n",
			`l:2: "carpet" is also in l:1: write + before both if both are correct`, checkSynonymList},
		{"one group with the mark of several", "+carpet, rug\n",
			`l:1: "carpet" is in only one group: remove the +`, checkSynonymList},
		{"compounds in only one group", "=+carpet, rug\n+carpet, teppich\n",
			`l:2: "carpet" has = here or in l:1, but not in both`, checkSynonymList},

		{"words in normal spelling, a mark, comments", "# German\n=Decke # no Deck\nTür\n", "", checkCompoundParts},
		{"lines that do not ascend", "tür\ndecke\n", `l:2: "decke" must not follow "tür": the lines of a block must ascend`,
			checkCompoundParts},
		{"two words", "decke wand\n", `l:1: "decke wand", want one word of 3 letters or more`, checkCompoundParts},
		{"two letters", "öl\n", `l:1: "öl", want one word of 3 letters or more`, checkCompoundParts},
		{"a word of another block in a different spelling", "tür\n\nTuer\n", `l:3: "Tuer" is also in line 1`,
			checkCompoundParts},
		{"words that are not heads, one of which keeps its e", "-=decke\n-tisch\n", "", checkCompoundParts},
		{"a word twice", "rot\nrot\n", `l:2: "rot" is also in line 1`, checkWords},
		{"two words in a line", "rot blau\n", `l:1: "rot blau", want one word of 3 letters or more`, checkWords},
		{"forms", "Saal, Säle\nWand\n", "", checkInflections},
		{"no blank before a form", "Saal,Säle\n",
			`l:1: "Saal,Säle", want one word of letters, and a comma and a blank before the next form`, checkInflections},
		{"two lines of one word", "Saal, Säle\n\nSaal\n", `l:3: "Saal" is also in line 1`, checkInflections},
		{"no e to keep", "=wand\n", `l:1: "wand" has no final e to keep: remove the =`,
			checkCompoundParts},

		{"a word with its inflected forms", "# German\nein eine\nfür fürs # das\n\na\n", "", checkFunctionWords},
		{"lines that do not ascend", "für\nein eine\n",
			`l:2: "ein eine" must not follow "für": the lines of a block must ascend`, checkFunctionWords},
		{"commas", "ein, eine\n", `l:1: "ein,", want words of letters, with single blanks between`, checkFunctionWords},
		{"a word of both languages twice", "in\n\nin\n", `l:3: "in" is also in line 1`, checkFunctionWords},
	}
	for _, test := range tests {
		if got := strings.Join(test.check("l", test.list), "\n"); got != test.want {
			t.Errorf("%s: faults of %q are\n%s\nwant\n%s", test.rule, test.list, got, test.want)
		}
	}
}

func TestFunctionWords(t *testing.T) {
	for _, word := range []string{"die", "fur", "uber", "mochte", "dass", "zum", "wofur", "the", "an", "on", "can",
		"will", "i", "which"} {
		if !IsFunctionWord(word) {
			t.Errorf("%q is no function word", word)
		}
	}
	for _, word := range []string{"", "decke", "panel", "wolle", "samt", "laut", "eben", "round", "off", "plus", "pro",
		"nicht", "not", "one", "x", "50"} {
		if IsFunctionWord(word) {
			t.Errorf("%q is a function word", word)
		}
	}
}

func BenchmarkLists(b *testing.B) {
	Key("ä") // computes the form table, as opening a snapshot does
	b.Run("synonyms", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parseSynonyms()
		}
	})
	b.Run("function_words", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			keysOf("function_words.txt")
		}
	})
	b.Run("compound_parts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parseCompoundParts()
		}
	})
}
