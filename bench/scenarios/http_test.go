package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/runtime"
)

func TestARoundIsReadFromTheLastLine(t *testing.T) {
	for _, tt := range []struct {
		said  string
		want  results.Line
		fault string // part of the error
	}{
		{"Running 2s test\n  1000 requests\n" + `{"requests":1000,"us":2000000,"p99_us":750,"errors":0}` + "\n",
			results.Line{PerSecond: 500, P99: 750 * time.Microsecond, CPU: 2 * time.Millisecond}, ""},
		{`{"requests":1000,"us":2000000,"p99_us":750,"errors":3}`, results.Line{}, "3 of 1000 requests failed"},
		{`{"requests":0,"us":2000000,"p99_us":0,"errors":0}`, results.Line{}, "0 of 0 requests failed"},
		{"unable to connect", results.Line{}, "expected a line of JSON"},
		{"", results.Line{}, "expected a line of JSON"},
	} {
		got, err := parseTurn([]byte(tt.said), 2*time.Second)
		if got != tt.want || (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%q: got %v, %v; want %v, %q", tt.said, got, err, tt.want, tt.fault)
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
	r.writeRequests([]question{{path: "/a?q=b+c", keyed: true, coding: "gzip", tag: `"1"`}, {path: "/d"}})
	const want = "GET /a?q=b+c HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer x\r\n" +
		"If-None-Match: \"1\"\r\n\r\nGET /d HTTP/1.1\r\nHost: localhost\r\n\r\n"
	if got, err := os.ReadFile(r.path("requests")); string(got) != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestTheBareHandlerGivesSabinesAnswer checks that it leaves out nothing that is compared: the header fields,
// an id of the request's own, the body, and the line of access log.
func TestTheBareHandlerGivesSabinesAnswer(t *testing.T) {
	var log bytes.Buffer
	a := constant{
		Status: http.StatusOK, Header: http.Header{"Etag": {`"tag"`}, "Content-Length": {"2"}}, Body: []byte("{}"),
		Logged: [2]string{`"method":"GET","route":"getMaterial","status":200,`,
			`"client":"account","generation":"09adf300fdb86240","key":"1"}`},
	}
	handler := bareHandler(&a, &log)
	seen := map[string]bool{}
	for _, path := range []string{detailPath + "one", searchPath + "?q=two", public + "search?q=three"} {
		log.Reset()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		id := w.Header().Get("X-Request-Id")
		if w.Code != a.Status || w.Body.String() != "{}" || w.Header().Get("Etag") != `"tag"` || uuid.Validate(id) != nil ||
			seen[id] {
			t.Errorf("%s: got %d %s %v", path, w.Code, w.Body, w.Header())
		}
		seen[id] = true
		var line map[string]any
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, &log)
		}
		if _, err := time.Parse(time.RFC3339Nano, line["time"].(string)); err != nil {
			t.Error(err)
		}
		delete(line, "time")
		delete(line, "duration_ms")
		want := map[string]any{
			"level": "INFO", "msg": "request", "request_id": id, "method": "GET", "route": "getMaterial", "status": 200.0,
			"bytes": 2.0, "client": "account", "generation": "09adf300fdb86240", "key": "1",
		}
		if got, _ := json.Marshal(line); !bytes.Equal(got, mustMarshal(t, want)) {
			t.Errorf("got %s, want %v", got, want)
		}
	}
}

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryQuestionAboutATextIsASearchWithFacets(t *testing.T) {
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
