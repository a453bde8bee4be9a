package serve_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
)

// operations contains at least one request for each operation. Paths are relative to the base path. With a
// valid key, each request gets status 200. Rules for all operations are tested with all requests. TestMain
// adds the request for changes, because its path depends on the catalogue.
var operations = []operationCase{
	{"/v1/materials/search", true, true, false},
	{"/v1/materials/search?facets=1&include=acoustics,geometry", true, true, false},
	{"/v1/materials/akustikpaneel-fichte-40", true, true, true},
	{"/v1/materials/akustikpaneel-fichte-40?include=geometry", true, true, true},
	{"/v1/materials/panel-2", true, true, true},
	{"/v1/materials/00000000-0000-4000-8000-000000000015", true, true, true}, // too small to be compressed
	{"/v1/materials?ids=akustikpaneel-fichte-40", true, true, false},
	{"/v1/materials?ids=x", true, true, false},
	{"/v1/export", true, true, true},
	{"/v1/export?q=akustik", true, true, true},
	{"/v1/export?format=csv", true, true, true},
	{"/v1/export?format=pyroomacoustics", true, true, true},
	{"/v1/export?format=catt", true, true, true},
	{"/public/search", true, false, true},
	{"/public/search?q=xyzzyq&categories=beton&utm_source=x", true, false, true},
	{"/public/compare-products?id=akustikpaneel-fichte-40", true, false, true},
	{"/public/compare-products?id=gibt-es-nicht", true, false, true},
	{"/public/materials/akustikpaneel-fichte-40?locale=en", true, false, true},
	{"/public/reverberation?volume=180&surface=" + hard + ":200", true, false, true},
	{"/public/building-surfaces", false, false, true},
	{"/v1/openapi.json", false, false, true},
}

type operationCase struct {
	path   string
	data   bool // whether the response depends on a snapshot
	keyed  bool // whether the operation needs a key
	tagged bool // whether the response has an ETag
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	s := shared(t)
	unknown := []string{
		"/", "/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/materials/", "/api/v1/materials/search/",
		"/api/v1/materials/panel-2/",
		"/api/v1/materials/panel-2/x", "/api//v1/materials", "/api/v1//materials", "//api/v1/materials",
		"/api/v1/materials//panel-2",
		"/api/public", "/api/public/", "/api/public/search/", "/api/public/compare-products/", "/api/public/reverberation/",
		"/api/public//search", "/api/PUBLIC/search", "/API/public/search",
		"/v1/materials", "/public/search", "/api/v1/openapi.json/", "/.well-known/openapi.json/", "/.well-known",
		"/api/.well-known/openapi.json",
		"/api/v1/./materials", "/api/x/../v1/materials", "/api/v1/%2e%2e/public/search", "/api/public%2Fsearch",
		"/api%2Fv1/materials", "/api/v2/materials",
		"/api/public/search;x=1", "/api/v1/materials;/search", "/favicon.png", "/products", "/products/", "/products/x",
		"/compare", "/room", "/assets/", "/index.html", "/api/v1/openapi.yaml",
	}
	for _, path := range unknown {
		t.Run("unknown: "+path, func(t *testing.T) {
			if a := s.ask(t, "GET", path); a.status != 404 || a.code() != "not_found" {
				t.Errorf("got %d %s", a.status, a.body)
			}
		})
	}
	t.Run("an unknown path is 404 with any method", func(t *testing.T) {
		for _, method := range []string{"POST", "OPTIONS", "HEAD", "BREW"} {
			if a := s.ask(t, method, "/api/v1/nowhere"); a.status != 404 {
				t.Errorf("%s: got %d", method, a.status)
			}
		}
	})
	t.Run("a percent-encoded letter is that letter", func(t *testing.T) {
		for encoded, plain := range map[string]string{"/v1/m%61terials/panel-2": "/v1/materials/panel-2",
			"/v1/materials/%73earch": "/v1/materials/search"} {
			if a := s.fetch(t, s.url+s.base+encoded, s.as(goodKey)...); a.status != 200 || a.body != s.get(t, plain).body {
				t.Errorf("%s: got %d %.100s", encoded, a.status, a.body)
			}
		}
	})
}

