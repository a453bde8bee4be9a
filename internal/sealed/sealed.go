// Package sealed makes hostile snapshots for tests: a section or the section table is invalid, but all
// checksums are correct. Such snapshots do not occur by accident, but readers must handle them.
package sealed

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"sabine/indexes/snapshot"
)

// Positions in the head of a snapshot. format.go of package snapshot describes the complete head.
const (
	headSize   = 2048
	tableStart = 32
	rowSize    = 32
	maxRows    = 62
	checksumAt = headSize - 8
)

// A Draft is a snapshot that is being edited.
type Draft struct {
	Sections []Section // in the order of the section table
	head     []number  // numbers to write into the head before its checksum is computed
}

// A Section is a section of a draft.
type Section struct {
	Kind    snapshot.Kind
	Content []byte
	align   int // alignment of the section's start; 0 means 32
}

// A number is an integer to write at a position, little-endian, in 1, 2, 4 or 8 bytes.
type number struct {
	at, width int
	value     uint64
}

func (n number) put(b []byte) {
	var le [8]byte
	binary.LittleEndian.PutUint64(le[:], n.value)
	copy(b[min(n.at, len(b)):], le[:n.width])
}

// Of returns a draft of a snapshot with copies of all sections.
func Of(f *snapshot.File) *Draft {
	d := new(Draft)
	for _, s := range f.Sections() {
		b, _ := f.Section(s.Kind)
		d.Sections = append(d.Sections, Section{Kind: s.Kind, Content: bytes.Clone(b)})
	}
	return d
}

// Content returns a pointer to the content of the section with the given kind, or nil if there is none.
func (d *Draft) Content(kind snapshot.Kind) *[]byte {
	i := slices.IndexFunc(d.Sections, func(s Section) bool { return s.Kind == kind })
	if i < 0 {
		return nil
	}
	return &d.Sections[i].Content
}

// Seal returns the draft as a file with correct checksums.
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

// A Program contains random bytes from a fuzzer. They determine the changes to a draft. Each step consumes as
// many bytes as it needs. Bytes after the end are zero.
type Program []byte

// Below returns a number less than n, which must be at least 1.
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

// numbers contains values that often cause errors.
var numbers = []uint64{
	0, 1, 2, 7, 8, 255, 1<<15 - 1, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1, 1 << 32, 1<<62 + 8, 1<<63 - 1,
	1 << 63, 1<<64 - 2, 1<<64 - 1,
}

// number returns a number to write into b. The number can depend on b's content.
func (p *Program) number(b []byte) (n number) {
	n.width = []int{1, 2, 4, 8}[p.Below(4)]
	places := len(b) / n.width
	if p.Below(2) == 0 {
		places = min(places, 256/n.width) // numbers in heads have the greatest effect
	}
	if places == 0 {
		return number{}
	}
	n.at = p.Below(places) * n.width
	present := func(at int) uint64 {
		var le [8]byte
		copy(le[:], b[at:at+n.width])
		return binary.LittleEndian.Uint64(le[:])
	}
	switch how := p.Below(len(numbers) + 6); how - len(numbers) {
	case 0:
		n.value = present(n.at) + 1
	case 1:
		n.value = present(n.at) - 1
	case 2:
		n.value = present(p.Below(places) * n.width) // makes a duplicate, an invalid order or a cycle
	case 3:
		n.value = uint64(len(b))
	case 4:
		n.value = uint64(n.at) // the position of the number
	case 5:
		n.value = uint64(p.Below(1 << 16))
	default:
		n.value = numbers[how]
	}
	return n
}

// Edit makes one change to the draft and returns a description of the change. It can copy content from other,
// which has the same format.
func (d *Draft) Edit(p *Program, other *Draft) (done string) {
	if len(d.Sections) == 0 {
		return "nothing left"
	}
	i := p.Below(len(d.Sections))
	s := &d.Sections[i]
	changed := func(format string, args ...any) string { return s.Kind.String() + ": " + fmt.Sprintf(format, args...) }
	switch p.Below(34) {
	default: // most effective change
		n := p.number(s.Content)
		n.put(s.Content)
		return changed("%#x in the %d bytes at %d", n.value, n.width, n.at)
	case 0:
		s.Content = s.Content[:p.Below(len(s.Content)+1)]
		return changed("cut at %d", len(s.Content))
	case 1:
		s.Content = s.Content[:p.Below(len(s.Content)+1)&^31]
		return changed("cut at %d", len(s.Content))
	case 2:
		s.Content = append(s.Content, bytes.Repeat([]byte{byte(p.Below(2) * 255)}, 8*p.Below(100))...)
		return changed("grown to %d", len(s.Content))
	case 3:
		clear(s.Content)
		return changed("zeros")
	case 4, 5: // duplicates or overwrites rows
		n := len(s.Content)
		from, to, length := p.Below(n+1)&^3, p.Below(n+1)&^3, p.Below(min(n, 256)+1)
		length = copy(s.Content[to:], bytes.Clone(s.Content[from:min(n, from+length)]))
		return changed("%d bytes of %d at %d", length, from, to)
	case 6:
		s.Content = nil
		return changed("empty")
	case 7:
		done = changed("not there")
		d.Sections = slices.Delete(d.Sections, i, i+1)
		return done
	case 8:
		t := &d.Sections[p.Below(len(d.Sections))]
		s.Content, t.Content = t.Content, s.Content
		return changed("exchanged with %s", t.Kind)
	case 9:
		done = changed("of another kind")
		s.Kind = snapshot.Kind(p.number([]byte("1234")).value)
		return done
	case 10, 11:
		if from := other.Content(s.Kind); from != nil {
			s.Content = bytes.Clone(*from)
		}
		return changed("of another snapshot")
	case 12:
		t := other.Sections[p.Below(len(other.Sections))]
		s.Content = bytes.Clone(t.Content)
		return changed("the %s of another snapshot", t.Kind)
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
		return changed("aligned to a multiple of 8")
	case 16:
		n := p.number(d.Seal()[:checksumAt])
		d.head = append(d.head, n)
		return fmt.Sprintf("head: %#x in the %d bytes at %d", n.value, n.width, n.at)
	}
}
