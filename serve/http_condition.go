package serve

import (
	"slices"
	"strings"
)

// matchesTag reports whether the If-None-Match or If-Match fields of a request name the content with a hash,
// in whatever coding the client has it: "*" names everything, and weak tags count unless the comparison is
// strong, as that of If-Match is (RFC 9110, 13.1). No tag names content without a hash. Reading a field ends
// at the first thing that is not an entity tag.
func matchesTag(fields []string, hash string, strong bool) bool {
	for _, field := range fields {
		if field == "*" {
			return true
		}
		for {
			list, weak := strings.CutPrefix(strings.TrimLeft(field, " \t,"), "W/")
			list, quoted := strings.CutPrefix(list, `"`)
			tag, rest, closed := strings.Cut(list, `"`)
			if !quoted || !closed {
				break
			}
			if hash != "" && isTagOf(tag, hash) && (!strong || !weak) {
				return true
			}
			field = rest
		}
	}
	return false
}

// isTagOf reports whether a tag, without its quotes, is that of a content in some coding.
func isTagOf(tag, hash string) bool {
	suffix, same := strings.CutPrefix(tag, hash)
	return same && slices.ContainsFunc(contentCodings[:], func(c contentCoding) bool { return c.suffix == suffix })
}

// entityTag returns the strong tag of a content in a coding: strong tags of two codings differ (RFC 9110,
// 8.8.3.3).
func entityTag(hash string, c coding) string { return `"` + hash + contentCodings[c].suffix + `"` }
