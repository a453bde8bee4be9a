package main_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	s := shared(t)
	unknown := []string{
		"/", "/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/materials/", "/api/v1/materials/search/", "/api/v1/materials/panel-2/",
		"/api/v1/materials/panel-2/x", "/api//v1/materials", "/api/v1//materials", "//api/v1/materials", "/api/v1/materials//panel-2",
		"/api/public", "/api/public/", "/api/public/search/", "/api/public/compare-products/", "/api/public//search", "/api/PUBLIC/search",
		"/v1/materials", "/public/search", "/api/v1/openapi.json/", "/.well-known/openapi.json/", "/.well-known", "/api/.well-known/openapi.json",
		"/api/v1/./materials", "/api/x/../v1/materials", "/api/v1/%2e%2e/public/search", "/api/public%2Fsearch", "/api/v2/materials",
		"/api/public/search;x=1", "/api/v1/materials;/search", "/favicon.ico", "/index.html",
	}
	for _, path := range unknown {
		t.Run("unknown: "+path, func(t *testing.T) {
			a := s.ask(t, "GET", path)
			if a.status != 404 || a.code() != "not_found" || a.header.Get("X-Snapshot") != "" {
				t.Errorf("got %d %s", a.status, a.body)
			}
		})
	}
	t.Run("an unknown path is 404 whatever the method", func(t *testing.T) {
		for _, method := range []string{"POST", "OPTIONS", "HEAD", "BREW"} {
			if a := s.ask(t, method, "/api/v1/nowhere"); a.status != 404 {
				t.Errorf("%s: got %d", method, a.status)
			}
		}
	})
	t.Run("a percent-encoded letter is that letter", func(t *testing.T) {
		if a := s.ask(t, "GET", "/api/v1/materials/panel%2D2", "Authorization", "Bearer "+sharedServer.key); a.status != 200 {
			t.Errorf("got %d", a.status)
		}
	})
}

// operations are a request to each operation, which is good.
var operations = []string{
	"/v1/materials/search", "/v1/materials/panel-2", "/v1/materials?ids=panel-2", "/public/search", "/public/compare-products?id=panel-2", "/v1/openapi.json",
}

