package indexes

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// A Builder gathers documents in the order of their numbers and writes every section of a snapshot but the bodies,
// which BodyWriter streams. It is for one goroutine, and for one snapshot.
type Builder struct {
	meta          Meta
	ids           [][idSize]byte
	slugs         []string // by document, "" when it has none
	keyDE, keyEN  []string // collation keys by document; those that are the same are kept once
	facets        [NumFamilies]facetBuilder
	manufacturers map[string]Manufacturer // by slug
	alpha         alphaColumn
	entries       entriesBuilder
	text          *textBuilder
	again         *Index // that is built again, see Index.Rebuild; else nil
}

// NewBuilder returns a builder for a catalogue with the vocabulary of meta. It sets the number of products and of the rules. Fire
// classes are all that there are, ascending, the safest first.
func NewBuilder(meta Meta, fireClasses []string) *Builder {
	b := &Builder{meta: meta, manufacturers: map[string]Manufacturer{}}
	b.meta.Rules, b.meta.Vocabulary = analysis.Rules, slices.Clone(meta.Vocabulary)
	for i := range b.facets {
		b.facets[i] = facetBuilder{family: Family(i), known: map[string]uint32{}}
	}
	b.facets[FamilyFireClass].all = fireClasses
	b.facets[FamilyEPD].all, b.facets[FamilyPurchasable].all = []string{Yes}, []string{Yes}
	b.text = newTextBuilder(&b.meta)
	return b
}

// Translate takes the translations of a dictionary, of which those into words of the documents are kept.
func (b *Builder) Translate(translations []Translation) { b.text.dictionary = translations }

// Translated returns how many translations were kept, once they are written.
func (b *Builder) Translated() int { return b.text.translated }

// Add takes the next document; its number is how many came before it. The document may be used again by the caller.
func (b *Builder) Add(d *Document) {
	b.text.add(column.Doc(len(b.ids)), d)
	b.ids = append(b.ids, d.ID)
	b.slugs = append(b.slugs, strings.Clone(d.Slug))
	b.addFacets(d)
	b.alpha.add(d.AlphaW)
	b.entries.add(column.Doc(len(b.ids)-1), &d.Measurements)
	de := string(d.CollationDE)
	b.keyDE = append(b.keyDE, de)
	if !bytes.Equal(d.CollationEN, d.CollationDE) {
		de = string(d.CollationEN)
	}
	b.keyEN = append(b.keyEN, de)
}

func (b *Builder) addFacets(d *Document) {
	b.facets[FamilyCategory].add(d.Category)
	b.facets[FamilyCharacter].add(d.Character)
	b.facets[FamilyInstallation].add(d.Installations...)
	b.facets[FamilyManufacturer].add(d.Manufacturer.Slug)
	b.facets[FamilyFireClass].add(d.FireClass)
	b.facets[FamilyEPD].add(propertyValue(d.HasEPD))
	b.facets[FamilyPurchasable].add(propertyValue(d.Purchasable))
	if _, known := b.manufacturers[d.Manufacturer.Slug]; !known {
		m := Manufacturer{ID: strings.Clone(d.Manufacturer.ID), Slug: strings.Clone(d.Manufacturer.Slug), Name: strings.Clone(d.Manufacturer.Name)}
		b.manufacturers[m.Slug] = m
	}
}

// propertyValue returns the value of a family that has one value, for documents with the property.
func propertyValue(has bool) string {
	if has {
		return Yes
	}
	return ""
}

// Write writes the sections. The same documents give the same bytes. It may be called once, and lets go of what it
// has written as it goes. It ends soon after the writer's context.
func (b *Builder) Write(w *snapshot.Writer) error {
	if !column.LittleEndian {
		return errByteOrder
	}
	docs := len(b.ids)
	if int64(docs) > maxDocs {
		return fmt.Errorf("indexes: %d documents: a snapshot holds %d", docs, int64(maxDocs))
	}
	b.meta.Products = docs
	for i := range b.meta.Vocabulary {
		v := &b.meta.Vocabulary[i]
		v.complete(b.facets[v.Family].given())
	}
	sets := docset.NewBuilder(docs)
	sets.Ended = func() bool { return ended(w) != nil }
	return inTurn(w,
		func() error { return b.meta.write(w) },
		func() error { return b.writeIdentifiers(w) },
		func() error { return b.writeOrders(w, sets) },
		func() error { return b.writeFacets(w, sets) },
		func() error { return b.entries.write(w) },
		func() error { return b.writeTexts(w, sets) },
	)
}

