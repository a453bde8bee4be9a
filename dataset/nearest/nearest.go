// Package nearest finds the known name that a mistyped one most likely means. It never says what a name is
// for.
package nearest

import (
	"strings"

	"github.com/xrash/smetrics"
)

// enough is the similarity from which a known name is worth a suggestion: "fire" is that near to
// "fire_class", "limit" and "facets" are not near to each other.
const enough = 0.85

// longest is the length in bytes from which a text is no typing error.
const longest = 100

// Name returns the known name that is the most similar to a text by Jaro and Winkler, whatever the case, ""
// when none is near.
func Name(text string, known []string) (name string) {
	if len(text) > longest {
		return ""
	}
	text = strings.ToLower(text)
	best := enough
	for _, k := range known {
		if s := smetrics.JaroWinkler(text, strings.ToLower(k), 0.7, 4); s > best {
			best, name = s, k
		}
	}
	return name
}
