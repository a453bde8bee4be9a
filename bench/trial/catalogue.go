package trial

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/tidwall/gjson"

	"sabine/bench"
	"sabine/bench/queries"
)

// A Catalogue is the records that every generation is made of.
type Catalogue struct {
	text      bench.Catalogue
	published []queries.Product // of them
	texts     []string          // what people ask for
	leaving   []int             // places among published of what later generations omit, those that go first in front
}

// asked is how many products questions are about, and how many texts.
const asked = 60

// Every generation omits more products than the one before, so that each has another total.
const (
	omittedFirst = 20
	omittedMore  = 7
)

// NewCatalogue generates a catalogue for so many generations.
func NewCatalogue(products, generations int) (*Catalogue, error) {
	text, err := bench.NewCatalogue(products)
	if err != nil {
		return nil, err
	}
	all, questions, err := text.Questions()
	if err != nil {
		return nil, err
	}
	c := &Catalogue{text: text, published: all}
	for _, class := range questions {
		for i := range min(3, len(class.Questions)) {
			if class.Kind.IsText() && class.Questions[i].Text != "" && len(c.texts) < asked {
				c.texts = append(c.texts, class.Questions[i].Text)
			}
		}
	}
	c.leaving = rand.New(rand.NewPCG(queries.Seed, 1)).Perm(len(all))
	if most := omitted(generations); most+asked > len(all) {
		return nil, fmt.Errorf("%d published products are too few: the last of %d generations omits %d", len(all),
			generations, most)
	}
	return c, nil
}

// Products is how many are published when none is omitted.
func (c *Catalogue) Products() int { return len(c.published) }

// omitted is how many published products a generation omits.
func omitted(number int) int { return omittedFirst + omittedMore*number }

// name is what every product of a generation has as its commercial name, so that no two bodies are alike.
func name(number int) string { return fmt.Sprintf("Generation %d", number) }

// Write writes the catalogue of a generation and returns how many of its products are published.
func (c *Catalogue) Write(number int, path string) (published int, err error) {
	left := map[string]bool{}
	for _, place := range c.leaving[:omitted(number)] {
		left[c.published[place].ID] = true
	}
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	for line := range bytes.Lines(c.text) {
		if left[gjson.GetBytes(line, "id").String()] {
			continue
		}
		_, _ = out.Write(named(line, name(number))) // Flush has its error
	}
	return len(c.published) - len(left), errors.Join(out.Flush(), file.Close())
}

// named returns a record with a commercial name.
func named(record []byte, name string) []byte {
	field := fmt.Appendf(nil, `"commercial_name":%q,`, name)
	if old := gjson.GetBytes(record, "commercial_name"); old.Exists() {
		return slices.Concat(record[:old.Index], field[len(`"commercial_name":`):len(field)-1],
			record[old.Index+len(old.Raw):])
	}
	return slices.Concat([]byte("{"), field, record[1:])
}

// omits reports whether a generation omits a published product.
func (c *Catalogue) omits(number int, p *queries.Product) bool {
	return slices.ContainsFunc(c.leaving[:omitted(number)], func(place int) bool { return &c.published[place] == p })
}

// Lasting returns the ids of some products that no generation omits.
func (c *Catalogue) Lasting() (ids []string) {
	for _, place := range c.staying() {
		ids = append(ids, c.published[place].ID)
	}
	return ids
}
