package dataset

import (
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

// String writes members that look like names with a dot, all others quoted in brackets, and elements by their index:
// images[2].url, alpha_s_octave["300"].
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		if s.index >= 0 {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
			continue
		}
		s.writeTo(&b)
	}
	return b.String()
}

// withoutIndexes is String without the elements' indexes, the same for all entries of an array.
func (p path) withoutIndexes() string {
	var b strings.Builder
	for _, s := range p {
		if s.index < 0 {
			s.writeTo(&b)
		}
	}
	return b.String()
}

func (s step) writeTo(b *strings.Builder) {
	if !isName(s.name) {
		b.WriteByte('[')
		b.WriteString(Quoted(s.name))
		b.WriteByte(']')
		return
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	b.WriteString(s.name)
}

// isName reports whether a key can stand in a path without quotes.
func isName(key string) bool {
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return key != "" && len(key) <= maxQuoted
}
