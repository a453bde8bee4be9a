package serve

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/runtime"
	"sabine/serve/agents"
)

// maxNear is the maximum number of suggestions for an unknown product.
const maxNear = 3

// A toolCatalogue answers tool calls from one acquired generation, with the code of the API.
type toolCatalogue struct {
	g      *runtime.Generation
	full   bool // whether the caller may see complete details, not only comparisons
	search func(*runtime.Generation, *runtime.Query) *runtime.Result
}

// errNoCatalogue is returned by the tools of Agents while there is no data. A server has a status for this.
var errNoCatalogue = errors.New(
	"no catalogue is loaded: there is no readable snapshot; run sabine build")

// Tools returns the catalogue for the tools of agents.
func Tools(g *runtime.Generation, full bool) agents.Catalogue {
	return toolCatalogue{g, full, (*runtime.Generation).Search}
}

// Agents returns the source for tools without a server: each call uses the current generation, with complete
// details. Damage or a panic makes only one call fail, and is logged.
func Agents(current *runtime.Current, log *slog.Logger) agents.Source {
	return func(_ context.Context, work func(agents.Catalogue) error) error {
		g := current.Acquire()
		if g == nil {
			return errNoCatalogue
		}
		defer g.Release()
		return toolCatalogue{g, true, (*runtime.Generation).Search}.run(work, func(p *passedPanic) {
			if isDamage(p.reason) {
				current.Recheck()
			}
			log.Error("panic while handling a request", "panic", p.reason, "stack", string(p.stack))
		})
	}
}

var errToolPanicked = errors.New("internal error: try again shortly")

// run runs the work of a tool. A panic in the tool's goroutine would end the program, so run recovers from
// it, passes it to passOn and returns it as an error.
func (c toolCatalogue) run(work func(agents.Catalogue) error, passOn func(*passedPanic)) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			passOn(&passedPanic{reason, debug.Stack()})
			err = errToolPanicked
		}
	}()
	return work(c)
}

// Search is authenticated search with the additional parameter locale. Unknown filter values are errors.
func (c toolCatalogue) Search(query url.Values, nameOf func(parameter string) string) (*runtime.Result, []runtime.Hit,
	error) {
	c.translate(query)
	var q runtime.Query
	err := readQuery(toolSearch, query.Encode(), nameOf, func(p *params) {
		p.readSearch(c.g, &q)
		q.Locale = p.locale()
	})
	if err != nil {
		return nil, nil, err
	}
	r := c.search(c.g, &q)
	return r, c.g.Hits(r), nil
}

var toolSearch = &operation{
	singles: slices.Concat(searchMaterials.singles, []string{"locale"}), lists: searchMaterials.lists,
}

// namedFamilies lists the families that have display names, with their parameter names in authenticated and
// public search.
var namedFamilies = []struct {
	one, many string
	family    indexes.Family
}{
	{"category", "categories", indexes.FamilyCategory},
	{"character", "characters", indexes.FamilyCharacter},
	{"installation", "installations", indexes.FamilyInstallation},
}

// translate replaces display names, synonyms and manufacturers' names in the query by filter values, ignoring
// case. Users know these names, and hits contain them.
func (c toolCatalogue) translate(query url.Values) {
	for _, f := range namedFamilies {
		for i, given := range query[f.one] {
			if c.g.Known(f.family, given) {
				continue
			}
			for _, value := range c.g.Vocabulary(f.family) {
				if hasName(value, given) {
					query[f.one][i] = value.Value
				}
			}
		}
	}
	for i, given := range query["manufacturer"] {
		if c.g.Known(indexes.FamilyManufacturer, given) {
			continue
		}
		for _, m := range c.manufacturers() {
			if strings.EqualFold(m.Name, given) {
				query["manufacturer"][i] = m.Slug
			}
		}
	}
}

// hasName reports whether text is a value or one of its names.
func hasName(v indexes.Value, text string) bool {
	names := slices.AppendSeq(append([]string{v.Value}, v.Synonyms...), maps.Values(v.Names))
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, text) })
}

func (c toolCatalogue) manufacturers() []runtime.ManufacturerCount {
	return c.g.Search(&runtime.Query{Limit: 1, Facets: true}).Facets.Manufacturers
}

func (c toolCatalogue) Has(idOrSlug string) bool {
	_, ok := c.g.Lookup(idOrSlug)
	return ok
}

func (c toolCatalogue) Material(idOrSlug string) (p *product.Product, full bool) {
	if d, ok := c.g.Lookup(idOrSlug); ok {
		p = c.g.Product(d)
	}
	return p, c.full
}

// Near returns the slugs of the products that are most similar to an unknown identifier, if it has words.
func (c toolCatalogue) Near(text string) []string {
	if utf8.RuneCountInString(text) > maxTextLength || isUUID(text) {
		return nil
	}
	query := runtime.Query{Text: strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(text)), Limit: maxNear}
	if query.Text == "" {
		return nil
	}
	var near []string
	for _, d := range c.g.Search(&query).Docs {
		near = append(near, c.g.Product(d).SlugOrID())
	}
	return near
}

func (c toolCatalogue) Reverberation(query url.Values, nameOf func(parameter string) string) (*runtime.Room, error) {
	return Reverberation(c.g, query.Encode(), nameOf)
}

func (c toolCatalogue) Version() (hash string, products int) { return c.g.Hash(), c.g.Products() }

// Vocabulary returns {categories, characters, installations: [{value, de, en}], manufacturers: [{slug,
// name}], mountings, sorts, source_kinds, fire_classes, absorption_classes, din18041: []}. Names that the
// snapshot does not contain are null.
func (c toolCatalogue) Vocabulary() []byte {
	var t jsonwriter.Text
	t.Object(func() {
		for _, f := range namedFamilies {
			c.writeNames(t.Key(f.many), f.family)
		}
		t.Key("manufacturers").Array(func() {
			manufacturers := c.manufacturers()
			slices.SortFunc(manufacturers, func(a, b runtime.ManufacturerCount) int { return strings.Compare(a.Slug, b.Slug) })
			for _, m := range manufacturers {
				t.Object(func() {
					t.Key("slug").String(m.Slug)
					t.Key("name").String(m.Name)
				})
			}
		})
		t.Key("mountings").Strings(c.g.Mountings())
		t.Key("sorts").Strings(runtime.SortNames())
		t.Key("source_kinds").Strings(product.SourceKinds)
		t.Key("fire_classes").Strings(c.g.Values(indexes.FamilyFireClass))
		t.Key("absorption_classes").Strings(acoustics.Classes)
		t.Key("din18041").Strings(acoustics.DIN18041Names())
	})
	return t.Bytes()
}

// displayNames returns the display names of a family by value and language. It omits values without names.
func displayNames(g *runtime.Generation, f indexes.Family) map[string]map[string]string {
	names := map[string]map[string]string{}
	for _, v := range g.Vocabulary(f) {
		if len(v.Names) > 0 {
			names[v.Value] = v.Names
		}
	}
	return names
}

func (c toolCatalogue) writeNames(t *jsonwriter.Text, f indexes.Family) {
	names := displayNames(c.g, f)
	t.Array(func() {
		for _, value := range c.g.Values(f) {
			t.Object(func() {
				t.Key("value").String(value)
				writeText(t.Key("de"), names[value]["de"])
				writeText(t.Key("en"), names[value]["en"])
			})
		}
	})
}
