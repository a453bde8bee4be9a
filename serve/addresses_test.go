package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
)

var uuid4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// dataPaths are one path of every data operation that answers 200.
var dataPaths = []string{
	"/v1/materials/search", "/v1/materials/" + panelID, "/v1/materials?ids=" + panelID, "/public/search", "/public/compare-products?id=" + panelID,
}

func TestTheDescriptionIsTheSameAtBothPaths(t *testing.T) {
	for _, base := range []string{"/api", "/", "/materials/v9"} {
		w := newSite(t, settings{basePath: base})
		one, two := w.ask(t, "GET", w.base+"/v1/openapi.json"), w.ask(t, "GET", "/.well-known/openapi.json")
		if one.status != 200 || one.body != two.body || one.header.Get("ETag") != two.header.Get("ETag") {
			t.Errorf("base path %s: got %d and %d, %d and %d bytes", base, one.status, two.status, len(one.body), len(two.body))
		}
		if one.header.Get("Cache-Control") != "public, max-age=300" || one.header.Get("X-Snapshot") != "" {
			t.Errorf("got %v", one.header)
		}
		want := w.base
		if want == "" {
			want = "/"
		}
		if got := one.json("servers.0.url").String(); got != want {
			t.Errorf("base path %s: the server is %s", base, got)
		}
		if got := w.get(t, "/v1/materials/search"); got.status != 200 {
			t.Errorf("base path %s: search answers %d", base, got.status)
		}
		for _, coding := range []string{"gzip", "zstd"} {
			coded := w.ask(t, "GET", "/.well-known/openapi.json", "Accept-Encoding", coding)
			if decode(t, coded) != one.body {
				t.Errorf("%s: another body", coding)
			}
		}
	}
}

func TestHEADAnswersLikeGETWithoutABody(t *testing.T) {
	w := newSite(t, settings{})
	paths := append([]string{"/v1/openapi.json", "/v1/materials/nowhere", "/v1/materials", "/public/search?page=x", "/nowhere", "/v1/materials/search?facets=1"}, dataPaths...)
	for _, coding := range []string{"", "gzip"} {
		for _, path := range paths {
			key := "Bearer " + w.keys[goodKey]
			got := w.ask(t, "GET", w.base+path, "Authorization", key, "Accept-Encoding", coding)
			head := w.ask(t, "HEAD", w.base+path, "Authorization", key, "Accept-Encoding", coding)
			if head.status != got.status || head.body != "" {
				t.Errorf("%s: HEAD gives %d with %d bytes, GET %d", path, head.status, len(head.body), got.status)
			}
			for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "Cache-Control", "Etag", "Vary", "X-Snapshot", "Link"} {
				if head.header.Get(name) != got.header.Get(name) {
					t.Errorf("%s: HEAD has %s %q, GET %q", path, name, head.header.Get(name), got.header.Get(name))
				}
			}
			if got.header.Get("Content-Length") == "" {
				t.Errorf("%s: no Content-Length", path)
			}
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	w := newSite(t, settings{})
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW", "get"} {
		for _, path := range append([]string{"/v1/openapi.json"}, dataPaths...) {
			got := w.ask(t, method, w.base+path)
			if got.status != 405 || got.json("error").String() != "invalid_request" || got.header.Get("Allow") != "GET, HEAD, OPTIONS" {
				t.Errorf("%s %s: got %d %s with Allow %q", method, path, got.status, got.body, got.header.Get("Allow"))
			}
			if got.header.Get("RateLimit-Remaining") != "3000000" || got.header.Get("X-Snapshot") != "" {
				t.Errorf("%s %s: got %v", method, path, got.header)
			}
		}
	}
	if got := w.ask(t, "POST", w.base+"/nowhere"); got.status != 404 {
		t.Errorf("an unknown path with another method: got %d", got.status)
	}
}

func TestUnknownPathsAreNeverRedirected(t *testing.T) {
	w := newSite(t, settings{})
	for _, path := range []string{
		"/", "/api", "/api/", "/api/v1", "/api/v1/materials/", "/api/v1/materials/" + panelID + "/", "/api/v1/materials/search/", "/api//v1/materials/search",
		"//api/v1/materials/search", "/api/v1/materials//" + panelID, "/api/public/search/", "/api/public", "/API/public/search", "/api/v1/materials/a/b",
		"/public/search", "/api/.well-known/openapi.json", "/.well-known/openapi.json/", "/api%2Fv1/materials", "/favicon.ico", "/api/v1/openapi.yaml",
	} {
		got := w.ask(t, "GET", path)
		if got.status != 404 || got.json("error").String() != "not_found" || got.header.Get("Location") != "" {
			t.Errorf("%s: got %d %s, Location %q", path, got.status, got.body, got.header.Get("Location"))
		}
		if got.header.Get("RateLimit-Remaining") != "3000000" || got.header.Get("X-Snapshot") != "" {
			t.Errorf("%s: it was counted, or names a snapshot: %v", path, got.header)
		}
	}
}

