package serve

import (
	"strings"

	"sabine/dataset/nearest"
)

// meant returns the known name that a mistyped one most likely means: the most similar; when none is near, the one that
// stands before a hyphen, as A2 does in the fire class A2-s1,d0. It is "" when there is none either, or when the text is
// too long for a typo.
func meant(text string, known []string) string {
	if len(text) > maxShown {
		return ""
	}
	if name := nearest.Name(text, known); name != "" {
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
	if name := meant(text, known); name != "" {
		return ", the nearest is " + quote(name) + "; " + allowed(known)
	}
	return "; " + allowed(known)
}
