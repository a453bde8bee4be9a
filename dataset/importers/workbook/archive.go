package workbook

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// The limits for a workbook. A list of 100,000 rows and 30 columns has about 15 MiB, or 120 MiB unpacked. A
// zip bomb of zeros unpacks to a thousand times its size. Sheets are read while they are unpacked, so that
// only the file, its shared strings and one row are in memory.
const (
	maxFile     = 128 << 20 // bytes of a file, which is read into memory
	maxUnpacked = 1 << 30   // bytes of all parts
	maxParts    = 20_000    // parts of a file
	maxSmall    = 8 << 20   // bytes of a part that lists sheets or other parts
	maxListed   = 100_000   // elements of a part that lists sheets or other parts
	maxStrings  = 64 << 20  // bytes of all shared strings
	maxStyles   = 1 << 20   // styles and number formats
	maxMerged   = 1 << 20   // merged ranges in all sheets
	maxAttached = 64 << 20  // bytes of a sheet's relations
	maxLinks    = 1 << 20   // links in all sheets, per column; 128 bytes of an address count as one more
	maxComments = 10_000    // comments in all sheets; further ones are ignored
	maxComment  = 1000      // bytes of a comment; longer ones are truncated
	maxDepth    = 100       // levels of nested elements
	maxRow      = 4 << 20   // text bytes in one row, with shared strings, or in one piece of XML
)

// An archive maps names in lower case to the parts of a workbook, because programs use different cases.
type archive map[string]*part

// A part is a file in the archive. Reading it stops when the context ends.
type part struct {
	*zip.File
	ctx    context.Context // nil if reading never ends early
	blanks *blanks         // shared by all parts
}

// openArchive reads the list of parts. Its errors are messages for users.
func openArchive(ctx context.Context, data []byte) (archive, error) {
	// count the signatures of list entries before zip.NewReader allocates an object for each entry
	if bytes.Count(data, []byte("PK\x01\x02")) > maxParts {
		return nil, fmt.Errorf("the ZIP archive has more than %d parts, the limit for a workbook", maxParts)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("the workbook or ZIP archive is truncated or damaged: " +
			"cannot read the list of parts at its end")
	}
	parts, unpacked, packed, counter := archive{}, uint64(0), uint64(0), new(blanks)
	for _, f := range z.File {
		if packed += f.CompressedSize64; packed > uint64(len(data)) {
			return nil, errors.New("the ZIP archive is invalid: its parts overlap")
		}
		if f.UncompressedSize64 > maxUnpacked-unpacked { // archive/zip enforces the declared sizes
			return nil, fmt.Errorf("the file unpacks to more than %d MiB, the limit for a workbook", maxUnpacked>>20)
		}
		unpacked += f.UncompressedSize64
		parts[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = &part{f, ctx, counter}
	}
	return parts, nil
}

// take removes and returns a part, or returns nil. A part that several relations name is thus read only once.
func (a archive) take(name string) *part {
	key := strings.ToLower(name)
	p := a[key]
	delete(a, key)
	return p
}

// elements calls visit with each element in a part with at most limit bytes of XML, and with its depth, 1 for
// the root. It does nothing if there is no such part.
func (a archive) elements(name string, limit uint64, visit func(depth int, e xml.StartElement) error) error {
	part := a[strings.ToLower(name)]
	if part == nil {
		return nil
	}
	if part.UncompressedSize64 > limit {
		return fmt.Errorf("%s unpacks to more than %d MiB, the limit for this part", name, limit>>20)
	}
	depth, elements, named := 0, 0, 0 // named is the number of elements that name a part
	err := part.walk(func(token xml.Token) (valued bool, err error) {
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; t.Name.Local == "Relationship" && attribute(t, "TargetMode") == "External" {
				return true, visit(depth, t) // a value, because a sheet can have many links
			}
			elements++
			if t.Name.Local == "sheet" || t.Name.Local == "Relationship" {
				named++
			}
			if elements > maxListed || named > maxParts {
				return false, errors.New("too many elements in the list of sheets")
			}
			return false, visit(depth, t)
		case xml.EndElement:
			depth--
		}
		return false, nil
	})
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", name, err)
	}
	return nil
}

// A relation connects a part to another part, or to an address outside the file.
type relation struct {
	id, kind, target string
	external         bool
}

// is reports whether the relation is of the given kind, in the transitional or the strict form of the format.
func (r relation) is(kind string) bool { return strings.HasSuffix(r.kind, "/"+kind) }

