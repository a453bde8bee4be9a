package synthetic

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"sabine/dataset"
	"sabine/dataset/product"
)

//go:embed tables.yaml
var tablesYAML []byte

// A tableSet contains the choices for records. tables.yaml explains its members.
type tableSet struct {
	Brands       []string
	Series       [3][]string
	Labels       []phrase
	Grades       []string
	Description  phrase
	Qualifiers   []phrase
	Rooms        []phrase
	Mountings    map[string][]phrase
	Effects      map[string]phrase
	Extras       []phrase
	Models       map[string]string
	Materials    map[string][]material
	Perforations struct{ Boards, Sheets [][2]float64 }
	Kinds        []productKind

	brands     []brand
	kindsByUse []*productKind // each kind is repeated according to its weight
}

// tables returns the content of tables.yaml. It panics if the file is invalid, which any test would detect.
var tables = sync.OnceValue(func() *tableSet {
	t := &tableSet{}
	if err := yaml.Unmarshal(tablesYAML, t); err != nil {
		panic(err)
	}
	for i := range t.Kinds {
		kind := &t.Kinds[i]
		kind.index = i
		t.kindsByUse = append(t.kindsByUse, slices.Repeat([]*productKind{kind}, kind.Weight)...)
	}
	for i, name := range t.Brands {
		t.brands = append(t.brands, t.inventBrand(uint64(i), name))
	}
	return t
})

// A phrase is a German word or phrase with its English translation.
type phrase struct{ de, en string }

// UnmarshalText parses "German = English" or a string that is the same in both languages.
func (p *phrase) UnmarshalText(text []byte) error {
	var translated bool
	if p.de, p.en, translated = strings.Cut(string(text), " = "); !translated {
		p.en = p.de
	}
	return nil
}

// fill returns the phrase with names replaced by words.
func (p phrase) fill(words map[string]phrase) phrase {
	return phrase{
		os.Expand(p.de, func(name string) string { return words[name].de }),
		os.Expand(p.en, func(name string) string { return words[name].en }),
	}
}

// text returns the phrase with its translation, or only the German text.
func (p phrase) text(germanOnly bool) product.Text {
	text := product.Text{{Locale: product.German, Text: p.de}, {Locale: product.English, Text: p.en}}
	if germanOnly {
		return text[:1]
	}
	return text
}

// A material is the material of a product.
type material struct {
	Name          phrase
	Category      string
	Resistivities []int `yaml:"resistivity"`
	Surfaces      [][]phrase
}

// A productKind is a kind of product.
type productKind struct {
	Names         []phrase
	Weight        int
	Family        string // physical principle, which determines the model of the curves
	Shape         string
	ThicknessMM   []int      `yaml:"thickness"`
	SizesMM       [][2]int   `yaml:"size"`
	GapsMM        []int      `yaml:"gap"`
	Edges         [2]int     // minimum and maximum length of free edges in cm per m²
	Mountings     [2]string  `yaml:"mounting"`
	Installations [][]string `yaml:"installation"`
	Materials     []string   `yaml:"material"`
	FireClasses   []string   `yaml:"fire class"`

	index int // index in the table of kinds
}

// A brand is an invented manufacturer. The records of most brands have only its name, without slug and id.
type brand struct {
	manufacturer product.Manufacturer
	slug         string
	series       []string
	kinds        []*productKind // kinds of most of its products
}

const seriesPerBrand = 9

// inventBrand returns a brand that does not depend on the seed.
func (t *tableSet) inventBrand(number uint64, name string) brand {
	d := newDice(0x5ab1e, number)
	b := brand{manufacturer: product.Manufacturer{Name: name}, slug: dataset.SlugOf(name)}
	if id := inventUUID(&d); number%3 == 2 {
		b.manufacturer.ID, b.manufacturer.Slug = id, b.slug
	}
	for range seriesPerBrand {
		b.series = append(b.series, pick(&d, t.Series[0])+pick(&d, t.Series[1])+pick(&d, t.Series[2]))
		b.kinds = append(b.kinds, pick(&d, t.kindsByUse))
	}
	return b
}

// domain returns the domain of a brand in the reserved domain .example (RFC 2606).
func (b *brand) domain() string { return b.slug + ".example" }
