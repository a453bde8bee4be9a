package indexes

import (
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// A snapshot at a glance. What leads from one section to another is numbers: D of a document, T of a word, S of a set.
//
//	products    meta                how many there are, and the vocabulary; JSON             meta.go
//	            bodies              D: the ready JSON of a product                           bodies.go
//	            body offsets        D: where that begins
//	one of them ids                 UUID: D                                                  identifiers.go
//	            id keys             UUID as people write it: D
//	            slugs               slug: D
//	            slug keys           slug as people write it: Ds                              groups.go
//	sets        set arrays          S: Ds, of small sets                                     docset/set.go
//	            set bitmaps         S: Ds, of large ones
//	filters     facets              family and value: S; D: values                           facets.go
//	            alpha_w             least alpha_w: S; D: alpha_w                             alpha.go
//	            entries             of each norm: D, values by band; attributes              entries.go
//	            entry slices        those values bit by bit                                  bit_slices.go
//	orders      orders              place: D; D: place                                       orders.go
//	words       terms               word: T; T and field: S                                  terms.go
//	            prefixes            short beginning of words and field: S
//	            phrases             long phrase and field: S
//	            forward index       D: Ts in order                                           forward.go
//	            pairs               two neighbouring Ts and field: S                         pairs.go
//	            reversed dictionary Ts by their words read backwards, for misspelled ones    fuzzy.go
//	            stems               stem: Ts                                                 groups.go
//	            term stems          T: stems                                                 stems.go
//	            stem sets           stem and field: S                                        field_sets.go
//	            compound parts      part of compounds: Ts                                    groups.go
//	            compound part sets  part and field: S                                        field_sets.go
//	            compound part forms form of a part: part; those read backwards               part_forms.go
//	            bilingual dictionary words of one language: stems and parts of the other     dictionary.go
//	names       names               name of a product: Ds                                    groups.go
//	            manufacturers       name of a manufacturer: values of its family
//	            name trigrams       three letters: names of both kinds                       names.go
//	            document names      D: names of both kinds                                   doc_names.go
//
// The kinds of sections. A number is never used again for something else: 13 was the terms as an automaton, 22 lists of names
// by trigram.
const (
	KindMeta          snapshot.Kind = 1
	KindBodies        snapshot.Kind = 2
	KindBodyOffsets   snapshot.Kind = 3
	KindIDs           snapshot.Kind = 4
	KindSlugs         snapshot.Kind = 5
	KindSetArrays     snapshot.Kind = 6
	KindSetBitmaps    snapshot.Kind = 7
	KindFacets        snapshot.Kind = 8
	KindAlpha         snapshot.Kind = 9
	KindOrders        snapshot.Kind = 10
	KindTerms         snapshot.Kind = 11
	KindPrefixes      snapshot.Kind = 12
	KindStems         snapshot.Kind = 14
	KindParts         snapshot.Kind = 15
	KindForward       snapshot.Kind = 16
	KindPairs         snapshot.Kind = 17
	KindNames         snapshot.Kind = 18
	KindManufacturers snapshot.Kind = 19
	KindSlugKeys      snapshot.Kind = 20
	KindIDKeys        snapshot.Kind = 21
	KindReversed      snapshot.Kind = 23
	KindTermStems     snapshot.Kind = 24
	KindNameTrigrams  snapshot.Kind = 25
	KindStemSets      snapshot.Kind = 26
	KindPartSets      snapshot.Kind = 27
	KindPhrases       snapshot.Kind = 28
	KindDocNames      snapshot.Kind = 29
	KindPartForms     snapshot.Kind = 30
	KindDictionary    snapshot.Kind = 31
	KindEntries       snapshot.Kind = 32
	KindEntrySlices   snapshot.Kind = 33
)

// A section is what is known of one kind of section.
type section struct {
	kind snapshot.Kind
	name string                         // in errors, reports, the log
	open func(*Index, *snapshot.Cursor) // reads its head; nothing behind it may be left
}

// sections are all sections, each behind those that its open needs.
var sections = []section{
	{KindMeta, "meta", func(x *Index, c *snapshot.Cursor) { x.Meta = openMeta(c); x.Docs = x.Meta.Products }},
	{KindBodies, "bodies", func(x *Index, c *snapshot.Cursor) { x.Bodies = openBodies(c) }},
	{KindBodyOffsets, "body offsets", func(x *Index, c *snapshot.Cursor) { x.Bodies.openOffsets(c, x.Docs) }},

	{KindSetArrays, "set arrays", func(x *Index, c *snapshot.Cursor) { x.Sets = docset.ReadArrays(c, x.Docs) }},
	{KindSetBitmaps, "set bitmaps", func(x *Index, c *snapshot.Cursor) { x.Sets.ReadBitmaps(c) }},

	{KindIDs, "ids", func(x *Index, c *snapshot.Cursor) { x.IDs = openIDs(c, x.Docs) }},
	{KindIDKeys, "id keys", func(x *Index, c *snapshot.Cursor) { x.IDKeys = openIDKeys(c, x.Docs, x.IDs.ids) }},
	{KindSlugs, "slugs", func(x *Index, c *snapshot.Cursor) { x.Slugs = openSlugs(c, x.Docs) }},
	{KindSlugKeys, "slug keys", func(x *Index, c *snapshot.Cursor) { x.SlugKeys = openGroups(c) }},

	{KindOrders, "orders", func(x *Index, c *snapshot.Cursor) { x.Orders = openOrders(c, x.Docs) }},
	{KindAlpha, "alpha_w", func(x *Index, c *snapshot.Cursor) { x.Alpha = openAlpha(c, x.Sets, &x.Orders[OrderAlphaAsc]) }},
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
	{KindTermStems, "term stems", func(x *Index, c *snapshot.Cursor) { x.Stemmed = openTermStems(c, x.Terms.Len()) }},
	{KindStemSets, "stem sets", func(x *Index, c *snapshot.Cursor) { x.StemSets = readFieldSets(c, x.Sets, uint64(x.Stems.Len())) }},
	{KindParts, "compound parts", func(x *Index, c *snapshot.Cursor) { x.Parts = openGroups(c) }},
	{KindPartSets, "compound part sets", func(x *Index, c *snapshot.Cursor) { x.PartSets = readFieldSets(c, x.Sets, uint64(x.Parts.Len())) }},
	{KindPartForms, "compound part forms", func(x *Index, c *snapshot.Cursor) { x.PartForms = openPartForms(c) }},
	{KindDictionary, "bilingual dictionary", func(x *Index, c *snapshot.Cursor) { x.Dictionary = Dictionary{openGroups(c), x.Stems.Len()} }},

	{KindNames, "names", func(x *Index, c *snapshot.Cursor) { x.Names = openGroups(c) }},
	{KindManufacturers, "manufacturers", func(x *Index, c *snapshot.Cursor) { x.Manufacturers = openGroups(c) }},
	{KindNameTrigrams, "name trigrams", func(x *Index, c *snapshot.Cursor) { x.Trigrams = openNameTrigrams(c) }},
	{KindDocNames, "document names", func(x *Index, c *snapshot.Cursor) { x.DocNames = openDocNames(c, x.Docs) }},
}

// NumSections is how many sections a snapshot has.
var NumSections = len(sections)

func init() {
	for _, s := range sections {
		snapshot.Name(s.kind, s.name)
	}
}

// A Field is one of the texts of a product that are searched, the better one first.
type Field uint8

// The searched fields, best first.
const (
	FieldName         Field = iota // label in every locale, commercial name
	FieldManufacturer              // the manufacturer's name
	FieldCategory                  // category words: values, display names
	FieldDescription               // description in every locale
	FieldDetails                   // values of structured_meta, fire class
	NumFields

	FieldAny = NumFields // whichever of them, where sets by field are asked for
)

var fieldNames = [NumFields]string{"name", "manufacturer", "category", "description", "details"}

// String returns the field's name.
func (f Field) String() string { return fieldNames[f] }

// MarshalText is for JSON that shows a field.
func (f Field) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// A Family is a facet family.
type Family uint8

// The facet families.
const (
	FamilyCategory Family = iota
	FamilyCharacter
	FamilyInstallation
	FamilyManufacturer
	FamilyFireClass // values A1 to F; the sets are cumulative: that class or safer
	FamilyEPD       // the one value Yes
	FamilyPurchasable
	NumFamilies
)

// FamilyNames are the families as reports and messages name them: the names of their fields in the source.
var FamilyNames = [NumFamilies]string{
	FamilyCategory:     "material_category",
	FamilyCharacter:    "absorption_character",
	FamilyInstallation: "installation_types",
	FamilyManufacturer: "manufacturer",
	FamilyFireClass:    "fire_class",
	FamilyEPD:          "has_epd",
	FamilyPurchasable:  "purchasable",
}

// An Order is a sort order of all documents.
type Order uint8

// The orders in the file. The order of documents itself (updated_at descending, then id) needs no table.
const (
	OrderAlphaDesc Order = iota // alpha_w descending, documents without one last
	OrderAlphaAsc               // alpha_w ascending, documents without one last
	OrderNameDE                 // label under German collation
	OrderNameEN                 // label under English collation
	OrderID                     // id
	NumOrders
)
