package indexes

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindEntries has a table for each norm, in the order of the constants Norm. The entries of a table
// are the measurements of all documents for that norm. They are sorted by document and then by their position
// in the record:
//
//	offset  size  field
//	     0     8  number of entries n, less than 2^32
//	                column of n 4-byte numbers: the document of each entry
//	                column of n*b 2-byte numbers, b for each entry: its value in each of the b bands of the
//	                norm, ascending (see Bands), as a Level up to MaxLevel; 0 if the entry has no value
//
// Each column is padded with zeros to a multiple of 8. The table of absorption is followed by the attributes,
// in the order of the constants Attribute. Each attribute has:
//
//	     0     8  number of distinct values v, at most n
//	                the distinct values, ascending: non-empty texts as column.PutTexts writes them or,
//	                for lengths, a column of v float64
//	                column of n numbers: the index of each entry's value plus one, 0 if it has none; 1, 2 or 4
//	                bytes wide, the smallest width that can hold v
//	                for texts, a column of v 4-byte numbers: number of documents that have an entry with each value
//
// Then comes a column of n 2-byte numbers: the rank of each entry among the entries of its product. The k
// entries of a product have the ranks 0 to k-1, and the most absorptive entry has rank 0. Finally there is a
// column of n 1-byte numbers, the Rating of each entry.
//
// An entry with a depth also has a thickness. An entry with a thickness but no depth has an unknown air gap.
// An entry without a source kind is the declared curve of its product: it is the last entry of the product
// and has neither a mounting nor lengths.

// A Norm is a standard for measurements.
type Norm uint8

// The norms that have a table of entries.
const (
	NormAbsorption Norm = iota // ISO 354; octave bands
	NormScattering             // ISO 17497-1; octave and third-octave bands
	NormDiffusion              // ISO 17497-2; octave and third-octave bands
	NumNorms
)

// Nominal band centres in Hz (IEC 61260-1), in ascending order.
var (
	octaveBands = []int{63, 125, 250, 500, 1000, 2000, 4000, 8000}
	allBands    = []int{
		50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630,
		800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000,
	}
)

// Bands returns the nominal centres in Hz of a norm's bands, in ascending order.
func (n Norm) Bands() []int {
	if n == NormAbsorption {
		return octaveBands
	}
	return allBands
}

// A Level is the value of an entry in a band: the coefficient in thirds of 0.001, plus 301. The smallest
// valid coefficient, -0.1, has level 1. Level 0 means no value.
type Level uint16

// levelOfZero is the level of the coefficient 0. MaxLevel is the level of the largest coefficient allowed in
// a record, 2.
const (
	levelOfZero       = 301
	MaxLevel    Level = levelOfZero + 6000
)

// LevelOf returns the level of a coefficient, which is given in thirds of 0.001. The level of a coefficient
// below -0.1 is 1.
func LevelOf(thirds int) Level { return Level(min(max(thirds+levelOfZero, 1), math.MaxUint16)) }

// Thirds returns the coefficient in thirds of 0.001. The level must not be zero.
func (l Level) Thirds() int { return int(l) - levelOfZero }

// An Attribute is a property that an entry of NormAbsorption can have in addition to its levels.
type Attribute uint8

// The attributes.
const (
	AttributeMounting   Attribute = iota
	AttributeSourceKind           // missing for the declared curve of a product
	AttributeClass                // ISO 11654, A to E
	AttributeThickness            // thickness in mm
	AttributeDepth                // sum of thickness and air gap in mm; missing if the gap is unknown
	NumAttributes
)

func (a Attribute) isLength() bool { return a >= AttributeThickness }

// A Measurement is the data that the indexes store for an entry.
type Measurement struct {
	_ struct{} `cbor:",toarray"`

	Levels  []Level // levels in the bands of the norm
	Texts   [AttributeThickness]string
	Lengths [NumAttributes - AttributeThickness]float64 // index 0 is AttributeThickness; NaN if missing
	Rank    uint16                                      // rank in the product; 0 for the most absorptive entry
	Rating  Rating
}

// A Rating is the weighted absorption coefficient of an entry with its shape indicators (ISO 11654). It is 1
// plus 8 times the coefficient in twentieths, plus 1 for L, 2 for M and 4 for H. Zero means no coefficient.
type Rating uint8

const (
	shapeLetters = "LMH"
	shapes       = 1 << len(shapeLetters)
	maxRating    = 20*shapes + shapes // rating of 1.00 with all shape indicators
)

