package indexes

import (
	"errors"
	"fmt"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// An Index reads all structures of a snapshot in place. Its data is valid until the file is closed. It is
// safe for concurrent use. Open refuses sections with invalid heads. Invalid numbers after the head, such as an
// offset outside the section, are read as empty.
type Index struct {
	Meta          Meta
	Docs          int // number of documents
	Bodies        Bodies
	IDs           Identifiers
	Slugs         Identifiers
	IDKeys        Identifiers // ids in any spelling
	Sets          *docset.Sets
	Facets        [NumFamilies]Facet
	Alpha         Alpha
	Orders        [NumOrders]Sorted
	Entries       [NumNorms]Entries
	Terms         Terms
	Prefixes      Terms // short prefixes of many words; see manyWords
	Phrases       Terms // long phrases of the vocabulary and of synonyms; see longPhrase
	Fuzzy         Fuzzy
	Stems         Groups    // keys of stems, with their terms; see StemGerman
	Stemmed       TermStems // the stems of each term
	StemSets      FieldSets // sets of the keys of Stems
	Parts         Groups    // German stems of compound parts, with the terms that contain them
	PartSets      FieldSets // sets of the keys of Parts
	PartForms     PartForms
	Dictionary    Dictionary
	Forward       Forward
	Pairs         Pairs
	Names         Groups // keys of labels and commercial names, with their documents
	Manufacturers Groups // keys of manufacturers' names, with values of FamilyManufacturer
	SlugKeys      Groups // keys of slugs, with their documents
	Trigrams      NameTrigrams
	DocNames      DocNames

	file       *snapshot.File
	categories []categoryText
}

// errByteOrder is returned on big-endian machines, since columns are used in place and are little-endian.
var errByteOrder = errors.New("indexes: snapshots are little-endian; big-endian machines are not supported")

// Open opens the structures of a snapshot. It checks the head of each section but not the content, so its
// duration does not depend on the size of the catalogue. It returns a *snapshot.CorruptError if a section is
// missing or invalid.
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

// open reads a section and verifies that no bytes remain. The functions in sections need not return after
// c.Fail, since all later reads of c return nil or zero.
func (x *Index) open(s section) error {
	c := x.file.Cursor(s.kind)
	if c.Err() != nil { // the section does not exist
		return c.Err()
	}
	s.open(x, c)
	if extra := len(c.Rest()); extra > 0 {
		c.Fail(c.Offset()-extra, fmt.Sprintf("the end of the section, not %d more bytes", extra))
	}
	return c.Err()
}

// Guard calls read, which reads the index; see snapshot.File.Guard. Each goroutine needs its own call.
func (x *Index) Guard(read func() error) error { return x.file.Guard(read) }

// A section describes a kind of section.
type section struct {
	kind snapshot.Kind
	name string                         // name in errors, reports and logs
	open func(*Index, *snapshot.Cursor) // reads the head; must consume the entire section
}

// sections lists all sections. Each one comes after the sections that its open function uses.
var sections = []section{
	{KindMeta, "meta", func(x *Index, c *snapshot.Cursor) { x.Meta = openMeta(c); x.Docs = x.Meta.Products }},
	{KindBodies, "bodies", func(x *Index, c *snapshot.Cursor) { x.Bodies.records.Values = c.Rest() }},
	{KindBodyOffsets, "body offsets", func(x *Index, c *snapshot.Cursor) { x.Bodies.openOffsets(c, x.Docs) }},

	{KindSetArrays, "set arrays", func(x *Index, c *snapshot.Cursor) { x.Sets = docset.ReadArrays(c, x.Docs) }},
	{KindSetBitmaps, "set bitmaps", func(x *Index, c *snapshot.Cursor) { x.Sets.ReadBitmaps(c) }},

	{KindIDs, "ids", func(x *Index, c *snapshot.Cursor) {
		x.IDs = Identifiers{slots: readSlots(c, x.Docs), ids: column.Read[byte](c, uint64(x.Docs)*idSize)}
	}},
	{KindIDKeys, "id keys", func(x *Index, c *snapshot.Cursor) {
		x.IDKeys = Identifiers{slots: readSlots(c, x.Docs), ids: x.IDs.ids, fold: true}
	}},
	{KindSlugs, "slugs", func(x *Index, c *snapshot.Cursor) {
		x.Slugs = Identifiers{slots: readSlots(c, x.Docs), slugs: column.ReadTexts(c, uint64(x.Docs))}
	}},
	{KindSlugKeys, "slug keys", func(x *Index, c *snapshot.Cursor) { x.SlugKeys = openGroups(c) }},

	{KindOrders, "orders", func(x *Index, c *snapshot.Cursor) { x.Orders = openOrders(c, x.Docs) }},
	{KindAlpha, "alpha_w", func(x *Index, c *snapshot.Cursor) {
		x.Alpha = openAlpha(c, x.Sets, &x.Orders[OrderAlphaAsc])
	}},
	{KindFacets, "facets", func(x *Index, c *snapshot.Cursor) { x.Facets = openFacets(c, x.Sets, x.Docs) }},

	{KindEntries, "entries", func(x *Index, c *snapshot.Cursor) { x.Entries = openEntries(c) }},
	{KindEntrySlices, "entry slices", func(x *Index, c *snapshot.Cursor) { openEntrySlices(c, &x.Entries) }},

	{KindTerms, "terms", func(x *Index, c *snapshot.Cursor) { x.Terms = openTerms(c, x.Sets) }},
	{KindPrefixes, "prefixes", func(x *Index, c *snapshot.Cursor) { x.Prefixes = openTerms(c, x.Sets) }},
	{KindPhrases, "phrases", func(x *Index, c *snapshot.Cursor) { x.Phrases = openTerms(c, x.Sets) }},
	{KindForward, "forward index", func(x *Index, c *snapshot.Cursor) { x.Forward = openForward(c, x.Docs) }},
	{KindPairs, "pairs", func(x *Index, c *snapshot.Cursor) { x.Pairs = openPairs(c, x.Docs, x.Sets, &x.Terms) }},
	{KindReversed, "reversed dictionary", func(x *Index, c *snapshot.Cursor) { x.Fuzzy = openFuzzy(c, &x.Terms) }},
	{KindStems, "stems", func(x *Index, c *snapshot.Cursor) { x.Stems = openGroups(c) }},
	{KindTermStems, "term stems", func(x *Index, c *snapshot.Cursor) {
		x.Stemmed = TermStems{column.Read[uint32](c, stemLanguages*uint64(x.Terms.Len()))}
	}},
	{KindStemSets, "stem sets", func(x *Index, c *snapshot.Cursor) {
		x.StemSets = readFieldSets(c, x.Sets, uint64(x.Stems.Len()))
	}},
	{KindParts, "compound parts", func(x *Index, c *snapshot.Cursor) { x.Parts = openGroups(c) }},
	{KindPartSets, "compound part sets", func(x *Index, c *snapshot.Cursor) {
		x.PartSets = readFieldSets(c, x.Sets, uint64(x.Parts.Len()))
	}},
	{KindPartForms, "compound part forms", func(x *Index, c *snapshot.Cursor) { x.PartForms = openPartForms(c) }},
	{KindDictionary, "bilingual dictionary", func(x *Index, c *snapshot.Cursor) {
		x.Dictionary = Dictionary{openGroups(c), x.Stems.Len()}
	}},

	{KindNames, "names", func(x *Index, c *snapshot.Cursor) { x.Names = openGroups(c) }},
	{KindManufacturers, "manufacturers", func(x *Index, c *snapshot.Cursor) { x.Manufacturers = openGroups(c) }},
	{KindNameTrigrams, "name trigrams", func(x *Index, c *snapshot.Cursor) { x.Trigrams = openNameTrigrams(c) }},
	{KindDocNames, "document names", func(x *Index, c *snapshot.Cursor) { x.DocNames = openDocNames(c, x.Docs) }},
}

// NumSections is the number of sections in a snapshot.
var NumSections = len(sections)

func init() {
	for _, s := range sections {
		snapshot.Name(s.kind, s.name)
	}
}

// EachTranslation calls visit for each translation of key i of the dictionary. A translation is a key of
// Stems or Parts. visit receives the groups, their sets, and the index of the key in both.
func (x *Index) EachTranslation(i int, visit func(terms *Groups, sets *FieldSets, key int)) {
	for _, number := range x.Dictionary.Numbers(i) {
		if key := int(number); key < x.Dictionary.stems {
			visit(&x.Stems, &x.StemSets, key)
		} else {
			visit(&x.Parts, &x.PartSets, key-x.Dictionary.stems)
		}
	}
}
