package serve

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/julienschmidt/httprouter"
)

// operations are the API's operations in the contract's order.
var operations = []*operation{
	searchMaterials, getMaterial, getMaterials, exportMaterials, getChanges, searchProducts, compareProducts,
	getPublicMaterial, getReverberation, getBuildingSurfaces, getDescription, getWellKnownDescription,
}

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
			t.Errorf("%q: got %v, want an error with %q", tt.setting, err, tt.fault)
		}
	}
}

func TestThePublicURLIsTheAddressOfTheSite(t *testing.T) {
	for _, tt := range []struct{ rule, base, publicURL, home, site string }{
		{"without a public URL, addresses are relative", "/api", "", "/api", ""},
		{"the base path is appended", "/api", "https://example.org/", "https://example.org/api", "https://example.org"},
		{"the public URL may end with the base path", "/api", "https://example.org/api/", "https://example.org/api", "https://example.org"},
		{"a prefix of a proxy is kept", "/api", "https://example.org/x%2Fy", "https://example.org/x%2Fy/api", "https://example.org/x%2Fy"},
		{"a host is not a base path", "/api", "http://api", "http://api/api", "http://api"},
		{"the API can be at the root", "", "http://api", "http://api", "http://api"},
	} {
		a, err := newAddresses(tt.base+"/", tt.publicURL)
		if err != nil || a.home != tt.home || a.site != tt.site {
			t.Errorf("%s: got API %q, site %q, %v; want %q, %q", tt.rule, a.home, a.site, err, tt.home, tt.site)
		}
	}
}

func TestRobotsNamesPathsOfTheAPI(t *testing.T) {
	for publicURL, want := range map[string]string{
		"":                          "/api",
		"https://example.org":       "/api",
		"https://example.org/x%2Fy": "/x%2Fy/api",
		"http://[fe80::1%25ü]:8080": "/api", // its address in links cannot be parsed again
	} {
		a, err := newAddresses("", publicURL)
		got := string((&Server{addresses: a}).robots())
		if err != nil || !strings.Contains(got, "\nDisallow: "+want+"/v1/\n") {
			t.Errorf("%q: got %s, %v", publicURL, got, err)
		}
	}
}

func TestEveryBasePathHasEveryOperation(t *testing.T) {
	for _, base := range []string{"", "/api", "/v1", "/public", "/.well-known", "/v1/materials", "/v1/materials/x"} {
		s := &Server{router: httprouter.New()}
		s.addOperations(base)
		for path, want := range map[string]*operation{
			base + "/v1/materials": getMaterials, base + "/v1/materials/search": searchMaterials,
			base + "/v1/materials/x": getMaterial, base + "/v1/export": exportMaterials,
			base + "/public/search": searchProducts, base + "/public/compare-products": compareProducts,
			base + "/v1/changes": getChanges, base + "/public/reverberation": getReverberation,
			base + "/public/materials/x": getPublicMaterial, base + "/public/building-surfaces": getBuildingSurfaces,
			base + "/v1/openapi.json": getDescription, "/.well-known/openapi.json": getWellKnownDescription,
		} {
			x := &exchange{server: s, request: &http.Request{URL: &url.URL{Path: path}}}
			if _ = x.checkPath(); x.operation != want {
				t.Errorf("base path %q: %s is %s, want %s", base, path, x.route(), want.name)
			}
		}
	}
}

// FuzzPaths checks that no path makes the router panic, and that one segment remains one segment.
func FuzzPaths(f *testing.F) {
	for _, seed := range []string{"/api/v1/materials/a%2Fb", "/", "", "//", "/api/v1/materials/%00",
		"/api/v1/materials/\xff", "*"} {
		f.Add(seed)
	}
	s := &Server{router: httprouter.New()}
	s.addOperations("/api")
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return
		}
		x := &exchange{server: s, request: &http.Request{URL: u}}
		_ = x.checkPath()
		if strings.Contains(x.identifier, "/") || x.operation != nil && x.operation != getMaterial &&
			x.operation != getPublicMaterial && x.operation != searchMaterials && x.identifier != "" {
			t.Errorf("%q: got %s with %q", path, x.route(), x.identifier)
		}
	})
}
