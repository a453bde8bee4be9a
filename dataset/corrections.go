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

// Corrections replace fields in the records of a catalogue. A correction is a record or a row of a table. It
// contains the fields that it replaces and a reference to a product: the id, the article number or the German
// label. The manufacturer can be missing if only one product in the catalogue has the article number or
// label.
//
// A correction replaces single languages of a label or description, single names of structured_meta, and
// other fields as a whole. null removes a value. Measurements are replaced if the correction has an entry.
// The id, and the manufacturer if it is part of the reference, replace nothing.
//
// The build corrects a record before it validates the record, so a correction can repair a fault. The result
// does not depend on the order of the corrections: two different values for the same field of a product are a
// fault. All corrections are in memory.
type Corrections struct {
	Faults, Warnings []Fault // about the corrections; do not build the catalogue if there are faults

	all   []correction
	byKey map[Key][]int // indexes in all
}

// A Key refers to a product. A correction uses the first of ID, Article and Name that is not empty.
type Key struct {
	ID           string
	Article      string // structured_meta "Artikelnummer"
	Name         string // the German label
	Manufacturer string // the name or the slug; names with the same slug are the same manufacturer
}

// articleNumber is the name of the article number in structured_meta.
const articleNumber = "Artikelnummer"

// A correction is a record or a table row with new values.
type correction struct {
	place  Place
	key    Key
	values []newValue
	found  []Place // places of the first two corrected products, set by Note
}

// beforeAll is the ordinal (Place.Ordinal) of faults in corrections. It sorts them before the faults in
// records.
const beforeAll = -1

// ReadCorrections reads corrections. It returns an error if an input cannot be read or the context ends.
func ReadCorrections(ctx context.Context, inputs []Input) (*Corrections, error) {
	c := &Corrections{byKey: map[Key][]int{}}
	reader := NewReader(inputs)
	reader.Context = ctx
	for raw, err := range reader.Records() {
		var fault *Fault
		switch {
		case err == nil:
			c.add(raw)
		case !errors.As(err, &fault):
			return nil, fmt.Errorf("read corrections: %w", err)
		case !IsVocabularyName(fault.Place.Input): // the catalogue reports the faults in a vocabulary
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

// add adds a correction if it has no faults.
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
	c.byKey[lookups[0]] = append(c.byKey[lookups[0]], i)
	c.all = append(c.all, correction{place: raw.Place, key: key, values: newValues(record, key.ID != "", i)})
}

// fault adds faults in corrections.
func (c *Corrections) fault(found ...Fault) {
	for _, f := range found {
		f.Whole, f.Place.Ordinal = true, beforeAll
		c.Faults = append(c.Faults, f)
	}
}

// warn adds warnings about corrections.
func (c *Corrections) warn(found ...Fault) {
	for _, f := range found {
		f.Place.Ordinal = beforeAll
		c.Warnings = append(c.Warnings, f)
	}
}

// keyOf returns the key of a record.
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

// lookups returns the keys of all corrections that can apply to a product. A correction is stored under the
// first of its lookups.
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

// String returns the key for a message.
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

// Note records the place of a corrected product. One goroutine calls it in product order.
func (c *Corrections) Note(place Place, done Corrected) {
	for _, i := range done.by {
		if by := &c.all[i]; len(by.found) < 2 {
			by.found = append(by.found, place)
		}
	}
}

// Len returns the number of corrections.
func (c *Corrections) Len() int { return len(c.all) }

// Finish returns a fault for each correction that refers to several products, and a warning for each
// correction that refers to none. Call it after all products.
func (c *Corrections) Finish() (faults, warnings []Fault) {
	for i := range c.all {
		correction := &c.all[i]
		finding := Fault{Place: correction.place, Whole: true}
		finding.Place.Ordinal = beforeAll
		switch found := correction.found; {
		case len(found) == 0:
			finding.Whole, finding.Problem = false, "no product has "+correction.key.String()+": the correction has no effect"
			warnings = append(warnings, finding)
		case len(found) > 1 && correction.key.ID == "":
			missing := "the manufacturer or the id"
			if correction.key.Manufacturer != "" {
				missing = "the id"
			}
			finding.Problem = "several products have " + correction.key.String() + ": " + found[0].String() + " and " +
				found[1].String() + "; add " + missing
			faults = append(faults, finding)
		}
	}
	return faults, warnings
}

// CorrectionOf returns a correction with the values of a product. The correction contains published,
// purchasable and has_epd only if they differ from their defaults.
func CorrectionOf(place Place, key Key, p *product.Product) Raw {
	var j jsonwriter.Text
	j.Object(func() {
		texts := map[string]product.Text{"label": p.Label, "description": p.Description}
		for name, value := range gjson.ParseBytes(product.AppendSource(nil, p)).ForEach {
			text, isText := texts[name.Str]
			switch {
			case isText && len(text) > 0: // unlike a source record, a correction needs no German text
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
