package indexes

import (
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// The sections of a snapshot. A number is never used again for something else: 13 was the terms as an
// automaton, 22 lists of names by trigram.
const (
	KindMeta         snapshot.Kind = 1  // meta.go: JSON that describes the content
	KindBodies       snapshot.Kind = 2  // bodies.go: ready JSON, one record per document
	KindBodyOffsets  snapshot.Kind = 3  // bodies.go: where each record begins
	KindIDs          snapshot.Kind = 4  // identifiers.go: UUIDs
	KindSlugs        snapshot.Kind = 5  // identifiers.go: slugs
	KindSetArrays    snapshot.Kind = 6  // sets.go: small document sets
	KindSetBitmaps   snapshot.Kind = 7  // sets.go: large document sets, roaring bitmaps
	KindFacets       snapshot.Kind = 8  // facets.go: values, counts, sets and columns of every family
	KindAlpha        snapshot.Kind = 9  // alpha.go: alpha_w in ascending order, and the cumulative thresholds
	KindOrders       snapshot.Kind = 10 // orders.go: sort orders and ranks
	KindTerms        snapshot.Kind = 11 // terms.go: words with their postings by field
	KindPrefixes     snapshot.Kind = 12 // terms.go: short beginnings of words with their postings by field
	KindStems        snapshot.Kind = 14 // groups.go: stem to terms
	KindParts        snapshot.Kind = 15 // groups.go: compound part to terms
	KindStreams      snapshot.Kind = 16 // streams.go: each document's words in order
	KindPairs        snapshot.Kind = 17 // pairs.go: neighbouring frequent words with their postings by field
	KindNames        snapshot.Kind = 18 // groups.go: keys of labels and commercial names
	KindMakers       snapshot.Kind = 19 // groups.go: keys of manufacturer names
	KindSlugKeys     snapshot.Kind = 20 // groups.go: keys of slugs
	KindIDKeys       snapshot.Kind = 21 // identifiers.go: keys of ids
	KindTermEnds     snapshot.Kind = 23 // fuzzy.go: the terms in the order of their words read backwards
	KindTermStems    snapshot.Kind = 24 // stems.go: term to stems
	KindNameTrigrams snapshot.Kind = 25 // names.go: trigram to names and makers
	KindStemSets     snapshot.Kind = 26 // groupsets.go: the documents of each stem's terms by field
	KindPartSets     snapshot.Kind = 27 // groupsets.go: the documents of each compound part's terms by field
	KindPhrases      snapshot.Kind = 28 // terms.go: long phrases that stand for others with their postings by field
	KindDocNames     snapshot.Kind = 29 // docnames.go: each document's names and its maker's
)

// A Field is one of the texts of a product that are searched, the better one first.
type Field uint8

// The searched fields, best first.
const (
	FieldName         Field = iota // label in every locale, commercial name
	FieldManufacturer              // the manufacturer's name
	FieldCategory                  // category words: values, display names
	FieldDescription               // description in every locale
	NumFields

	FieldAny = NumFields // whichever of them, where sets by field are asked for
)

// fieldSets is how many sets a word has: one for each field, and one for FieldAny.
const fieldSets = int(NumFields) + 1

// fieldRefs are the documents of a word by field; those of FieldAny, the last ones, are the others together.
type fieldRefs [fieldSets]docset.Ref

var fieldNames = [NumFields]string{"name", "manufacturer", "category", "description"}

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
	FamilyEPD       // the one value "true"
	FamilyPurchasable
	NumFamilies
)

// FireClasses are the classes of DIN EN 13501-1, safest first.
var FireClasses = []string{"A1", "A2", "B", "C", "D", "E", "F"}

// An Order is a sort order of all documents.
type Order uint8

// The orders in the file. The order of documents itself (updated_at descending, then id) needs no table.
const (
	OrderAlphaDesc Order = iota // alpha_w descending, documents without one last
	OrderAlphaAsc               // alpha_w ascending, documents without one last
	OrderNameDE                 // label under German collation
	OrderNameEN                 // label under English collation
	NumOrders
)
