package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/runtime"
)

func TestATurnIsReadFromTheLastLine(t *testing.T) {
	for _, tt := range []struct {
		printed string
		want    results.Line
		fault   string // part of the error
	}{
		{"Running 2s test\n  1000 requests\n" + `{"requests":1000,"us":2000000,"p99_us":750,"errors":0}` + "\n",
			results.Line{PerSecond: 500, P99: 750 * time.Microsecond, CPU: 2 * time.Millisecond}, ""},
		{`{"requests":1000,"us":2000000,"p99_us":750,"errors":3}`, results.Line{}, "3 of 1000 requests failed"},
		{`{"requests":0,"us":2000000,"p99_us":0,"errors":0}`, results.Line{}, "0 of 0 requests failed"},
		{"unable to connect", results.Line{}, "expected a line of JSON"},
		{"", results.Line{}, "expected a line of JSON"},
	} {
		got, err := parseTurn([]byte(tt.printed), 2*time.Second)
		if got != tt.want || (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%q: got %v, %v; want %v, %q", tt.printed, got, err, tt.want, tt.fault)
		}
	}
}

func TestEachFigureHasItsOwnMedian(t *testing.T) {
	got := median([]results.Line{{PerSecond: 1, P99: 30, CPU: 200}, {PerSecond: 3, P99: 10, CPU: 100},
		{PerSecond: 2, P99: 20, CPU: 300}, {PerSecond: 4, P99: 40, CPU: 400}})
	if want := (results.Line{PerSecond: 2, P99: 20, CPU: 200}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestARequestIsTextThatEndsWithAnEmptyLine(t *testing.T) {
	dir := t.TempDir()
	r := &run{Context: t.Context(), dir: dir, accounts: []string{"x"}}
	if err := os.Mkdir(r.path(), 0o700); err != nil {
		t.Fatal(err)
	}
	r.writeRequests("one", []question{{path: "/a?q=b+c", keyed: true, coding: "gzip", tag: `"1"`}, {path: "/d"}})
	const want = "GET /a?q=b+c HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer x\r\n" +
		"If-None-Match: \"1\"\r\n\r\nGET /d HTTP/1.1\r\nHost: localhost\r\n\r\n"
	if got, err := os.ReadFile(r.path("one.requests")); string(got) != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestTheBareHandlerSendsStatusFieldsAndBody(t *testing.T) {
	a := constant{http.StatusOK, http.Header{"Etag": {`"tag"`}, "Content-Length": {"2"}}, []byte("{}")}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest(http.MethodGet, detailPath+"one", nil))
	if w.Code != a.Status || w.Body.String() != "{}" || !reflect.DeepEqual(w.Header(), a.Header) {
		t.Errorf("got %d %s %v", w.Code, w.Body, w.Header())
	}
}

func TestEveryTextIsSearchedForWithAndWithoutFacets(t *testing.T) {
	ask := func(text string, facets bool) queries.Question {
		return queries.Question{Query: runtime.Query{Text: text, Facets: facets}}
	}
	got := searchClasses([]queries.Class{
		{Name: "exact", Kind: queries.Strict, Questions: []queries.Question{ask("Segel 600", false), ask("Filz", false)}},
		{Name: "listing", Questions: []queries.Question{ask("", false)}},
		{Name: "filters, facets", Kind: queries.Facets, Questions: []queries.Question{ask("", true)}},
		{Name: "prefix", Kind: queries.Strict, Questions: []queries.Question{ask("Se", false)}},
	})
	want := map[string]string{
		"public search": "/api/public/search?q=Segel+600 /api/public/search?q=Filz /api/public/search?q=Se",
		"search": "/api/v1/materials/search?facets=true&q=Segel+600 /api/v1/materials/search?facets=true&q=Filz " +
			"/api/v1/materials/search?facets=true&q=Se",
		"search without facets": "/api/v1/materials/search?q=Segel+600 /api/v1/materials/search?q=Filz " +
			"/api/v1/materials/search?q=Se",
		"search, exact":  "/api/v1/materials/search?facets=true&q=Segel+600 /api/v1/materials/search?facets=true&q=Filz",
		"search, prefix": "/api/v1/materials/search?facets=true&q=Se",
	}
	for _, c := range got {
		var paths []string
		for _, r := range c.requests {
			paths = append(paths, r.path)
		}
		if paths := strings.Join(paths, " "); paths != want[c.name] {
			t.Errorf("%s: got %s, want %s", c.name, paths, want[c.name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d classes, want %d", len(got), len(want))
	}
}
