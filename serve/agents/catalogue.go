package agents

import (
	"context"
	"net/url"

	"sabine/dataset/product"
	"sabine/runtime"
)

// A Catalogue answers the tools from one generation of the data. Its parameters are those of the API. An
// error is one for the caller, in which spell names the parameters.
type Catalogue interface {
	// Search takes the parameters of authenticated search and locale. Values of filters may be display names
	// too.
	Search(query url.Values, spell func(parameter string) string) (*runtime.Result, []runtime.Hit, error)
	// Material returns the product with an id or slug, nil when there is none, and whether the caller may see
	// the whole of it: else only what a comparison shows to everybody.
	Material(idOrSlug string) (p *product.Product, whole bool)
	// Has reports whether a product has an id or slug.
	Has(idOrSlug string) bool
	// Near returns the slugs that a text which names no product most likely means; none when there are none.
	Near(text string) []string
	// Reverberation takes the parameters of the API's reverberation.
	Reverberation(query url.Values, spell func(parameter string) string) (*runtime.Room, error)
	// Vocabulary returns what filters may name, as the text of a resource.
	Vocabulary() []byte
	// Version returns the content hash of the data and the number of products.
	Version() (hash string, products int)
}

// A Source calls work with the catalogue of the moment, which is valid until work returns. Over HTTP the
// context has the values of the request's. Its error is that of work, or says that there is no data, or that
// work failed: it lets no panic through, since tools run in goroutines of their own, where a panic would end
// the program.
type Source func(ctx context.Context, work func(Catalogue) error) error
