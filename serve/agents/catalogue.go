package agents

import (
	"context"
	"net/url"

	"sabine/dataset/product"
	"sabine/runtime"
)

// A Catalogue provides the data for the tools from one generation. Its methods take the parameters of the
// API. Errors are for the agent; they call a parameter by the name that argumentOf returns for it.
type Catalogue interface {
	// Search takes the parameters of authenticated search, and locale. Filter values may be display names.
	Search(query url.Values, argumentOf func(parameter string) string) (*runtime.Result, []runtime.Hit, error)
	// Material returns the product with the given id or slug, or nil. full reports whether the caller may see
	// all of the product; otherwise the caller may see only the fields of a public comparison.
	Material(idOrSlug string) (p *product.Product, full bool)
	// Has reports whether a product has the given id or slug.
	Has(idOrSlug string) bool
	// Near returns the slugs that are most similar to a mistyped id or slug, or nil.
	Near(text string) []string
	// Reverberation takes the parameters of the API's reverberation operation.
	Reverberation(query url.Values, argumentOf func(parameter string) string) (*runtime.Room, error)
	// Vocabulary returns the values that filters accept, as the JSON of a resource.
	Vocabulary() []byte
	// Version returns the content hash of the data and the number of products.
	Version() (hash string, products int)
}

// A Source calls work with the current catalogue, which is valid until work returns. Over HTTP, the context
// contains the values of the request's context. A Source returns the error from work, or an error when no
// data is loaded or work panicked. It must recover panics: tools run in separate goroutines, where a panic
// would end the program.
type Source func(ctx context.Context, work func(Catalogue) error) error
