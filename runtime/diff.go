package runtime

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/indexes/column"
)

// A Change is one product that two generations do not share. Here also counts what no body shows, but filters and searches
// know of: Compare leaves that out.
type Change struct {
	Kind   ChangeKind
	ID     string
	Label  string
	Fields []string // of a changed product: what differs, by name
}

// ChangeKind says what became of a product.
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// Diff yields what has to be done to before to get after: the products that were added or changed, in the order of
// after, then those that were removed, in the order of before. Its strings are copies. Before each product of the two it
// tells look how many it has looked at, and ends when that says no.
func Diff(before, after *Generation, look func(products int) bool) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for d := range column.Doc(after.Products()) {
			if !look(int(d)) {
				return
			}
			old, ok := before.Lookup(after.ID(d).String())
			if !ok {
				if !yield(after.change(Added, d)) {
					return
				}
				continue
			}
			if fields := changedFields(before.facts(old), after.facts(d)); len(fields) > 0 {
				change := after.change(Changed, d)
				change.Fields = fields
				if !yield(change) {
					return
				}
			}
		}
		for d := range column.Doc(before.Products()) {
			if !look(after.Products() + int(d)) {
				return
			}
			if _, ok := after.Lookup(before.ID(d).String()); !ok && !yield(before.change(Removed, d)) {
				return
			}
		}
	}
}

func (g *Generation) change(kind ChangeKind, d column.Doc) Change {
	summary := gjson.ParseBytes(g.appendSummary(nil, d, Include{}))
	return Change{Kind: kind, ID: summary.Get("id").String(), Label: summary.Get("label").String()}
}

// facts returns everything that a generation says of a product, by field: each value as the JSON that shows it.
func (g *Generation) facts(d column.Doc) map[string]string {
	facts := map[string]string{}
	gather := func(object []byte, names map[string]string) {
		gjson.ParseBytes(object).ForEach(func(key, value gjson.Result) bool {
			if name, ok := names[key.String()]; ok {
				facts[name] = value.Raw
			} else if names == nil {
				facts[key.String()] = value.Raw
			}
			return true
		})
	}
	gather(g.AppendDetail(nil, d, true), nil)
	gather(g.AppendCompare(nil, d), map[string]string{
		"absorption_character": "absorption_character", "data_source": "data_source", "alphaWMin": "alpha_w_min",
	})
	gather(g.appendPublic(nil, d, English), map[string]string{"label": "label.en"})
	for family, name := range map[indexes.Family]string{
		indexes.FamilyFireClass: "fire_class", indexes.FamilyPurchasable: "purchasable", indexes.FamilyManufacturer: "manufacturer.slug",
	} {
		facet := &g.index.Facets[family]
		for _, v := range facet.Of(nil, d) {
			facts[name] = strings.Clone(facet.Value(int(v)))
			if family == indexes.FamilyManufacturer {
				facts["manufacturer.id"] = strings.Clone(facet.Manufacturer(int(v)).ID)
			}
		}
	}
	return facts
}

// changedFields returns the names of the facts that differ, ascending.
func changedFields(before, after map[string]string) []string {
	differ := maps.Clone(before)
	for name, value := range after {
		if old, ok := before[name]; ok && old == value {
			delete(differ, name)
		} else {
			differ[name] = value
		}
	}
	return slices.Sorted(maps.Keys(differ))
}
