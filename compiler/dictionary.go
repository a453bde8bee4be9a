package compiler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"sabine/dataset"
	"sabine/dataset/dictionary"
	"sabine/indexes"
	"sabine/indexes/analysis"
)

// readDictionary returns the translations in the dictionary of the build, if there is one. An invalid line is
// reported like a damaged input, after the faults in records, and always makes the build fail.
func (b *build) readDictionary(ctx context.Context, c *collector) ([]indexes.Translation, error) {
	if b.o.Dictionary == nil {
		return nil, nil
	}
	report := &DictionaryReport{Name: b.o.Dictionary.Name}
	b.report.Dictionary = report
	var translations []indexes.Translation
	for pair, err := range dictionary.Pairs(ctx, *b.o.Dictionary, analysis.MaxSynonymWords) {
		var fault *dataset.Fault
		switch {
		case errors.As(err, &fault):
			fault.Place.Ordinal = math.MaxInt // after the faults in records
			c.addFatal(*fault)
		case err != nil:
			return nil, fmt.Errorf("read the dictionary: %w", err)
		default:
			report.Pairs++
			if t, ok := translationOf(pair); ok {
				translations = append(translations, t)
			}
		}
	}
	return translations, nil
}

// translationOf returns the keys of a pair. ok is false if the keys are equal, if neither is a single word, or
// if one has too many words or a word without meaning.
func translationOf(pair dictionary.Pair) (t indexes.Translation, ok bool) {
	t = indexes.Translation{German: analysis.Key(pair.German), English: analysis.Key(pair.English)}
	german, english := strings.Count(t.German, " ")+1, strings.Count(t.English, " ")+1
	return t, t.German != t.English && min(german, english) == 1 && max(german, english) <= analysis.MaxSynonymWords &&
		isMeaningful(t.German) && isMeaningful(t.English)
}

// minTranslated is the minimum number of letters in a translated word. Shorter words are prefixes, symbols
// and abbreviations.
const minTranslated = 3

// isMeaningful reports whether all words of a key are long enough and none is a function word.
func isMeaningful(key string) bool {
	for word := range strings.SplitSeq(key, " ") {
		if utf8.RuneCountInString(word) < minTranslated || analysis.IsFunctionWord(word) {
			return false
		}
	}
	return true
}
