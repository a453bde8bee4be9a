package indexes

import (
	"errors"
	"fmt"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// An Index reads every structure of one snapshot where it lies. All of it is valid as long as the file is open, and
// safe for concurrent use. A reader never trusts a number from the file: what does not fit reads as empty.
type Index struct {
	Meta          Meta
	Docs          int
	Bodies        Bodies
	IDs           Identifiers
	Slugs         Identifiers
	IDKeys        Identifiers
	Sets          *docset.Sets
	Facets        [NumFamilies]Facet
	Alpha         Alpha
	Orders        [NumOrders]Sorted
	Entries       [NumNorms]Entries
	Terms         Terms
	Prefixes      Terms
	Phrases       Terms
	Fuzzy         Fuzzy
	Stems         Groups // key of a stem to terms, see StemGerman
	Stemmed       TermStems
	StemSets      FieldSets // of Stems
	Parts         Groups    // German stem of a part of compounds to terms
	PartSets      FieldSets // of Parts
	PartForms     PartForms
	Dictionary    Dictionary
	Forward       Forward
	Pairs         Pairs
	Names         Groups // key of a label or commercial name to documents
	Manufacturers Groups // key of a manufacturer's name to values of FamilyManufacturer
	SlugKeys      Groups // key of a slug to documents
	Trigrams      NameTrigrams
	DocNames      DocNames

	file       *snapshot.File
	categories []categoryText
}

// errByteOrder: columns are read where they lie, which takes a machine whose numbers have the order of the file's.
var errByteOrder = errors.New("indexes: a snapshot's numbers are little-endian, and this machine's are not")

// Open reads the structures of a snapshot. It checks the head of every section, not its content: its cost does not
// grow with the catalogue. A section that is missing or does not fit is a *snapshot.CorruptError.
func Open(f *snapshot.File) (*Index, error) {
	if !column.LittleEndian {
		return nil, errByteOrder
	}
	x := &Index{file: f}
	for _, s := range sections {
		if err := x.open(s); err != nil {
			return nil, err
		}
	}
	x.categories = x.categoryTexts()
	return x, nil
}

// open reads a section to its end.
func (x *Index) open(s section) error {
	c := x.file.Cursor(s.kind)
	if c.Err() != nil { // there is none
		return c.Err()
	}
	s.open(x, c)
	if behind := len(c.Rest()); behind > 0 {
		c.Fail(c.Offset()-behind, fmt.Sprintf("the end of the section, not %d more bytes", behind))
	}
	return c.Err()
}

// Guard calls what reads the index, see snapshot.File.Guard. Each goroutine needs its own.
func (x *Index) Guard(read func() error) error { return x.file.Guard(read) }
