package compiler

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"sabine/dataset"
	"sabine/dataset/jsonwriter"
	"sabine/indexes"
	"sabine/indexes/column"
)

// recordOf returns the source record that a body, JSON in all its parts, makes. What it can't tell the record doesn't say: the
// manufacturer's id and slug, purchasable, labels and descriptions in languages other than German and English.
func recordOf(b *indexes.Body) []byte {
	var t jsonwriter.Text
	t.Object(func() {
		unshown := gjson.ParseBytes(b.Unshown)
		inEnglish := func(name string, german string, english string) {
			t.Key(name).Object(func() {
				t.Key(dataset.German).Raw([]byte(german))
				if english != "" {
					t.Key(dataset.English).Raw([]byte(english))
				}
			})
		}
		for key, v := range gjson.ParseBytes(b.Detail).ForEach {
			switch english := unshown.Get("description_en").Raw; {
			case key.Str == "label":
				inEnglish(key.Str, v.Raw, string(b.LabelEN))
			case key.Str == "description" && english != "":
				inEnglish(key.Str, v.Raw, english)
			default:
				t.Key(key.Str).Raw([]byte(v.Raw))
			}
		}
		t.Key("geometry").Raw(b.Geometry)
		add := func(name string, v gjson.Result) {
			if v.Exists() {
				t.Key(name).Raw([]byte(v.Raw))
			}
		}
		add("fire_class", unshown.Get("fire_class"))
		public := gjson.ParseBytes(slices.Concat(b.PublicHead, b.LabelDE, b.PublicTail))
		add("data_source", public.Get("data_source"))
		add("absorption_character", public.Get("absorption_character"))
		add("alpha_w_min", public.Get("alphaWMin"))
	})
	return t.Bytes()
}

// checkNumber holds the number of a document against that of the one before: updated_at descending, null last, then id.
func (c *bodyCheck) checkNumber(d column.Doc, p *dataset.Product) error {
	if d == 0 {
		return nil
	}
	before := c.index.Bodies.At(d - 1)
	v := gjson.GetBytes(before.Detail, "updated_at")
	switch {
	case v.Type == gjson.Null && p.UpdatedAt != nil:
		return fmt.Errorf("document %d is of %s, document %d before it of no time: the newest come first", d, p.UpdatedAt, d-1)
	case v.Type == gjson.Null || p.UpdatedAt == nil:
		if v.Type != gjson.Null {
			return nil
		}
	default:
		at, err := time.Parse(time.RFC3339Nano, v.Str)
		if err != nil || at.After(*p.UpdatedAt) {
			return nil // else its own check says so
		}
		if at.Before(*p.UpdatedAt) {
			return fmt.Errorf("document %d is of %s, document %d before it of %s: the newest come first", d, p.UpdatedAt, d-1, at)
		}
	}
	if id := c.index.IDs.ID(d - 1); bytes.Compare(id[:], p.ID[:]) >= 0 {
		return fmt.Errorf("document %d has the id %s, document %d of the same time a greater one: ids ascend", d, p.ID, d-1)
	}
	return nil
}

// A nameOrder holds an order by name against the labels of the bodies.
type nameOrder struct {
	order    indexes.Order
	label    func(*indexes.Body) []byte // as JSON
	index    *indexes.Index
	collator *collate.Collator
	buffer   collate.Buffer

	last column.Doc // whose key is known
	key  []byte     // nil when none is
}

func nameOrders(x *indexes.Index) [2]nameOrder {
	return [...]nameOrder{
		{index: x, order: indexes.OrderNameDE, collator: newCollator(language.German), label: func(b *indexes.Body) []byte { return b.LabelDE }},
		{index: x, order: indexes.OrderNameEN, collator: newCollator(language.English), label: func(b *indexes.Body) []byte { return b.LabelEN }},
	}
}

// check holds a place of the order against the one before. It is cheapest place by place.
func (o *nameOrder) check(place int) error {
	return o.index.HoldPlace(o.order, place, func(before, d column.Doc) int {
		if o.key == nil || o.last != before {
			o.key = o.keyOf(before)
		}
		first := o.key
		o.last, o.key = d, o.keyOf(d)
		return bytes.Compare(first, o.key)
	})
}

// keyOf returns the collation key of a document's label.
func (o *nameOrder) keyOf(d column.Doc) []byte {
	body := o.index.Bodies.At(d)
	o.buffer.Reset()
	return bytes.Clone(o.collator.KeyFromString(&o.buffer, collated(gjson.ParseBytes(o.label(&body)).Str)))
}
