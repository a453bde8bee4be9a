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

// A synonym file is UTF-8 text with a group of words or phrases on each line:
//
//	# Names for absorbers that hang from a ceiling
//	Akustiksegel, Deckensegel, ceiling raft
//	Wolke => Akustiksegel, Deckensegel       # only a search for Wolke also finds the others
//	Platte 12\,5 mm, Platte 12.5 mm
//
// A comment begins with # at the beginning of a line or after a space. A comma after a backslash is part of
// the term.

// A SynonymGroup is a line with at least two terms in a synonym file. Without To, all terms in From are
// synonyms of each other. With To, each term in From has the terms in To as synonyms.
type SynonymGroup struct {
	Place    Place
	From, To []string
}

const (
	synonymsFileName = "synonyms.txt"
	maxSynonymLines  = 10_000
	maxSynonymLine   = 8 << 10 // bytes
)

// IsSynonymsName reports whether the file with the given name is a synonym file.
func IsSynonymsName(name string) bool {
	return plainName(filepath.Base(name)) == synonymsFileName
}

// Synonyms yields the groups in a synonym file. It yields a *Fault for an invalid line and continues. Any
// other error ends the sequence.
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
			more := true
			switch {
			case problem != "":
				more = fault(problem)
			case g.From != nil:
				more = yield(g, nil)
			}
			if !more {
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

// parseSynonyms returns the group of a line or the problem with an invalid line. The group of a blank line or
// a comment has no terms.
func parseSynonyms(line string) (g SynonymGroup, problem string) {
	if !utf8.ValidString(line) {
		return g, "expected UTF-8"
	}
	line = strings.ReplaceAll(line, "\ufeff", "") // remove a byte-order mark
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
		problem = "expected at least two terms separated by commas, or terms on both sides of =>"
	}
	return g, problem
}

// parseTerms returns the terms on a line or on one side of it.
func parseTerms(text string) (terms []string, problem string) {
	const comma = "\x00" // placeholder for a comma within a term
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