// relations returns the relations of a part, or of the archive if of is "". Their list can have at most limit
// bytes. Targets in the file are names in the archive.
func (a archive) relations(of string, limit uint64) (all []relation, err error) {
	dir, base := path.Split(of)
	err = a.elements(dir+"_rels/"+base+".rels", limit, func(_ int, e xml.StartElement) error {
		if e.Name.Local != "Relationship" {
			return nil
		}
		target, external := attribute(e, "Target"), attribute(e, "TargetMode") == "External"
		if !external {
			target = strings.ReplaceAll(target, `\`, "/")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(path.Dir(of), target)
			}
			target = strings.TrimPrefix(path.Clean(target), "/")
		}
		all = append(all, relation{attribute(e, "Id"), attribute(e, "Type"), target, external})
		return nil
	})
	return all, err
}

// open opens a part for reading until its context ends.
func (p *part) open() (io.ReadCloser, error) {
	r, err := p.Open()
	if err != nil || p.ctx == nil {
		return r, err
	}
	return &endingReader{r, p.ctx}, nil
}

// An endingReader reads until its context ends, because a few bytes of a part can unpack to a gigabyte.
type endingReader struct {
	io.ReadCloser
	ctx context.Context
}

func (r *endingReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.ReadCloser.Read(b)
}

// walk calls visit with each token in a part. It returns an error if the part does not end where its XML
// ends. visit reports whether the token completes a value, such as a cell or a shared string, because the
// number of elements without a value is limited.
func (p *part) walk(visit func(xml.Token) (valued bool, err error)) error {
	r, err := p.open()
	if err != nil {
		return err
	}
	defer r.Close()
	return p.tokens(bufio.NewReaderSize(r, 32<<10), visit)
}

// tokens is like walk, with a reader for the part. visit can use it to skip the content of an element.
func (p *part) tokens(r *bufio.Reader, visit func(xml.Token) (valued bool, err error)) error {
	input := &tokenReader{Reader: r}
	decoder := xml.NewDecoder(input)
	p.blanks.run = 0
	// started is true after the first element. inText is true after a token of text.
	for depth, started, inText := 0, false, false; ; {
		input.left = maxRow
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && !started: // for example, an empty part
			return io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		wasText, cost := inText, 1
		inText = false
		switch t := token.(type) {
		case xml.StartElement:
			started, cost = true, 1+len(t.Attr)/4
			if depth++; depth > maxDepth {
				return fmt.Errorf("elements are nested more than %d levels deep", maxDepth)
			}
		case xml.EndElement:
			depth, cost = depth-1, 0
		case xml.CharData:
			if inText = true; !wasText { // consecutive ones, which are CDATA sections, are not free
				cost = 0
			}
		}
		valued, err := visit(token)
		if err != nil {
			return err
		}
		if !p.blanks.add(cost + (maxRow-input.left)/32) {
			return errors.New(tooBlank("elements"))
		}
		if valued {
			p.blanks.value()
		}
	}
}

// A blanks counts elements or lines without a value in the parts of a workbook or in a text file; 32 bytes
// count as one. run counts those since the last value.
type blanks struct{ run, total int }

// The limits for blanks. A list of 100,000 rows, each with 80 formatted cells without a value, is below them.
const (
	maxBlankRun = 1 << 20
	maxBlanks   = 1 << 23
	maxOfValue  = 16 // maximum number of elements that belong to a value
)

// add counts n elements. It returns false if there are too many.
func (b *blanks) add(n int) bool {
	b.run, b.total = b.run+n, b.total+n
	return b.run <= maxBlankRun && b.total <= maxBlanks
}

// value ends a run at a value. The last elements of the run belong to the value, and do not count.
func (b *blanks) value() { b.run, b.total = 0, b.total-min(b.total, b.run, maxOfValue) }

// tooBlank returns the message about too many elements or lines without a value.
func tooBlank(what string) string {
	return fmt.Sprintf("more than %d consecutive %s without a value, or %d in total", maxBlankRun, what,
		maxBlanks)
}

// A tokenReader returns an error for a token that is too long for a table.
type tokenReader struct {
	*bufio.Reader
	left int // remaining bytes allowed for the token
}

// ReadByte is the only method that encoding/xml uses.
func (t *tokenReader) ReadByte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, fmt.Errorf("an XML token of more than %d MiB", maxRow>>20)
	}
	return t.Reader.ReadByte()
}

// attribute returns the value of an attribute, or "".
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
