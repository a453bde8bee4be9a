package dataset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"sabine/dataset/product"
)

// A file of synonyms is UTF-8 text with a group of words or phrases on each line:
//
//	# What planners call the things that hang from a ceiling
//	Akustiksegel, Deckensegel, ceiling raft
//	Wolke => Akustiksegel, Deckensegel       # only a search for Wolke finds the others too
//	Platte 12\,5 mm, Platte 12.5 mm
//
// A comment begins with # at the beginning of a line or after a blank. A backslash before a comma makes it a
// part of the term.

// A SynonymGroup is a line of a file of synonyms. Its terms have each other as synonyms or, with To, each of
// From has those of To. There are two terms or more.
type SynonymGroup struct {
	Place    Place
	From, To []string
}

const (
	synonymsFileName = "synonyms.txt"
	maxSynonymLines  = 10_000
	maxSynonymLine   = 8 << 10 // bytes
)

// IsSynonymsName reports whether a name says that a file has synonyms.
func IsSynonymsName(name string) bool {
	return plainName(filepath.Base(name)) == synonymsFileName
}

// Synonyms yields the groups of a file of synonyms. An error that is a *Fault says which line has no group,
// and reading goes on. Any other error ends it.
func Synonyms(ctx context.Context, in Input) iter.Seq2[SynonymGroup, error] {
	return func(yield func(SynonymGroup, error) bool) {
		text, err := OpenText(ctx, in)
		if err != nil {
			yield(SynonymGroup{}, err)
			return
		}
		defer text.Close()
		place := Place{Input: in.Name, Index: -1, Offset: -1}
		fault := func(problem string) bool {
			return yield(SynonymGroup{}, &Fault{Place: place, Problem: problem, Whole: true})
		}
		lines := bufio.NewScanner(text)
		lines.Buffer(nil, maxSynonymLine)
		for lines.Scan() {
			if place.Line++; place.Line > maxSynonymLines {
				fault(fmt.Sprintf("expected at most %d lines", maxSynonymLines))
				return
			}
			g, problem := parseSynonyms(lines.Text())
			g.Place = place
			if problem != "" && !fault(problem) || problem == "" && g.From != nil && !yield(g, nil) {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			place.Line++
			fault(fmt.Sprintf("expected a line of at most %d bytes", maxSynonymLine))
		} else if err != nil {
			yield(SynonymGroup{}, err)
		}
	}
}

// parseSynonyms returns the group of a line, without terms when it is blank or a comment, or what is wrong
// with the line.
func parseSynonyms(line string) (g SynonymGroup, problem string) {
	if !utf8.ValidString(line) {
		return g, "expected UTF-8"
	}
	line = strings.ReplaceAll(line, "\ufeff", "") // a byte-order mark is no character of a term
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i]
			break
		}
	}
	if strings.TrimSpace(line) == "" {
		return g, ""
	}
	from, to, oneWay := strings.Cut(line, "=>")
	if strings.Contains(to, "=>") {
		return g, "expected at most one =>"
	}
	if g.From, problem = parseTerms(from); problem == "" && oneWay {
		g.To, problem = parseTerms(to)
	}
	if problem == "" && !oneWay && len(g.From) < 2 {
		problem = "expected at least two terms with commas between them, or terms on both sides of =>"
	}
	return g, problem
}

// parseTerms returns the terms of a line or of one of its sides.
func parseTerms(text string) (terms []string, problem string) {
	const comma = "\x00" // stands for one that separates no terms
	text = strings.ReplaceAll(text, `\,`, comma)
	if strings.Contains(text, `\`) {
		return nil, `expected a comma after the backslash: \, is a comma within a term`
	}
	for term := range strings.SplitSeq(text, ",") {
		term = strings.TrimSpace(strings.ReplaceAll(term, comma, ","))
		if term == "" {
			return nil, "expected a word or phrase before and after each comma and =>"
		}
		if len(term) > product.MaxNameBytes {
			return nil, fmt.Sprintf("expected a term of at most %d bytes", product.MaxNameBytes)
		}
		terms = append(terms, term)
	}
	return terms, ""
}
