package dataset

import (
	"regexp"
	"strconv"
	"strings"
)

// A path leads from the record to a field, outermost step first.
type path []step

// A step goes to a member of an object or, when index is not negative, to an element of an array.
type step struct {
	name  string
	index int
}

func member(name string) step { return step{name: name, index: -1} }

func element(index int) step { return step{index: index} }

// String writes members that look like names with a dot, all others quoted in brackets, and elements by their
// index: images[2].url, alpha_s_octave["300"].
func (p path) String() string { return p.text(true) }

// text is String, with the indexes of elements or, the same for all entries of an array, without.
func (p path) text(indexes bool) string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.index >= 0 && indexes:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case s.index >= 0:
		case !isName(s.name):
			b.WriteString("[" + Quoted(s.name) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// isName reports whether a key can stand in a path without quotes.
func isName(key string) bool {
	return len(key) <= maxQuoted && nameForm.MatchString(key)
}

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
