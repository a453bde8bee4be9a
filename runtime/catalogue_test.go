package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/uuid"

	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// A product is a product of a test catalogue. Its number is its index.
type product struct {
	id, slug                   string // an empty id is derived from the index
	label, labelEN, commercial string
	manufacturer               string    // "" means Acme
	manufacturerIDSlug         [2]string // "" means derived from the name
	description, descriptionEN string
	details                    []string
	category, character        string
	installations              []string
	fire                       string
	epd, purchasable           bool
	alpha                      float64 // NaN means none, as does 0
	stored                     []byte  // stored record; nil: derived from the other fields
}

// names returns the keys of the labels and of the commercial name. keyOf is analysis.Key for the index and
// naiveKey for the oracle.
func (p *product) names(keyOf func(string) string) []string {
	return keys(keyOf, p.label, p.labelEN, p.commercial)
}

// descriptions returns the keys of the descriptions.
func (p *product) descriptions(keyOf func(string) string) []string {
	return keys(keyOf, p.description, p.descriptionEN)
}

// keys returns the distinct keys of texts.
func keys(keyOf func(string) string, texts ...string) []string {
	var keys []string
	for _, text := range texts {
		if key := keyOf(text); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// values returns the product's values of the families with a vocabulary.
func (p *product) values() []string {
	var values []string
	if p.category != "" {
		values = append(values, familyValue(indexes.FamilyCategory, p.category))
	}
	if p.character != "" {
		values = append(values, familyValue(indexes.FamilyCharacter, p.character))
	}
	for _, v := range p.installations {
		values = append(values, familyValue(indexes.FamilyInstallation, v))
	}
	return values
}

func (p *product) indexManufacturer() indexes.Manufacturer {
	if made := p.manufacturerIDSlug; made[0] != "" {
		return indexes.Manufacturer{ID: made[0], Slug: made[1], Name: p.manufacturer}
	}
	slug := string(bytes.ReplaceAll([]byte(analysis.Key(p.manufacturer)), []byte(" "), []byte("-")))
	return indexes.Manufacturer{ID: uuid.NewSHA1(uuid.NameSpaceDNS, []byte(slug)).String(), Slug: slug,
		Name: p.manufacturer}
}

func (p *product) collation(l runtime.Locale) string {
	if l == runtime.English && p.labelEN != "" {
		return analysis.Key(p.labelEN)
	}
	return analysis.Key(p.label)
}

// A catalogue contains products, and the display names and synonyms of their values.
type catalogue struct {
	products []product
	words    map[string]indexes.Value // values by their key
	declared []indexes.Vocabulary     // values that may have no products

	dictionary []indexes.Translation
	synonyms   []analysis.SynonymGroup
}

// vocabulary returns the values of the three families in order.
func (c *catalogue) vocabulary() []indexes.Vocabulary {
	families := []indexes.Vocabulary{
		{Family: indexes.FamilyCategory, Closed: true}, {Family: indexes.FamilyCharacter, Closed: true},
		{Family: indexes.FamilyInstallation, Closed: true},
	}
	add := func(i int, value string) {
		has := func(v indexes.Value) bool { return v.Value == value }
		if value == "" || slices.ContainsFunc(families[i].Values, has) {
			return
		}
		v := c.words[value]
		v.Value = value
		families[i].Values = append(families[i].Values, v)
	}
	for _, p := range c.products {
		add(0, p.category)
		add(1, p.character)
		for _, v := range p.installations {
			add(2, v)
		}
	}
	for _, declared := range c.declared {
		for _, v := range declared.Values {
			add(int(declared.Family), v.Value)
		}
	}
	for i := range families {
		slices.SortFunc(families[i].Values, func(a, b indexes.Value) int {
			return bytes.Compare([]byte(a.Value), []byte(b.Value))
		})
	}
	return families
}

// normalize sets default values.
func (c *catalogue) normalize() {
	for i := range c.products {
		p := &c.products[i]
		if p.id == "" {
			p.id = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		}
		if p.manufacturer == "" {
			p.manufacturer = "Acme"
		}
		if p.alpha == 0 {
			p.alpha = math.NaN()
		}
	}
}

// write compiles the catalogue into a snapshot in a folder and returns its path.
func (c *catalogue) write(t testing.TB, dir string) string {
	t.Helper()
	c.normalize()
	w, err := snapshot.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	bodies, err := indexes.NewBodyWriter(w)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.products {
		if err := bodies.Add(c.products[i].record()); err != nil {
			t.Fatal(err)
		}
	}
	if err := bodies.Close(); err != nil {
		t.Fatal(err)
	}
	meta := indexes.Meta{Products: len(c.products), Vocabulary: c.vocabulary(), Synonyms: c.synonyms}
	b := indexes.NewBuilder(meta, source.FireClasses)
	b.Translate(c.dictionary)
	for i := range c.products {
		b.Add(c.products[i].document())
	}
	if err := b.Write(w); err != nil {
		t.Fatal(err)
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return info.Path
}

// open compiles the catalogue and opens it.
func (c *catalogue) open(t testing.TB) *runtime.Generation {
	t.Helper()
	g, err := runtime.Open(context.Background(), c.write(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func (p *product) document() *indexes.Document {
	d := &indexes.Document{
		ID: uuid.MustParse(p.id), Slug: p.slug,
		Names: p.names(analysis.Key), ManufacturerKey: analysis.Key(p.manufacturer),
		Category: p.category, Character: p.character, Installations: p.installations,
		Manufacturer: p.indexManufacturer(), FireClass: p.fire, HasEPD: p.epd, Purchasable: p.purchasable,
		AlphaW:      p.alpha,
		CollationDE: []byte(p.collation(runtime.German)), CollationEN: []byte(p.collation(runtime.English)),
		Descriptions: p.descriptions(analysis.Key),
		Details:      keys(func(s string) string { return analysis.MarkMeasures(analysis.Key(s)) }, p.details...),
	}
	return d
}

// record returns a stored record with a few of the real keys.
func (p *product) record() []byte {
	if p.stored != nil {
		return p.stored
	}
	var b indexes.Body
	add := func(text string) (end int) {
		b.Text = append(b.Text, text...)
		return len(b.Text)
	}
	quoted := func(text string) string {
		json, _ := json.Marshal(text)
		return string(json)
	}
	id := [2]int{0, add(`{"id":` + quoted(p.id))}
	label := [2]int{id[1], add(`,"label":`)}
	german := [2]int{label[1], add(quoted(p.label))}
	b.SummaryEnd, b.AcousticsEnd = german[1], add(`,"nrc":null`)
	b.AbsorptionStart, b.AbsorptionEnd = add(`,"measurements":{"absorption_iso_354":`), add(`[]`)
	b.DetailEnd, b.GeometryEnd = add(`}}`), add(`,"geometry":{"shape":"box"}`)
	var english [2]int
	if p.labelEN == "" {
		add(`,{}`)
	} else {
		english = [2]int{add(`,{"label":{"en":`), add(quoted(p.labelEN))}
		add(`}}`)
	}
	b.RestEnd = len(b.Text)
	alpha := [2]int{b.RestEnd, add(`,"alphaW":0`)}
	key := [2]int{alpha[1], add(`,"absorption_iso354":`)}
	b.ETag, b.GeometryETag, b.Gzip = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210", []byte("gz")
	views := [...]indexes.View{{id, label, german, alpha}, {id, label, english, alpha},
		{id, key, {b.AbsorptionStart, b.AbsorptionEnd}}}
	if p.labelEN == "" {
		views[indexes.ViewPublicEN] = nil
	}
	return indexes.AppendBody(nil, &b, views)
}
