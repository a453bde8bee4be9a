package workbook

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// utf8Reader returns the text as UTF-8, without a byte order mark. head is the beginning of the file. It
// reports whether the text is UTF-16, whose invalid units become U+FFFD.
func utf8Reader(r *bufio.Reader, head []byte) (text io.Reader, utf16 bool) {
	switch little, big := zeros(head); {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		_, _ = r.Discard(3)
		return r, false
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), little:
		return transform.NewReader(r, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), true
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), big:
		return transform.NewReader(r, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()), true
	}
	return &byteReader{r: r}, false
}

// zeros reports whether most letters are Latin ones in UTF-16, whose upper byte is zero.
func zeros(head []byte) (little, big bool) {
	var zero [2]int
	for i, b := range head {
		if b == 0 {
			zero[i%2]++
		}
	}
	most := len(head) / 4 // half of the letters, at two bytes each
	return zero[1] > most && zero[0] <= zero[1]/8, zero[0] > most && zero[1] <= zero[0]/8
}

// A byteReader reads UTF-8 or Windows-1252. The first non-ASCII character determines which, because both are
// equal up to this character.
type byteReader struct {
	r       *bufio.Reader
	decided io.Reader
}

func (b *byteReader) Read(p []byte) (int, error) {
	if b.decided != nil {
		return b.decided.Read(p)
	}
	if _, err := b.r.Peek(1); err != nil {
		return 0, err
	}
	ahead, _ := b.r.Peek(min(b.r.Buffered(), len(p)))
	n := 0
	for n < len(ahead) && ahead[n] < utf8.RuneSelf {
		n++
	}
	if n == 0 && len(p) > 0 {
		letter, _ := b.r.Peek(utf8.UTFMax) // fewer at the end of the file
		if r, size := utf8.DecodeRune(letter); r == utf8.RuneError && size == 1 {
			b.decided = transform.NewReader(b.r, charmap.Windows1252.NewDecoder())
		} else {
			b.decided = b.r
		}
		return b.decided.Read(p)
	}
	return b.r.Read(p[:n])
}
