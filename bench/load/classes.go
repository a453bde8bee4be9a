package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/indexes"
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
	route    string // in the access log
	client   string // likewise: whose budget a request costs
	total    string // the key of the body that says how many products matched; "" when there is none
	requests []request
}

// A product is what requests are made from.
type product struct{ id, label, tag string }

// asked is how many products are asked for: with their bodies, more than the caches of a core hold.
const asked = 20_000

// someProducts returns products at random, the same ones every time.
func someProducts(g *runtime.Generation) []product {
	order := rand.New(rand.NewPCG(1, 1)).Perm(g.Products())
	var products []product
	var body []byte
	for _, n := range order[:min(asked, len(order))] {
		d := indexes.Doc(n)
		body = g.AppendSummary(body[:0], d, runtime.Include{})
		products = append(products, product{
			id:    gjson.GetBytes(body, "id").String(),
			label: gjson.GetBytes(body, "label").String(),
			tag:   strings.Clone(g.Coded(d, false).ETag),
		})
	}
	return products
}

// classes returns what is measured, asked with an API key.
func classes(products []product, key string) []class {
	authorization := field{"Authorization", "Bearer " + key}
	requests := func(one func(product) request) []request {
		list := make([]request, len(products))
		for i, p := range products {
			list[i] = one(p)
		}
		return list
	}
	detail := class{status: http.StatusOK, route: "getMaterial", client: "account"}
	plain, gzip, known := detail, detail, detail
	plain.name = "detail"
	plain.requests = requests(func(p product) request { return request{detailPath + p.id, []field{authorization}} })
	gzip.name = "detail gzip"
	gzip.requests = requests(func(p product) request {
		return request{detailPath + p.id, []field{authorization, {"Accept-Encoding", "gzip"}}}
	})
	known.name, known.status = "detail not modified", http.StatusNotModified
	known.requests = requests(func(p product) request { // with nginx's tag too: all are sent the same bytes
		return request{detailPath + p.id, []field{authorization, {"If-None-Match", `"` + p.tag + `", ` + nginxTag}}}
	})
	return []class{plain, gzip, known,
		{
			name: "public search", status: http.StatusOK, route: "searchProducts", client: "address", total: "total",
			requests: requests(func(p product) request { return request{path: publicPath + "?q=" + url.QueryEscape(p.label)} }),
		},
		{
			name: "search", status: http.StatusOK, route: "searchMaterials", client: "account", total: "total_count",
			requests: requests(func(p product) request {
				return request{searchPath + "?facets=true&q=" + url.QueryEscape(p.label), []field{authorization}}
			}),
		},
	}
}