// RatingOf returns the rating of a weighted coefficient with its shape indicators. The coefficient is in
// hundredths, a multiple of 5 from 0 to 100.
func RatingOf(hundredths int, shape string) Rating {
	r := 1 + hundredths/5*shapes
	for i := range shapeLetters {
		if strings.Contains(shape, shapeLetters[i:i+1]) {
			r += 1 << i
		}
	}
	return Rating(r)
}

// AlphaW returns the weighted coefficient in hundredths, and its shape indicators in the order L, M, H. ok is
// false if there is no coefficient.
func (r Rating) AlphaW() (hundredths int, shape string, ok bool) {
	if r == 0 || r > maxRating {
		return 0, "", false
	}
	return int(r-1) / shapes * 5, shapeTexts[(r-1)%shapes], true
}

var shapeTexts = [shapes]string{"", "L", "M", "LM", "H", "LH", "MH", "LMH"}

// Entries is the table of entries of a norm.
type Entries struct {
	docs   []column.Doc // by entry
	bands  int          // number of bands of the norm
	levels []Level      // for each entry, its levels in all bands

	// Only for absorption:
	attributes [NumAttributes]attribute
	ranks      []uint16 // by entry
	ratings    []Rating // by entry

	bandSlices []bitSlices // levels of all entries bit by bit, by band; set by openEntrySlices
}

// An attribute contains an attribute's values for all entries.
type attribute struct {
	texts   column.Texts  // the distinct values, unless the attribute is a length
	lengths []float64     // the distinct values in mm, if the attribute is a length
	numbers column.Narrow // by entry: index of the value plus one, or 0 if it has none
	docs    []uint32      // for texts, the number of documents with each value
	slices  bitSlices     // numbers of all entries, bit by bit; set by openEntrySlices
}

func openEntries(c *snapshot.Cursor) (tables [NumNorms]Entries) {
	for norm := range NumNorms {
		e := &tables[norm]
		n := c.Uint64()
		if n > math.MaxUint32 {
			c.Fail(c.Offset()-8, fmt.Sprintf("at most 2^32-1 entries, not %d", n))
			return tables
		}
		e.docs = column.Read[column.Doc](c, n)
		e.bands = len(norm.Bands())
		e.levels = column.Read[Level](c, n*uint64(e.bands))
		if norm != NormAbsorption {
			continue
		}
		for a := range NumAttributes {
			e.attributes[a] = openAttribute(c, a, int(n))
		}
		e.ranks = column.Read[uint16](c, n)
		e.ratings = column.Read[Rating](c, n)
	}
	return tables
}

func openAttribute(c *snapshot.Cursor, a Attribute, entries int) (of attribute) {
	values := c.Uint64()
	if values > uint64(entries) {
		c.Fail(c.Offset()-8, fmt.Sprintf("at most %d distinct values, not %d", entries, values))
		return of
	}
	if a.isLength() {
		at := c.Offset()
		of.lengths = column.Read[float64](c, values)
		if slices.ContainsFunc(of.lengths, func(mm float64) bool { return math.IsNaN(mm) || math.IsInf(mm, 0) }) {
			c.Fail(at, "finite lengths")
		}
	} else {
		of.texts = column.ReadTexts(c, values)
	}
	of.numbers = column.ReadNarrow(c, entries, uint32(values))
	if !a.isLength() {
		of.docs = column.Read[uint32](c, values)
	}
	return of
}

// Len returns the number of entries.
func (e *Entries) Len() int { return len(e.docs) }

// Docs returns the document of each entry. The caller must not modify the slice, which is part of the file.
func (e *Entries) Docs() []column.Doc { return e.docs }

// Of returns the range of a document's entries: first to end-1.
func (e *Entries) Of(d column.Doc) (first, end int) {
	first, _ = slices.BinarySearch(e.docs, d)
	for end = first; end < len(e.docs) && e.docs[end] == d; end++ {
	}
	return first, end
}

// OfInto adds the entries of a set of documents to dst. From one document to the next, it skips the average
// number of entries between them and starts to search there. Since it never goes back beyond the previous
// document, it needs only a few steps for each entry of the table.
func (e *Entries) OfInto(dst, docs docset.Dense) {
	const one = 1 << 10 // each has 10 binary digits after the point
	each := len(e.docs) * one / max(1, len(docs)*docset.WordBits)
	at, next := 0, column.Doc(0)
	for d, ok := docs.Next(0); ok; d, ok = docs.Next(next) {
		least := at
		at = min(at+int(d-next)*each/one, len(e.docs))
		for at > least && e.docs[at-1] >= d {
			at--
		}
		for at < len(e.docs) && e.docs[at] < d {
			at++
		}
		for ; at < len(e.docs) && e.docs[at] == d; at++ {
			dst.Add(column.Doc(at))
		}
		next = d + 1
	}
}

