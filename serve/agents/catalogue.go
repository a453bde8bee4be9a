package agents

import (
	"context"
	"net/url"
)

// A Catalogue answers the tools from one generation of the data. Its parameters are those of the API, its bodies the API's;
// an error is one for the caller, in which spell names the parameters.
type Catalogue interface {
	// Search takes the parameters of authenticated search and locale, and answers a PublicSearchResult, with facets when they
	// are asked for. Values of filters may be display names too.
	Search(query url.Values, spell func(parameter string) string) ([]byte, error)
	// Material answers {product: PublicSearchProduct, compare: CompareProduct, detail: MaterialDetail with geometry, or null
	// when the caller may not see it}; nil when no product has this id or slug.
	Material(idOrSlug, locale string) []byte
	// Near returns the slugs that a text which names no product most likely means; none when there are none.
	Near(text string) []string
	// Reverberation takes the parameters of the API's reverberation and answers its body.
	Reverberation(query url.Values, spell func(parameter string) string) ([]byte, error)
	// Vocabulary answers what filters may name.
	Vocabulary() []byte
	// Version returns the content hash of the data and the number of products.
	Version() (hash string, products int)
}

// A Source calls work with the catalogue of the moment, which is valid until work returns. Over HTTP the context has the values
// of the request's. Its error is that of work, or says that there is no data, or that work failed: it lets no panic through,
// since tools run in goroutines of their own, where a panic would end the program.
type Source func(ctx context.Context, work func(Catalogue) error) error
