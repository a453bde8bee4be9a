package indexes

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindMeta is the Meta as JSON, compact, keys of Names in ascending order of bytes.

// Meta describes a snapshot's content. It is the JSON of section KindMeta.
type Meta struct {
	Products   int          `json:"products"`
	Vocabulary []Vocabulary `json:"vocabulary"` // categories, characters, installations, in this order
}

// Vocabulary is the values of one family of which vocabularies are declared.
type Vocabulary struct {
	Family Family  `json:"family"`
	Closed bool    `json:"closed"` // declared by the source; else gathered from the products
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

// values returns the values of a family's vocabulary.
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

// write writes section KindMeta.
func (m *Meta) write(w *snapshot.Writer) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c := column.Begin(w, KindMeta)
	c.Write(text)
	return c.Err()
}

// openMeta reads section KindMeta.
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
	return m
}

// checkMeta holds the JSON against what is read of it: keys in another case, or twice, say the same to one reader and not to all.
func (x *Index) checkMeta(faults *faultList) {
	section, _ := x.file.Section(KindMeta)
	if text, err := json.Marshal(&x.Meta); err != nil || !bytes.Equal(text, section) {
		faults.add(0, "the JSON that describes the content as a build writes it")
	}
}