func TestMethods(t *testing.T) {
	t.Parallel()
	s := shared(t)
	key := []string{"Authorization", "Bearer " + sharedServer.key}
	for _, path := range operations {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "BREW", "get"} {
			t.Run(method+" "+path, func(t *testing.T) {
				a := s.ask(t, method, s.base+path, key...)
				if a.status != 405 || a.code() != "invalid_request" {
					t.Errorf("got %d %s", a.status, a.body)
				}
			})
		}
		t.Run("HEAD "+path, func(t *testing.T) {
			head, get := s.ask(t, "HEAD", s.base+path, key...), s.ask(t, "GET", s.base+path, key...)
			if head.status != 200 || get.status != 200 {
				t.Errorf("got %d and %d", head.status, get.status)
			}
			for name := range get.header {
				if vary := name == "Date" || name == "X-Request-Id" || strings.HasPrefix(name, "Ratelimit-"); !vary && head.header.Get(name) != get.header.Get(name) {
					t.Errorf("%s: HEAD has %q, GET %q", name, head.header.Get(name), get.header.Get(name))
				}
			}
		})
		t.Run("OPTIONS "+path, func(t *testing.T) {
			a := s.ask(t, "OPTIONS", s.base+path, "Origin", "https://example.com", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization,if-none-match")
			for name, want := range map[string]string{
				"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "Authorization, *", "Access-Control-Max-Age": "86400",
			} {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			if a.status != 204 {
				t.Errorf("got %d", a.status)
			}
		})
	}
	t.Run("errors answer HEAD too", func(t *testing.T) {
		for path, want := range map[string]int{"/v1/materials/gibt-es-nicht": 404, "/public/search?page=x": 400, "/v1/materials": 400, "/nowhere": 404} {
			if a := s.ask(t, "HEAD", s.base+path, key...); a.status != want {
				t.Errorf("%s: got %d, want %d", path, a.status, want)
			}
		}
	})
	t.Run("OPTIONS * is an unknown path", func(t *testing.T) {
		resp := raw(t, s, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if resp.StatusCode != 404 || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("got %d %v", resp.StatusCode, resp.Header)
		}
	})
	t.Run("a GET with a body is answered", func(t *testing.T) {
		resp := raw(t, s, "GET /api/public/search HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{\"q\":\"x\"}")
		if resp.StatusCode != 200 {
			t.Errorf("got %d", resp.StatusCode)
		}
	})
}

// raw sends a request as it is written.
func raw(t testing.TB, s *server, request string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestTheFirstFailingCheckAnswers(t *testing.T) {
	t.Parallel()
	s := shared(t)
	good := []string{"Authorization", "Bearer " + sharedServer.key}
	bad := []string{"Authorization", "Bearer sab_unknown"}
	tests := []struct {
		rule, method, path string
		fields             []string
		status             int
		code               string
	}{
		{"path before method", "POST", "/v1/nowhere", nil, 404, "not_found"},
		{"method before key", "POST", "/v1/materials/search", bad, 405, "invalid_request"},
		{"key before parameters", "GET", "/v1/materials/search?page=x", bad, 401, "invalid_token"},
		{"key before existence", "GET", "/v1/materials/gibt-es-nicht", bad, 401, "invalid_token"},
		{"key before an empty batch", "GET", "/v1/materials", nil, 401, "invalid_token"},
		{"parameters before existence", "GET", "/v1/materials/gibt-es-nicht?include=x", good, 400, "invalid_request"},
		{"existence before condition", "GET", "/v1/materials/gibt-es-nicht", append(good, "If-None-Match", "*"), 404, "not_found"},
		{"parameters before condition", "GET", "/public/search?page=x", []string{"If-None-Match", "*"}, 400, "invalid_request"},
		{"condition last", "GET", "/v1/materials/panel-2", append(good, "If-None-Match", "*"), 304, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if a := s.ask(t, tt.method, s.base+tt.path, tt.fields...); a.status != tt.status || a.code() != tt.code {
				t.Errorf("got %d %s, want %d %s", a.status, a.body, tt.status, tt.code)
			}
		})
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	s := shared(t)
	base, site := s.ask(t, "GET", "/api/v1/openapi.json"), s.ask(t, "GET", "/.well-known/openapi.json")
	t.Run("byte-identical under both addresses", func(t *testing.T) {
		if base.body != site.body || base.header.Get("ETag") != site.header.Get("ETag") {
			t.Error("they differ")
		}
	})
	t.Run("valid OpenAPI 3.1 of interface version 1.2.0, with examples that fit", func(t *testing.T) {
		doc, err := openapi3.NewLoader().LoadFromData([]byte(base.body))
		if err != nil {
			t.Fatal(err)
		}
		if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation()); err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(doc.OpenAPI, "3.1.") || doc.Info.Version != "1.2.0" {
			t.Errorf("got OpenAPI %s, version %s", doc.OpenAPI, doc.Info.Version)
		}
	})
	t.Run("public and authenticated operations are tagged separately", func(t *testing.T) {
		for path, item := range s.judge.doc.Paths.Map() {
			want := "Description"
			if strings.HasPrefix(path, "/v1/materials") {
				want = "Materials"
			} else if strings.HasPrefix(path, "/public/") {
				want = "Public"
			}
			if got := item.Get.Tags; len(got) != 1 || got[0] != want {
				t.Errorf("%s: got %v, want %s", path, got, want)
			}
		}
	})
	t.Run("servers are relative to the base path by default", func(t *testing.T) {
		if got := base.json("servers.#.url").Raw; got != `["/api"]` {
			t.Errorf("got %s", got)
		}
	})
}

// TestBasePath serves under other addresses; the link and the description follow.
func TestBasePath(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	for _, tt := range []struct {
		rule, base, publicURL string
		path, link, servers   string
	}{
		{"another path", "/data/v-1", "", "/data/v-1", "</data/v-1/v1/openapi.json>", `["/data/v-1"]`},
		{"the root", "/", "", "", "</v1/openapi.json>", `["/"]`},
		{"a slash at the end does not count", "/x/", "", "/x", "</x/v1/openapi.json>", `["/x"]`},
		{"a public URL with a path", "/api", "https://example.org/materials/", "/api", "<https://example.org/materials/api/v1/openapi.json>", `["https://example.org/materials/api"]`},
		{"the public URL", "/api", "https://materials.example.org", "/api", "<https://materials.example.org/api/v1/openapi.json>", `["https://materials.example.org/api"]`},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := start(t, dir, append(generous, "--base-path", tt.base, "--public-url", tt.publicURL)...)
			s.base, s.judge.base, s.judge.site = tt.path, tt.path, strings.TrimSuffix(tt.publicURL, "/")
			a := s.ask(t, "GET", tt.path+"/public/search?q=panel-2")
			if a.status != 200 || !strings.HasPrefix(a.header.Get("Link"), tt.link) {
				t.Errorf("got %d, Link %s", a.status, a.header.Get("Link"))
			}
			description := s.ask(t, "GET", "/.well-known/openapi.json")
			if got := description.json("servers.#.url").Raw; got != tt.servers {
				t.Errorf("servers: got %s, want %s", got, tt.servers)
			}
			if s.ask(t, "GET", tt.path+"/v1/openapi.json").body != description.body {
				t.Error("the description differs")
			}
			if tt.path != "/api" {
				if a := s.ask(t, "GET", "/api/public/search"); a.status != 404 {
					t.Errorf("/api is still there: %d", a.status)
				}
			}
		})
	}
	for _, wrong := range []string{"api", "/a//b", "/a/../b", "/a b", "/ä"} {
		t.Run("refused: "+wrong, func(t *testing.T) {
			if r := sabine(t, dir, "serve", "--base-path", wrong, "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"); r.status != 2 || !strings.Contains(r.err, "base path") {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	const sent = "0F0C8B3E-9D1A-4C6B-8E2F-7A4D3B2C1E0F"
	open := start(t, dir, generous...)
	trusting := start(t, dir, append(generous, "--trusted-proxies", "127.0.0.0/8")...)
	for _, tt := range []struct {
		rule string
		s    *server
		sent string
		kept bool
	}{
		{"a UUID from a trusted proxy is kept", trusting, sent, true},
		{"from anybody else it is not", open, sent, false},
		{"what is no UUID is not kept", trusting, "x", false},
		{"a UUID in braces is not kept", trusting, "{" + sent + "}", false},
		{"an attempt to forge the log is not kept", trusting, sent[:35] + `"`, false},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got := tt.s.get(t, "/public/search", "X-Request-Id", tt.sent).header.Get("X-Request-Id")
			if (got == tt.sent) != tt.kept || !tt.kept && !uuid4.MatchString(got) {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestTheLog: one line for each request, with its id and the operation, and nothing that a client sent.
func TestTheLog(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "A")
	s := start(t, dir, generous...)
	asked := []*answer{
		s.getAs(t, key, "/v1/materials/search?q=geheimer+text"), s.getAs(t, key, "/v1/materials/geheimer-slug"),
		s.get(t, "/public/search?q=geheimer+text"), s.get(t, "/v1/materials/x", "Authorization", "Bearer sab_geheimer-schluessel"),
	}
	s.stop(t)
	log := s.log.String()
	for _, a := range asked {
		if id := a.header.Get("X-Request-Id"); strings.Count(log, id) != 1 {
			t.Errorf("request %s stands in %d lines", id, strings.Count(log, id))
		}
	}
	if strings.Contains(log, "geheim") {
		t.Errorf("the log repeats what clients sent:\n%s", log)
	}
	for _, operation := range []string{"searchMaterials", "getMaterial", "searchProducts"} {
		if !strings.Contains(log, operation) {
			t.Errorf("the log does not name %s", operation)
		}
	}
}
