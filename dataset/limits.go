package dataset

import (
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// Limits on what a record may be, unknown fields included. Package product has those on what it may publish.
const (
	maxRecordBytes = 16 << 20
	maxDepth       = 100
)

// tooMuch begins the fault of what is over maxRecordBytes.
var tooMuch = "more than " + strconv.Itoa(maxRecordBytes>>20) + " MiB"

// MaxFamilyValues is how many values may be declared for one family, and how many a catalogue may have of it,
// those of products and those declared together.
const MaxFamilyValues = 5000

// checkText notes a text that is too long for its field, and warns of control characters that a terminal
// would obey.
func (p *parser) checkText(name, s string, maxBytes int) {
	if len(s) > maxBytes {
		p.fault(name, "expected a text of at most "+strconv.Itoa(maxBytes)+" bytes, got "+strconv.Itoa(len(s)))
		return
	}
	if r := controlIn(s); r >= 0 {
		p.warn(name, fmt.Sprintf("contains the control character %U, which a terminal or a browser may interpret", r))
	}
}

// full reports whether the array or object being read already has as many elements as it may have. If so it
// notes a fault, and the caller stops reading it.
func (p *parser) full(count, most int) bool {
	if count < most {
		return false
	}
	p.fault("", "expected at most "+strconv.Itoa(most)+" elements")
	return true
}

// checkSize notes a record whose fields together are too large.
func (p *parser) checkSize(values []gjson.Result) {
	size := 0
	for i := range values {
		size += len(values[i].Raw)
	}
	if size > product.MaxPublishedBytes {
		p.fault("", "expected at most "+strconv.Itoa(product.MaxPublishedBytes)+" bytes in all fields, got "+
			strconv.Itoa(size))
	}
}

// controlIn returns the first control character of a text, or -1: C0 except tabs and line ends, DEL, C1, and
// those that change the direction of the text after them.
func controlIn(s string) rune {
	for i, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r' && i+1 < len(s) && s[i+1] == '\n':
		case r < ' ', r >= 0x7F && r < 0xA0, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return r
		}
	}
	return -1
}
