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
	Meta     Meta
	Docs     int
	Bodies   Bodies
	IDs      Identifiers
	Slugs    Identifiers
	IDKeys   Identifiers
	Sets     *docset.Sets
	Facets   [NumFamilies]Facet
	Alpha    Alpha
	Orders   [NumOrders]Sorted
	Terms    Terms
	Prefixes Terms
	Phrases  Terms
	Fuzzy    Fuzzy
	Stems    Groups // key of a stem to terms, see StemGerman
	Stemmed  TermStems
	StemSets GroupSets // of Stems
	Parts    Groups
	PartSets GroupSets // of Parts
	Streams  Streams
	Pairs    Pairs
	Names    Groups // key of a label or commercial name to documents
	Makers   Groups // key of a manufacturer's name to values of FamilyManufacturer
	SlugKeys Groups // key of a slug to documents
	Trigrams NameTrigrams
	DocNames DocNames

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
	o := opener{file: f}
	x := &Index{file: f}
	o.open(KindMeta, func(b []byte) (err error) { x.Meta, err = openMeta(b); return err })
	if o.err != nil {
		return nil, o.err
	}
	docs := x.Meta.Products
	x.Docs = docs
	records := o.section(KindBodies)
	o.read(KindSetArrays, func(c *snapshot.Cursor) { x.Sets = docset.ReadArrays(c, docs) })
	o.read(KindSetBitmaps, func(c *snapshot.Cursor) { x.Sets.ReadBitmaps(c) })
	o.read(KindBodyOffsets, func(c *snapshot.Cursor) { x.Bodies = openBodies(c, records, docs) })
	o.read(KindIDs, func(c *snapshot.Cursor) { x.IDs = openIDs(c, docs) })
	o.read(KindIDKeys, func(c *snapshot.Cursor) { x.IDKeys = openIDKeys(c, docs, x.IDs.ids) })
	o.read(KindSlugs, func(c *snapshot.Cursor) { x.Slugs = openSlugs(c, docs) })
	o.read(KindOrders, func(c *snapshot.Cursor) { x.Orders = openOrders(c, docs) })
	o.read(KindAlpha, func(c *snapshot.Cursor) { x.Alpha = openAlpha(c, x.Sets, &x.Orders[OrderAlphaAsc]) })
	o.read(KindFacets, func(c *snapshot.Cursor) { x.Facets = openFacets(c, x.Sets, docs) })
	x.openText(&o)
	if o.err != nil {
		return nil, o.err
	}
	x.categories = x.categoryTexts()
	return x, nil
}

// openText reads the structures that a text is searched with.
func (x *Index) openText(o *opener) {
	o.read(KindTerms, func(c *snapshot.Cursor) { x.Terms = openTerms(c, KindTerms, x.Sets) })
	o.read(KindPrefixes, func(c *snapshot.Cursor) { x.Prefixes = openTerms(c, KindPrefixes, x.Sets) })
	o.read(KindPhrases, func(c *snapshot.Cursor) { x.Phrases = openTerms(c, KindPhrases, x.Sets) })
	o.read(KindTermEnds, func(c *snapshot.Cursor) { x.Fuzzy = openFuzzy(c, &x.Terms) })
	o.read(KindStreams, func(c *snapshot.Cursor) { x.Streams = openStreams(c, x.Docs) })
	o.read(KindPairs, func(c *snapshot.Cursor) { x.Pairs = openPairs(c, x.Docs, x.Sets, &x.Terms) })
	for _, groups := range []struct {
		kind snapshot.Kind
		into *Groups
	}{
		{KindStems, &x.Stems}, {KindParts, &x.Parts}, {KindNames, &x.Names}, {KindMakers, &x.Makers}, {KindSlugKeys, &x.SlugKeys},
	} {
		o.read(groups.kind, func(c *snapshot.Cursor) { *groups.into = openGroups(c, groups.kind) })
	}
	o.read(KindStemSets, func(c *snapshot.Cursor) { x.StemSets = openGroupSets(c, x.Sets, &x.Stems) })
	o.read(KindPartSets, func(c *snapshot.Cursor) { x.PartSets = openGroupSets(c, x.Sets, &x.Parts) })
	o.read(KindTermStems, func(c *snapshot.Cursor) { x.Stemmed = openTermStems(c, x.Terms.Len()) })
	o.read(KindNameTrigrams, func(c *snapshot.Cursor) { x.Trigrams = openNameTrigrams(c) })
	o.read(KindDocNames, func(c *snapshot.Cursor) { x.DocNames = openDocNames(c, x.Docs) })
}

