package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"sabine/bench"
	"sabine/bench/queries"
)

// A catalogue is the records that every generation is made of.
type catalogue struct {
	records   []map[string]json.RawMessage
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

func newCatalogue(products, generations int) (*catalogue, error) {
	text, err := bench.NewCatalogue(products)
	if err != nil {
		return nil, err
	}
	c := new(catalogue)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var record map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			return nil, err
		}
		c.records = append(c.records, record)
	}
	all, questions, err := text.Questions()
	if err := errors.Join(lines.Err(), err); err != nil {
		return nil, err
	}
	c.published = all
	for _, class := range questions {
		for i := range min(3, len(class.Questions)) {
			if class.Kind.IsText() && class.Questions[i].Text != "" && len(c.texts) < asked {
				c.texts = append(c.texts, class.Questions[i].Text)
			}
		}
	}
	c.leaving = rand.New(rand.NewPCG(queries.Seed, 1)).Perm(len(all))
	if most := omitted(generations); most+asked > len(all) {
		return nil, fmt.Errorf("%d published products are too few: the last of %d generations omits %d", len(all), generations, most)
	}
	return c, nil
}

// omitted is how many published products a generation omits.
func omitted(number int) int { return omittedFirst + omittedMore*number }

// name is what every product of a generation has as its commercial name, so that no two bodies are alike.
func name(number int) string { return fmt.Sprintf("Generation %d", number) }

// write writes the catalogue of a generation and returns how many of its products are published.
func (c *catalogue) write(number int, path string) (published int, err error) {
	left := map[string]bool{}
	for _, place := range c.leaving[:omitted(number)] {
		left[c.published[place].ID] = true
	}
	called, err := json.Marshal(name(number))
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	for _, record := range c.records {
		var id string
		if err := json.Unmarshal(record["id"], &id); err != nil {
			return 0, err
		}
		if left[id] {
			continue
		}
		record["commercial_name"] = called
		if err := out.Encode(record); err != nil {
			return 0, err
		}
	}
	return len(c.published) - len(left), os.WriteFile(path, b.Bytes(), 0o600)
}

// omits reports whether a generation omits a published product.
func (c *catalogue) omits(number int, p *queries.Product) bool {
	return slices.ContainsFunc(c.leaving[:omitted(number)], func(place int) bool { return &c.published[place] == p })
}
