package indexes

import (
	"math"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Rebuild returns a Builder and a Writer that compares the output of the Builder with the snapshot. The
// caller must add all documents of the index to the Builder. The declared vocabularies, the dictionary and
// the synonyms come from the snapshot. If the snapshot has other analysis rules, the Builder writes no
// sections of texts. It also writes no sections of sets, because these include sets of texts, but it compares
// the sets of the filters. The Writer reports the omitted kinds as skipped.
func (x *Index) Rebuild(fireClasses []string) (*Builder, *snapshot.Writer) {
	b := NewBuilder(x.Meta, fireClasses)
	b.meta.Rules, b.text.original = x.Meta.Rules, x
	return b, snapshot.Compare(x.file)
}

// compareSets compares the sets of the filters with those in the snapshot. A build stores them before the
// sets of the texts, so their references do not depend on the texts.
func (x *Index) compareSets(sets *docset.Builder) error {
	arrays, bitmaps := sets.ContainedIn(x.Sets)
	c := x.file.Cursor(KindSetArrays)
	if arrays {
		c = x.file.Cursor(KindSetBitmaps)
	}
	if !arrays || !bitmaps {
		c.Fail(0, "the filter sets as rebuilt")
	}
	return c.Err()
}

// Document returns the data of a document in the index, in the form that Builder.Add needs. Collation keys
// are missing. Texts are also missing if the snapshot has other analysis rules.
func (x *Index) Document(d column.Doc) Document {
	values := func(family Family) (values []string) {
		for _, v := range x.Facets[family].Of(nil, d) {
			values = append(values, x.Facets[family].Value(int(v)))
		}
		return values
	}
	value := func(family Family) string { return strings.Join(values(family), "") } // there is at most one value
	document := Document{
		ID: x.IDs.ID(d), Slug: column.String(x.Slugs.key(d)),
		Category: value(FamilyCategory), Character: value(FamilyCharacter), Installations: values(FamilyInstallation),
		FireClass: value(FamilyFireClass), HasEPD: value(FamilyEPD) == Yes, Purchasable: value(FamilyPurchasable) == Yes,
		AlphaW: math.NaN(),
	}
	for _, v := range x.Facets[FamilyManufacturer].Of(nil, d) {
		document.Manufacturer = x.Facets[FamilyManufacturer].Manufacturer(int(v))
	}
	if alpha, ok := x.Alpha.Of(d); ok {
		document.AlphaW = alpha
	}
	for norm := range x.Entries {
		document.Measurements[norm] = x.Entries[norm].measurements(d)
	}
	if !x.Meta.OtherRules() {
		document.Names, document.Descriptions, document.Details = x.keysIn(d, FieldName), x.keysIn(d, FieldDescription),
			x.keysIn(d, FieldDetails)
		document.ManufacturerKey = strings.Join(x.keysIn(d, FieldManufacturer), " ")
	}
	return document
}

// DocumentOfFault returns the document at the position that an error in section KindOrders reports. ok is
// false if the error is in another section.
func (x *Index) DocumentOfFault(fault *snapshot.CorruptError) (d column.Doc, ok bool) {
	if fault.Section != KindOrders {
		return 0, false
	}
	for _, s := range x.file.Sections() {
		if at := fault.Offset - s.Offset; s.Kind == KindOrders && at < s.Length {
			size := column.Size[column.Doc](x.Docs) // size of a column in bytes
			i := int(at % size / column.DocSize)
			if which := at / size; which%2 == 0 { // the documents of an order; then come the places
				return x.Orders[which/2].At(i), true
			}
			return column.Doc(i), true
		}
	}
	return 0, false
}

// measurements returns the entries of a document as measurements.
func (e *Entries) measurements(d column.Doc) (all []Measurement) {
	first, end := e.Of(d)
	for entry := first; entry < end; entry++ {
		m := Measurement{Levels: e.Levels(entry), Rank: uint16(e.Rank(entry)), Rating: e.Rating(entry)}
		if len(e.ranks) > 0 { // false for norms without attributes
			for a := range m.Texts {
				m.Texts[a] = e.attributes[a].texts.At(int(e.Number(Attribute(a), entry)) - 1)
			}
			for i := range m.Lengths {
				m.Lengths[i] = math.NaN()
				if length := e.Length(AttributeThickness+Attribute(i), entry); length != nil {
					m.Lengths[i] = *length
				}
			}
		}
		all = append(all, m)
	}
	return all
}

// keysIn returns the texts of a field of a document as keys, in order. FieldCategory is not supported, since
// the forward index does not contain it.
func (x *Index) keysIn(d column.Doc, f Field) (keys []string) {
	for _, text := range x.Forward.Texts(d, f) {
		words := make([]string, len(text))
		for i, t := range text {
			words[i] = x.Terms.Word(t)
		}
		keys = append(keys, strings.Join(words, " "))
	}
	return keys
}
