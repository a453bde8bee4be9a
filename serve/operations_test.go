package serve

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestBasePaths(t *testing.T) {
	tests := []struct{ setting, want, fault string }{
		{"", "/api", ""},
		{"/", "", ""},
		{"/api", "/api", ""},
		{"/api/", "/api", ""},
		{"/materials/v2.api", "/materials/v2.api", ""},
		{"api", "", "begin with a slash"},
		{"//api", "", "segments of letters"},
		{"/a//b", "", "segments of letters"},
		{"/../api", "", "segments of letters"},
		{"/api/:id", "", "segments of letters"},
		{"/api/*", "", "segments of letters"},
		{"/api?x", "", "segments of letters"},
	}
	for _, tt := range tests {
		got, err := basePath(tt.setting)
		switch {
		case tt.fault == "" && (err != nil || got != tt.want):
			t.Errorf("%q: got %q, %v; want %q", tt.setting, got, err, tt.want)
		case tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault)):
			t.Errorf("%q: got %v, want an error that says %q", tt.setting, err, tt.fault)
		}
	}
}

func TestPaths(t *testing.T) {
	tests := []struct {
		rule, path string
		want       *operation
		target     string
	}{
		{"search", "/api/v1/materials/search", searchMaterials, "search"},
		{"search, encoded", "/api/v1/materials/%73earch", searchMaterials, "search"},
		{"detail", "/api/v1/materials/holz-1", getMaterial, "holz-1"},
		{"batch", "/api/v1/materials", getMaterials, ""},
		{"public search", "/api/public/search", searchProducts, ""},
		{"compare", "/api/public/compare-products", compareProducts, ""},
		{"description", "/api/v1/openapi.json", getDescription, ""},
		{"well-known description", "/.well-known/openapi.json", getWellKnownDescription, ""},
		{"a fixed part, encoded", "/api/v1/m%61terials/x", getMaterial, "x"},
		{"an id with blanks and umlauts", "/api/v1/materials/Gr%C3%BCne%20Wand", getMaterial, "Grüne Wand"},
		{"an id with a slash is one id", "/api/v1/materials/a%2Fb", getMaterial, "a\x00b"},
		{"an id with a lower-case encoded slash", "/api/v1/materials/a%2fb", getMaterial, "a\x00b"},
		{"an id that is a slash", "/api/v1/materials/%2F", getMaterial, "\x00"},
		{"an encoded percent sign stays one", "/api/v1/materials/a%252Fb", getMaterial, "a%2Fb"},
		{"dots are an id like others", "/api/v1/materials/..", getMaterial, ".."},
		{"an id of 2,000 characters", "/api/v1/materials/" + strings.Repeat("x", 2000), getMaterial, strings.Repeat("x", 2000)},
		{"a trailing slash", "/api/v1/materials/", nil, ""},
		{"a trailing slash behind an id", "/api/v1/materials/x/", nil, ""},
		{"a trailing slash behind search", "/api/v1/materials/search/", nil, ""},
		{"a doubled slash", "/api//v1/materials", nil, ""},
		{"a doubled slash before the id", "/api/v1/materials//x", nil, ""},
		{"a doubled slash in front", "//api/v1/materials", nil, ""},
		{"a fixed slash, encoded", "/api%2Fv1/materials", nil, ""},
		{"two segments", "/api/v1/materials/a/b", nil, ""},
		{"another case", "/API/v1/materials", nil, ""},
		{"without the base path", "/v1/materials/search", nil, ""},
		{"the root", "/", nil, ""},
		{"the well-known path under the base path", "/api/.well-known/openapi.json", nil, ""},
		{"the server itself", "*", nil, ""},
	}
	router := newRouter("/api")
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			u, err := url.ParseRequestURI(tt.path)
			if tt.path == "*" {
				u, err = &url.URL{Path: "*"}, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			x := new(exchange)
			if handle, path, _ := router.Lookup(http.MethodGet, routingPath(u)); handle != nil {
				handle(x, nil, path)
			}
			if x.operation != tt.want || x.target != tt.target {
				t.Errorf("%s: got %s with %q", tt.path, x.route(), x.target)
			}
		})
	}
}

func TestEveryBasePathHasEveryOperation(t *testing.T) {
	for _, base := range []string{"", "/api", "/v1", "/public", "/.well-known", "/v1/materials", "/v1/materials/x"} {
		router := newRouter(base)
		for path, want := range map[string]*operation{
			base + "/v1/materials": getMaterials, base + "/v1/materials/search": searchMaterials, base + "/v1/materials/x": getMaterial,
			base + "/public/search": searchProducts, base + "/public/compare-products": compareProducts,
			base + "/v1/openapi.json": getDescription, "/.well-known/openapi.json": getWellKnownDescription,
		} {
			x := new(exchange)
			if handle, params, _ := router.Lookup(http.MethodGet, path); handle != nil {
				handle(x, nil, params)
			}
			if x.operation != want {
				t.Errorf("base path %q: %s is %s, want %s", base, path, x.route(), want.name)
			}
		}
	}
}

// FuzzPaths checks that no path makes the router panic, and that what is one segment stays one.
func FuzzPaths(f *testing.F) {
	for _, seed := range []string{"/api/v1/materials/a%2Fb", "/", "", "//", "/api/v1/materials/%00", "/api/v1/materials/\xff", "*"} {
		f.Add(seed)
	}
	router := newRouter("/api")
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return
		}
		x := new(exchange)
		if handle, params, _ := router.Lookup(http.MethodGet, routingPath(u)); handle != nil {
			handle(x, nil, params)
		}
		if strings.Contains(x.target, "/") || x.operation != nil && x.operation != getMaterial && x.operation != searchMaterials && x.target != "" {
			t.Errorf("%q: got %s with %q", path, x.route(), x.target)
		}
	})
}
