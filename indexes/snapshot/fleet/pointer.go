package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sabine/indexes/snapshot"
)

// A store contains the following objects, all under one prefix:
//
//	<hash>.snapshot     a generation; hash is the SHA-256 of its content, so it is never replaced
//	<hash>.report.json  the report of its build, if there is one
//	<hash>.from-<hash>.patch
//	                    a patch that makes the first generation from the second one, if the publisher had both;
//	                    see patch.go
//	CURRENT             the pointer, which lists the generations
//
// The pointer is a JSON object:
//
//	{"version": 1, "generations": [
//	  {"hash": "64 hex digits", "format": 6, "bytes": 1234, "report": "64 hex digits, or empty",
//	   "published": "2026-11-23T02:00:00.123Z", "signature": "a minisign signature, or empty",
//	   "store": "s3://bucket/prefix", "signature2": "a minisign signature"}, ...]}
//
// The generation that became current last is the first element. For each program, the current generation is
// the first one in the snapshot format that the program reads. So a store can contain generations in two
// formats. A rollback moves a generation to the front, with a new time and a new signature. The time of a
// change is always later than the times of all earlier changes, even if the publishers' clocks differ. Any
// other extension requires a new version, which older programs refuse.
//
// A signed generation includes the members store and signature2. signature2 covers the name of the store, so
// that a generation from another store is refused. This program verifies signature2. signature does not cover
// the name. It will be written for one more release, for older programs, which ignore store and signature2.
//
// The pointer is the only object that is replaced. It is replaced by a conditional write, which succeeds only
// if the pointer is still the version that the publisher has read.

const (
	pointerName    = "CURRENT"
	pointerVersion = 1
	maxPointerSize = 1 << 20
	maxReportSize  = 64 << 20
)

// A Pointer is the list of the generations of a store.
type Pointer struct {
	Version     int          `json:"version"`
	Generations []Generation `json:"generations"` // the latest current one is first
}

// A Generation is one snapshot of a store.
type Generation struct {
	Hash      string    `json:"hash"`      // SHA-256 of the snapshot in 64 hex digits
	Format    int       `json:"format"`    // major version of the snapshot's format
	Bytes     int64     `json:"bytes"`     // size of the snapshot in bytes
	Report    string    `json:"report"`    // SHA-256 of the report; "" if there is none
	Published time.Time `json:"published"` // when it became current, in UTC with milliseconds
	Signature string    `json:"signature"` // minisign signature of statement for older programs; "" if unsigned

	// The following are "" if the generation is unsigned, or was signed by a program that wrote only
	// Signature.
	Store      string `json:"store,omitempty"`      // name of the store it is signed for
	Signature2 string `json:"signature2,omitempty"` // minisign signature of storeStatement
}

// storeStatement returns the signed string: the data that servers use and the name of the store.
func (g *Generation) storeStatement() []byte {
	return fmt.Appendf(g.statement(), "store %s\n", g.Store)
}

// CheckStore returns an error if the generation is signed for a store with another name.
func (g *Generation) CheckStore(name string) error {
	if g.Store == "" || g.Store == name {
		return nil
	}
	return fmt.Errorf("signed for the store %s, but this store is %s: publish to this store, "+
		"or set --store-name to the signed name if both are the same store", g.Store, name)
}

// statement returns the signed string for older programs.
func (g *Generation) statement() []byte {
	return fmt.Appendf(nil, "sabine generation\nhash %s\nformat %d\nbytes %d\nreport %s\npublished %s\n",
		g.Hash, g.Format, g.Bytes, g.Report, g.Published.UTC().Format(time.RFC3339Nano))
}

// equal reports whether both generations are from the same move of the pointer.
func (g *Generation) equal(other *Generation) bool {
	return g.Hash == other.Hash && g.Published.Equal(other.Published)
}

// Current returns the current generation for programs that read the given format, or nil. It also returns the
// newest format in the store if that is newer than the given one, or else 0.
func (p *Pointer) Current(format int) (g *Generation, newer int) {
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

// Previous is the rollback target that means the previously current generation.
const Previous = "previous"

// find returns the generation that a rollback target means, among those in the format of this program.
func (p *Pointer) find(target string) (*Generation, error) {
	other := func(g Generation) bool { return g.Format != snapshot.FormatMajor }
	supported := slices.DeleteFunc(slices.Clone(p.Generations), other)
	if target == Previous && len(supported) > 1 {
		return &supported[1], nil // supported[0] is the current one
	}
	found := slices.DeleteFunc(supported, func(g Generation) bool { return !strings.HasPrefix(g.Hash, target) })
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w: %s in format %d", ErrNoGeneration, target, snapshot.FormatMajor)
	case 1:
		return &found[0], nil
	}
	return nil, fmt.Errorf("%s is ambiguous: %d hashes begin with it", target, len(found))
}

// nextTime returns the time of the next move of the pointer. It is now, or one millisecond after the latest
// move if that is later.
func (p *Pointer) nextTime() time.Time {
	t := time.Now().UTC().Truncate(time.Millisecond)
	for _, g := range p.Generations {
		if !t.After(g.Published) {
			t = g.Published.UTC().Truncate(time.Millisecond).Add(time.Millisecond)
		}
	}
	return t
}

// with returns a copy of the pointer that has g first and at most keep generations in g's format, including
// g.
func (p *Pointer) with(g Generation, keep int) *Pointer {
	next := &Pointer{Version: pointerVersion, Generations: []Generation{g}}
	for _, other := range p.Generations {
		if other.Format == g.Format {
			if other.Hash == g.Hash || keep <= 1 {
				continue
			}
			keep--
		}
		next.Generations = append(next.Generations, other)
	}
	return next
}

// ReadPointer returns the pointer of a source and the pointer's tag. It returns ErrUnchanged if the pointer
// still has the given tag, and ErrNotFound if nothing has been published.
func ReadPointer(ctx context.Context, from Source, tag string) (*Pointer, string, error) {
	b, tag, err := readSmall(ctx, from, pointerName, ReadOptions{Tag: tag}, maxPointerSize)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", from, err)
	}
	p, err := parsePointer(b)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %s is not a list of generations: %w", from, pointerName, err)
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
		return nil, errors.New("unexpected text after the JSON object")
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
		"report: expected %d hex digits or an empty string, got %.100q", 2*sha256.Size, g.Report)
	want(g.Format >= 1 && g.Bytes >= 1, "format and bytes: expected positive numbers, got %d and %d", g.Format, g.Bytes)
	want(!g.Published.IsZero(), "published: expected a time")
	err := CheckStoreName(g.Store)
	want(g.Store == "" || err == nil, "store: %w", err)
	return errors.Join(faults...)
}

// encode returns the pointer as JSON. It returns an error if the JSON is larger than readers accept.
func (p *Pointer) encode() ([]byte, error) {
	b, err := json.MarshalIndent(p, "", "  ")
	if err == nil && len(b) >= maxPointerSize {
		err = fmt.Errorf("%d generations do not fit into a pointer of %d bytes: retain fewer generations", len(p.Generations),
			maxPointerSize)
	}
	return append(b, '\n'), err
}

// snapshotName and reportName return the names of a generation's objects. Its files have the same names.
func (g *Generation) snapshotName() string { return snapshot.FileName(g.Hash) }
func (g *Generation) reportName() string   { return snapshot.ReportOf(g.snapshotName()) }
