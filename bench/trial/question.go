package trial

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sabine/bench/queries"
)

// A Question is a request whose right answer is known for every generation.
type Question struct {
	Class  string
	Path   string
	Body   string           // of a POST; "": a GET
	Keyed  bool             // it costs an account's budget
	Coding string           // that is accepted; "": none
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

// codings are what clients accept.
var codings = [...]string{"", "gzip", "zstd"}

// Questions returns those of every class that a server answers the same way whatever it served before: all
// but /v1/changes, whose answer depends on the generations that its folder still has.
func (c *Catalogue) Questions() []Question {
	all := []Question{
		{Class: "listing", Path: searchPath + "?limit=5&facets=true", Keyed: true, total: "total_count"},
		{Class: "public listing", Path: publicSearchPath, total: "total"},
		{Class: "description", Path: "/api/v1/openapi.json", Coding: "gzip"},
		{Class: "page", Path: "/"},
		{Class: "page", Path: "/room", Coding: "gzip"},
	}
	lasting := c.Lasting()
	for i, text := range c.texts {
		q := url.QueryEscape(text)
		all = append(all,
			Question{Class: "search", Path: searchPath + "?facets=true&q=" + q, Keyed: true, Coding: codings[i%3]},
			Question{Class: "public search", Path: publicSearchPath + "?q=" + q, Coding: codings[(i+1)%3]})
		if i%5 == 0 {
			need := fmt.Sprintf("?facets=true&include=acoustics&absorption_min=500:0.%d,1000:0.%d", 3+i/5%6, 2+i/5%6)
			all = append(all,
				Question{Class: "need", Path: searchPath + need, Keyed: true, Coding: codings[i/5%3]},
				Question{Class: "public need", Path: publicSearchPath +
					"?depth_max=200&sort=distance_asc&curve=250:0.6,500:0.9&q=" + q})
		}
		if i%10 == 0 {
			all = append(all,
				Question{Class: "agent", Path: "/mcp", Body: call("search_materials", fmt.Sprintf(`{"query":%q}`, text)),
					Keyed: true},
				Question{Class: "agent", Path: "/mcp",
					Body: call("find_by_absorption", fmt.Sprintf(`{"query":%q,"absorption_min":{"500":0.5}}`, text)), Keyed: true},
				Question{Class: "agent", Path: "/mcp",
					Body: call("compare_materials", fmt.Sprintf(`{"ids":[%q,%q]}`, lasting[i/10], lasting[i/10+1])), Keyed: true})
		}
	}
	for i, place := range slices.Concat(c.leaving[:asked/2], c.staying()) {
		p := &c.published[place]
		all = append(all,
			Question{Class: "detail", Path: detailPath + p.ID, Keyed: true, Coding: codings[i%3], detail: p},
			Question{Class: "public detail", Path: publicDetailPath + url.PathEscape(cmp.Or(p.Slug, p.ID)),
				Coding: codings[(i+1)%3], detail: p})
	}
	for _, place := range c.staying()[:asked/10] {
		label := c.published[place].Labels[0].Text // which few products have
		all = append(all, Question{Class: "export", Path: "/api/v1/export?format=csv&q=" + url.QueryEscape(label),
			Keyed: true})
	}
	for i := 0; i+3 <= asked/2; i += 3 {
		var ids []string
		for _, place := range append(c.staying()[i:i+3], c.leaving[i]) {
			ids = append(ids, c.published[place].ID)
		}
		list := strings.Join(ids, ",")
		all = append(all,
			Question{Class: "batch", Path: "/api/v1/materials?ids=" + list, Keyed: true},
			Question{Class: "comparison", Path: "/api/public/compare-products?id=" + strings.Join(ids, "&id=")})
	}
	for _, place := range c.staying() {
		if p := &c.published[place]; slices.ContainsFunc(p.Absorption, isWhole) {
			walls := "&surface=125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:150"
			all = append(all, Question{Class: "room", Path: "/api/public/reverberation?volume=200&surface=" + p.ID + ":40" +
				walls})
		}
	}
	return all
}

// call is the message of an agent that calls a tool.
func call(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
}

// isWhole reports whether an entry has all octaves from 125 to 4000 Hz, which a room needs.
func isWhole(e queries.Entry) bool { return !slices.Contains(e.Levels[1:7], queries.NoLevel) }

// staying returns places of products that no generation omits.
func (c *Catalogue) staying() []int { return slices.Clone(c.leaving[len(c.leaving)-asked/2:]) }
