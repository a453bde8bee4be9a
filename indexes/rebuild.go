package indexes

import (
	"math"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Rebuild returns a Builder and a Writer that compares the output of the Builder with the snapshot. The
// caller must add all documents of the index to the Builder. The declared vocabularies, the dictionary and
// the synonyms come from the snapshot. If the snapshot has other analysis rules, the Builder writes no
// sections of texts. It also writes no sections of sets, because these include sets of texts, but it compares
// the sets of the filters. The Writer reports the omitted kinds as skipped.
func (x *Index) Rebuild(fireClasses []string) (*Builder, *snapshot.Writer) {
	b := NewBuilder(x.Meta, fireClasses)
	b.meta.Rules, b.original, b.text.original = x.Meta.Rules, x, x
	return b, snapshot.Compare(x.file)
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
	value := func(family Family) string { return strings.Join(values(family), " ") } // there is at most one value
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
	for _, s := range x.file.Sections() {
		if at := fault.Offset - s.Offset; s.Kind == KindOrders && fault.Section == KindOrders && at < s.Length {
			number := int(at % (orderSize(x.Docs) / 2) / column.DocSize) // a place or, in the second column, a document
			if at%orderSize(x.Docs) < orderSize(x.Docs)/2 {
				return x.Orders[at/orderSize(x.Docs)].At(number), true
			}
			return column.Doc(number), true
		}
	}
	return 0, false
}

// measurements returns the entries of a document as measurements.
func (e *Entries) measurements(d column.Doc) (all []Measurement) {
	first, end := e.Of(d)
	for entry := first; entry < end; entry++ {
		m := Measurement{Levels: e.Levels(entry), Place: uint16(e.Place(entry)), Rating: e.Rating(entry)}
		for a := range NumAttributes {
			if len(e.places) == 0 { // the norm has no attributes
				break
			}
			if !a.isLength() {
				m.Texts[a] = e.attributes[a].texts.At(int(e.Number(a, entry)) - 1)
			} else if length := e.Length(a, entry); length != nil {
				m.Lengths[a-AttributeThickness] = *length
			} else {
				m.Lengths[a-AttributeThickness] = math.NaN()
			}
		}
		all = append(all, m)
	}
	return all
}

// keysIn returns the texts of a field of a document as keys, in order. It returns nil for FieldCategory.
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
