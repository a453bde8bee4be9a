package indexes

import "sabine/indexes/snapshot"

// An Index reads every structure of one snapshot where it lies. All of it is valid as long as the file is open, and
// safe for concurrent use. A reader never trusts a number from the file: what does not fit reads as empty.
type Index struct {
	Meta     Meta
	Docs     int
	Bodies   Bodies
	IDs      Identifiers
	Slugs    Identifiers
	IDKeys   Identifiers
	Sets     *Sets
	Facets   [NumFamilies]Facet
	Alpha    Alpha
	Orders   [NumOrders]Sorted
	Terms    Terms
	Prefixes Terms
	Fuzzy    *Fuzzy
	Stems    Groups
	Parts    Groups
	Streams  Streams
	Pairs    Pairs
	Names    Groups // key of a label or commercial name to documents
	Makers   Groups // key of a manufacturer's name to values of FamilyManufacturer
	SlugKeys Groups // key of a slug to documents
	Trigrams NameTrigrams
}

// Open reads the structures of a snapshot. It checks the head of every section, not its content: its cost does not
// grow with the catalogue. A section that is missing or does not fit is a *snapshot.CorruptError.
func Open(f *snapshot.File) (*Index, error) { panic("unwritten") }

// Check walks every structure and returns each promise of the format that does not hold.
func (x *Index) Check() error { panic("unwritten") }

// corrupt returns a fault of a section: what the format promises at an offset from the section's start. Open turns
// the offset into that of the file and names the file.
func corrupt(kind snapshot.Kind, offset int64, want string) error {
	return &snapshot.CorruptError{Section: kind, Offset: offset, Want: want}
}

// Bodies are the ready parts of every document.
type Bodies struct{ unexported int }

// At returns the body of a document, its bytes where they lie. It is zero for a document that is not there.
func (b *Bodies) At(d Doc) (body Body) { panic("unwritten") }

// Identifiers finds the document of an exact key (a UUID of 16 bytes, a slug, the key of an id).
type Identifiers struct{ unexported int }

// Find returns the document of a key.
func (t *Identifiers) Find(key []byte) (Doc, bool) { panic("unwritten") }

// Facet is one family: its values in ascending order of bytes (fire classes A1 to F), each with its set.
type Facet struct{ unexported int }

func (f *Facet) Len() int                      { panic("unwritten") } // number of values
func (f *Facet) Value(i int) string            { panic("unwritten") } // valid while the file is open
func (f *Facet) Maker(i int) Maker             { panic("unwritten") } // of FamilyManufacturer, whose value is the slug
func (f *Facet) Find(value string) (int, bool) { panic("unwritten") }
func (f *Facet) Set(i int) Set                 { panic("unwritten") } // of FamilyFireClass: that class or safer
// Of appends the values of a document by number, ascending, from the column: at most one but for installations.
func (f *Facet) Of(dst []uint32, d Doc) []uint32 { panic("unwritten") }

// FindMakerID finds a manufacturer by its UUID.
func (f *Facet) FindMakerID(id string) (int, bool) { panic("unwritten") }

// Alpha is the alpha_w of every document that has one.
type Alpha struct{ unexported int }

// Of returns a document's alpha_w.
func (a *Alpha) Of(d Doc) (float64, bool) { panic("unwritten") }

// Range unites dst with the documents whose alpha_w lies in [min, max].
func (a *Alpha) Range(dst Dense, min, max float64) { panic("unwritten") }

// Sorted is one order of all documents.
type Sorted struct{ unexported int }

func (o *Sorted) At(place int) Doc { panic("unwritten") } // the document at a place
func (o *Sorted) Place(d Doc) int  { panic("unwritten") } // the place of a document
