// Package sealed is for tests: it makes hostile snapshots, of which the table or what a section says is
// wrong, and every checksum right. So does nobody by accident; whoever reads a snapshot must bear it all the
// same.
package sealed

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"sabine/indexes/snapshot"
)

// What is known here of the head, beside what package snapshot writes into it by itself: format.go there
// tells it whole.
const (
	headSize   = 2048
	tableStart = 32
	rowSize    = 32
	maxRows    = 62
	checksumAt = headSize - 8
)

// A Draft is a snapshot that is being edited.
type Draft struct {
	Sections []Section // in the order of the table
	head     []number  // written over the head before its checksum is made
}

// A Section is one of a draft.
type Section struct {
	Kind    snapshot.Kind
	Content []byte
	align   int // of its beginning; 0: 32
}

// A number is written at a place, little-endian, in 1, 2, 4 or 8 bytes.
type number struct {
	at, width int
	value     uint64
}

func (n number) put(b []byte) {
	var le [8]byte
	binary.LittleEndian.PutUint64(le[:], n.value)
	copy(b[min(n.at, len(b)):], le[:n.width])
}

// Of returns a draft of a snapshot. It has copies of all sections.
func Of(f *snapshot.File) *Draft {
	d := new(Draft)
	for _, s := range f.Sections() {
		b, _ := f.Section(s.Kind)
		d.Sections = append(d.Sections, Section{Kind: s.Kind, Content: bytes.Clone(b)})
	}
	return d
}

// Content returns where the content of a section stands in the draft, nil when it has none of the kind.
func (d *Draft) Content(kind snapshot.Kind) *[]byte {
	i := slices.IndexFunc(d.Sections, func(s Section) bool { return s.Kind == kind })
	if i < 0 {
		return nil
	}
	return &d.Sections[i].Content
}

// Seal returns the draft as a file, with the checksums of what it holds.
func (d *Draft) Seal() []byte {
	b := make([]byte, headSize)
	le := binary.LittleEndian
	copy(b, "\x89SABINE\n")
	le.PutUint16(b[8:], snapshot.FormatMajor)
	le.PutUint16(b[10:], snapshot.FormatMinor)
	le.PutUint32(b[12:], uint32(len(d.Sections)))
	for i, s := range d.Sections {
		if s.align == 0 {
			s.align = 32
		}
		b = append(b, make([]byte, (s.align-len(b)%s.align)%s.align)...)
		if i < maxRows {
			row := b[tableStart+i*rowSize:]
			le.PutUint32(row, uint32(s.Kind))
			le.PutUint64(row[8:], uint64(len(b)))
			le.PutUint64(row[16:], uint64(len(s.Content)))
			le.PutUint64(row[24:], xxh3.Hash(s.Content))
		}
		b = append(b, s.Content...)
	}
	le.PutUint64(b[16:], uint64(len(b)))
	for _, n := range d.head {
		n.put(b[:checksumAt])
	}
	le.PutUint64(b[checksumAt:], xxh3.Hash(b[:checksumAt]))
	return b
}

// A Program says what is done to a draft, in bytes that a fuzzer makes: each step takes as many of them as it
// needs. Behind its end all are zero.
type Program []byte

// Below takes a number that is less than n, which is at least 1.
func (p *Program) Below(n int) int {
	v := uint64(0)
	for most := uint64(n - 1); most > 0; most >>= 8 {
		v <<= 8
		if len(*p) > 0 {
			v, *p = v|uint64((*p)[0]), (*p)[1:]
		}
	}
	return int(v % uint64(n))
}

// numbers are those that formats stumble over.
var numbers = []uint64{
	0, 1, 2, 7, 8, 255, 1<<15 - 1, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1, 1 << 32, 1<<62 + 8, 1<<63 - 1,
	1 << 63, 1<<64 - 2, 1<<64 - 1,
}

