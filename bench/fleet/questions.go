package main

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sabine/bench/queries"
)

// A question is a request whose right answer is known for every generation.
type question struct {
	class  string
	path   string
	body   string // of a POST; "": a GET
	keyed  bool   // it costs an account's budget
	gzip   bool
	detail *queries.Product // the one that is asked for, nil for none
	// total is the place in the answer of the number of all published products, "" when it does not tell it.
	total string
}

// Where a server answers.
const (
	searchPath       = "/api/v1/materials/search"
	detailPath       = "/api/v1/materials/"
	publicSearchPath = "/api/public/search"
	publicDetailPath = "/api/public/materials/"
)

// questions returns those of every class that a server answers the same way whatever it served before: all but
// /v1/changes, whose answer depends on the generations that its folder still has.
func (c *catalogue) questions() []question {
	all := []question{
		{class: "listing", path: searchPath + "?limit=5&facets=true", keyed: true, total: "total_count"},
		{class: "public listing", path: publicSearchPath, total: "total"},
		{class: "description", path: "/api/v1/openapi.json", gzip: true},
		{class: "page", path: "/"},
		{class: "page", path: "/room", gzip: true},
	}
	for i, text := range c.texts {
		q := url.QueryEscape(text)
		all = append(all,
			question{class: "search", path: searchPath + "?facets=true&q=" + q, keyed: true, gzip: i%2 == 0},
			question{class: "public search", path: publicSearchPath + "?q=" + q, gzip: i%2 == 1})
		if i%10 == 0 {
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_materials","arguments":{"query":%q}}}`, text)
			all = append(all,
				question{class: "agent", path: "/mcp", body: call, keyed: true},
				question{class: "export", path: "/api/v1/export?format=csv&q=" + q, keyed: true})
		}
	}
	for i, place := range slices.Concat(c.leaving[:asked/2], c.staying()) {
		p := &c.published[place]
		all = append(all,
			question{class: "detail", path: detailPath + p.ID, keyed: true, gzip: i%2 == 0, detail: p},
			question{class: "public detail", path: publicDetailPath + url.PathEscape(cmp.Or(p.Slug, p.ID)), gzip: i%2 == 1, detail: p})
	}
	for i := 0; i+3 <= asked/2; i += 3 {
		var ids []string
		for _, place := range append(c.staying()[i:i+3], c.leaving[i]) {
			ids = append(ids, c.published[place].ID)
		}
		list := strings.Join(ids, ",")
		all = append(all,
			question{class: "batch", path: "/api/v1/materials?ids=" + list, keyed: true},
			question{class: "comparison", path: "/api/public/compare-products?id=" + strings.Join(ids, "&id=")})
	}
	for _, place := range c.staying() {
		if p := &c.published[place]; slices.ContainsFunc(p.Absorption, isWhole) {
			walls := "&surface=125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:150"
			all = append(all, question{class: "room", path: "/api/public/reverberation?volume=200&surface=" + p.ID + ":40" + walls})
		}
	}
	return all
}

// isWhole reports whether an entry has all octaves from 125 to 4000 Hz, which a room needs.
func isWhole(e queries.Entry) bool { return !slices.Contains(e.Levels[1:7], queries.NoLevel) }

// staying returns places of products that no generation omits.
func (c *catalogue) staying() []int { return slices.Clone(c.leaving[len(c.leaving)-asked/2:]) }
