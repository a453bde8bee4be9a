package serve

import (
	"bytes"
	"cmp"
	_ "embed" // for the favicon
	"encoding/json"
	"net/url"
	"text/template"

	"sabine/indexes"
	"sabine/serve/explorer"
)

// What people's browsers, crawlers and agents ask of any site: where everything is, and a mark.
var (
	pageRobots   = &operation{name: "pageRobots", page: true, cache: cacheDescription, answer: answerText}
	pageIcon     = &operation{name: "pageIcon", page: true, cache: cacheIcon, answer: answerText}
	pageGuide    = &operation{name: "pageGuide", page: true, cache: cacheDescription, answer: answerText}
	pageCatalog  = &operation{name: "pageCatalog", page: true, cache: cacheDescription, answer: answerText}
	pageLicences = &operation{name: "pageLicences", page: true, cache: cacheDescription, answer: answerText}
)

var cacheIcon = []string{"public, max-age=86400"}

const catalogPath = "/.well-known/api-catalog"

//go:embed favicon.svg
var iconSVG []byte

// iconICO is favicon.svg as 16, 32 and 48 pixels, for what asks for the older address.
//
//go:embed favicon.ico
var iconICO []byte

// addTexts adds the pages that are the same for everybody.
func (s *Server) addTexts(o *Options) error {
	guide, err := s.guide(o)
	if err != nil {
		return err
	}
	catalog, err := s.catalog(o)
	if err != nil {
		return err
	}
	for path, p := range map[string]struct {
		operation *operation
		mediaType string
		text      []byte
	}{
		"/robots.txt":  {pageRobots, "text/plain; charset=utf-8", s.robots()},
		"/favicon.svg": {pageIcon, "image/svg+xml", iconSVG},
		"/favicon.ico": {pageIcon, "image/x-icon", iconICO},
		"/llms.txt":    {pageGuide, "text/markdown; charset=utf-8", guide},
		"/licences.md": {pageLicences, "text/markdown; charset=utf-8", explorer.Licences},
		catalogPath:    {pageCatalog, `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, catalog},
	} {
		r := coded(p.text, s.compressor)
		r.mediaType = []string{p.mediaType}
		s.pages[path] = page{operation: p.operation, text: &r}
	}
	s.pages[catalogPath].text.link = []string{s.link[0] + ", <" + s.site + catalogPath + `>; rel="api-catalog"`}
	return nil
}

// coded returns a body that does not change, in every coding that is worth it.
func coded(body []byte, c *compressor) representation {
	r := representation{body: body, hash: indexes.ETag(body)}
	if len(body) >= indexes.MinCoded {
		for _, to := range []coding{gzipped, zstandard} {
			r.codings[to] = c.encode(nil, to, body)
		}
	}
	return r
}

func answerText(x *exchange) representation { return *x.page.text }

// robots keeps crawlers out of the API, which counts their requests, but for its description.
func (s *Server) robots() []byte {
	path := s.home
	if u, err := url.Parse(s.home); err == nil {
		path = u.EscapedPath()
	}
	return []byte("User-agent: *\nAllow: " + path + descriptionPath + "\nDisallow: " + path + "/v1/\nDisallow: " + path + "/public/\n")
}

// A link and a linkContext are of an API catalogue (RFC 9727), a JSON document of links (RFC 9264).
type (
	link struct {
		Href string `json:"href"`
		Type string `json:"type,omitempty"`
	}
	linkContext struct {
		Anchor string `json:"anchor"`
		Item   []link `json:"item,omitempty"`
		Desc   []link `json:"service-desc,omitempty"`
		Doc    []link `json:"service-doc,omitempty"`
	}
)

// catalog says which APIs there are, and where each is described.
func (s *Server) catalog(o *Options) ([]byte, error) {
	api, guide := cmp.Or(s.home, "/"), link{s.site + "/llms.txt", "text/markdown"}
	list := linkContext{Anchor: s.site + catalogPath, Item: []link{{Href: api}}}
	contexts := []linkContext{{
		Anchor: api,
		Desc:   []link{{s.home + descriptionPath, "application/json"}},
		Doc:    []link{{s.home + referencePath, "text/html"}, guide},
	}}
	if o.MCP {
		list.Item = append(list.Item, link{Href: s.site + mcpPath})
		contexts = append(contexts, linkContext{Anchor: s.site + mcpPath, Doc: []link{guide}})
	}
	return json.Marshal(map[string][]linkContext{"linkset": append([]linkContext{list}, contexts...)})
}

// guide tells agents in Markdown where everything is, as far as it is switched on.
func (s *Server) guide(o *Options) ([]byte, error) {
	var b bytes.Buffer
	err := guideText.Execute(&b, struct {
		*Options
		Site, API, Agents string
	}{o, s.site, s.home, s.site + mcpPath})
	return b.Bytes(), err
}

//go:embed llms.txt
var guideSource string

var guideText = template.Must(template.New("llms.txt").Parse(guideSource))
