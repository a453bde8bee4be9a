package indexes

import (
	"encoding/json"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindMeta is the Meta as compact JSON, with the keys of Names in ascending byte order.

// Meta describes a snapshot's content. It is the JSON of section KindMeta.
type Meta struct {
	Products   int          `json:"products"`
	Rules      int          `json:"rules"`      // version of the analysis rules for the texts; see analysis.Rules
	Vocabulary []Vocabulary `json:"vocabulary"` // categories, characters, installations, in this order

	Synonyms []analysis.SynonymGroup `json:"synonyms,omitempty"` // in addition to those of package analysis, ascending
}

// OtherRules reports whether the analysis rules of the snapshot differ from those of this program.
func (m *Meta) OtherRules() bool { return m.Rules != analysis.Rules }

// Vocabulary contains the values of a family whose vocabulary can be declared.
type Vocabulary struct {
	Family Family  `json:"family"`
	Closed bool    `json:"closed"` // declared by the source; otherwise the values are those of the products
	Values []Value `json:"values"` // by value, ascending in bytes
}

// Value is a value of a vocabulary with its display names and synonyms.
type Value struct {
	Value    string            `json:"value"`
	Names    map[string]string `json:"names,omitempty"` // locale to display name
	Synonyms []string          `json:"synonyms,omitempty"`
}

// maxDocs is the maximum number of documents: a document number plus one must fit into 32 bits.
const maxDocs = 1<<32 - 2

// complete adds missing values of products to a vocabulary. In a vocabulary that is not closed, it first
// removes all values.
func (v *Vocabulary) complete(of []string) {
	if !v.Closed {
		v.Values = []Value{}
	}
	v.Values = slices.Clip(v.Values) // the array may belong to the caller
	for _, value := range of {
		at, found := slices.BinarySearchFunc(v.Values, value, func(v Value, value string) int {
			return strings.Compare(v.Value, value)
		})
		if !found {
			v.Values = slices.Insert(v.Values, at, Value{Value: value})
		}
	}
}

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

// value returns a value of a family with its data in the vocabulary.
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
			m.Synonyms = nil
			break
		}
	}
	return m
}

// A Document is the data of a product in the indexes. Texts are keys, as analysis.Key returns them.
type Document struct {
	_ struct{} `cbor:",toarray"` // package compiler stores documents without field names

	ID   [idSize]byte // its UUID
	Slug string       // "" if the product has none

	Names           []string // labels of every locale and the commercial name
	ManufacturerKey string   // key of the manufacturer's name
	Descriptions    []string
	Details         []string // values that are searched after the descriptions, in all spellings that can be found

	Category      string   // "" if there is none
	Character     string   // "" if there is none
	Installations []string // each value once
	Manufacturer  Manufacturer
	FireClass     string // one of the fire classes of the Builder, or ""
	HasEPD        bool
	Purchasable   bool

	AlphaW float64 // NaN if there is none

	Measurements [NumNorms][]Measurement // in the order of the record

	// CollationDE and CollationEN are the collation keys of the German and the English label.
	CollationDE, CollationEN []byte
}

// A Manufacturer is a manufacturer in the form of the facets.
type Manufacturer struct {
	_ struct{} `cbor:",toarray"`

	ID, Slug, Name string
}
