package serve

import (
	"bytes"
	"cmp"
	_ "embed" // for the favicon
	"encoding/json"
	"fmt"
	"net/url"
	"text/template"

	"sabine/serve/explorer"
)

// cacheIcon is of the mark that browsers ask of any site.
var cacheIcon = []string{"public, max-age=86400"}

//go:embed favicon.svg
var iconSVG []byte

// iconICO is favicon.svg as 16, 32 and 48 pixels, for what asks for the older address.
//
//go:embed favicon.ico
var iconICO []byte

// addTexts adds the pages that say where everything is.
func (s *Server) addTexts() error {
	guide, err := s.guide()
	if err != nil {
		return err
	}
	catalog, err := s.catalog()
	if err != nil {
		return err
	}
	catalogLink := []string{s.link[0] + ", <" + s.addresses.site + catalogPath + `>; rel="api-catalog"`}
	for _, p := range []struct {
		path, name string
		cache      []string
		mediaType  string
		text       []byte
		link       []string
	}{
		{"/robots.txt", "pageRobots", cacheDescription, "text/plain; charset=utf-8", s.robots(), nil},
		{"/favicon.svg", "pageIcon", cacheIcon, "image/svg+xml", iconSVG, nil},
		{"/favicon.ico", "pageIcon", cacheIcon, "image/x-icon", iconICO, nil},
		{"/llms.txt", "pageGuide", cacheDescription, "text/markdown; charset=utf-8", guide, nil},
		{"/licences.md", "pageLicences", cacheDescription, "text/markdown; charset=utf-8", explorer.Licences, nil},
		{catalogPath, "pageCatalog", cacheDescription,
			`application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, catalog, catalogLink},
	} {
		r := coded(p.text)
		r.mediaType, r.link = []string{p.mediaType}, p.link
		s.operations[p.path] = textPage(p.name, p.cache, r)
	}
	return nil
}

// robots keeps crawlers out of the API, which counts their requests, but for its description.
func (s *Server) robots() []byte {
	path := s.addresses.home
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
	}
	return fmt.Appendf(nil, "User-agent: *\nAllow: %[1]s%[2]s\nDisallow: %[1]s/v1/\nDisallow: %[1]s/public/\n",
		path, descriptionPath)
}

// catalog says which APIs there are, and where each is described: an API catalogue (RFC 9727), a JSON document of links
// (RFC 9264).
func (s *Server) catalog() ([]byte, error) {
	type object = map[string]any // its members come in the order of their names
	at := s.addresses
	api, guide := cmp.Or(at.home, "/"), object{"href": at.site + "/llms.txt", "type": "text/markdown"}
	items := []object{{"href": api}}
	set := []object{{}, {
		"anchor":       api,
		"service-desc": []object{{"href": at.home + descriptionPath, "type": "application/json"}},
		"service-doc":  []object{{"href": at.home + referencePath, "type": "text/html"}, guide},
	}}
	if s.options.MCP {
		items = append(items, object{"href": at.site + mcpPath})
		set = append(set, object{"anchor": at.site + mcpPath, "service-doc": []object{guide}})
	}
	set[0] = object{"anchor": at.site + catalogPath, "item": items}
	return json.Marshal(object{"linkset": set})
}

// guide tells agents in Markdown where everything is, as far as it is switched on.
func (s *Server) guide() ([]byte, error) {
	var b bytes.Buffer
	err := guideText.Execute(&b, struct {
		*Options
		Site, API, Agents string
	}{&s.options, s.addresses.site, s.addresses.home, s.addresses.site + mcpPath})
	return b.Bytes(), err
}

//go:embed llms.txt
var guideSource string

var guideText = template.Must(template.New("llms.txt").Parse(guideSource))
