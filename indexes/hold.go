package indexes

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// A Holder holds what the primary sections say of every document against what its body says, which somebody else reads: this
// package doesn't know the JSON of bodies. Check can't do that: a section may fit its format and all others and be untrue.
// Its methods are safe for concurrent use.
//
// Bodies don't tell everything. Nothing holds a manufacturer's id and slug, whether a product is purchasable, a bilingual
// dictionary, or the display names and synonyms of a vocabulary, and whether one is closed; and texts of names and descriptions
// that no body has are let pass, since they may be of languages other than German and English.
type Holder struct {
	x      *Index
	words  map[familyValue]valueWords // of the vocabulary
	counts []atomic.Uint32            // by row of KindTerms and field: the documents that were met with the word
}

// valueWords are the words that a value of the vocabulary gives its documents.
type valueWords struct {
	open    bool // nobody declared the value
	used    *atomic.Bool
	terms   []Term
	unknown string // a word among them that the catalogue doesn't have, else ""
}

// Hold returns a Holder, before any document.
func (x *Index) Hold() *Holder {
	h := &Holder{x: x, words: map[familyValue]valueWords{}, counts: make([]atomic.Uint32, x.Terms.Len()*fieldSets)}
	for _, v := range x.Meta.Vocabulary {
		for i := range v.Values {
			words := valueWords{open: !v.Closed, used: new(atomic.Bool)}
			for _, text := range valueTexts(&v.Values[i]) {
				for word := range strings.SplitSeq(text, " ") {
					if t, ok := x.Terms.Find(word); ok {
						words.terms = append(words.terms, t)
					} else if word != "" {
						words.unknown = word
					}
				}
			}
			h.words[familyValue{v.Family, v.Values[i].Value}] = words
		}
	}
	return h
}

// holds are the primary sections that bodies tell of, each with what holds it against one.
var holds = []struct {
	kind snapshot.Kind
	hold func(*held)
}{
	{KindMeta, (*held).vocabulary},
	{KindIDs, (*held).id},
	{KindSlugs, (*held).slug},
	{KindOrders, (*held).orders},
	{KindAlpha, (*held).alpha},
	{KindFacets, (*held).facets},
	{KindEntries, (*held).entries},
	{KindForward, (*held).forward},
	{KindTerms, (*held).terms},
}

// Document returns how what the sections say of a document contradicts its body, as its Document, whose Names and Descriptions
// need not have every language. Its Purchasable, its collation keys and the id and slug of its manufacturer are not looked at.
func (h *Holder) Document(d column.Doc, told *Document) []error {
	of := held{Holder: h, d: d, told: told}
	for _, section := range holds {
		of.kind = section.kind
		section.hold(&of)
	}
	return of.faults
}

// End returns what contradicts all bodies together, once each was looked at.
func (h *Holder) End() (faults []error) {
	for _, v := range h.x.Meta.Vocabulary {
		for i := range v.Values {
			if w := h.words[familyValue{v.Family, v.Values[i].Value}]; w.open && !w.used.Load() {
				faults = append(faults, fmt.Errorf("section %s has %q of %s, which nobody declared, and no body has it",
					KindMeta, v.Values[i].Value, FamilyNames[v.Family]))
			}
		}
	}
	for t := range Term(h.x.Terms.Len()) {
		for f := range FieldAny + 1 {
			says, met := h.x.Terms.Set(t, f).Len(), h.counts[int(t)*fieldSets+int(f)].Load()
			if int64(says) != int64(met) {
				faults = append(faults, fmt.Errorf("section %s: %d documents with the word %q in field %d, and %d by their texts",
					KindTerms, says, h.x.Terms.Word(t), f, met))
			}
		}
	}
	return faults
}

// held is a document in the hands of a Holder.
type held struct {
	*Holder
	d      column.Doc
	told   *Document
	kind   snapshot.Kind // of the section that it is held against
	faults []error
}

// differ notes that a section says one thing and the body another.
func (h *held) differ(what string, says, told any) {
	h.faults = append(h.faults, fmt.Errorf("section %s says %v is %s of document %d, its body %v", h.kind, shown(says), what, h.d, shown(told)))
}

// shown returns a value as a fault shows it.
func shown(v any) any {
	text, ok := v.(string)
	switch f, isNumber := v.(float64); {
	case isNumber && math.IsNaN(f) || ok && text == "":
		return "none"
	case ok:
		return fmt.Sprintf("%.80q", text)
	}
	return v
}

