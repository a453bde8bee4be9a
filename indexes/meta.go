package indexes

import (
	"encoding/json"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindMeta is the Meta as JSON, compact, keys of Names in ascending order of bytes.

// Meta describes a snapshot's content. It is the JSON of section KindMeta.
type Meta struct {
	Products   int          `json:"products"`
	Rules      int          `json:"rules"`      // by which texts were read, see analysis.Rules
	Vocabulary []Vocabulary `json:"vocabulary"` // categories, characters, installations, in this order

	Synonyms []analysis.SynonymGroup `json:"synonyms,omitempty"` // beside those of package analysis, ascending
}

// OtherRules reports whether the texts of the snapshot were read by other rules than those of this program.
func (m *Meta) OtherRules() bool { return m.Rules != analysis.Rules }

// Vocabulary is the values of one family of which vocabularies are declared.
type Vocabulary struct {
	Family Family  `json:"family"`
	Closed bool    `json:"closed"` // declared by the source; else the values are those of the products
	Values []Value `json:"values"` // by value, ascending in bytes
}

// Value is a value of a vocabulary with its display names and synonyms.
type Value struct {
	Value    string            `json:"value"`
	Names    map[string]string `json:"names,omitempty"` // locale to display name
	Synonyms []string          `json:"synonyms,omitempty"`
}

// maxDocs bounds the number of documents: a document number plus one fits into 32 bits.
const maxDocs = 1<<32 - 2

// complete gives vocabularies that are not closed the values that products have, and others those that they
// lack.
func (v *Vocabulary) complete(of []string) {
	if !v.Closed {
		v.Values = []Value{}
	}
	v.Values = slices.Clip(v.Values) // they may be the caller's
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

// value returns a value of a family with what its vocabulary says of it.
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
		c.Fail(0, "the JSON that describes the content: "+err.Error())
	}
	if m.Products < 0 || int64(m.Products) > maxDocs {
		c.Fail(0, "a number of products")
	}
	for _, v := range m.Vocabulary {
		if v.Family > FamilyInstallation {
			c.Fail(0, "vocabularies of categories, characters and installations alone")
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
