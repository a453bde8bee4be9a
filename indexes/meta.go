package indexes

import (
	"encoding/json"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindMeta is a Meta as compact JSON. The keys of Names are in ascending byte order.

// Meta describes the content of a snapshot.
type Meta struct {
	Products   int          `json:"products"`
	Rules      int          `json:"rules"`      // version of the analysis rules of the texts; see analysis.Rules
	Vocabulary []Vocabulary `json:"vocabulary"` // for categories, characters and installations, in this order

	Synonyms []analysis.SynonymGroup `json:"synonyms,omitempty"` // synonyms in addition to package analysis, sorted
}

// OtherRules reports whether the snapshot was built with analysis rules other than those of this program.
func (m *Meta) OtherRules() bool { return m.Rules != analysis.Rules }

// A Vocabulary contains the values of a family. Only some families can have a declared vocabulary.
type Vocabulary struct {
	Family Family  `json:"family"`
	Closed bool    `json:"closed"` // whether the source declares the values, instead of the products
	Values []Value `json:"values"` // values in ascending byte order
}

// A Value is a value of a vocabulary, with its display names and synonyms.
type Value struct {
	Value    string            `json:"value"`
	Names    map[string]string `json:"names,omitempty"` // display names by locale
	Synonyms []string          `json:"synonyms,omitempty"`
}

// maxDocs is the maximum number of documents. A document number plus one must fit into 32 bits.
const maxDocs = 1<<32 - 2

// complete adds the values of products that a vocabulary lacks. A vocabulary that is not closed then has only
// the values of products, without names and synonyms.
func (v *Vocabulary) complete(ofProducts []string) {
	if !v.Closed {
		v.Values = []Value{} // not nil, which JSON writes as null
	}
	v.Values = slices.Clip(v.Values) // the array may belong to the caller
	for _, value := range ofProducts {
		at, found := slices.BinarySearchFunc(v.Values, value, func(v Value, value string) int {
			return strings.Compare(v.Value, value)
		})
		if !found {
			v.Values = slices.Insert(v.Values, at, Value{Value: value})
		}
	}
}

// values returns the values of a family's vocabulary, or nil if the family has no vocabulary.
func (m *Meta) values(f Family) []string {
	var values []string
	for _, v := range m.Vocabulary {
		if v.Family == f {
			for i := range v.Values {
				values = append(values, v.Values[i].Value)
			}
		}
	}
	return values
}

// value returns the entry of a value in a family's vocabulary, or a new one without names if there is none.
func (m *Meta) value(f Family, value string) *Value {
	for _, v := range m.Vocabulary {
		for i := range v.Values {
			if v.Family == f && v.Values[i].Value == value {
				return &v.Values[i]
			}
		}
	}
	return &Value{Value: value}
}

func (m *Meta) write(w *snapshot.Writer) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c := column.Begin(w, KindMeta)
	c.Write(text)
	return c.Err()
}

func openMeta(c *snapshot.Cursor) (m Meta) {
	if err := json.Unmarshal(c.Rest(), &m); err != nil {
		c.Fail(0, "valid JSON: "+err.Error())
	}
	if m.Products < 0 || int64(m.Products) > maxDocs {
		c.Fail(0, "a valid number of products")
	}
	for _, v := range m.Vocabulary {
		if v.Family > FamilyInstallation {
			c.Fail(0, "only vocabularies of categories, characters and installations")
		}
		if !slices.IsSortedFunc(v.Values, func(a, b Value) int { return strings.Compare(a.Value, b.Value) }) {
			c.Fail(0, "values in ascending order")
		}
	}
	var count analysis.SynonymCount
	for _, g := range m.Synonyms {
		if limit := count.Add(g); limit != "" {
			c.Fail(0, limit)
			break
		}
	}
	return m
}

// A Document is the data of a product for the indexes. Its texts are keys, as returned by analysis.Key.
type Document struct {
	_ struct{} `cbor:",toarray"` // package compiler stores documents in CBOR without field names

	ID   [idSize]byte // UUID of the product
	Slug string       // "" if the product has none

	Names           []string // labels in every locale, and the commercial name
	ManufacturerKey string   // key of the manufacturer's name
	Descriptions    []string
	Details         []string // values with the lowest search priority, in all spellings that can be found

	Category      string   // "" if the product has none
	Character     string   // "" if the product has none
	Installations []string // values without duplicates
	Manufacturer  Manufacturer
	FireClass     string // one of the fire classes passed to NewBuilder, or ""
	HasEPD        bool
	Purchasable   bool

	AlphaW float64 // NaN if the product has none

	Measurements [NumNorms][]Measurement // by norm, in the order of the record

	// CollationDE and CollationEN are the collation keys of the German and the English label.
	CollationDE, CollationEN []byte
}

// A Manufacturer is a manufacturer as it is stored in facets.
type Manufacturer struct {
	_ struct{} `cbor:",toarray"`

	ID, Slug, Name string
}
