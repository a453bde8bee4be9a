package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/julienschmidt/httprouter"
)

// access says who may use an operation, and whose budget it costs.
type access uint8

const (
	open          access = iota // anybody, at no cost: the description documents and the pages
	public                      // anybody, counted by address
	authenticated               // who has a key, counted by account
	either                      // anybody, counted by account with a key and by address without
)

// An operation is something that the API answers: a row of the contract's list of endpoints.
type operation struct {
	name    string // its operationId in the OpenAPI document; the label of logs and metrics
	access  access
	cache   []string // Cache-Control of 200 and 304
	exports bool     // it costs an export of the account's too
	posts   bool     // it takes a message by POST, and nothing else: mcp.go
	page    bool     // no operation of the API but a page: its query string is never refused
	vary    []string // Vary; nil: Accept-Encoding
	// singles and lists are the names of its parameters, of one value and of several.
	singles, lists []string
	// read reads the parameters into the exchange: 400. It is nil when there are none.
	read func(*exchange) *problem
	// find looks up what the request names: 404. It is nil when the request names nothing.
	find func(*exchange) *problem
	// answer makes the body. It may be called only when read and find found no problem.
	answer func(*exchange) representation
}

// The values of Cache-Control.
var (
	cachePrivate     = []string{"private, no-cache"}
	cachePublic      = []string{"public, max-age=60"}
	cacheDescription = []string{"public, max-age=300"}
	cacheError       = []string{"no-store"}
)

var (
	searchMaterials = &operation{
		name: "searchMaterials", access: authenticated, cache: cachePrivate,
		singles: slices.Concat([]string{"q", "page", "limit", "alpha_w_min", "alpha_w_max", "fire_class", "has_epd", "purchasable_only", "sort", "facets"}, needSingles),
		lists:   slices.Concat([]string{"category", "character", "installation", "manufacturer", "include"}, needLists),
		read:    readMaterialSearch, answer: answerMaterialSearch,
	}
	getMaterial = &operation{
		name: "getMaterial", access: authenticated, cache: cachePrivate,
		lists: []string{"include"},
		read:  readMaterial, find: findMaterial, answer: answerMaterial,
	}
	getMaterials = &operation{
		name: "getMaterials", access: authenticated, cache: cachePrivate,
		lists: []string{"ids", "include"},
		read:  readMaterials, answer: answerMaterials,
	}
	exportMaterials = &operation{
		name: "exportMaterials", access: authenticated, exports: true, cache: cachePrivate,
		singles: append(without(searchMaterials.singles, "page", "limit", "sort", "facets"), "format", "separator", "fill"),
		lists:   append(without(searchMaterials.lists, "include"), "bands"),
		read:    readExport, answer: answerExport,
	}
	getChanges = &operation{
		name: "getChanges", access: authenticated, cache: cachePrivate,
		singles: []string{"since"},
		read:    readChanges, find: findChanges, answer: answerChanges,
	}
	searchProducts = &operation{
		name: "searchProducts", access: public, cache: cachePublic,
		singles: slices.Concat([]string{"q", "kaufbar", "min", "max", "epd", "sort", "page", "locale"}, needSingles),
		lists:   slices.Concat([]string{"type", "categories", "characters", "manufacturers"}, needLists),
		read:    readProductSearch, answer: answerProductSearch,
	}
	compareProducts = &operation{
		name: "compareProducts", access: public, cache: cachePublic,
		lists: []string{"id"},
		read:  readComparison, answer: answerComparison,
	}
	getPublicMaterial = &operation{
		name: "getPublicMaterial", access: public, cache: cachePublic,
		singles: []string{"locale"},
		read:    readPublicMaterial, find: findPublicMaterial, answer: answerPublicMaterial,
	}
	getReverberation = &operation{
		name: "getReverberation", access: public, cache: cachePublic,
		singles: []string{"volume", "air", "target"},
		lists:   []string{"surface"},
		read:    readReverberation, answer: answerReverberation,
	}
	getDescription          = &operation{name: "getDescription", cache: cacheDescription, answer: answerDescription}
	getWellKnownDescription = &operation{name: "getWellKnownDescription", cache: cacheDescription, answer: answerDescription}
)

// operations are all of them, in the contract's order.
var operations = []*operation{
	searchMaterials, getMaterial, getMaterials, exportMaterials, getChanges, searchProducts, compareProducts,
	getPublicMaterial, getReverberation, getDescription, getWellKnownDescription,
}

// without returns names but for some: what an export and a search have in common is which products are meant.
func without(names []string, left ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(left, name) })
}

// descriptionPath is where the OpenAPI document is, under the base path.
const descriptionPath = "/v1/openapi.json"

// newRouter returns the tree of paths. It is only ever asked for a path (Lookup): what a request gets when its path or
// its method is wrong is a check like the others and stands with them, in checks.go. A handle notes the operation in
// the exchange that it is given as the response writer.
func newRouter(base string) *httprouter.Router {
	router := httprouter.New()
	note := func(op *operation) httprouter.Handle {
		return func(w http.ResponseWriter, _ *http.Request, _ httprouter.Params) { w.(*exchange).operation = op }
	}
	router.GET(base+"/v1/materials", note(getMaterials))
	router.GET(base+"/v1/materials/:id", func(w http.ResponseWriter, _ *http.Request, p httprouter.Params) {
		x := w.(*exchange)
		if x.operation, x.target = getMaterial, p.ByName("id"); x.target == "search" {
			x.operation = searchMaterials // the tree cannot hold a fixed name beside a parameter
		}
	})
	router.GET(base+"/v1/export", note(exportMaterials))
	router.GET(base+"/v1/changes", note(getChanges))
	router.GET(base+"/public/search", note(searchProducts))
	router.GET(base+"/public/compare-products", note(compareProducts))
	router.GET(base+"/public/materials/:id", func(w http.ResponseWriter, _ *http.Request, p httprouter.Params) {
		x := w.(*exchange)
		x.operation, x.target = getPublicMaterial, p.ByName("id")
	})
	router.GET(base+"/public/reverberation", note(getReverberation))
	router.GET(base+descriptionPath, note(getDescription))
	router.GET("/.well-known/openapi.json", note(getWellKnownDescription))
	return router
}

// routingPath returns the path of a URL, decoded, as the router shall see it. A slash that was sent as %2F belongs to
// the text of its segment and separates nothing: it becomes U+0000, which no identifier holds.
func routingPath(u *url.URL) string {
	if u.RawPath == "" || !strings.Contains(u.RawPath, "%2") {
		return u.Path
	}
	segments := strings.Split(u.RawPath, "/")
	for i, raw := range segments {
		text, err := url.PathUnescape(raw)
		if err != nil {
			return "" // cannot be: net/url decoded the same text before
		}
		segments[i] = strings.ReplaceAll(text, "/", "\x00")
	}
	return strings.Join(segments, "/")
}

// pathSegments are what a base path has.
var pathSegments = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// basePath brings the setting into the form that paths begin with: "/api", or "" for the root.
func basePath(setting string) (string, error) {
	base := strings.TrimSuffix(cmp.Or(setting, "/api"), "/")
	switch {
	case base == "":
		return "", nil
	case base[0] != '/':
		return "", fmt.Errorf("base path %q: expected it to begin with a slash, such as /api", setting)
	case !pathSegments.MatchString(base) || path.Clean(base) != base: // of . and ..
		return "", fmt.Errorf("base path %q: expected segments of letters, digits and -._~, such as /api", setting)
	}
	return base, nil
}
