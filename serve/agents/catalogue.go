package agents

import (
	"context"
	"net/url"

	"sabine/dataset/product"
	"sabine/runtime"
)

// A Catalogue provides the data for the tools from one generation. Its methods accept the parameters of the
// API. Errors are for the agent; in them, a parameter has the name that argumentOf returns.
type Catalogue interface {
	// Search accepts the parameters of authenticated search, and locale. Filter values may be display names.
	Search(query url.Values, argumentOf func(parameter string) string) (*runtime.Result, []runtime.Hit, error)
	// Material returns the entire product with the given id or slug, or nil. If seesAll is false, the caller
	// may see only the fields of a public comparison: the tool must leave out the others.
	Material(idOrSlug string) (p *product.Product, seesAll bool)
	// Has reports whether a product has the given id or slug.
	Has(idOrSlug string) bool
	// Near returns the slugs that are most similar to a mistyped id or slug, or nil.
	Near(text string) []string
	// Reverberation accepts the parameters of the API's reverberation operation.
	Reverberation(query url.Values, argumentOf func(parameter string) string) (*runtime.Room, error)
	// Vocabulary returns the values that filters accept, as JSON.
	Vocabulary() []byte
	// Version returns the content hash of the data and the number of products.
	Version() (hash string, products int)
}

// A Source calls work with the current catalogue, which is valid until work returns. Over HTTP, the context
// contains the values of the request's context. A Source returns the error from work, or an error if no data
// is loaded or work panicked. It must recover from panics: tools run in separate goroutines, where a panic
// would end the program.
type Source func(ctx context.Context, work func(Catalogue) error) error
