package snapshot

import (
	"fmt"

	"github.com/zeebo/xxh3"
)

// A readBack takes the bytes of a file in their order and holds each section against the checksum of what was written.
// So a disk that lies is noticed before anybody serves from it, at no second pass over the file.
type readBack struct {
	path     string
	sections []SectionInfo // those not yet read, in order of offset
	hash     *xxh3.Hasher
	offset   int64 // of the next byte
	begun    bool  // hash is that of the first section
}

func newReadBack(path string, sections []SectionInfo) *readBack {
	return &readBack{path: path, sections: sections, hash: xxh3.New()}
}

func (r *readBack) Write(p []byte) (int, error) {
	n := len(p)
	for len(r.sections) > 0 {
		s := &r.sections[0]
		if !r.begun {
			skipped := min(int64(len(p)), s.Offset-r.offset)
			p, r.offset = p[skipped:], r.offset+skipped
			if r.offset < s.Offset {
				break
			}
			r.hash.Reset()
			r.begun = true
		}
		taken := min(int64(len(p)), s.end()-r.offset)
		_, _ = r.hash.Write(p[:taken]) // a hash never fails
		p, r.offset = p[taken:], r.offset+taken
		if r.offset < s.end() {
			break
		}
		if sum := r.hash.Sum64(); sum != s.Checksum {
			return 0, r.corrupt(s, fmt.Sprintf("%d bytes with the checksum %016x, not %016x", s.Length, s.Checksum, sum))
		}
		r.sections, r.begun = r.sections[1:], false
	}
	return n, nil
}

// err returns what is missing at the end of the file.
func (r *readBack) err() error {
	if len(r.sections) == 0 {
		return nil
	}
	s := &r.sections[0]
	return r.corrupt(s, fmt.Sprintf("%d bytes, not the end of the file at byte %d", s.Length, r.offset))
}

func (r *readBack) corrupt(s *SectionInfo, want string) error {
	return &CorruptError{Path: r.path, Section: s.Kind, Offset: s.Offset, Want: "what was written there, " + want}
}