// inTurn takes one step after the other, up to the first error or the end of the writer's context.
func inTurn(w *snapshot.Writer, steps ...func() error) error {
	for _, step := range steps {
		if err := ended(w); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// ended returns the error of the writer's context once that has ended. A step that takes longer than a second in a large
// catalogue asks for it as it goes.
func ended(w *snapshot.Writer) error {
	if w.Context == nil {
		return nil
	}
	return w.Context.Err()
}

func (b *Builder) writeIdentifiers(w *snapshot.Writer) error {
	docs := len(b.ids)
	for _, table := range []struct {
		kind snapshot.Kind
		key  func(d int) []byte
		put  func(*column.Writer)
	}{
		{KindIDs, func(d int) []byte { return b.ids[d][:] }, func(c *column.Writer) {
			for d := range b.ids {
				c.Write(b.ids[d][:])
			}
		}},
		{KindIDKeys, func(d int) []byte { return []byte(idKey(b.ids[d])) }, func(*column.Writer) {}},
		{KindSlugs, func(d int) []byte { return column.StringBytes(b.slugs[d]) }, func(c *column.Writer) {
			column.PutTexts(c, docs, func(d int) string { return b.slugs[d] })
		}},
	} {
		slots := newSlots(docs, table.key)
		c := column.Begin(w, table.kind)
		column.Put(c, []uint64{uint64(len(slots))})
		column.Put(c, slots)
		if table.put(c); c.Err() != nil {
			return c.Err()
		}
	}
	return nil
}

func (b *Builder) writeOrders(w *snapshot.Writer, sets *docset.Builder) error {
	b.alpha.number()
	c := column.Begin(w, KindOrders)
	putOrder(c, b.alpha.descending()) // in the sequence of the constants Order
	putOrder(c, b.alpha.ascending())
	putOrder(c, sortByKey(b.keyDE))
	putOrder(c, sortByKey(b.keyEN))
	putOrder(c, sortByKey(idTexts(b.ids)))
	if c.Err() != nil {
		return c.Err()
	}
	b.slugs, b.keyDE, b.keyEN = nil, nil, nil
	err := b.alpha.write(w, sets)
	b.alpha = alphaColumn{}
	return err
}

func (b *Builder) writeTexts(w *snapshot.Writer, sets *docset.Builder) error {
	if b.meta.OtherRules() {
		return b.again.compareSets(sets)
	}
	if err := b.text.write(w, sets, &b.facets[FamilyManufacturer]); err != nil {
		return err
	}
	return writeSets(w, sets)
}

func writeSets(w *snapshot.Writer, sets *docset.Builder) error {
	arrays := column.Begin(w, KindSetArrays)
	if sets.WriteArrays(arrays); arrays.Err() != nil {
		return arrays.Err()
	}
	bitmaps := column.BeginAligned(w, KindSetBitmaps, docset.BitmapAlign)
	sets.WriteBitmaps(bitmaps)
	return bitmaps.Err()
}

// A Document is what the indexes know of a product. Texts are keys, as analysis.Key returns them.
type Document struct {
	_ struct{} `cbor:",toarray"` // what package compiler keeps of it has no names

	ID   [idSize]byte // its UUID
	Slug string       // "" when the product has none

	Names           []string // labels of every locale and the commercial name
	ManufacturerKey string   // of its name
	Descriptions    []string
	Details         []string // values that are searched behind the descriptions, in every spelling in which they are found

	Category      string   // "" when there is none
	Character     string   // "" when there is none
	Installations []string // each once
	Manufacturer  Manufacturer
	FireClass     string // one of those of the Builder, or ""
	HasEPD        bool
	Purchasable   bool

	AlphaW float64 // NaN when there is none

	Measurements [NumNorms][]Measurement // in the order of the record

	// CollationDE and CollationEN are the collation keys of the German and the English label.
	CollationDE, CollationEN []byte
}

// A Manufacturer is a manufacturer as the facets show it.
type Manufacturer struct {
	_ struct{} `cbor:",toarray"`

	ID, Slug, Name string
}
