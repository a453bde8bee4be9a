package serve

import (
	"bytes"
	"cmp"
	_ "embed" // for the favicon
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"sabine/serve/explorer"
	"sabine/serve/reference"
)

//go:embed favicon.svg
var iconSVG []byte

// iconICO contains favicon.svg in 16, 32 and 48 pixels, for clients that use the older address.
//
//go:embed favicon.ico
var iconICO []byte

// addSiteFiles adds robots.txt, llms.txt, the API catalogue, icons and licences.
func (s *Server) addSiteFiles() {
	const plain, markdown = "text/plain; charset=utf-8", "text/markdown; charset=utf-8"
	s.addConstant("/robots.txt", "pageRobots", cacheDescription, coded(s.robots(), plain))
	s.addConstant("/favicon.svg", "pageIcon", cacheIcon, coded(iconSVG, "image/svg+xml"))
	s.addConstant("/favicon.ico", "pageIcon", cacheIcon, coded(iconICO, "image/x-icon"))
	s.addConstant("/llms.txt", "pageGuide", cacheDescription, coded(s.guide(), markdown))
	s.addConstant("/licences.md", "pageLicences", cacheDescription, coded(explorer.Licences, markdown))
	r := coded(s.catalog(), `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`)
	r.link = []string{s.link[0] + ", <" + s.addresses.site + catalogPath + `>; rel="api-catalog"`}
	s.addConstant(catalogPath, "pageCatalog", cacheDescription, r)
}

// addReference adds the API reference under the base path, and its files.
func (s *Server) addReference() error {
	path := s.addresses.base + referencePath
	files, err := reference.Files()
	if err != nil {
		return err
	}
	s.addFiles(path+"/", files)
	root := cmp.Or(strings.Repeat("../", strings.Count(s.addresses.base, "/")), "./")
	html, err := reference.Page(root, s.options.Explorer)
	r := coded(html, textHTML[0])
	r.describe = securityHeader(reference.Policy)
	s.addConstant(path, "pageReference", cachePage, r)
	return err
}

// robots returns robots.txt. It excludes crawlers from the API, because requests to the API are counted, but
// not from the description of the API.
func (s *Server) robots() []byte {
	path := regexp.MustCompile(`^https?://[^/]*`).ReplaceAllString(s.addresses.home, "")
	return fmt.Appendf(nil, "User-agent: *\nAllow: %[1]s%[2]s\nDisallow: %[1]s/v1/\nDisallow: %[1]s/public/\n",
		path, descriptionPath)
}

// catalog returns an API catalogue (RFC 9727), which links to the API and its descriptions, as JSON (RFC
// 9264).
func (s *Server) catalog() []byte {
	type object = map[string]any // encoding/json sorts the keys
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
	return must(json.Marshal(object{"linkset": set}))
}

// guide returns a guide for agents to all enabled addresses, in Markdown.
func (s *Server) guide() []byte {
	var b bytes.Buffer
	err := template.Must(template.New("llms.txt").Parse(guideSource)).Execute(&b, struct {
		*Options
		Site, API, Agents string
	}{&s.options, s.addresses.site, s.addresses.home, s.addresses.site + mcpPath})
	return must(b.Bytes(), err)
}

//go:embed llms.txt
var guideSource string
