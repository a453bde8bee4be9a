package dataset

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Limits on what a record may be, unknown fields included.
const (
	MaxRecordBytes = 16 << 20
	MaxDepth       = 100
)

// tooMuch begins the fault of what is over MaxRecordBytes.
var tooMuch = "more than " + strconv.Itoa(MaxRecordBytes>>20) + " MiB"

// Limits on what a record may publish. Real catalogues stay below a fifth of each. What is over one is a fault, never cut.
//
// They bound what a response can be. The values of the fields that a record format lists take maxPublishedBytes at most
// as they stand there; printed they grow to twice that at most, where short numbers become long (2e-6), and by the nulls
// and defaults of 3 × maxElements measurements, below 400 bytes each. So a product is below 5 MiB in any answer, and a
// batch of 50 details below 250 MiB; without these limits it could be more than 800 MiB, 50 records of 16 MiB.
const (
	maxPublishedBytes = 2 << 20 // of all fields together

	maxNameBytes = 1000 // a label in one language, a name, an id, a facet's value, a key: what stands in one line of a list
	// maxDescriptionBytes is the length of a description in one language. Every word of it is indexed.
	maxDescriptionBytes = 64 << 10
	maxMetaBytes        = 1 << 20 // a value of structured_meta, which is not searched
	maxAddressBytes     = 8 << 10 // a url: what servers and browsers take
	maxElements         = 500     // of an array or object, such as installation_types, images or the languages of a text
	maxVocabularyValues = 5000    // declared for one family
)

// checkText notes a text that is too long for its field, and warns of one that a terminal would obey.
func (p *parser) checkText(name, s string, maxBytes int) {
	if len(s) > maxBytes {
		p.fault(name, "expected a text of at most "+strconv.Itoa(maxBytes)+" bytes, got "+strconv.Itoa(len(s)))
		return
	}
	if r := controlIn(s); r >= 0 {
		p.warn(name, fmt.Sprintf("holds the control character %U, which a terminal or a browser may obey", r))
	}
}

// full reports, and notes, that the array or object that was entered has as many elements as it may have and one more,
// behind which it is not read on.
func (p *parser) full(count, most int) bool {
	if count < most {
		return false
	}
	p.fault("", "expected at most "+strconv.Itoa(most)+" elements")
	return true
}

// checkSize notes a record whose fields are too large together.
func (p *parser) checkSize(values []gjson.Result) {
	size := 0
	for i := range values {
		size += len(values[i].Raw)
	}
	if size > maxPublishedBytes {
		p.fault("", "expected fields of at most "+strconv.Itoa(maxPublishedBytes)+" bytes together, got "+strconv.Itoa(size))
	}
}

// controlIn returns the first control character of a text, -1 when it has none: those of C0 but tabs and line ends, DEL,
// those of C1, and those that turn the direction of what is written behind them.
func controlIn(s string) rune {
	for i := 0; i < len(s); i++ {
		if !mayBeControl[s[i]] {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\t' || r == '\n' || r == '\r' && i+1 < len(s) && s[i+1] == '\n':
		case r < ' ', r >= 0x7F && r < 0xA0, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return r
		}
	}
	return -1
}

// mayBeControl are the first bytes of control characters, which few others have too.
var mayBeControl = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	t[0x7F], t[0xC2], t[0xE2] = true, true, true
	return t
}()
