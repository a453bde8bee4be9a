package serve

import (
	"strings"

	"github.com/xrash/smetrics"
)

// nearEnough is the similarity from which a known name is worth a suggestion: "fire" is that near to "fire_class",
// "limit" and "facets" are not near to each other.
const nearEnough = 0.85

// MostSimilar returns the known name that is the most similar to a text by Jaro and Winkler, whatever the case, "" when
// none is near.
func MostSimilar(text string, known []string) string {
	text = strings.ToLower(text)
	best, name := nearEnough, ""
	for _, k := range known {
		if s := smetrics.JaroWinkler(text, strings.ToLower(k), 0.7, 4); s > best {
			best, name = s, k
		}
	}
	return name
}

// nearest returns the known name that a mistyped one most likely means: the most similar; when none is near, the one that
// stands before a hyphen, as A2 does in the fire class A2-s1,d0. It is "" when there is none either, or when the text is
// too long for a typo.
func nearest(text string, known []string) string {
	if len(text) > maxShown {
		return ""
	}
	if name := MostSimilar(text, known); name != "" {
		return name
	}
	start, _, _ := strings.Cut(text, "-")
	for _, k := range known {
		if strings.EqualFold(k, start) {
			return k
		}
	}
	return ""
}

// alternatives says what could have stood in the place of a text: the nearest known name, if any, and the first of all.
func alternatives(text string, known []string) string {
	if name := nearest(text, known); name != "" {
		return ", the nearest is " + quote(name) + "; " + allowed(known)
	}
	return "; " + allowed(known)
}
