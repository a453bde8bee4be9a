package product

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// A reader reads the compact JSON that records are stored as, value by value and each byte once. What is no
// JSON ends the reading. A value of another type than is asked for is read as an empty one.
type reader struct {
	json string
	next int // where the next byte is; at the end once it is bad
	bad  bool
}

func (r *reader) fail() { r.next, r.bad = len(r.json), true }

// at reports whether a byte comes next.
func (r *reader) at(c byte) bool { return r.next < len(r.json) && r.json[r.next] == c }

// value returns the JSON of a value of any type.
func (r *reader) value() string {
	start, depth := r.next, 0
	for i := start; i < len(r.json); i++ {
		switch r.json[i] {
		case '"':
			i = r.stringEnd(i)
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth > 0 {
				depth--
				break
			}
			fallthrough
		case ',':
			if depth > 0 {
				continue
			}
			if i--; i < start {
				r.fail()
				return ""
			}
		default:
			continue
		}
		if depth == 0 && i < len(r.json) {
			r.next = i + 1
			return r.json[start:r.next]
		}
	}
	r.fail()
	return ""
}

// stringEnd returns where the string ends that starts at a quote: its other quote, or the end of the text
// when it has none.
func (r *reader) stringEnd(start int) int {
	for i := start + 1; ; i++ {
		n := strings.IndexByte(r.json[i:], '"')
		if n < 0 {
			return len(r.json)
		}
		i += n
		unescaped := i
		for r.json[unescaped-1] == '\\' {
			unescaped--
		}
		if (i-unescaped)%2 == 0 {
			return i
		}
	}
}

func (r *reader) text() string {
	quoted := r.value()
	switch {
	case quoted == "" || quoted[0] != '"':
		return ""
	case strings.IndexByte(quoted, '\\') >= 0:
		return gjson.Parse(quoted).Str
	}
	return quoted[1 : len(quoted)-1]
}

// number returns a number, zero for what is none or not finite.
func (r *reader) number() float64 {
	n, err := strconv.ParseFloat(r.value(), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0
	}
	return n
}

// elements yields before each element of an array, which is read then.
func (r *reader) elements(yield func() bool) { r.list('[', ']', yield) }

// members yields the name of each member of an object, whose value is read then.
func (r *reader) members(yield func(name string) bool) {
	r.list('{', '}', func() bool {
		name := r.text()
		if !r.at(':') {
			r.fail()
			return false
		}
		r.next++
		return yield(name)
	})
}

// list reads values between two brackets.
func (r *reader) list(opening, closing byte, read func() bool) {
	if !r.at(opening) {
		r.value()
		return
	}
	r.next++
	for more := !r.at(closing); more; {
		if !read() {
			return
		}
		if more = r.at(','); more {
			r.next++
		}
	}
	if !r.at(closing) {
		r.fail()
		return
	}
	r.next++
}
