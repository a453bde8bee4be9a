package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/tidwall/gjson"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// A record is a source record.
type record map[string]any

// The products of the tests' catalogue that are asked for by name.
const (
	panelID        = "0b6f1c8e-4d2a-5e7b-9c3f-1a2b3c4d5e6f" // has every field
	plainID        = "7f3d9a10-65b4-5c1e-8d2f-0e9c8b7a6d5c" // has nothing that is optional, nor a slug
	concreteID     = "22222222-2222-4222-8222-222222222222" // reference material
	hiddenID       = "33333333-3333-4333-8333-333333333333" // unpublished
	manufacturerID = "c2a1d0e9-8b7f-5a6c-9d4e-3f2b1a0c9d8e"
)

// rows is how many products beside the named ones the catalogue has: more than a page of any search.
const rows = 60

func idOf(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// testCatalogue returns a catalogue of 63 published products with a vocabulary that declares more than they use.
func testCatalogue() map[string]any {
	alphaS := record{"100": 0.18, "125": 0.25, "160": 0.33, "200": 0.45, "250": 0.6, "315": 0.74, "400": 0.86, "500": 0.95, "630": 1, "800": 1.04,
		"1000": 1.05, "1250": 1.03, "1600": 1.01, "2000": 1, "2500": 0.99, "3150": 0.97, "4000": 0.95, "5000": 0.92}
	products := []record{
		{
			"id": panelID, "slug": "akustikpaneel-fichte", "label": record{"de": "Akustikpaneel Fichte", "en": "Acoustic panel spruce"},
			"commercial_name": "SilentWood 40", "description": record{"de": "Gelochtes Paneel mit Vliesrücken.", "en": "Perforated panel."},
			"manufacturer": record{"id": manufacturerID, "slug": "beispiel-akustik", "name": "Beispiel Akustik"}, "data_source": "manufacturer",
			"material_category": "holz", "absorption_character": "breitband", "installation_types": []string{"wall", "ceiling"},
			"fire_class": "B-s1,d0", "updated_at": "2026-10-30T10:15:00+02:00", "url": "https://example.com/silentwood",
			"epd_url": "https://example.com/silentwood-epd.pdf", "structured_meta": record{"Dicke": "40 mm", "Brandklasse": "B-s1,d0"},
			"images": []record{
				{"url": "https://example.com/b.jpg", "filename": nil, "display_order": nil},
				{"id": "img-1", "url": "https://example.com/a.jpg", "filename": "a.jpg", "display_order": 1},
			},
			"geometry": record{"shape": "panel", "bounding_box_mm": record{"width": 600, "height": 2400, "depth": 40},
				"size_variants": []record{{"label": "kurz", "width": 600, "height": 1200, "depth": 40}}},
			"measurements": record{
				"absorption_iso_354": []record{
					{"source_kind": "measured", "mounting": "E", "thickness_mm": 40, "air_gap_mm": 200, "alpha_s_third_octave": alphaS},
					{"source_kind": "literature", "alpha_s_octave": record{"250": 0.3, "500": 0.5, "1000": 0.5, "2000": 0.5, "4000": 0.5}},
				},
				"scatter_iso_17497_1":   []record{{"source_kind": "simulated", "scatter_octave": record{"500": 0.34, "1000": 0.61}}},
				"diffusion_iso_17497_2": []record{{"source_kind": "measured", "limit_frequency_hz": 315, "diffusion_octave": record{"500": 0.31}}},
			},
		},
		{"id": plainID, "label": "Schlichtes", "manufacturer": "Müller & Söhne"},
		{"id": concreteID, "slug": "stahlbeton", "label": "Stahlbeton", "manufacturer": "Literatur", "data_source": "ptb", "alpha_w": 0.05, "material_category": "metall",
			"fire_class": "A1", "updated_at": "2020-01-01T00:00:00Z"},
		{"id": hiddenID, "slug": "geheim", "label": "Geheimes Vlies", "manufacturer": "Reihen GmbH", "published": false},
	}
	for n := range rows {
		p := record{
			"id": idOf(n), "slug": fmt.Sprintf("reihe-%d", n), "label": record{"de": fmt.Sprintf("Reihe Ziegel %d", n), "en": fmt.Sprintf("Row brick %d", n)},
			"manufacturer": "Reihen GmbH", "material_category": "textil", "absorption_character": []string{"tiefton", "hochton"}[n%2],
			"installation_types": []string{[]string{"wall", "ceiling", "free-standing"}[n%3]}, "alpha_w": float64(n%20) * 0.05,
			"updated_at": fmt.Sprintf("2025-01-01T00:%02d:00Z", n),
		}
		if n%4 == 0 {
			p["fire_class"], p["has_epd"] = []string{"A2", "C", "F"}[n/4%3], true
		}
		products = append(products, p)
	}
	return map[string]any{
		"products": products,
		"vocabulary": record{
			"material_category": record{
				"holz": record{"de": "Holz", "en": "Wood"}, "textil": record{"de": "Textil", "en": "Textile", "synonyms": []string{"Stoff"}},
				"metall": record{"de": "Metall", "en": "Metal"}, "glas": record{"de": "Glas", "en": "Glass"},
			},
			"absorption_character": record{"breitband": record{"de": "Breitband"}, "tiefton": record{"de": "Tiefton"}, "hochton": record{"de": "Hochton"}},
			"installation_types":   record{"wall": record{"de": "Wand"}, "ceiling": record{"de": "Decke"}, "free-standing": record{"de": "frei stehend"}},
		},
	}
}

// compile builds a catalogue into a folder.
func compile(t testing.TB, folder snapshot.Folder, catalogue any) {
	t.Helper()
	content, err := json.Marshal(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	_, err = compiler.Build(context.Background(), compiler.Options{Folder: folder, Inputs: []dataset.Input{{
		Name: "catalogue.json", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

// settings of a site; the zero value is a server of the tests' catalogue whose limits nobody reaches.
type settings struct {
	folder          *snapshot.Folder // default: that of the tests' catalogue
	account, public ratelimit.Policy
	store           ratelimit.Store
	basePath        string
	proxies         []netip.Prefix
}

// A site is a running server with an API key for each state that a key can be in.
type site struct {
	*httptest.Server
	server  *serve.Server
	current *runtime.Current
	folder  snapshot.Folder
	base    string
	keyFile string
	keys    map[string]string
	doc     *openapi3.T
}

// The names of a site's keys.
const (
	goodKey      = "good"
	secondKey    = "second" // of the same account
	otherKey     = "other"  // of another account
	pausedKey    = "paused"
	revokedKey   = "revoked"
	expiredKey   = "expired"
	inactiveKey  = "inactive"
	scopelessKey = "scopeless"
)

func newSite(t testing.TB, s settings) *site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	w := &site{base: "/api", keyFile: filepath.Join(t.TempDir(), "keys.json"), keys: map[string]string{}}
	if s.basePath != "" {
		w.base = strings.TrimSuffix(s.basePath, "/")
	}
	if s.folder != nil {
		w.folder = *s.folder
	} else {
		w.folder = snapshot.Folder{Dir: t.TempDir()}
		compile(t, w.folder, testCatalogue())
	}
	w.writeKeys(t)
	store, err := keys.OpenStore(w.keyFile, log)
	if err != nil {
		t.Fatal(err)
	}
	if s.account == nil {
		s.account = ratelimit.Policy{{Limit: 1_000_000, Span: time.Minute}, {Limit: 2_000_000, Span: 24 * time.Hour}}
	}
	if s.public == nil {
		s.public = ratelimit.Policy{{Limit: 3_000_000, Span: time.Minute}}
	}
	if s.store == nil {
		if s.store, err = ratelimit.NewMemory("", log); err != nil {
			t.Fatal(err)
		}
	}
	w.current = runtime.NewCurrent(w.folder, log)
	t.Cleanup(func() { _ = w.current.Close() })
	if err := w.current.Load(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.server, err = serve.New(serve.Options{
		Current: w.current, Keys: store, Limits: ratelimit.NewLimiter(s.store, s.account, s.public),
		BasePath: s.basePath, TrustedProxies: s.proxies, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Server = httptest.NewServer(w.server.Handler())
	t.Cleanup(w.Close)
	text := w.ask(t, "GET", w.base+"/v1/openapi.json")
	w.doc = loadDescription(t, text.body)
	return w
}

// described are the descriptions that were loaded already, by their text: loading one takes longer than a build.
var described sync.Map

func loadDescription(t testing.TB, text string) *openapi3.T {
	t.Helper()
	if doc, ok := described.Load(text); ok {
		return doc.(*openapi3.T)
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	described.Store(text, doc)
	return doc
}

// writeKeys makes one key for every state.
func (w *site) writeKeys(t testing.TB) {
	t.Helper()
	past := time.Now().Add(-time.Second)
	err := keys.Update(w.keyFile, func(f *keys.File) error {
		for _, k := range []struct {
			name, account string
			scopes        []string
			expires       *time.Time
			status        keys.Status
		}{
			{goodKey, "acme", []string{keys.ScopeRead}, nil, keys.Active},
			{secondKey, "acme", []string{keys.ScopeRead}, nil, keys.Active},
			{otherKey, "other", []string{keys.ScopeRead}, nil, keys.Active},
			{pausedKey, "acme", []string{keys.ScopeRead}, nil, keys.Paused},
			{revokedKey, "acme", []string{keys.ScopeRead}, &past, keys.Revoked},
			{expiredKey, "acme", []string{keys.ScopeRead}, &past, keys.Paused},
			{inactiveKey, "gone", nil, nil, keys.Active},
			{scopelessKey, "acme", []string{"something:else"}, nil, keys.Active},
		} {
			secret, made, err := f.Create(k.account, k.scopes, k.expires, time.Now())
			if err != nil {
				return err
			}
			if err := f.SetStatus(made.ID, k.status); err != nil {
				return err
			}
			w.keys[k.name] = secret
		}
		return f.SetActive("gone", false)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An answer is a response that has been read.
type answer struct {
	status int
	header http.Header
	body   string
}

// json returns a value of the body by its gjson path.
func (a *answer) json(path string) gjson.Result { return gjson.Get(a.body, path) }

// client sends requests as they are: no compression of its own, no redirects.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// ask sends a request with header fields (name, value, name, value) and checks what holds for every response, and that
// it is what the description promises.
func (w *site) ask(t testing.TB, method, path string, fields ...string) *answer {
	t.Helper()
	r, err := http.NewRequest(method, w.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := &answer{resp.StatusCode, resp.Header, string(body)}
	w.checkAlways(t, r, a)
	w.checkDescribed(t, r, a)
	return a
}

// get asks with the good key.
func (w *site) get(t testing.TB, path string, fields ...string) *answer {
	t.Helper()
	return w.ask(t, "GET", w.base+path, append(fields, "Authorization", "Bearer "+w.keys[goodKey])...)
}

// checkAlways checks what the contract says of every response.
func (w *site) checkAlways(t testing.TB, r *http.Request, a *answer) {
	t.Helper()
	for _, name := range []string{"RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"} {
		if a.header.Get(name) == "" {
			t.Errorf("%s %s: %d lacks %s", r.Method, r.URL, a.status, name)
		}
	}
	for name, want := range map[string]string{
		"Link":                             "<" + w.base + `/v1/openapi.json>; rel="service-desc"`,
		"Access-Control-Allow-Origin":      "*",
		"Access-Control-Expose-Headers":    "RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Link, X-Request-Id, X-Snapshot, X-Ignored-Parameters, WWW-Authenticate",
		"X-Content-Type-Options":           "nosniff",
		"Set-Cookie":                       "",
		"Access-Control-Allow-Credentials": "",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s %s: %d has %s %q, want %q", r.Method, r.URL, a.status, name, got, want)
		}
	}
	if a.status != http.StatusNoContent && a.status != http.StatusNotModified {
		if got := a.header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s %s: %d has Content-Type %q", r.Method, r.URL, a.status, got)
		}
	}
	if a.status >= 400 && r.Method != http.MethodHead {
		if keys := keysOf(a.json("@this")); keys != "error message" || a.json("message").String() == "" {
			t.Errorf("%s %s: %d has the body %s", r.Method, r.URL, a.status, a.body)
		}
		if got := a.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s %s: %d has Cache-Control %q", r.Method, r.URL, a.status, got)
		}
	}
}

// checkDescribed validates an answer to a GET of a known path against the OpenAPI document, by another library.
func (w *site) checkDescribed(t testing.TB, r *http.Request, a *answer) {
	t.Helper()
	path, known := strings.CutPrefix(r.URL.EscapedPath(), w.base)
	if r.URL.Path == "/.well-known/openapi.json" {
		path, known = "/v1/openapi.json", true // the same document
	} else if path == "/.well-known/openapi.json" {
		known = false // it is on the root of the site only
	}
	if id, ok := strings.CutPrefix(path, "/v1/materials/"); ok && id != "search" && !strings.Contains(id, "/") && id != "" {
		path = "/v1/materials/{id}"
	}
	if !known || w.doc == nil || r.Method != http.MethodGet || a.header.Get("Content-Encoding") != "" {
		return
	}
	item := w.doc.Paths.Value(path)
	if item == nil {
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: w.doc, Path: path, PathItem: item, Method: r.Method, Operation: item.Get},
		},
		Status:  a.status,
		Header:  a.header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	input.SetBodyBytes([]byte(a.body))
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		t.Errorf("%s %s: %d is not what the description promises: %v\n%.2000s", r.Method, r.URL, a.status, err, a.body)
	}
}

// keysOf returns the keys of an object in their order.
func keysOf(object gjson.Result) string {
	var names []string
	object.ForEach(func(key, _ gjson.Result) bool {
		names = append(names, key.String())
		return true
	})
	return strings.Join(names, " ")
}

// ids returns the ids of an array of products.
func ids(products gjson.Result) string {
	var values []string
	for _, p := range products.Array() {
		values = append(values, p.Get("id").String())
	}
	return strings.Join(values, " ")
}
