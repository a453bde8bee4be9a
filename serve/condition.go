package serve

import "strings"

// matchesTag reports whether the If-None-Match fields of a request name the content with a hash, in whatever coding
// the client has it: the lists are compared weakly (RFC 9110, 13.1.2), and "*" names everything. Reading a field ends
// at the first thing that is not an entity tag.
func matchesTag(fields []string, hash string) bool {
	for _, field := range fields {
		if strings.Trim(field, " \t") == "*" {
			return true
		}
		for field != "" {
			tag, rest, ok := cutTag(field)
			if !ok {
				break
			}
			if contentHash(tag) == hash {
				return true
			}
			field = rest
		}
	}
	return false
}

// cutTag takes the first entity tag off a list, without its weakness and quotes.
func cutTag(list string) (tag, rest string, ok bool) {
	list = strings.TrimPrefix(strings.TrimLeft(list, " \t,"), "W/")
	if !strings.HasPrefix(list, `"`) {
		return "", "", false
	}
	return strings.Cut(list[1:], `"`)
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
