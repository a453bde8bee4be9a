package table

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/jsonwriter"
)

// products gathers readings by the product that they are of.
type products struct {
	o     *Options
	byKey map[string][]*reading
}

func newProducts(o *Options, _ *dataset.Vocabulary) *products {
	return &products{o: o, byKey: map[string][]*reading{}}
}

// add takes the reading of a row.
func (p *products) add(r *reading) {
	key := r.text(FieldManufacturer) + "\x00" + r.text(FieldLabel)
	p.byKey[key] = append(p.byKey[key], r)
}

// importSpace is the namespace of the ids of products, as UUIDv5. It never changes, or a table that is imported again would give new products.
var importSpace = uuid.MustParse("a2c3d1de-0b57-5f0e-8f6c-51d7a86e3b94")

// yield yields the records in the order of their keys.
func (p *products) yield(yield func(dataset.Raw, *dataset.Fault) bool) error {
	for _, key := range slices.Sorted(maps.Keys(p.byKey)) {
		raw := p.record(key, p.byKey[key])
		if !yield(raw, nil) {
			return nil
		}
	}
	return nil
}

// record writes the record of a product.
func (p *products) record(key string, readings []*reading) dataset.Raw {
	var j jsonwriter.Text
	first := readings[0]
	j.Object(func() {
		j.Key("id").String(uuid.NewSHA1(importSpace, []byte(key)).String())
		j.Key("label").String(first.text(FieldLabel))
		j.Key("manufacturer").String(cmp.Or(first.text(FieldManufacturer), p.o.Manufacturer))
		j.Key("measurements").Object(func() {
			j.Key("absorption_iso_354").Array(func() {
				for _, r := range readings {
					for _, c := range r.curves {
						j.Object(func() {
							j.Key("source_kind").String(cmp.Or(r.text(FieldSourceKind), p.o.SourceKind, DefaultSourceKind))
							j.Key(string(c.quantity) + "_" + string(c.resolution))
							dataset.WriteCurve(&j, c.points)
						})
					}
				}
			})
		})
	})
	raw := dataset.Raw{Place: first.place, JSON: []byte(strings.Clone(string(j.Bytes())))}
	for _, r := range readings {
		raw.Faults = append(raw.Faults, r.faults...)
		raw.Warnings = append(raw.Warnings, r.warnings...)
	}
	return raw
}
