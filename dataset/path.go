package dataset

import (
	"regexp"
	"strconv"
	"strings"
)

// A path leads from a record to a field, outermost step first.
type path []step

// A step leads to a member of an object, or to an element of an array if index is not negative.
type step struct {
	name  string
	index int
}

func member(name string) step { return step{name: name, index: -1} }

func element(index int) step { return step{index: index} }

// String writes a dot before names, and brackets around indexes and quoted keys that are not names, for
// example images[2].url or alpha_s_octave["300"].
func (p path) String() string { return p.text(true) }

// text is like String. Without indexes, the path is equal for all elements of an array.
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

// isName reports whether a key needs no quotes in a path.
func isName(key string) bool {
	return len(key) <= maxQuoted && nameForm.MatchString(key)
}

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
