package serve

import (
	"slices"
	"strings"
)

// matchesTag reports whether the If-None-Match or If-Match fields of a request contain the hash, for any
// coding. "*" matches everything. Weak tags match unless the comparison is strong, as for If-Match (RFC 9110,
// 13.1). Content without a hash matches only "*". Parsing of a field stops at the first invalid entity tag.
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

// isTagOf reports whether a tag without quotes belongs to the content with the given hash, in any coding.
func isTagOf(tag, hash string) bool {
	suffix, same := strings.CutPrefix(tag, hash)
	return same && slices.ContainsFunc(contentCodings[:], func(c contentCoding) bool { return c.suffix == suffix })
}

// entityTag returns the strong tag for a hash in a coding. The strong tags of two codings must differ (RFC
// 9110, 8.8.3.3).
func entityTag(hash string, c coding) string { return `"` + hash + contentCodings[c].suffix + `"` }
