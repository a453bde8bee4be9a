package indexes

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
