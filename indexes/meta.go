package indexes

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
