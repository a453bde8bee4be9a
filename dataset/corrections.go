package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
)

// Corrections replace fields of the records of a catalogue. A correction is a record, or a row of a table,
// with only the fields that it replaces, and what its product is looked up by: the id; else the article
// number, else the German label, each with the manufacturer or, where only one product of the catalogue has
// it, without.
//
// A label or a description is replaced language by language, structured_meta name by name, any other field as
// a whole. null removes what the record has. Measurements are replaced as a whole if the correction has an
// entry. The id, and the manufacturer where it is looked up by, replace nothing.
//
// A record is corrected before it is checked, so that a correction can mend a fault. The result does not
// depend on the order of the corrections: two that give one field of a product different values are a fault.
// All corrections are in memory.
type Corrections struct {
	Faults, Warnings []Fault // of the corrections themselves; with a fault the catalogue must not be built

	all   []correction
	about map[Key][]int // by what their products are looked up by: indexes in all
	found [][]Place     // of each of all: the first two products
}

// A Key is what a product is looked up by. In a correction the first of ID, Article and Name that is not
// empty decides.
type Key struct {
	ID           string
	Article      string // structured_meta "Artikelnummer"
	Name         string // the German label
	Manufacturer string // its name or its slug; two names of one slug are one manufacturer
}

// articleNumber is the name that an article number has in structured_meta.
const articleNumber = "Artikelnummer"

// A correction is what one record or row of corrections says.
type correction struct {
	place  Place
	key    Key
	values []newValue
}

// beforeAll is the ordinal of what is found in corrections: it comes before what is found in records.
const beforeAll = -1

// ReadCorrections reads corrections. The error is one of reading, or that of the context.
func ReadCorrections(ctx context.Context, inputs []Input) (*Corrections, error) {
	c := &Corrections{about: map[Key][]int{}}
	reader := NewReader(inputs)
	reader.Context = ctx
	for raw, err := range reader.Records() {
		var fault *Fault
		switch {
		case err == nil:
			c.add(raw)
		case !errors.As(err, &fault):
			return nil, fmt.Errorf("read corrections: %w", err)
		case !IsVocabularyName(fault.Place.Input): // a vocabulary is an input of the catalogue, which reports its faults
			c.fault(*fault)
		}
	}
	for _, w := range reader.Warnings() {
		if !IsVocabularyName(w.Place.Input) {
			c.warn(w)
		}
	}
	return c, nil
}

// add adds a correction, unless it has a fault.
func (c *Corrections) add(raw Raw) {
	c.warn(raw.Warnings...)
	faults := append(raw.Faults[:len(raw.Faults):len(raw.Faults)], ParseMembers(raw).Faults...)
	record := gjson.ParseBytes(raw.JSON)
	key := keyOf(record)
	if raw.Key != nil {
		key = *raw.Key
	}
	lookups := key.lookups()
	if len(faults) == 0 && len(lookups) == 0 {
		faults = append(faults, Fault{Place: raw.Place,
			Problem: "missing reference to a product: expected an id, an article number (structured_meta " + Quoted(articleNumber) + ") or a label"})
	}
	if c.fault(faults...); len(faults) > 0 {
		return
	}
	i := len(c.all)
	c.about[lookups[0]] = append(c.about[lookups[0]], i)
	c.all = append(c.all, correction{raw.Place, key, newValues(record, key.ID != "", i)})
	c.found = append(c.found, nil)
}

func (c *Corrections) fault(found ...Fault) {
	for _, f := range found {
		f.Whole, f.Place.Ordinal = true, beforeAll
		c.Faults = append(c.Faults, f)
	}
}

func (c *Corrections) warn(found ...Fault) {
	for _, f := range found {
		f.Place.Ordinal = beforeAll
		c.Warnings = append(c.Warnings, f)
	}
}

// keyOf returns what a record says of what it can be looked up by.
func keyOf(record gjson.Result) (k Key) {
	for name, v := range record.ForEach {
		switch name.Str {
		case "id":
			k.ID = v.Str
		case "label":
			k.Name = cmp.Or(v.Str, v.Get(product.German).Str)
		case "manufacturer":
			k.Manufacturer = cmp.Or(v.Str, v.Get("slug").Str, v.Get("name").Str)
		case "structured_meta":
			k.Article = v.Get(articleNumber).String()
		}
	}
	return k
}

// lookups returns the keys under which a correction of the product may be. The first is that of a correction
// with this key.
func (k Key) lookups() (all []Key) {
	if k.ID != "" {
		all = append(all, Key{ID: strings.ToLower(k.ID)})
	}
	for _, one := range []Key{{Article: k.Article}, {Name: k.Name}} {
		if one == (Key{}) {
			continue
		}
		if k.Manufacturer != "" {
			all = append(all, Key{Article: one.Article, Name: one.Name, Manufacturer: SlugOf(k.Manufacturer)})
		}
		all = append(all, one)
	}
	return all
}

// String names what a product is looked up by.
func (k Key) String() string {
	text := "the id " + k.ID
	switch {
	case k.ID != "":
		return text
	case k.Article != "":
		text = "the article number " + Quoted(k.Article)
	default:
		text = "the label " + Quoted(k.Name)
	}
	if k.Manufacturer != "" {
		text += " of " + Quoted(k.Manufacturer)
	}
	return text
}

// Note remembers the product, at a place, that corrections were about. One goroutine notes the products, in
// their order.
func (c *Corrections) Note(place Place, done Corrected) {
	for _, i := range done.by {
		if len(c.found[i]) < 2 {
			c.found[i] = append(c.found[i], place)
		}
	}
}

// Len returns how many corrections there are.
func (c *Corrections) Len() int { return len(c.all) }

// Finish returns, after all products, the corrections of more than one product as faults and those of none as
// warnings.
func (c *Corrections) Finish() (faults, warnings []Fault) {
	for i := range c.all {
		of := &c.all[i]
		finding := Fault{Place: of.place, Whole: true}
		finding.Place.Ordinal = beforeAll
		switch found := c.found[i]; {
		case len(found) == 0:
			finding.Whole, finding.Problem = false, "no product has "+of.key.String()+": the correction has no effect"
			warnings = append(warnings, finding)
		case len(found) > 1 && of.key.ID == "":
			way := "the manufacturer or the id"
			if of.key.Manufacturer != "" {
				way = "the id"
			}
			finding.Problem = "several products have " + of.key.String() + ": " + found[0].String() + " and " +
				found[1].String() + "; give " + way
			faults = append(faults, finding)
		}
	}
	return faults, warnings
}

// CorrectionOf returns the correction that gives what a product has. A product that says nothing of them is
// published, and has the defaults of purchasable and has_epd.
func CorrectionOf(place Place, key Key, p *product.Product) Raw {
	var j jsonwriter.Text
	j.Object(func() {
		texts := map[string]product.Text{"label": p.Label, "description": p.Description}
		for name, value := range gjson.ParseBytes(product.AppendSource(nil, p)).ForEach {
			text, isText := texts[name.Str]
			switch {
			case isText && len(text) > 0: // a source record has a German text, which a correction need not have
				j.Key(name.Str).Object(func() {
					for _, l := range text {
						j.Key(l.Locale).String(l.Text)
					}
				})
			case !isText && name.Str != "id" && (name.Str != "manufacturer" || p.Manufacturer.Name != ""):
				j.Key(name.Str).Raw([]byte(value.Raw))
			}
		}
	})
	return Raw{Place: place, Key: &key, JSON: j.Bytes()}
}
