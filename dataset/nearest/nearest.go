// Package nearest finds the known name that a mistyped name most likely means. It never interprets names.
package nearest

import (
	"strings"

	"github.com/xrash/smetrics"
)

// minSimilarity is the similarity above which a known name is suggested. For example, "fire" and "fire_class"
// are similar, but "limit" and "facets" are not.
const minSimilarity = 0.85

// maxBytes is the maximum length of a mistyped name in bytes.
const maxBytes = 100

// Name returns the known name that is most similar to a string, or "" if none is similar. It uses the
// Jaro-Winkler similarity and ignores case.
func Name(text string, known []string) (name string) {
	if len(text) > maxBytes {
		return ""
	}
	text = strings.ToLower(text)
	best := minSimilarity
	for _, k := range known {
		if s := smetrics.JaroWinkler(text, strings.ToLower(k), 0.7, 4); s > best {
			best, name = s, k
		}
	}
	return name
}