func TestPreflight(t *testing.T) {
	w := newSite(t, settings{})
	for _, path := range append([]string{"/v1/openapi.json", "/v1/materials/gibt-es-nicht"}, dataPaths...) {
		got := w.ask(t, "OPTIONS", w.base+path, "Origin", "https://example.com", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization")
		if got.status != 204 || got.body != "" {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
		for name, want := range map[string]string{
			"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "Authorization, *",
			"Access-Control-Max-Age": "86400", "Allow": "GET, HEAD, OPTIONS", "X-Snapshot": "",
			"RateLimit-Limit": "3000000", "RateLimit-Remaining": "3000000", "Content-Length": "",
		} {
			if got := got.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestSnapshotIsNamedOnDataOnly(t *testing.T) {
	w := newSite(t, settings{})
	name, err := w.folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	want := name[:16]
	for _, path := range append([]string{"/v1/materials/gibt-es-nicht", "/v1/materials/search?page=x", "/v1/materials?ids=", "/public/search?q=%zz", "/public/compare-products"}, dataPaths...) {
		if got := w.get(t, path); got.header.Get("X-Snapshot") != want {
			t.Errorf("%s: %d names the snapshot %q, want %q", path, got.status, got.header.Get("X-Snapshot"), want)
		}
	}
	tag := w.get(t, "/v1/materials/"+panelID).header.Get("ETag")
	if got := w.get(t, "/v1/materials/"+panelID, "If-None-Match", tag); got.status != 304 || got.header.Get("X-Snapshot") != want {
		t.Errorf("304: got %d with %q", got.status, got.header.Get("X-Snapshot"))
	}
	if got := w.ask(t, "GET", w.base+"/v1/materials/search"); got.status != 401 || got.header.Get("X-Snapshot") != "" {
		t.Errorf("401: got %d with %q", got.status, got.header.Get("X-Snapshot"))
	}
}

func TestRequestIDs(t *testing.T) {
	const sent = "5f0c8b3e-9d1a-1c6b-8e2f-7a4d3b2c1e0f"
	direct := newSite(t, settings{})
	behind := newSite(t, settings{proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}})
	seen := map[string]bool{}
	for range 3 {
		id := direct.ask(t, "GET", "/api/public/search").header.Get("X-Request-Id")
		if !uuid4.MatchString(id) || seen[id] {
			t.Errorf("got %s, which is no fresh UUIDv4", id)
		}
		seen[id] = true
	}
	if got := direct.ask(t, "GET", "/nowhere", "X-Request-Id", sent).header.Get("X-Request-Id"); got == sent {
		t.Error("a client's id was kept")
	}
	if got := behind.ask(t, "GET", "/nowhere", "X-Request-Id", sent).header.Get("X-Request-Id"); got != sent {
		t.Errorf("a trusted proxy's id became %s", got)
	}
	for _, plain := range []string{strings.ReplaceAll(sent, "-", ""), strings.ToUpper(strings.ReplaceAll(sent, "-", ""))} {
		if got := behind.ask(t, "GET", "/nowhere", "X-Request-Id", plain).header.Get("X-Request-Id"); got != sent {
			t.Errorf("%q from a trusted proxy: got %s", plain, got)
		}
		if got := direct.ask(t, "GET", "/nowhere", "X-Request-Id", plain).header.Get("X-Request-Id"); got == sent {
			t.Error("a client's id was kept")
		}
	}
	for _, wrong := range []string{"x", sent + "x", strings.ReplaceAll(sent, "-", "") + "0", strings.Repeat("z", 32), "{" + sent + "}", "urn:uuid:" + sent, strings.Repeat("z", 36)} {
		if got := behind.ask(t, "GET", "/nowhere", "X-Request-Id", wrong).header.Get("X-Request-Id"); !uuid4.MatchString(got) {
			t.Errorf("%q from a trusted proxy: got %s", wrong, got)
		}
	}
}

func TestWithoutASnapshotDataEndpointsWait(t *testing.T) {
	w := newSite(t, settings{folder: &snapshot.Folder{Dir: t.TempDir()}})
	for _, path := range dataPaths {
		got := w.get(t, path)
		if got.status != 503 || got.json("error").String() != "internal_error" || got.header.Get("Retry-After") != "1" || got.header.Get("X-Snapshot") != "" {
			t.Errorf("%s: got %d %s with %v", path, got.status, got.body, got.header)
		}
	}
	if got := w.ask(t, "GET", "/api/v1/openapi.json"); got.status != 200 {
		t.Errorf("the description: got %d", got.status)
	}
	compile(t, w.folder, testCatalogue())
	if err := w.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.get(t, "/v1/materials/search"); got.status != 200 {
		t.Errorf("once there is one: got %d", got.status)
	}
}

// TestTheFirstFailingCheckAnswers gives requests several faults at once.
func TestTheFirstFailingCheckAnswers(t *testing.T) {
	w := newSite(t, settings{})
	bad := []string{"Authorization", "Bearer " + w.keys[pausedKey]}
	good := []string{"Authorization", "Bearer " + w.keys[goodKey]}
	tests := []struct {
		rule, method, path string
		fields             []string
		status             int
		code               string
	}{
		{"path before method", "POST", "/api/v1/nowhere", bad, 404, "not_found"},
		{"method before key", "POST", "/api/v1/materials/search", bad, 405, "invalid_request"},
		{"key before parameters", "GET", "/api/v1/materials/search?page=x", bad, 403, "token_paused"},
		{"key before existence", "GET", "/api/v1/materials/gibt-es-nicht", bad, 403, "token_paused"},
		{"key before the batch's list", "GET", "/api/v1/materials", nil, 401, "invalid_token"},
		{"parameters before existence", "GET", "/api/v1/materials/gibt-es-nicht?include=x", good, 400, "invalid_request"},
		{"existence before condition", "GET", "/api/v1/materials/gibt-es-nicht", append(good, "If-None-Match", "*"), 404, "not_found"},
		{"parameters before condition", "GET", "/api/public/search?page=x", []string{"If-None-Match", "*"}, 400, "invalid_request"},
		{"condition", "GET", "/api/v1/materials/" + panelID, append(good, "If-None-Match", "*"), 304, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, tt.method, tt.path, tt.fields...)
			if got.status != tt.status || got.json("error").String() != tt.code {
				t.Errorf("got %d %s, want %d %s", got.status, got.body, tt.status, tt.code)
			}
		})
	}
}

func TestABodyOfAGETIsIgnored(t *testing.T) {
	w := newSite(t, settings{})
	r, err := http.NewRequest("GET", w.URL+"/api/public/search?q=stahlbeton", strings.NewReader(strings.Repeat(`{"q":"x"}`, 10_000)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestReadiness(t *testing.T) {
	w := newSite(t, settings{})
	admin := httptest.NewServer(w.server.Admin())
	defer admin.Close()
	ready := func() (int, gjson.Result) {
		resp, err := client.Get(admin.URL + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, gjson.ParseBytes(body)
	}
	name, err := w.folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	status, body := ready()
	if status != 200 || body.Get("status").String() != "ready" || body.Get("reason").Raw != "null" || body.Get("snapshot").String() != name ||
		body.Get("hash").String() != strings.TrimSuffix(name, ".snapshot") || body.Get("products").Int() != 63 {
		t.Errorf("got %d %s", status, body.Raw)
	}
	damaged := strings.Repeat("0", 64) + ".snapshot"
	if err := os.WriteFile(w.folder.Path(damaged), []byte("damaged"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.folder.Path("CURRENT"), []byte(damaged+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.current.Load(t.Context()); err != nil {
		t.Logf("the load says: %v", err)
	}
	status, body = ready()
	if status != 200 || body.Get("status").String() != "degraded" || body.Get("reason").String() == "" || body.Get("snapshot").String() != name {
		t.Errorf("with a damaged CURRENT: got %d %s", status, body.Raw)
	}
	if got := w.get(t, "/v1/materials/"+panelID); got.status != 200 || got.header.Get("X-Snapshot") != name[:16] {
		t.Errorf("the good snapshot serves no more: got %d", got.status)
	}
	if err := os.WriteFile(w.folder.Path("CURRENT"), []byte(name+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(w.folder.Path(name), 100); err != nil {
		t.Fatal(err)
	}
	if err := w.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, body = ready(); status != 503 || body.Get("status").String() != "degraded" || !strings.Contains(body.Get("reason").String(), "in force is damaged") {
		t.Errorf("with the one snapshot truncated where it lies: got %d %s", status, body.Raw)
	}
}
