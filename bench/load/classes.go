package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/bench/queries"
	"sabine/indexes/column"
	"sabine/runtime"
)

// Where sabine answers, and so every engine.
const (
	detailPath = "/api/v1/materials/"
	searchPath = "/api/v1/materials/search"
	publicPath = "/api/public/search"
)

// A request is a GET.
type request struct {
	path   string
	header http.Header
}

// text returns the request as it is sent.
func (r *request) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: localhost\r\n", r.path)
	_ = r.header.Write(&b) // a builder never fails
	return b.String() + "\r\n"
}

// A class is requests of one kind.
type class struct {
	name     string
	status   int    // of every answer
	total    string // the key of the body that says how many products matched; "" when there is none
	requests []request
}

// asked is how many products are asked for: with their bodies, more than the caches of a core hold.
const asked = 20_000

// details are the classes that ask for products. The bodies of those whose names begin with "detail, " are
// compressed or put together for each request; those of the others are stored.
var details = []struct {
	name, query, coding string
	known               bool // the tag is sent, and nginx's too: all are sent the same
}{
	{name: "detail"},
	{name: "detail gzip", coding: "gzip"},
	{name: "detail not modified", known: true},
	{name: "detail, zstd", coding: "zstd"},
	{name: "detail, geometry", query: "?include=geometry"},
	{name: "detail, geometry gzip", query: "?include=geometry", coding: "gzip"},
}

// detailClasses asks for products at random, the same ones every time, with an API key.
func detailClasses(g *runtime.Generation, key string) (all []class) {
	order := rand.New(rand.NewPCG(1, 1)).Perm(g.Products())
	for _, d := range details {
		c := class{name: d.name, status: http.StatusOK}
		for _, n := range order[:min(asked, len(order))] {
			product := g.Detail(column.Doc(n))
			header := http.Header{"Authorization": {key}}
			if d.coding != "" {
				header.Set("Accept-Encoding", d.coding)
			}
			if d.known {
				c.status = http.StatusNotModified
				header.Set("If-None-Match", `"`+product.ETag+`", `+nginxTag)
			}
			c.requests = append(c.requests, request{detailPath + gjson.GetBytes(product.Body, "id").String() + d.query, header})
		}
		all = append(all, c)
	}
	return all
}

// searchClasses asks the questions about a text, with facets: all of them of the public, all of them with an
// API key, and then class by class.
func searchClasses(questions []queries.Class, key string) []class {
	open := class{name: "public search", status: http.StatusOK, total: "total"}
	keyed := class{name: "search", status: http.StatusOK, total: "total_count"}
	var each []class
	for _, c := range questions {
		if !c.Kind.IsText() || len(c.Questions) == 0 {
			continue
		}
		one := class{name: keyed.name + ", " + c.Name, status: keyed.status, total: keyed.total}
		for _, q := range c.Questions {
			text := url.QueryEscape(q.Text)
			open.requests = append(open.requests, request{path: publicPath + "?q=" + text})
			one.requests = append(one.requests, request{searchPath + "?facets=true&q=" + text,
				http.Header{"Authorization": {key}}})
		}
		keyed.requests = append(keyed.requests, one.requests...)
		each = append(each, one)
	}
	return append([]class{open, keyed}, each...)
}
