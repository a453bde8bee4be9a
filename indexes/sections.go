package indexes

import "sabine/indexes/snapshot"

// This table lists the sections of a snapshot. D is the number of a document, T of a word, and S the
// reference of a set. "a: b" means that the section finds b for a given a.
//
//	products    meta                  number of products, and the vocabulary, as JSON        meta.go
//	            bodies                D: the rendered JSON of a product                      bodies.go
//	            body offsets          D: offset in bodies
//	one product ids                   UUID: D                                                identifiers.go
//	            id keys               UUID in any spelling: D
//	            slugs                 slug: D
//	            slug keys             slug in any spelling: Ds                               groups.go
//	sets        set arrays            S: Ds, of small sets                                   docset/set.go
//	            set bitmaps           S: Ds, of large sets
//	filters     facets                family and value: S; D: values                         facets.go
//	            alpha_w               minimum alpha_w: S; D: alpha_w                         alpha.go
//	            entries               for each norm: D, values by band; attributes           entries.go
//	            entry slices          the same values bit by bit                             bit_slices.go
//	orders      orders                place: D; D: place                                     orders.go
//	words       terms                 word: T; T and field: S                                terms.go
//	            prefixes              short prefix and field: S
//	            phrases               long phrase and field: S
//	            forward index         D: Ts in order                                         forward.go
//	            pairs                 two neighbouring Ts and field: S                       pairs.go
//	            reversed dictionary   Ts by their words read backwards, for spelling errors  fuzzy.go
//	            stems                 stem: Ts                                               groups.go
//	            term stems            T: stems                                               stems.go
//	            stem sets             stem and field: S                                      terms.go
//	            compound parts        part of compounds: Ts                                  groups.go
//	            compound part sets    part and field: S                                      terms.go
//	            compound part forms   form of a part: part; forms read backwards             stems.go
//	            bilingual dictionary  words of one language: stems and parts of the other    dictionary.go
//	names       names                 name of a product: Ds                                  groups.go
//	            manufacturers         name of a manufacturer: values of its family
//	            name trigrams         three letters: names of both kinds                     names.go
//	            document names        D: names of both kinds                                 names.go
//
// These are the kinds of sections. Numbers are never reused. 13 was an automaton of the terms, and 22 was the
// lists of names by trigram.
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

// A Field is a searched text of a product. A match in a field with a smaller value is better.
type Field uint8

// The searched fields, in the order of their importance.
const (
	FieldName         Field = iota // labels in all locales, commercial name
	FieldManufacturer              // name of the manufacturer
	FieldCategory                  // vocabulary values and their display names
	FieldDescription               // descriptions in all locales
	FieldDetails                   // values from structured_meta, fire class, thicknesses of entries
	NumFields

	FieldAny = NumFields // means any field, in functions that return sets by field; not a field itself
)

var fieldNames = [NumFields]string{"name", "manufacturer", "category", "description", "details"}

// String returns the field's name.
func (f Field) String() string { return fieldNames[f] }

// MarshalText returns the name of the field, for use in JSON.
func (f Field) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// A Family is a facet family.
type Family uint8

// The facet families.
const (
	FamilyCategory Family = iota
	FamilyCharacter
	FamilyInstallation
	FamilyManufacturer
	FamilyFireClass // values A1 to F; the set of a class also contains products in safer classes
	FamilyEPD       // has only the value Yes
	FamilyPurchasable
	NumFamilies
)

// FamilyNames are the names of the families in reports and messages. They are field names of the source.
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

// The orders in the file. The order of document numbers, updated_at descending and then id, needs no table.
const (
	OrderAlphaDesc Order = iota // alpha_w descending, documents without alpha_w last
	OrderAlphaAsc               // alpha_w ascending, documents without alpha_w last
	OrderNameDE                 // label in German collation
	OrderNameEN                 // label in English collation
	OrderID                     // product id
	OrderThickness              // minimum thickness of ISO 354 entries ascending, documents without one last
	OrderDepth                  // minimum depth of ISO 354 entries ascending, documents without one last
	NumOrders
)