// An opener opens one section after the other, up to the first fault.
type opener struct {
	file *snapshot.File
	err  error
}

// section returns the bytes of a section.
func (o *opener) section(kind snapshot.Kind) []byte {
	b, ok := o.file.Section(kind)
	if !ok && o.err == nil {
		o.err = o.file.Cursor(kind).Err()
	}
	return b
}

// open has a section read as bytes.
func (o *opener) open(kind snapshot.Kind, open func(section []byte) error) {
	if b := o.section(kind); o.err == nil {
		o.err = inFile(o.file, kind, open(b))
	}
}

// read has a section read to its end by a cursor.
func (o *opener) read(kind snapshot.Kind, read func(c *snapshot.Cursor)) {
	b := o.section(kind)
	if o.err != nil {
		return
	}
	c := o.file.Cursor(kind)
	read(c)
	if c.Offset() != len(b) {
		c.Fail(c.Offset(), fmt.Sprintf("the end of the section, not %d more bytes", len(b)-c.Offset()))
	}
	o.err = c.Err()
}

// Check walks every structure and returns each promise of the format that does not hold, joined, as
// *snapshot.CorruptError; of a structure with very many only the first.
func (x *Index) Check() error {
	faults := []error{
		inFile(x.file, 0, x.Bodies.check()),
		inFile(x.file, 0, checked(KindSetArrays, x.Sets.CheckArrays)),
		inFile(x.file, 0, checked(KindSetBitmaps, x.Sets.CheckBitmaps)),
		inFile(x.file, 0, x.IDs.check(KindIDs, x.Docs)),
		inFile(x.file, 0, x.IDKeys.check(KindIDKeys, x.Docs)),
		inFile(x.file, 0, x.Slugs.check(KindSlugs, x.Docs)),
		inFile(x.file, 0, x.Alpha.check()),
		inFile(x.file, 0, x.Terms.check()),
		inFile(x.file, 0, x.Prefixes.check()),
		inFile(x.file, 0, x.Phrases.check()),
		inFile(x.file, 0, x.checkPhrases()),
		inFile(x.file, 0, x.Fuzzy.check()),
		inFile(x.file, 0, x.Stems.check(x.Terms.Len())),
		inFile(x.file, 0, x.Stemmed.check(&x.Terms, &x.Stems)),
		inFile(x.file, 0, x.StemSets.check(KindStemSets, &x.Stems, &x.Terms)),
		inFile(x.file, 0, x.Parts.check(x.Terms.Len())),
		inFile(x.file, 0, x.PartSets.check(KindPartSets, &x.Parts, &x.Terms)),
		inFile(x.file, 0, x.Streams.check(x.Terms.Len())),
		inFile(x.file, 0, x.Pairs.check()),
		inFile(x.file, 0, x.Names.check(x.Docs)),
		inFile(x.file, 0, x.Makers.check(x.Facets[FamilyManufacturer].Len())),
		inFile(x.file, 0, x.SlugKeys.check(x.Docs)),
		inFile(x.file, 0, x.Trigrams.check(x.Names.Len()+x.Makers.Len())),
		inFile(x.file, 0, x.checkDocNames()),
	}
	for i := range x.Orders {
		faults = append(faults, inFile(x.file, 0, x.Orders[i].check(Order(i))))
	}
	for i := range x.Facets {
		faults = append(faults, inFile(x.file, 0, x.Facets[i].check(Family(i))))
	}
	return errors.Join(faults...)
}
