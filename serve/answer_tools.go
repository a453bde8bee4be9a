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

// maxNear is how many products a message about an unknown one suggests.
const maxNear = 3

// A toolCatalogue answers the tools of agents from one generation, which is held, by the code that answers
// the API.
type toolCatalogue struct {
	g      *runtime.Generation
	full   bool // the caller may see the whole detail, as with a key, and not only what a comparison shows to everybody
	search func(*runtime.Generation, *runtime.Query) *runtime.Result
}

// errNothingToAsk is what tools say while there is no data. The server says it with a status.
var errNothingToAsk = errors.New(
	"no catalogue is loaded: there is no snapshot yet, or none that can be read; sabine build makes one")

// Tools returns the catalogue that the tools of agents ask.
func Tools(g *runtime.Generation, full bool) agents.Catalogue {
	return toolCatalogue{g, full, (*runtime.Generation).Search}
}

// Agents returns what tools ask that are called without a server: at each call the generation in force, of
// which they see the whole detail. Damage and panics cost the call only, and are logged.
func Agents(current *runtime.Current, log *slog.Logger) agents.Source {
	return func(_ context.Context, work func(agents.Catalogue) error) error {
		g := current.Acquire()
		if g == nil {
			return errNothingToAsk
		}
		defer g.Release()
		return toolCatalogue{g, true, (*runtime.Generation).Search}.guarded(work, func(p *passedPanic) {
			if isDamage(p.reason) {
				current.Recheck()
			}
			log.Error("panic while answering", "panic", p.reason, "stack", string(p.stack))
		})
	}
}

var errToolPanicked = errors.New("the server failed to answer: try again shortly")

// guarded has a tool's work done, in whose goroutine a panic would end the program: it is passed on, and
// becomes an error.
func (c toolCatalogue) guarded(work func(agents.Catalogue) error, passOn func(*passedPanic)) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			passOn(&passedPanic{reason, debug.Stack()})
			err = errToolPanicked
		}
	}()
	return work(c)
}

// Search is authenticated search, whose filter values are closed, with the parameter locale.
func (c toolCatalogue) Search(query url.Values, spell func(parameter string) string) (*runtime.Result, []runtime.Hit,
	error) {
	c.translate(query)
	var q runtime.Query
	err := readQuery(toolSearch, query.Encode(), spell, func(p *params) {
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

// namedFamilies are the families whose values have display names, under the parameters of authenticated and
// of public search.
var namedFamilies = []struct {
	one, many string
	family    indexes.Family
}{
	{"category", "categories", indexes.FamilyCategory},
	{"character", "characters", indexes.FamilyCharacter},
	{"installation", "installations", indexes.FamilyInstallation},
}

// translate puts the values of filters in the place of their display names, synonyms and manufacturers'
// names, in any case: what a planner says, and what hits show of a manufacturer.
func (c toolCatalogue) translate(query url.Values) {
	for _, f := range namedFamilies {
		for i, given := range query[f.one] {
			for _, value := range c.g.Vocabulary(f.family) {
				if !c.g.Known(f.family, given) && isCalled(value, given) {
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

// isCalled reports whether a text is a value, or one of its names.
func isCalled(v indexes.Value, text string) bool {
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

func (c toolCatalogue) Material(idOrSlug string) (p *product.Product, whole bool) {
	if d, ok := c.g.Lookup(idOrSlug); ok {
		p = c.g.Product(d)
	}
	return p, c.full
}

// Near returns the slugs of the products that a text which names none most likely means.
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

func (c toolCatalogue) Reverberation(query url.Values, spell func(parameter string) string) (*runtime.Room, error) {
	return Reverberation(c.g, query.Encode(), spell)
}

func (c toolCatalogue) Version() (hash string, products int) { return c.g.Hash(), c.g.Products() }

// Vocabulary answers {categories, characters, installations: [{value, de, en}], manufacturers: [{slug,
// name}], mountings, sorts, source_kinds, fire_classes, absorption_classes, din18041: []}. A name that the
// snapshot does not have is null.
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

// displayNames returns the names of a family's values, by value and language, of those that have any.
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
