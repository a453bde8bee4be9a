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
	header []field
}

// A field of a header.
type field struct{ name, value string }

// text returns the request as it is sent.
func (r *request) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: localhost\r\n", r.path)
	for _, f := range r.header {
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	return b.String() + "\r\n"
}

// A class is requests of one kind.
type class struct {
	name     string
	status   int    // of every answer
	total    string // the key of the body that says how many products matched; "" when there is none
	requests []request
}

// A product is what a detail is asked by.
type product struct{ id, tag string }

// asked is how many products are asked for: with their bodies, more than the caches of a core hold.
const asked = 20_000

// someProducts returns products at random, the same ones every time.
func someProducts(g *runtime.Generation) []product {
	order := rand.New(rand.NewPCG(1, 1)).Perm(g.Products())
	var products []product
	for _, n := range order[:min(asked, len(order))] {
		detail := g.Detail(column.Doc(n))
		products = append(products, product{gjson.GetBytes(detail.Body, "id").String(), strings.Clone(detail.ETag)})
	}
	return products
}

// detailClasses asks for products, with an API key. The bodies of classes whose names begin with "detail, "
// are compressed or put together for each request; those of the others are stored.
func detailClasses(products []product, key field) []class {
	detail := func(name, query string, status int, more func(product) []field) class {
		c := class{name: name, status: status}
		for _, p := range products {
			c.requests = append(c.requests, request{detailPath + p.id + query, append([]field{key}, more(p)...)})
		}
		return c
	}
	accepting := func(coding string) func(product) []field {
		return func(product) []field { return []field{{"Accept-Encoding", coding}} }
	}
	const withGeometry = "?include=geometry"
	return []class{
		detail("detail", "", http.StatusOK, func(product) []field { return nil }),
		detail("detail gzip", "", http.StatusOK, accepting("gzip")),
		// nginx's tag too: all are sent the same
		detail("detail not modified", "", http.StatusNotModified, func(p product) []field {
			return []field{{"If-None-Match", `"` + p.tag + `", ` + nginxTag}}
		}),
		detail("detail, zstd", "", http.StatusOK, accepting("zstd")),
		detail("detail, geometry", withGeometry, http.StatusOK, func(product) []field { return nil }),
		detail("detail, geometry gzip", withGeometry, http.StatusOK, accepting("gzip")),
	}
}

// searchClasses asks the questions about a text, with facets: all of them of the public, all of them with an
// API key, and then class by class.
func searchClasses(questions []queries.Class, key field) []class {
	open := class{name: "public search", status: http.StatusOK, total: "total"}
	keyed := class{name: "search", status: http.StatusOK, total: "total_count"}
	var each []class
	for _, c := range questions {
		if !c.Kind.IsText() {
			continue
		}
		one := keyed
		one.name, one.requests = keyed.name+", "+c.Name, nil
		for _, q := range c.Questions {
			text := url.QueryEscape(q.Text)
			open.requests = append(open.requests, request{path: publicPath + "?q=" + text})
			one.requests = append(one.requests, request{searchPath + "?facets=true&q=" + text, []field{key}})
		}
		if len(one.requests) > 0 {
			keyed.requests = append(keyed.requests, one.requests...)
			each = append(each, one)
		}
	}
	return append([]class{open, keyed}, each...)
}
