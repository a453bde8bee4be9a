package serve_test

import (
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// TestHTTP2HasTheSameResponses checks that over TLS and HTTP/2, every operation has the same status, header
// fields and body as over HTTP/1.1.
func TestHTTP2HasTheSameResponses(t *testing.T) {
	t.Parallel()
	plain, s := shared(t), newSite(t, settings{http2: true})
	if !strings.HasPrefix(s.url, "https://") {
		t.Fatalf("got %s", s.url)
	}
	for _, path := range append([]operationCase{{path: "/v1/materials/gibt-es-nicht"}, {path: "/public/search?page=x"},
		{path: "/nowhere"}}, operations...) {
		tag := plain.fetch(t, plain.url+plain.base+path.path, plain.as(goodKey)...).header.Get("ETag")
		for _, tt := range []struct {
			method string
			fields []string
		}{
			{"GET", nil},
			{"GET", []string{"Accept-Encoding", "zstd"}},
			{"GET", []string{"Accept-Encoding", "gzip", "If-None-Match", tag}},
			{"HEAD", []string{"Accept-Encoding", "gzip"}},
			{"OPTIONS", nil},
			{"DELETE", nil},
		} {
			r, err := http.NewRequest(tt.method, plain.url+plain.base+path.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, fields := 0, append(tt.fields, plain.as(goodKey)...); i < len(fields); i += 2 {
				r.Header.Add(fields[i], fields[i+1])
			}
			want, err := plain.do(r) // other tests pass this response to the judge
			if err != nil {
				t.Fatal(err)
			}
			got := s.ask(t, tt.method, s.base+path.path, append(tt.fields, s.as(goodKey)...)...)
			varies := func(name string, _ []string) bool { // HTTP/2 responses have a length in more cases
				return name == "Date" || name == "X-Request-Id" || name == "Content-Length" || strings.HasPrefix(name, "Ratelimit-")
			}
			maps.DeleteFunc(want.header, varies)
			maps.DeleteFunc(got.header, varies)
			if got.status != want.status || got.body != want.body || !reflect.DeepEqual(got.header, want.header) {
				t.Errorf("%s %s %q: got %d %v %.100s, want %d %v %.100s", tt.method, path.path, tt.fields, got.status, got.header,
					got.body, want.status, want.header, want.body)
			}
		}
	}
}