func TestMethods(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, op := range operations {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "BREW", "get"} {
			t.Run(method+" "+op.path, func(t *testing.T) {
				if a := s.ask(t, method, s.base+op.path, s.as(goodKey)...); a.status != 405 || a.code() != "invalid_request" {
					t.Errorf("got %d %s", a.status, a.body)
				}
			})
		}
		t.Run("OPTIONS "+op.path, func(t *testing.T) {
			a := s.ask(t, "OPTIONS", s.base+op.path, "Origin", "https://example.com", "Access-Control-Request-Method", "GET",
				"Access-Control-Request-Headers", "authorization,if-none-match")
			for name, want := range map[string]string{
				"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "Authorization, *",
				"Access-Control-Max-Age": "86400",
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
	heads := map[string]int{"/v1/materials/gibt-es-nicht": 404, "/public/search?page=x": 400, "/v1/materials": 400,
		"/nowhere": 404}
	for _, op := range operations {
		heads[op.path] = 200
	}
	for path, status := range heads {
		for _, coding := range []string{"", "gzip"} {
			t.Run("HEAD answers as GET, without a body: "+coding+" "+path, func(t *testing.T) {
				fields := append(s.as(goodKey), "Accept-Encoding", coding)
				head, get := s.ask(t, "HEAD", s.base+path, fields...), s.ask(t, "GET", s.base+path, fields...)
				if head.status != status || get.status != status {
					t.Errorf("got %d and %d, want %d", head.status, get.status, status)
				}
				for name := range get.header {
					if vary := name == "Date" || name == "X-Request-Id" || name == "X-Export-Notes" ||
						strings.HasPrefix(name, "Ratelimit-"); !vary && head.header.Get(name) != get.header.Get(name) {
						t.Errorf("%s: HEAD has %q, GET %q", name, head.header.Get(name), get.header.Get(name))
					}
				}
			})
		}
	}
}

func TestTheFirstFailingCheckAnswers(t *testing.T) {
	t.Parallel()
	s := shared(t)
	good, bad := s.as(goodKey), s.as(pausedKey)
	tests := []struct {
		rule, method, path string
		fields             []string
		status             int
		code               string
	}{
		{"path before method", "POST", "/v1/nowhere", bad, 404, "not_found"},
		{"method before key", "POST", "/v1/materials/search", bad, 405, "invalid_request"},
		{"key before parameters", "GET", "/v1/materials/search?page=x", bad, 403, "token_paused"},
		{"key before existence", "GET", "/v1/materials/gibt-es-nicht", bad, 403, "token_paused"},
		{"key before an empty batch", "GET", "/v1/materials", nil, 401, "invalid_token"},
		{"parameters before existence", "GET", "/v1/materials/gibt-es-nicht?include=x", good, 400, "invalid_request"},
		{"existence before condition", "GET", "/v1/materials/gibt-es-nicht", append(good, "If-None-Match", "*"), 404,
			"not_found"},
		{"parameters before condition", "GET", "/public/search?page=x", []string{"If-None-Match", "*"}, 400,
			"invalid_request"},
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

// TestWhereTheAPIIs checks the addresses in the link and the description for different settings.
func TestWhereTheAPIIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, base, publicURL, path, link, server string }{
		{"by default", "", "", "/api", "</api/v1/openapi.json>", "/api"},
		{"another path", "/data/v-1", "", "/data/v-1", "</data/v-1/v1/openapi.json>", "/data/v-1"},
		{"the root", "/", "", "", "</v1/openapi.json>", "/"},
		{"a slash at the end does not count", "/x/", "", "/x", "</x/v1/openapi.json>", "/x"},
		{"a public URL with a slash at its end", "/api", "https://materials.example.org/", "/api",
			"<https://materials.example.org/api/v1/openapi.json>", "https://materials.example.org/api"},
		{"a public URL that ends with the base path", "/api", "https://materials.example.org/api/", "/api",
			"<https://materials.example.org/api/v1/openapi.json>", "https://materials.example.org/api"},
		{"a public URL and the root", "/", "http://localhost:8080", "", "<http://localhost:8080/v1/openapi.json>",
			"http://localhost:8080"},
		{"the public URL", "/api", "https://materials.example.org", "/api",
			"<https://materials.example.org/api/v1/openapi.json>", "https://materials.example.org/api"},
		{"a public URL with a path", "/api", "https://example.org/materials/", "/api",
			"<https://example.org/materials/api/v1/openapi.json>", "https://example.org/materials/api"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := newSite(t, settings{basePath: tt.base, publicURL: tt.publicURL})
			a := s.ask(t, "GET", tt.path+"/public/search?q=panel-2")
			if a.status != 200 || !strings.HasPrefix(a.header.Get("Link"), tt.link) {
				t.Errorf("got %d, Link %s", a.status, a.header.Get("Link"))
			}
			base, site := s.ask(t, "GET", tt.path+"/v1/openapi.json", "Accept-Encoding", "gzip"),
				s.ask(t, "GET", "/.well-known/openapi.json", "Accept-Encoding", "gzip")
			if base.body != site.body || base.header.Get("ETag") != site.header.Get("ETag") {
				t.Error("the description differs at the root of the site")
			}
			if got := site.json("servers.#.url").Raw; got != `["`+tt.server+`"]` {
				t.Errorf("servers: got %s, want %s", got, tt.server)
			}
			if tt.path != "/api" {
				if a := s.ask(t, "GET", "/api/public/search"); a.status != 404 {
					t.Errorf("/api is still there: %d", a.status)
				}
			}
		})
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	const sent = "5f0c8b3e-9d1a-1c6b-8e2f-7a4d3b2c1e0f" // a version 1 UUID; the server generates version 4
	plain := strings.ReplaceAll(sent, "-", "")
	open, trusting := shared(t), newSite(t, settings{proxies: []netip.Prefix{localhost}})
	for _, tt := range []struct {
		rule string
		s    *site
		sent string
		kept string // expected id; "" means a new id
	}{
		{"a UUID from a trusted proxy is used", trusting, sent, sent},
		{"with unchanged spelling", trusting, strings.ToUpper(sent), strings.ToUpper(sent)},
		{"32 hex digits are brought into the usual form", trusting, plain, sent},
		{"in any case", trusting, strings.ToUpper(plain), sent},
		{"from anybody else it is not", open, sent, ""},
		{"nor are 32 hex digits", open, plain, ""},
		{"an invalid UUID is not used", trusting, "x", ""},
		{"nor what is longer than one", trusting, sent + "x", ""},
		{"or has a digit too many", trusting, plain + "0", ""},
		{"only the length of a UUID", trusting, strings.Repeat("z", 36), ""},
		{"only the number of its digits", trusting, strings.Repeat("z", 32), ""},
		{"a UUID in braces is not used", trusting, "{" + sent + "}", ""},
		{"nor is one in a URN", trusting, "urn:uuid:" + sent, ""},
		{"an attempt to forge the log is not used", trusting, sent[:35] + `"`, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got := tt.s.fetch(t, tt.s.url+"/nowhere", "X-Request-Id", tt.sent).header.Get("X-Request-Id")
			if tt.kept != "" && got != tt.kept || tt.kept == "" && !uuid4.MatchString(got) {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestSnapshots checks that responses and /readyz name the snapshot. The judge checks which ones must do so.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: &snapshot.Folder{Dir: t.TempDir()}})
	t.Run("without a snapshot, data endpoints have status 503 after the checks of key and limit", func(t *testing.T) {
		for _, op := range operations {
			path := strings.Replace(op.path, "facets=1", "page=x", 1)
			a := s.get(t, path)
			if !op.data {
				if a.status != 200 {
					t.Errorf("%s: got %d", path, a.status)
				}
				continue
			}
			if a.status != 503 ||
				a.body != `{"error":"internal_error","message":"no catalogue is loaded: the server is waiting for a valid snapshot"}` {
				t.Errorf("%s: got %d %s", path, a.status, a.body)
			}
			if a := s.open(t, path); op.keyed && a.status != 401 {
				t.Errorf("%s without a key: got %d", path, a.status)
			}
		}
	})
	if a := s.fetch(t, s.admin+"/healthz"); a.status != 200 || a.body != `{"status":"ok"}` {
		t.Errorf("/healthz: got %d %s", a.status, a.body)
	}
	const others = `,"keys":{"status":"ok","reason":null,"since":null},"rate_limit_store":{"status":"ok","reason":null,"since":null}}`
	if a := s.fetch(t, s.admin+"/readyz"); a.status != 503 ||
		!strings.HasPrefix(a.body, `{"status":"waiting","reason":"`) ||
		!strings.HasSuffix(a.body, `,"snapshot":null,"hash":null,"products":0,"since":null`+others) {
		t.Errorf("/readyz: got %d %s", a.status, a.body)
	}
	compile(t, s.folder, product(1, "Eins"))
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	name, err := s.folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("they name it once there is one", func(t *testing.T) {
		for path, status := range map[string]int{
			"/v1/materials/search": 200, "/v1/materials/produkt-1": 200, "/v1/materials?ids=x": 200, "/public/search": 200,
			"/public/compare-products?id=x": 200,
			"/v1/materials/gibt-es-nicht":   404, "/v1/materials/search?page=x": 400, "/v1/materials?ids=": 400,
			"/public/search?q=%zz": 400, "/public/compare-products": 400,
			"/public/reverberation?volume=9&surface=" + hard + ":9": 200, "/public/reverberation": 400,
		} {
			if a := s.get(t, path); a.status != status || a.header.Get("X-Snapshot") != name[:16] {
				t.Errorf("%s: got %d from %s, want %d from %s", path, a.status, a.header.Get("X-Snapshot"), status, name)
			}
		}
		if a := s.get(t, "/v1/materials/produkt-1", "If-None-Match", "*"); a.status != 304 ||
			a.header.Get("X-Snapshot") != name[:16] {
			t.Errorf("304: got %d from %s", a.status, a.header.Get("X-Snapshot"))
		}
	})
	a := s.fetch(t, s.admin+"/readyz")
	since := gjson.Get(a.body, "since").Raw
	if want := `{"status":"ready","reason":null,"snapshot":"` + name + `","hash":"pending","products":1,"since":` +
		since + others; a.status != 200 || a.body != want {
		t.Errorf("/readyz: got %d %s\nwant %s", a.status, a.body, want)
	}
}
