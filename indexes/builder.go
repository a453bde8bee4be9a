package indexes

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// A Builder collects documents in the order of their numbers. It writes every section of a snapshot except
// the bodies, which BodyWriter writes. It is not safe for concurrent use, and builds only one snapshot.
type Builder struct {
	meta          Meta
	ids           [][idSize]byte
	slugs         []string // by document; "" if the document has none
	keyDE, keyEN  []string // collation keys by document; equal keys share the memory of one string
	facets        [NumFamilies]facetBuilder
	manufacturers map[string]Manufacturer // manufacturers by slug
	alpha         alphaColumn
	entries       entriesBuilder
	text          textBuilder
}

// NewBuilder returns a builder for a catalogue with the vocabulary and the synonyms of meta. The builder sets
// the number of products and the version of the rules itself. fireClasses must contain all fire classes,
// starting with the safest.
func NewBuilder(meta Meta, fireClasses []string) *Builder {
	b := &Builder{meta: meta, manufacturers: map[string]Manufacturer{}}
	b.meta.Rules, b.meta.Vocabulary = analysis.Rules, slices.Clone(meta.Vocabulary)
	for i := range b.facets {
		b.facets[i] = facetBuilder{family: Family(i), known: map[string]uint32{}}
	}
	b.facets[FamilyFireClass].all = fireClasses
	b.facets[FamilyEPD].all, b.facets[FamilyPurchasable].all = []string{Yes}, []string{Yes}
	b.text = textBuilder{meta: &b.meta, numbers: map[string]uint32{}, manufacturers: map[manufacturerName]struct{}{}}
	return b
}

// Translate sets the entries of a dictionary. Write stores the translations that occur in the documents.
func (b *Builder) Translate(translations []Translation) { b.text.dictionary = translations }

// Translated returns the number of translations that Write has stored.
func (b *Builder) Translated() int { return b.text.translated }

// Add adds the next document. Documents are numbered from 0 in the order of the calls. Add does not retain d,
// so it copies all texts that it stores.
func (b *Builder) Add(d *Document) {
	b.text.add(column.Doc(len(b.ids)), d)
	b.ids = append(b.ids, d.ID)
	b.slugs = append(b.slugs, strings.Clone(d.Slug))
	b.addFacets(d)
	b.alpha.add(d.AlphaW)
	b.entries.add(column.Doc(len(b.ids)-1), &d.Measurements)
	key := string(d.CollationDE)
	b.keyDE = append(b.keyDE, key)
	if !bytes.Equal(d.CollationEN, d.CollationDE) {
		key = string(d.CollationEN)
	}
	b.keyEN = append(b.keyEN, key)
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
		m := d.Manufacturer
		m.ID, m.Slug, m.Name = strings.Clone(m.ID), strings.Clone(m.Slug), strings.Clone(m.Name)
		b.manufacturers[m.Slug] = m
	}
}

// propertyValue returns the value of a family that has only one value.
func propertyValue(has bool) string {
	if has {
		return Yes
	}
	return ""
}

// Write writes the sections. Its output depends only on the documents and settings. It must be called only
// once, since it releases data that it has written. It stops soon after the context of w ends.
func (b *Builder) Write(w *snapshot.Writer) error {
	if !column.LittleEndian {
		return errByteOrder
	}
	docs := len(b.ids)
	if int64(docs) > maxDocs {
		return fmt.Errorf("indexes: %d documents, but a snapshot can contain only %d", docs, int64(maxDocs))
	}
	b.meta.Products = docs
	for i := range b.meta.Vocabulary {
		v := &b.meta.Vocabulary[i]
		v.complete(b.facets[v.Family].documentValues())
	}
	sets := docset.NewBuilder(docs)
	sets.Stopped = func() bool { return column.ContextErr(w) != nil }
	return column.RunSteps(w,
		func() error { return b.meta.write(w) },
		func() error { return b.writeIdentifiers(w) },
		func() error { return b.writeOrders(w, sets) },
		func() error { return b.writeFacets(w, sets) },
		func() error { return b.entries.write(w) },
		func() error { return b.writeTexts(w, sets) },
	)
}

func (b *Builder) writeIdentifiers(w *snapshot.Writer) error {
	texts, keys := idTexts(b.ids), make([]string, len(b.ids))
	for d := range keys {
		keys[d] = idKey(b.ids[d])
	}
	ids := putSlots(w, KindIDs, texts)
	for _, id := range texts {
		ids.Write(column.StringBytes(id))
	}
	idKeys := putSlots(w, KindIDKeys, keys)
	slugs := putSlots(w, KindSlugs, b.slugs)
	column.PutTexts(slugs, b.slugs)
	b.slugs = nil
	return cmp.Or(ids.Err(), idKeys.Err(), slugs.Err())
}

// writeOrders writes sections KindOrders and KindAlpha.
func (b *Builder) writeOrders(w *snapshot.Writer, sets *docset.Builder) error {
	b.alpha.number()
	c := column.Begin(w, KindOrders)
	putOrder(c, b.alpha.descending()) // in the order of the constants Order
	putOrder(c, b.alpha.docs.Values)
	putOrder(c, sortByKey(b.keyDE))
	putOrder(c, sortByKey(b.keyEN))
	putOrder(c, sortByKey(idTexts(b.ids)))
	for _, mm := range b.entries.minLength {
		putOrder(c, sortedNumbers(len(mm), func(d, e column.Doc) int { return cmp.Compare(mm[d], mm[e]) }))
	}
	if c.Err() != nil {
		return c.Err()
	}
	b.keyDE, b.keyEN = nil, nil
	clear(b.entries.minLength[:])
	err := b.alpha.write(w, sets)
	b.alpha = alphaColumn{}
	return err
}

// writeTexts writes the sections of words, names and sets. Only a rebuild can have other analysis rules.
func (b *Builder) writeTexts(w *snapshot.Writer, sets *docset.Builder) error {
	if b.meta.OtherRules() {
		return b.text.original.compareSets(sets)
	}
	if err := b.text.write(w, sets, &b.facets); err != nil {
		return err
	}
	return writeSets(w, sets)
}

// writeSets writes sections KindSetArrays and KindSetBitmaps.
func writeSets(w *snapshot.Writer, sets *docset.Builder) error {
	arrays := column.Begin(w, KindSetArrays)
	if sets.WriteArrays(arrays); arrays.Err() != nil {
		return arrays.Err()
	}
	bitmaps := column.BeginAligned(w, KindSetBitmaps, docset.BitmapAlign)
	sets.WriteBitmaps(bitmaps)
	return bitmaps.Err()
}

// writeFacets writes section KindFacets. It retains the facet builders, which writeTexts needs.
func (b *Builder) writeFacets(w *snapshot.Writer, sets *docset.Builder) error {
	for i := range b.facets {
		declared := append(b.meta.values(Family(i)), b.facets[i].all...)
		if err := b.facets[i].finish(declared, sets); err != nil {
			return err
		}
	}
	c := column.Begin(w, KindFacets)
	column.Put(c, []uint64{uint64(NumFamilies)})
	for i := range b.facets {
		column.Put(c, b.facets[i].row())
	}
	for i := range b.facets {
		b.facets[i].write(c, b.manufacturers)
	}
	return c.Err()
}
