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

// The limits of a workbook. A list of 100,000 rows and 30 columns is about 15 MiB, 120 MiB unpacked; a bomb
// of zeros unpacks to a thousand times its size. The sheets are read as they are unpacked, so what is in
// memory is the file, its texts and one row.
const (
	maxFile     = 128 << 20 // bytes of a file that is read whole
	maxUnpacked = 1 << 30   // bytes of all parts
	maxParts    = 20_000    // parts of a file
	maxSmall    = 8 << 20   // bytes of a part that lists sheets or other parts
	maxListed   = 100_000   // elements of such a part
	maxStrings  = 64 << 20  // bytes of all shared strings
	maxStyles   = 1 << 20   // styles and formats of numbers
	maxMerged   = 1 << 20   // merged ranges of all sheets
	maxAttached = 64 << 20  // bytes of the relations of a sheet
	maxLinks    = 1 << 20   // links of all sheets, each over one column; 128 bytes of an address count as one more
	maxComments = 10_000    // comments of all sheets: those that follow are left out
	maxComment  = 1000      // bytes of a comment: the rest is cut off
	maxDepth    = 100       // elements within elements
	maxRow      = 4 << 20   // bytes of the text of one row, shared strings included, or of one piece of XML
)

// An archive is the parts of a workbook by their names in lower case, since programs differ.
type archive map[string]*part

// A part is one file of the archive. Its reading ends with the context.
type part struct {
	*zip.File
	ctx    context.Context // nil: it never ends
	blanks *blanks         // of all parts
}