// Levels returns the levels of an entry in the bands of its norm, or nil if there is no such entry. The
// caller must not modify the slice, which is part of the file.
func (e *Entries) Levels(entry int) []Level {
	return column.Between(e.levels, uint64(entry*e.bands), uint64((entry+1)*e.bands))
}

// Number returns the index plus one of an entry's value for an attribute, or 0 if it has no value.
func (e *Entries) Number(a Attribute, entry int) uint32 {
	return e.attributes[a].numbers.At(column.Doc(entry))
}

// Rank returns the rank of an entry within its product, from 0 for the most absorptive one. Only absorption
// has ranks.
func (e *Entries) Rank(entry int) int { return int(column.At(e.ranks, entry)) }

// Rating returns the rating of an entry.
func (e *Entries) Rating(entry int) Rating { return column.At(e.ratings, entry) }

// Length returns a pointer to an entry's value for a length attribute, or nil if the entry has none. The
// pointer refers to the mapped file.
func (e *Entries) Length(a Attribute, entry int) *float64 {
	lengths := e.attributes[a].lengths
	if number := e.Number(a, entry); 0 < number && int64(number) <= int64(len(lengths)) {
		return &lengths[number-1]
	}
	return nil
}

// Find returns the index plus one of a text among an attribute's values, or 0 if no entry has the text.
func (e *Entries) Find(a Attribute, text string) uint32 {
	texts := &e.attributes[a].texts
	i, found := sort.Find(texts.Len(), func(i int) int { return strings.Compare(text, texts.At(i)) })
	if !found {
		return 0
	}
	return uint32(i + 1)
}

// Values returns the number of distinct values of an attribute.
func (e *Entries) Values(a Attribute) int {
	return max(e.attributes[a].texts.Len(), len(e.attributes[a].lengths)) // one of them is 0
}

// DocCount returns the number of documents that have an entry with the given value of a text attribute.
// number is the value's index plus one.
func (e *Entries) DocCount(a Attribute, number uint32) int {
	return int(column.At(e.attributes[a].docs, int(number)-1))
}

// Texts returns the values of a text attribute in ascending order. They are valid until the file is closed.
func (e *Entries) Texts(a Attribute) []string {
	texts := make([]string, e.attributes[a].texts.Len())
	for i := range texts {
		texts[i] = e.attributes[a].texts.At(i)
	}
	return texts
}

// AtMost returns how many values of a length attribute are at most mm. If the result is n, these values have
// the numbers (index plus one) 1 to n.
func (e *Entries) AtMost(a Attribute, mm float64) uint32 {
	lengths := e.attributes[a].lengths
	return uint32(sort.Search(len(lengths), func(i int) bool { return lengths[i] > mm }))
}

// DocsInto adds to dst the documents of a set of entries.
func (e *Entries) DocsInto(dst, set docset.Dense) {
	for i, word := range set {
		docs := e.docs[min(i*docset.WordBits, len(e.docs)):]
		for ; word != 0; word &= word - 1 {
			if k := bits.TrailingZeros64(word); k < len(docs) {
				dst.Add(docs[k])
			}
		}
	}
}

// FilterLevels removes entries from a set unless their level in a band is between least and most inclusive.
// band is an index in Bands.
func (e *Entries) FilterLevels(set docset.Dense, band int, least, most Level) {
	e.bandSlices[band].filterRange(set, uint32(least), uint32(most))
}

// FilterNumbers removes entries from a set unless their number for an attribute is between least and most
// inclusive.
func (e *Entries) FilterNumbers(set docset.Dense, a Attribute, least, most uint32) {
	e.attributes[a].slices.filterRange(set, least, most)
}

// openEntrySlices reads section KindEntrySlices and adds its slices to the tables.
func openEntrySlices(c *snapshot.Cursor, tables *[NumNorms]Entries) {
	for norm := range tables {
		e := &tables[norm]
		e.bandSlices = make([]bitSlices, e.bands)
		for band := range e.bandSlices {
			e.bandSlices[band] = readBitSlices(c, len(e.docs))
		}
		if Norm(norm) == NormAbsorption {
			for a := range e.attributes {
				e.attributes[a].slices = readBitSlices(c, len(e.docs))
			}
		}
	}
}