// number takes one to write into b, which may be made of what stands there.
func (p *Program) number(b []byte) (n number) {
	n.width = []int{1, 2, 4, 8}[p.Below(4)]
	places := len(b) / n.width
	if p.Below(2) == 0 {
		places = min(places, 256/n.width) // heads are where most depends on a number
	}
	if places == 0 {
		return number{}
	}
	n.at = p.Below(places) * n.width
	there := func(at int) uint64 {
		var le [8]byte
		copy(le[:], b[at:at+n.width])
		return binary.LittleEndian.Uint64(le[:])
	}
	switch how := p.Below(len(numbers) + 6); how - len(numbers) {
	case 0:
		n.value = there(n.at) + 1
	case 1:
		n.value = there(n.at) - 1
	case 2:
		n.value = there(p.Below(places) * n.width) // good somewhere else: out of order, twice, in a circle
	case 3:
		n.value = uint64(len(b))
	case 4:
		n.value = uint64(n.at) // itself
	case 5:
		n.value = uint64(p.Below(1 << 16))
	default:
		n.value = numbers[how]
	}
	return n
}

// Edit does one thing to the draft and says what. Whole contents are taken from another snapshot of the same
// format too.
func (d *Draft) Edit(p *Program, other *Draft) (done string) {
	if len(d.Sections) == 0 {
		return "nothing left"
	}
	i := p.Below(len(d.Sections))
	s := &d.Sections[i]
	said := func(format string, args ...any) string { return s.Kind.String() + ": " + fmt.Sprintf(format, args...) }
	switch p.Below(34) {
	default: // the most telling
		n := p.number(s.Content)
		n.put(s.Content)
		return said("%#x in the %d bytes at %d", n.value, n.width, n.at)
	case 0:
		s.Content = s.Content[:p.Below(len(s.Content)+1)]
		return said("cut at %d", len(s.Content))
	case 1:
		s.Content = s.Content[:p.Below(len(s.Content)+1)&^31]
		return said("cut at %d", len(s.Content))
	case 2:
		s.Content = append(s.Content, bytes.Repeat([]byte{byte(p.Below(2) * 255)}, 8*p.Below(100))...)
		return said("grown to %d", len(s.Content))
	case 3:
		clear(s.Content)
		return said("zeros")
	case 4, 5: // rows stand twice, or one over the other
		n := len(s.Content)
		from, to, length := p.Below(n+1)&^3, p.Below(n+1)&^3, p.Below(min(n, 256)+1)
		length = copy(s.Content[to:], bytes.Clone(s.Content[from:min(n, from+length)]))
		return said("%d bytes of %d at %d", length, from, to)
	case 6:
		s.Content = nil
		return said("empty")
	case 7:
		done = said("not there")
		d.Sections = slices.Delete(d.Sections, i, i+1)
		return done
	case 8:
		t := &d.Sections[p.Below(len(d.Sections))]
		s.Content, t.Content = t.Content, s.Content
		return said("exchanged with %s", t.Kind)
	case 9:
		done = said("of another kind")
		s.Kind = snapshot.Kind(p.number([]byte("1234")).value)
		return done
	case 10, 11:
		if from := other.Content(s.Kind); from != nil {
			s.Content = bytes.Clone(*from)
		}
		return said("of another snapshot")
	case 12:
		t := other.Sections[p.Below(len(other.Sections))]
		s.Content = bytes.Clone(t.Content)
		return said("the %s of another snapshot", t.Kind)
	case 13:
		row := Section{Kind: 1 << 20, Content: []byte("unknown")}
		if p.Below(2) == 0 {
			row = *s
		}
		d.Sections = append(d.Sections, row)
		return "one more row of kind " + row.Kind.String()
	case 14:
		slices.Reverse(d.Sections)
		return "in another order"
	case 15:
		s.align = 8
		return said("at a multiple of 8")
	case 16:
		n := p.number(d.Seal()[:checksumAt])
		d.head = append(d.head, n)
		return fmt.Sprintf("head: %#x in the %d bytes at %d", n.value, n.width, n.at)
	}
}