// openArchive reads the list of parts. The errors are for people.
func openArchive(ctx context.Context, data []byte) (archive, error) {
	// what begins an entry of the list: known before there is an object for each
	if bytes.Count(data, []byte("PK\x01\x02")) > maxParts {
		return nil, fmt.Errorf("a ZIP archive of more than %d parts, too many for a workbook", maxParts)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil,
			errors.New(
				"a ZIP archive or workbook that is cut off or damaged: its list of parts, which is at the end, cannot be read")
	}
	parts, unpacked, packed, blanks := archive{}, uint64(0), uint64(0), new(blanks)
	for _, f := range z.File {
		if packed += f.CompressedSize64; packed > uint64(len(data)) {
			return nil, errors.New("a ZIP archive whose parts overlap")
		}
		if f.UncompressedSize64 > maxUnpacked-unpacked { // archive/zip holds every part to the size that it declares
			return nil, fmt.Errorf("unpacks to more than %d MiB, the limit for a workbook", maxUnpacked>>20)
		}
		unpacked += f.UncompressedSize64
		parts[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = &part{f, ctx, blanks}
	}
	return parts, nil
}

// take returns a part, nil if there is none. It does so once: what many names stand for is not read many
// times.
func (a archive) take(name string) *part {
	key := strings.ToLower(name)
	f := a[key]
	delete(a, key)
	return f
}

// elements calls visit with each element of a part of at most limit bytes of XML, and with its depth, 1 for
// the root. It does nothing if there is no such part.
func (a archive) elements(name string, limit uint64, visit func(depth int, e xml.StartElement) error) error {
	part := a[strings.ToLower(name)]
	if part == nil {
		return nil
	}
	if part.UncompressedSize64 > limit {
		return fmt.Errorf("%s unpacks to more than %d MiB, the limit for this part", name, limit>>20)
	}
	depth, elements, named := 0, 0, 0 // named: those that stand for a part
	err := part.walk(func(token xml.Token) (valued bool, err error) {
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; t.Name.Local == "Relationship" && attribute(t, "TargetMode") == "External" {
				return true, visit(depth, t) // a sheet may have many links
			}
			elements++
			if t.Name.Local == "sheet" || t.Name.Local == "Relationship" {
				named++
			}
			if elements > maxListed || named > maxParts {
				return false, errors.New("too many elements for a list of sheets")
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

// A relation of a part names another part, or an address outside the file.
type relation struct {
	id, kind, target string
	external         bool
}

// is reports whether the relation is of a kind, in the transitional or the strict form of the format.
func (r relation) is(kind string) bool { return strings.HasSuffix(r.kind, "/"+kind) }

// relationsName returns the name of the part with the relations of a part, "" for the archive.
func relationsName(of string) string {
	dir, base := path.Split(of)
	return dir + "_rels/" + base + ".rels"
}

// relations returns what a part refers to, "" for the archive, in a list of at most limit bytes. The targets
// in the file are names in the archive.
func (a archive) relations(of string, limit uint64) (all []relation, err error) {
	err = a.elements(relationsName(of), limit, func(_ int, e xml.StartElement) error {
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

// errStop ends a walk before the end of the part.
var errStop = errors.New("stop")

// open opens a part for reading until its context ends.
func (p *part) open() (io.ReadCloser, error) {
	r, err := p.Open()
	if err != nil || p.ctx == nil {
		return r, err
	}
	return &endingReader{r, p.ctx}, nil
}

// An endingReader reads until its context ends: a few bytes of a part may be a gigabyte.
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

// walk calls visit with each token of a part, and fails if the part does not end where its XML does. visit
// returns whether the token completes a value, such as a cell or a shared string: there is a limit to the
// elements without one.
func (p *part) walk(visit func(xml.Token) (valued bool, err error)) error {
	r, err := p.open()
	if err != nil {
		return err
	}
	defer r.Close()
	return p.tokens(bufio.NewReaderSize(r, 32<<10), visit)
}

// tokens is walk with a reader of the part, of which visit may pass over the content of an element that
// begins.
func (p *part) tokens(r *bufio.Reader, visit func(xml.Token) (valued bool, err error)) error {
	input := &tokenReader{Reader: r}
	decoder := xml.NewDecoder(input)
	p.blanks.inRow = 0
	for depth, seen, text := 0, false, false; ; {
		input.left = maxRow
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && !seen:
			return io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		textBefore, cost := text, 1
		text = false
		switch t := token.(type) {
		case xml.StartElement:
			seen, cost = true, 1+len(t.Attr)/4
			if depth++; depth > maxDepth {
				return fmt.Errorf("more than %d elements within each other", maxDepth)
			}
		case xml.EndElement:
			depth, cost = depth-1, 0
		case xml.CharData:
			if text = true; !textBefore { // else a part that consists of CDATA sections
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

// A blanks counts what has no value between the values of a workbook's parts or of a text: elements or lines,
// and 32 bytes as one.
type blanks struct{ inRow, total int }

// The limits of what has no value. A list of 100,000 rows with 80 formatted cells without a value in each is
// below them.
const (
	maxBlanksInRow = 1 << 20
	maxBlanks      = 1 << 23
	ofValue        = 16 // elements that belong to a value, at most
)

// add counts n elements. It returns false when there are too many.
func (b *blanks) add(n int) bool {
	b.inRow, b.total = b.inRow+n, b.total+n
	return b.inRow <= maxBlanksInRow && b.total <= maxBlanks
}

// value notes a value, to which the last elements belong.
func (b *blanks) value() { b.inRow, b.total = 0, b.total-min(b.total, b.inRow, ofValue) }

// tooBlank returns the problem of too many elements or lines without a value.
func tooBlank(what string) string {
	return fmt.Sprintf("more than %d %s without a value one after the other, or %d in all", maxBlanksInRow, what,
		maxBlanks)
}

// A tokenReader ends a part of which one token is too long to be of a table.
type tokenReader struct {
	*bufio.Reader
	left int // bytes that the token may still have
}

// ReadByte is all that encoding/xml reads by.
func (t *tokenReader) ReadByte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, fmt.Errorf("more than %d MiB in one piece", maxRow>>20)
	}
	return t.Reader.ReadByte()
}

// attribute returns the value of an attribute, "" if it is not there.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
