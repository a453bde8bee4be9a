package dataset

import (
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// Limits of a record, including its unknown fields. Package product limits the published data.
const (
	maxRecordBytes = 16 << 20
	maxDepth       = 100
)

// overLimit is the beginning of the message about a string over maxRecordBytes.
var overLimit = "more than " + strconv.Itoa(maxRecordBytes>>20) + " MiB"

// MaxFamilyValues is the maximum number of declared values in a family. It is also the maximum number of all
// values in a family, declared or not, in a catalogue.
const MaxFamilyValues = 5000

// checkText records a fault for a string that is too long for its field. It warns about control characters,
// which can change the output of a terminal.
func (p *parser) checkText(name, s string, maxBytes int) {
	if len(s) > maxBytes {
		p.fault(name, "expected a string of at most "+strconv.Itoa(maxBytes)+" bytes, got "+strconv.Itoa(len(s)))
		return
	}
	if r := controlIn(s); r >= 0 {
		p.warn(name, fmt.Sprintf("contains the control character %U, which a terminal or a browser may interpret", r))
	}
}

// faultIfFull records a fault if count, the number of elements read from the current array or object, has
// reached limit. It reports whether it has: the caller must then stop reading elements.
func (p *parser) faultIfFull(count, limit int) bool {
	if count < limit {
		return false
	}
	p.fault("", "expected at most "+strconv.Itoa(limit)+" elements")
	return true
}

// checkSize records a fault if the known fields of a record together are too large.
func (p *parser) checkSize(values []gjson.Result) {
	size := 0
	for i := range values {
		size += len(values[i].Raw)
	}
	if size > product.MaxPublishedBytes {
		p.fault("", "expected at most "+strconv.Itoa(product.MaxPublishedBytes)+" bytes in all fields together, got "+
			strconv.Itoa(size))
	}
}

// controlIn returns the first control character of a string, or -1. Control characters are C0 except tabs and
// line ends, DEL, C1, and the characters that change the direction of text.
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
