package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"sabine/indexes/snapshot"
)

// A store holds, under one prefix:
//
//	<hash>.snapshot     a generation, under the SHA-256 of its content; never written again
//	<hash>.report.json  the report of the build that made it, when there is one
//	<hash>.from-<hash>.patch
//	                    a patch that makes the first generation from the second one, see patch.go; when the
//	                    publisher had both
//	CURRENT             the pointer: which generations there are, and which of them is in force
//
// The pointer is a JSON object:
//
//	{"version": 1, "generations": [
//	  {"hash": "64 hex digits", "format": 6, "bytes": 1234, "report": "64 hex digits, or empty",
//	   "published": "2026-11-23T02:00:00.123Z", "signature": "a minisign signature, or empty",
//	   "store": "s3://bucket/prefix", "signature2": "a minisign signature"}, ...]}
//
// with the generation that was brought into force last first. In force for a program is the first generation
// of the snapshot format that it reads, so generations of two formats lie side by side, and each program
// finds its own. A rollback moves a generation to the front again, with a new time and a new signature. The
// times of a pointer's moves only grow, whatever the clocks of the publishers say. What this text does not
// tell needs a new version, which older programs refuse.
//
// store and signature2 are there when the generation is signed. signature2 covers the name of the store, so
// that a generation of another store is refused; it is the one that this program verifies. signature does not
// cover it and is written for one more release, for older programs, which ignore the other two members.
//
// The pointer alone is ever replaced, by a conditional write: only as long as it is the one that the
// publisher has read.

const (
	pointerName    = "CURRENT"
	pointerVersion = 1
	maxPointerSize = 1 << 20
	maxReportSize  = 64 << 20
)

// A Pointer is what a store says of itself.
type Pointer struct {
	Version     int          `json:"version"`
	Generations []Generation `json:"generations"` // the one that was brought into force last comes first
}

// A Generation is one snapshot of a store.
type Generation struct {
	Hash      string    `json:"hash"`      // SHA-256 of the snapshot, 64 hex digits
	Format    int       `json:"format"`    // major version of its format
	Bytes     int64     `json:"bytes"`     // its length
	Report    string    `json:"report"`    // SHA-256 of its report, "" when it has none
	Published time.Time `json:"published"` // when it was brought into force, in UTC and milliseconds
	Signature string    `json:"signature"` // by minisign, of statement, for older programs; "" when it was not signed

	Store      string `json:"store,omitempty"`      // name of the store that it is signed for; "" when it was not signed
	Signature2 string `json:"signature2,omitempty"` // by minisign, of storeStatement
}

// storeStatement is the text that is signed: what a server relies on, and the store that it is meant for.
func (g *Generation) storeStatement() []byte {
	return fmt.Appendf(g.statement(), "store %s\n", g.Store)
}

// CheckStore returns an error that names both stores when a generation is signed for another store than the
// named one.
func (g *Generation) CheckStore(name string) error {
	if g.Store == "" || g.Store == name {
		return nil
	}
	return fmt.Errorf("it is signed for the store %s, but this store is %s: publish to this store, "+
		"or give the signed name with --store-name if both are the same store", g.Store, name)
}

// statement is the text that older programs verify.
func (g *Generation) statement() []byte {
	return fmt.Appendf(nil, "sabine generation\nhash %s\nformat %d\nbytes %d\nreport %s\npublished %s\n",
		g.Hash, g.Format, g.Bytes, g.Report, g.Published.UTC().Format(time.RFC3339Nano))
}

// is reports whether both are of the same move of the pointer.
func (g *Generation) is(other *Generation) bool {
	return g.Hash == other.Hash && g.Published.Equal(other.Published)
}

// InForce returns the generation that is in force for programs that read a format, nil for none, and the
// newest format of all when it is a newer one, else 0.
func (p *Pointer) InForce(format int) (g *Generation, newer int) {
	for i := range p.Generations {
		if p.Generations[i].Format == format && g == nil {
			g = &p.Generations[i]
		}
		if f := p.Generations[i].Format; f > max(format, newer) {
			newer = f
		}
	}
	return g, newer
}

// ReadPointer reads the pointer of a source, with its tag. With the tag of one that was read before it
// returns ErrUnchanged while that is still the pointer. ErrNotFound says that nothing was published yet.
func ReadPointer(ctx context.Context, from Source, tag string) (*Pointer, string, error) {
	b, tag, err := readSmall(ctx, from, pointerName, Range{Tag: tag}, maxPointerSize)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", from, err)
	}
	p, err := parsePointer(b)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %s is no list of generations: %w", from, pointerName, err)
	}
	return p, tag, nil
}

func parsePointer(b []byte) (*Pointer, error) {
	p := new(Pointer)
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(p); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text behind the JSON object")
	}
	if p.Version != pointerVersion {
		return nil, fmt.Errorf("expected version %d, got %d", pointerVersion, p.Version)
	}
	for i := range p.Generations {
		if err := p.Generations[i].check(); err != nil {
			return nil, fmt.Errorf("generations[%d]: %w", i, err)
		}
	}
	return p, nil
}

func (g *Generation) check() error {
	var faults []error
	want := func(right bool, format string, args ...any) {
		if !right {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	want(snapshot.IsHash(g.Hash), "hash: expected %d hex digits, got %.100q", 2*sha256.Size, g.Hash)
	want(g.Report == "" || snapshot.IsHash(g.Report),
		"report: expected %d hex digits or nothing, got %.100q", 2*sha256.Size, g.Report)
	want(g.Format >= 1 && g.Bytes >= 1, "format and bytes: expected positive numbers, got %d and %d", g.Format, g.Bytes)
	want(!g.Published.IsZero(), "published: expected a time")
	err := CheckStoreName(g.Store)
	want(g.Store == "" || err == nil, "store: %w", err)
	return errors.Join(faults...)
}

// encode returns the pointer's bytes, not more of them than are read.
func (p *Pointer) encode() ([]byte, error) {
	b, err := json.MarshalIndent(p, "", "  ")
	if err == nil && len(b) >= maxPointerSize {
		err = fmt.Errorf("%d generations are more than a pointer of %d bytes can name: keep fewer", len(p.Generations),
			maxPointerSize)
	}
	return append(b, '\n'), err
}

// snapshotName and reportName are the names of a generation's objects, as in a folder.
func (g *Generation) snapshotName() string { return snapshot.FileName(g.Hash) }
func (g *Generation) reportName() string   { return snapshot.ReportOf(g.snapshotName()) }
