package table

import (
	"hash/maphash"
	"strconv"

	"sabine/dataset"
)

// maxRecordText is how long the texts of a record may be together, as JSON: that of all its fields in a catalogue.
const maxRecordText = 2 << 20

// fits reports whether the texts of the product's rows may fit into a record, and notes a fault when they do not. It counts before anything is
// made of them, since each row with texts of its own becomes a set-up that has all of these: a text that the rows agree on counts once, and
// those in which they differ once for all rows that have the same.
func (u *union) fits() bool {
	least := 0
	for i := range u.rows {
		for j := range u.rows[i].cells {
			least += len(u.rows[i].cells[j].text) + len(u.rows[i].cells[j].header)
		}
	}
	if least <= maxRecordText/maxEscaped {
		return true
	}
	size, repeated, seen := 0, 0, map[uint64]bool{}
	var hash maphash.Hash
	for i := range u.rows {
		r := &u.rows[i]
		hash.Reset()
		for j := range r.cells {
			if c := &r.cells[j]; c.topic.differs {
				_, _ = hash.WriteString(strconv.Itoa(len(c.text)) + c.header + c.text) // it has no error
			}
		}
		known := seen[hash.Sum64()]
		seen[hash.Sum64()] = true
		for j := range r.cells {
			c := &r.cells[j]
			switch {
			case c.topic.differs && known:
				repeated += len(c.text)
			case c.topic.differs, c == c.topic.cell:
				size += len(c.header) + jsonBytes(c.text)
			}
			if size > maxRecordText || repeated > maxRepeated {
				u.fault(r.place(c.number), c.header, "the texts of "+dataset.Quoted(u.label)+" are more than "+strconv.Itoa(maxRecordText>>20)+
					" MiB together up to here, the limit for a record: expected shorter ones, or fewer set-ups that differ in them")
				return false
			}
		}
	}
	return true
}

// maxRepeated is how long the texts of rows may be that have the same as another: each is put together like any.
const maxRepeated = 16 * maxRecordText

// maxEscaped is how many bytes of JSON a byte may become.
const maxEscaped = len(`\u0001`)

// jsonBytes returns how long a text is as JSON.
func jsonBytes(text string) int {
	n := len(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ':
			n += maxEscaped - 1
		case c == '"' || c == '\\':
			n++
		}
	}
	return n
}