// vocabulary notes values of the body that the vocabulary doesn't have.
func (h *held) vocabulary() {
	for family, values := range h.vocabularyValues() {
		for _, value := range values {
			if w, ok := h.words[familyValue{Family(family), value}]; !ok {
				h.differ("the vocabulary of "+FamilyNames[family], "none", value)
			} else {
				w.used.Store(true)
			}
		}
	}
}

// vocabularyValues returns the body's values of the families with a vocabulary.
func (h *held) vocabularyValues() [FamilyInstallation + 1][]string {
	return [...][]string{
		FamilyCategory: valueOf(h.told.Category), FamilyCharacter: valueOf(h.told.Character), FamilyInstallation: h.told.Installations,
	}
}

// valueOf is a value as a list.
func valueOf(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

func (h *held) id() {
	if says := h.x.IDs.ID(h.d); says != h.told.ID {
		h.differ("the id", uuid.UUID(says), uuid.UUID(h.told.ID))
	}
}

func (h *held) slug() {
	if says := column.String(h.x.Slugs.key(h.d)); says != h.told.Slug {
		h.differ("the slug", says, h.told.Slug)
	}
}

// orders holds the place of the document's number in each order against the one before, by what other sections say, which are
// held themselves. By name it is the caller who knows the order.
func (h *held) orders() {
	alpha := func(d column.Doc, none float64) float64 {
		if v, ok := h.x.Alpha.Of(d); ok {
			return v
		}
		return none
	}
	for _, err := range [...]error{
		h.x.HoldPlace(OrderAlphaDesc, int(h.d), func(a, b column.Doc) int { return cmp.Compare(alpha(b, -1), alpha(a, -1)) }),
		h.x.HoldPlace(OrderAlphaAsc, int(h.d), func(a, b column.Doc) int { return cmp.Compare(alpha(a, math.Inf(1)), alpha(b, math.Inf(1))) }),
		h.x.HoldPlace(OrderID, int(h.d), func(a, b column.Doc) int { return bytes.Compare(h.x.IDs.key(a), h.x.IDs.key(b)) }),
	} {
		if err != nil {
			h.faults = append(h.faults, err)
		}
	}
}

// HoldPlace returns an error when the document at a place of an order should not stand behind the one before.
func (x *Index) HoldPlace(o Order, place int, compare func(a, b column.Doc) int) error {
	if place == 0 {
		return nil
	}
	before, d := x.Orders[o].At(place-1), x.Orders[o].At(place)
	if c := compare(before, d); c > 0 || c == 0 && before >= d {
		return fmt.Errorf("section %s says document %d stands before document %d, at place %d of order %d, their bodies the other way round",
			KindOrders, before, d, place-1, o)
	}
	return nil
}

func (h *held) alpha() {
	says, ok := h.x.Alpha.Of(h.d)
	if told := h.told.AlphaW; ok == math.IsNaN(told) || ok && says != told {
		if !ok {
			says = math.NaN()
		}
		h.differ("alpha_w", says, told)
	}
}

func (h *held) facets() {
	vocabulary := h.vocabularyValues()
	for f := range NumFamilies {
		var told []string
		switch f {
		case FamilyCategory, FamilyCharacter, FamilyInstallation:
			told = slices.Sorted(slices.Values(vocabulary[f]))
		case FamilyManufacturer:
			told = valueOf(h.told.Manufacturer.Name)
		case FamilyFireClass:
			told = valueOf(h.told.FireClass)
		case FamilyEPD:
			told = valueOf(propertyValue(h.told.HasEPD))
		case FamilyPurchasable:
			continue
		}
		facet := &h.x.Facets[f]
		var says []string
		for _, v := range facet.Of(nil, h.d) {
			if f == FamilyManufacturer {
				says = append(says, facet.Manufacturer(int(v)).Name)
			} else {
				says = append(says, facet.Value(int(v)))
			}
		}
		if !slices.Equal(says, told) {
			h.differ(FamilyNames[f], strings.Join(says, ", "), strings.Join(told, ", "))
		}
	}
}

func (h *held) entries() {
	for norm, told := range h.told.Measurements {
		e := &h.x.Entries[norm]
		first, end := e.Of(h.d)
		if end-first != len(told) {
			h.differ(fmt.Sprintf("the number of entries of norm %d", norm), end-first, len(told))
			continue
		}
		for i := range told {
			h.entry(Norm(norm), first+i, i, &told[i])
		}
	}
}

// entry holds an entry of the table against the body's of a number.
func (h *held) entry(norm Norm, entry, number int, told *Measurement) {
	e := &h.x.Entries[norm]
	levels := e.Levels(entry)
	for band, hz := range norm.Bands() {
		if says := levels[band]; says != told.Levels[band] {
			h.differ(fmt.Sprintf("the coefficient at %d Hz of entry %d of norm %d", hz, number, norm), coefficient(says), coefficient(told.Levels[band]))
		}
	}
	if norm != NormAbsorption {
		return
	}
	for a := range NumAttributes {
		says, attribute := e.attributes[a].value(e.Number(a, entry)), told.attribute(a)
		if says != attribute {
			h.differ(fmt.Sprintf("the %s of entry %d of norm %d", attributeNames[a], number, norm), says, attribute)
		}
	}
	if says := e.Place(entry); says != int(told.Place) {
		h.differ(fmt.Sprintf("the place by absorption of entry %d of norm %d", number, norm), says, told.Place)
	}
}

// value returns an attribute's value by its number plus one; "" for none.
func (of *attribute) value(number uint32) any {
	i := int(number) - 1
	if len(of.lengths) == 0 {
		return of.texts.At(i)
	}
	if i < 0 || i >= len(of.lengths) {
		return ""
	}
	return of.lengths[i]
}

// attribute returns the value of an attribute, "" for none.
func (m *Measurement) attribute(a Attribute) any {
	if !a.isLength() {
		return m.Texts[a]
	}
	if length := m.Lengths[a-AttributeThickness]; !math.IsNaN(length) {
		return length
	}
	return ""
}

// coefficient returns a level as the coefficient that it stands for, NaN for none.
func coefficient(l Level) float64 {
	if l == 0 {
		return math.NaN()
	}
	return float64(l.Thirds()) / 3000
}

// forward holds the texts of each stream against those of the body.
func (h *held) forward() {
	for _, f := range streamFields {
		says := h.x.keysIn(h.d, f)
		told := [...][]string{
			FieldName: h.told.Names, FieldManufacturer: valueOf(h.told.ManufacturerKey),
			FieldDescription: h.told.Descriptions, FieldDetails: h.told.Details,
		}[f]
		if f == FieldName || f == FieldDescription {
			for _, text := range told {
				if !slices.Contains(says, text) {
					h.differ("the "+fieldNames[f], strings.Join(says, " | "), text)
				}
			}
		} else if !slices.Equal(says, told) {
			h.differ("the "+fieldNames[f], strings.Join(says, " | "), strings.Join(told, " | "))
		}
	}
}

// terms looks for the document in the set of each of its words, and counts it there.
func (h *held) terms() {
	var everywhere []Term
	for f := range NumFields {
		own := h.wordsIn(f)
		everywhere = append(everywhere, own...)
		h.meet(f, own)
	}
	h.meet(FieldAny, everywhere)
}

// wordsIn returns the words of the document in a field: of the texts that the forward index has, or of its values.
func (h *held) wordsIn(f Field) (own []Term) {
	if f != FieldCategory {
		for word := range streamWords(h.x.Forward.stream(h.d, f)) {
			if word != textEnd {
				own = append(own, Term(word-1))
			}
		}
		return own
	}
	for family, values := range h.vocabularyValues() {
		for _, value := range values {
			w := h.words[familyValue{Family(family), value}]
			if w.unknown != "" {
				h.differ("a word of its "+FamilyNames[family], "none", w.unknown)
			}
			own = append(own, w.terms...)
		}
	}
	return own
}

// meet notes the words of the document in a field, or in FieldAny, which it sorts.
func (h *held) meet(f Field, words []Term) {
	slices.Sort(words)
	for _, t := range slices.Compact(words) {
		row := int(t)*fieldSets + int(f)
		if row >= len(h.counts) {
			continue // the forward index is damaged, as its check says
		}
		if !h.x.Terms.Set(t, f).Contains(h.d) {
			h.differ(fmt.Sprintf("the word %q in field %d", h.x.Terms.Word(t), f), "not there", "there")
		}
		h.counts[row].Add(1)
	}
}
