package serve_test

import (
	"cmp"
	"strings"
	"testing"
)

// TestPublicMaterial checks that, without a key, the body of a product contains the data of public search,
// the description, and the measurements and geometry of the detail, byte for byte.
func TestPublicMaterial(t *testing.T) {
	t.Parallel()
	s := shared(t)
	english := map[string]string{
		"akustikpaneel-fichte-40": `"Perforated panel, fleece backed."`, "deckensegel-wolke": `"A sail of plain fleece."`,
	}
	for _, locale := range []string{"", "de", "en", "EN-gb"} {
		for _, id := range s.get(t, "/v1/materials/search?limit=50").json("items.#.id").Array() {
			item := ""
			for _, product := range s.open(t, "/public/search?locale="+locale).json("products").Array() {
				if product.Get("id").String() == id.String() {
					item = strings.TrimSuffix(product.Raw, "}")
				}
			}
			detail := s.get(t, "/v1/materials/"+id.String()+"?include=geometry")
			_, measurements, _ := strings.Cut(detail.body, `,"measurements":`)
			description := detail.json("description").Raw
			if strings.HasPrefix(strings.ToLower(locale), "en") {
				description = cmp.Or(english[detail.json("slug").String()], description)
			}
			want := item + `,"description":` + description + `,"measurements":` + measurements
			if got := s.open(t, "/public/materials/"+id.String()+"?locale="+locale); got.body != want {
				t.Errorf("%s in %q:\n got %s\nwant %s", id, locale, got.body, want)
			}
		}
	}
	const slug = "akustikpaneel-fichte-40"
	whole := s.open(t, "/public/materials/"+slug)
	id := whole.json("id").String()
	for _, tt := range []struct {
		rule, path string
		status     int
	}{
		{"an id", id, 200},
		{"an id in capitals", strings.ToUpper(id), 200},
		{"a slug is matched exactly", strings.ToUpper(slug), 404},
		{"an unknown id", "00000000-0000-4000-8000-999999999999", 404},
		{"typed text", "Fichte%20a%2Fb%3Cscript%3E", 404},
		{"search is no address here", "search", 404},
		{"two languages", slug + "?locale=de&locale=en", 400},
		{"an unknown parameter is listed in the header", slug + "?include=geometry", 200},
	} {
		a := s.open(t, "/public/materials/"+tt.path)
		if a.status != tt.status || tt.status == 200 && a.body != whole.body {
			t.Errorf("%s: got %d %s", tt.rule, a.status, a.body)
		}
		if ignored := a.header.Get("X-Ignored-Parameters"); (ignored == "include") != strings.Contains(tt.path, "include") {
			t.Errorf("%s: X-Ignored-Parameters %q", tt.rule, ignored)
		}
	}
}

// TestDetailsNeedAKeyUnlessTheOperatorShowsThem checks that, unless the operator shows details, a request
// without a key finds no product and is counted.
func TestDetailsNeedAKeyUnlessTheOperatorShowsThem(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{noDetail: true})
	for _, id := range []string{"akustikpaneel-fichte-40", "gibt-es-nicht"} {
		if a := s.get(t, "/public/materials/"+id, "If-None-Match", "*"); a.status != 404 || a.code() != "not_found" ||
			!strings.Contains(a.message(), "requires a key") {
			t.Errorf("%s: got %d %s", id, a.status, a.body)
		}
	}
	if a := s.open(t, "/public/search"); a.header.Get("RateLimit-Remaining") != "2999997" {
		t.Errorf("the requests were not counted: %s remain", a.header.Get("RateLimit-Remaining"))
	}
}
