package serve

import "strings"

// matchesTag reports whether the If-None-Match or If-Match fields of a request name the content with a hash, in whatever
// coding the client has it: "*" names everything, and weak tags count unless the comparison is strong, as that of If-Match
// is (RFC 9110, 13.1). No tag names content without a hash. Reading a field ends at the first thing that is not an entity
// tag.
func matchesTag(fields []string, hash string, strong bool) bool {
	for _, field := range fields {
		if field == "*" {
			return true
		}
		for field != "" {
			tag, weak, rest, ok := cutTag(field)
			if !ok {
				break
			}
			if contentHash(tag) == hash && hash != "" && (!strong || !weak) {
				return true
			}
			field = rest
		}
	}
	return false
}

// cutTag takes the first entity tag off a list, without its quotes.
func cutTag(list string) (tag string, weak bool, rest string, ok bool) {
	list, weak = strings.CutPrefix(strings.TrimLeft(list, " \t,"), "W/")
	if !strings.HasPrefix(list, `"`) {
		return "", false, "", false
	}
	tag, rest, ok = strings.Cut(list[1:], `"`)
	return tag, weak, rest, ok
}

// contentHash takes the coding off a tag that entityTag made.
func contentHash(tag string) string {
	for _, c := range contentCodings {
		if c.suffix != "" && strings.HasSuffix(tag, c.suffix) {
			return strings.TrimSuffix(tag, c.suffix)
		}
	}
	return tag
}

// entityTag returns the strong tag of a content in a coding: strong tags of two codings differ (RFC 9110, 8.8.3.3).
func entityTag(hash string, c coding) string { return `"` + hash + contentCodings[c].suffix + `"` }
