package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"sabine/dataset/product"
	"sabine/runtime"
)

// printExplanations prints each hit on a page with its rank, followed by the explanation. Each row is a name,
// a tab and a value. before is the number of hits on previous pages.
func printExplanations(t io.Writer, before int, hits []runtime.Hit, explanations []runtime.Explanation) {
	for i, h := range hits {
		e := &explanations[i]
		fmt.Fprintf(t, "%d. %s, %s (%s)\n", before+i+1, plain(h.Label.In(product.German)), plain(h.Manufacturer.Name),
			plain(h.SlugOrID()))
		fmt.Fprintf(t, "   bucket\t%s\n", bucketText(e))
		for _, w := range e.Words {
			fmt.Fprintf(t, "   %q\t%s\n", w.Word, wordText(&w))
		}
		for _, n := range e.Needs {
			fmt.Fprintf(t, "   %s\t%s\n", n.Norm, needText(&n, h.Match))
		}
		fmt.Fprintf(t, "   order\t%s\n\n", orderText(e.Order))
	}
}

// needText describes the entry that meets a need, with each band on a separate row. For a need for ISO 354,
// match is this entry, from which the set-up and the rating come. Other hits can have no match.
func needText(n *runtime.NeedMatch, match *runtime.MatchValues) string {
	text := "the declared curve"
	if n.Entry != nil {
		text = fmt.Sprintf("entry %d", *n.Entry)
		if n.Norm == product.ISO354.Norm {
			m := cmp.Or(match.SetUp, &product.Absorption{})
			text += fmt.Sprintf(" (%s): %s%s", plain(m.ID), plain(m.SourceKind), setUpText(m))
			if m.AirGapMM == nil && m.ThicknessMM != nil && match.DepthMM == nil {
				text += ", air gap not stated"
			} else if m.AirGapMM == nil {
				text += quantityText(match.DepthMM, " mm deep")
			}
		}
	}
	if match != nil && n.Norm == product.ISO354.Norm && match.AlphaW != nil {
		text += ", alpha_w " + alphaText(match.AlphaW, match.Shape)
		if match.Class != "" {
			text += ", class " + match.Class
		}
	}
	for _, b := range n.Bands {
		text += fmt.Sprintf("\n   \t%d Hz: %g", b.BandHz, b.Value)
		switch {
		case b.Least != nil && b.Surplus < 0:
			text += fmt.Sprintf(", %g under %g", 0-b.Surplus, *b.Least)
		case b.Least == nil:
			text += fmt.Sprintf(", %g under %g", b.Surplus, *b.Most)
		case b.Most == nil:
			text += fmt.Sprintf(", %g over %g", b.Surplus, *b.Least)
		default:
			text += fmt.Sprintf(", %g over %g, at most %g", b.Surplus, *b.Least, *b.Most)
		}
	}
	return text
}

// orderText returns the sort keys of a hit. The last key, which is unique for each hit, is on a separate row.
func orderText(keys []runtime.OrderKey) string {
	last := len(keys) - 1
	if last == 0 {
		return keys[last].Value
	}
	texts := make([]string, last)
	for i, key := range keys[:last] {
		texts[i] = key.Key + " " + key.Value
	}
	return strings.Join(texts, " · ") + "\n   \t" + keys[last].Value
}

// bucketText describes the bucket of a hit and the strings that the complete query matched.
func bucketText(e *runtime.Explanation) string {
	texts := make([]string, len(e.Whole))
	for i, w := range e.Whole {
		texts[i] = fmt.Sprintf("%s %q", w.Field, w.Text)
		switch {
		case w.Inside:
			texts[i] += fmt.Sprintf(" contains it, similarity %.3f", w.Similarity)
		case w.Similarity > 0:
			texts[i] += fmt.Sprintf(", similarity %.3f", w.Similarity)
		}
	}
	if len(texts) == 0 {
		return e.Bucket.String()
	}
	return e.Bucket.String() + ": " + strings.Join(texts, "; ")
}

// wordText describes how a query word matches words of the product. It combines fields with the same match.
func wordText(w *runtime.WordMatch) string {
	switch {
	case w.Function:
		return "function word"
	case len(w.Fields) == 0:
		return "no match"
	}
	var matches, fields []string
	for i := range w.Fields {
		match, field := matchText(&w.Fields[i]), w.Fields[i].Field.String()
		if known := slices.Index(matches, match); known >= 0 {
			fields[known] += ", " + field
			continue
		}
		matches, fields = append(matches, match), append(fields, field)
	}
	for i := range matches {
		fields[i] += ": " + matches[i]
	}
	return strings.Join(fields, "; ")
}

// matchText describes how a field matches a word: directly, by the parts of a compound in the query, or by
// the parts of the corrected word.
func matchText(h *runtime.FieldMatch) string {
	var by []string
	for _, p := range h.Parts {
		part := runtime.FieldMatch{Kind: p.Kind, By: p.By, Distance: h.Distance}
		by = append(by, fmt.Sprintf("%q %s", p.Part, matchText(&part)))
	}
	for _, word := range h.By {
		if h.Parts == nil {
			by = append(by, fmt.Sprintf("%q", word))
		}
	}
	words := strings.Join(by, ", ")
	switch {
	case h.Kind == runtime.MatchCorrected:
		return fmt.Sprintf("corrected to %s, distance %d", words, h.Distance)
	case h.Parts != nil:
		return "by all parts: " + words
	case h.Kind == runtime.MatchVerbatim:
		return "as it is"
	}
	return matchTexts[h.Kind] + " " + words
}

// matchTexts describes the other kinds of match. Each text precedes the words of the product.
var matchTexts = map[runtime.MatchKind]string{
	runtime.MatchJoined:     "joined with its neighbours",
	runtime.MatchSplit:      "split into",
	runtime.MatchStem:       "same stem as",
	runtime.MatchPart:       "part of",
	runtime.MatchBeginning:  "beginning of",
	runtime.MatchSynonym:    "synonym of",
	runtime.MatchCurated:    "curated synonym of",
	runtime.MatchDictionary: "by the dictionary",
}
