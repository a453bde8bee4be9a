package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// decode undoes the coding of an answer.
func decode(t testing.TB, a *answer) string {
	t.Helper()
	var r io.Reader = strings.NewReader(a.body)
	var err error
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	summaryKeys = "id slug label commercial_name manufacturer material_category installation_types alpha_w updated_at"
	detailKeys  = summaryKeys + " nrc saa absorption_octave description has_epd url epd_url structured_meta images measurements"
	publicKeys  = "id slug label commercial_name data_source material_category absorption_character installation_types has_epd manufacturerName alphaW alphaWMin imageUrl url epd_url variant_count structured_meta"
	compareKeys = "id slug label commercial_name material_category absorption_character data_source alphaW alphaWMin manufacturerName has_epd url epd_url installation_types structured_meta absorption_iso354"
)

func TestKeysStandInTheOrderOfTheContract(t *testing.T) {
	w := newSite(t, settings{})
	tests := []struct{ rule, path, at, want string }{
		{"search", "/v1/materials/search", "@this", "items page limit total_count has_more"},
		{"search with facets", "/v1/materials/search?facets=1", "@this", "items page limit total_count has_more facets"},
		{"facets", "/v1/materials/search?facets=1", "facets", "categories characters installations manufacturers fire_classes has_epd"},
		{"a bucket", "/v1/materials/search?facets=1", "facets.categories.0", "value count"},
		{"a manufacturer's bucket", "/v1/materials/search?facets=1", "facets.manufacturers.0", "id slug name count"},
		{"a split", "/v1/materials/search?facets=1", "facets.has_epd", "true false"},
		{"a summary", "/v1/materials/search", "items.0", summaryKeys},
		{"a summary of nothing optional", "/v1/materials/search?manufacturer=mueller-soehne", "items.0", summaryKeys},
		{"with acoustics", "/v1/materials/search?include=acoustics", "items.0", summaryKeys + " nrc saa absorption_octave"},
		{"with geometry", "/v1/materials/search?include=geometry", "items.0", summaryKeys + " geometry"},
		{"with both", "/v1/materials/search?include=geometry,acoustics", "items.0", summaryKeys + " nrc saa absorption_octave geometry"},
		{"a detail", "/v1/materials/" + panelID, "@this", detailKeys},
		{"a detail to which acoustics add nothing", "/v1/materials/" + panelID + "?include=acoustics", "@this", detailKeys},
		{"a detail of nothing optional", "/v1/materials/" + plainID, "@this", detailKeys},
		{"a detail with geometry", "/v1/materials/" + panelID + "?include=geometry", "@this", detailKeys + " geometry"},
		{"measurements", "/v1/materials/" + plainID, "measurements", "absorption_iso_354 scatter_iso_17497_1 diffusion_iso_17497_2"},
		{"a batch", "/v1/materials?ids=" + panelID, "@this", "items missing"},
		{"a batch's item", "/v1/materials?ids=" + panelID, "items.0", detailKeys},
		{"public search", "/public/search", "@this", "products total hasMore page facets queryMeta"},
		{"a public product", "/public/search", "products.0", publicKeys},
		{"public facets", "/public/search", "facets", "materialCategories absorptionCharacters installationTypes manufacturers hasEPD purchasableOnly"},
		{"query meta", "/public/search", "queryMeta", "normalizedQuery usedFallback matchedStrategy zeroResults"},
		{"compare", "/public/compare-products?id=" + panelID, "@this", "products"},
		{"a compared product", "/public/compare-products?id=" + panelID, "products.0", compareKeys},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.get(t, tt.path)
			if keys := keysOf(got.json(tt.at)); got.status != 200 || keys != tt.want {
				t.Errorf("%s: got %d with %s\nwant %s", tt.path, got.status, keys, tt.want)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, []byte(got.body)); err != nil || compact.String() != got.body {
				t.Errorf("%s is not compact JSON: %v", tt.path, err)
			}
		})
	}
}

func TestWhatAProductWithoutAnythingShows(t *testing.T) {
	w := newSite(t, settings{})
	detail := w.get(t, "/v1/materials/"+plainID)
	want := fmt.Sprintf(`{"id":%q,"slug":null,"label":"Schlichtes","commercial_name":null,"manufacturer":"Müller & Söhne","material_category":null,"installation_types":[],`+
		`"alpha_w":null,"updated_at":null,"nrc":null,"saa":null,"absorption_octave":null,"description":null,"has_epd":false,"url":null,"epd_url":null,"structured_meta":null,"images":null,`+
		`"measurements":{"absorption_iso_354":[],"scatter_iso_17497_1":[],"diffusion_iso_17497_2":[]}}`, plainID)
	if detail.body != want {
		t.Errorf("got  %s\nwant %s", detail.body, want)
	}
	public := w.get(t, "/public/search?manufacturers=mueller-soehne")
	want = fmt.Sprintf(`{"id":%q,"slug":%q,"label":"Schlichtes","commercial_name":null,"data_source":null,"material_category":null,"absorption_character":null,"installation_types":[],`+
		`"has_epd":false,"manufacturerName":"Müller & Söhne","alphaW":0,"alphaWMin":0,"imageUrl":null,"url":null,"epd_url":null,"variant_count":null,"structured_meta":null}`, plainID, plainID)
	if got := public.json("products.0").Raw; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	compared := w.get(t, "/public/compare-products?id="+plainID)
	want = fmt.Sprintf(`{"products":[{"id":%q,"slug":%q,"label":"Schlichtes","commercial_name":null,"material_category":null,"absorption_character":null,"data_source":null,"alphaW":0,"alphaWMin":0,`+
		`"manufacturerName":"Müller & Söhne","has_epd":false,"url":null,"epd_url":null,"installation_types":[],"structured_meta":null,"absorption_iso354":[]}]}`, plainID, plainID)
	if compared.body != want {
		t.Errorf("got  %s\nwant %s", compared.body, want)
	}
}

func TestDetailsAreFoundByIDInAnyCaseAndSlugExactly(t *testing.T) {
	w := newSite(t, settings{})
	for path, status := range map[string]int{
		panelID: 200, strings.ToUpper(panelID): 200, "akustikpaneel-fichte": 200,
		"Akustikpaneel-Fichte": 404, strings.ReplaceAll(panelID, "-", ""): 404, hiddenID: 404, "geheim": 404, idOf(rows): 404,
		"Gr%C3%BCne%20Wand": 404, "a%2Fb": 404, "%2F": 404, "..": 404, "%00": 404, "%FF": 404, "%E2%80%AE": 404,
		strings.Repeat("x", 2000): 404, strings.Repeat("%C3%BC", 2000): 404, "SEARCH": 404, "suche": 404,
	} {
		got := w.get(t, "/v1/materials/"+path)
		if got.status != status {
			t.Errorf("%.60s: got %d %s, want %d", path, got.status, got.body, status)
		}
		if status == 404 && (got.json("error").String() != "not_found" || got.header.Get("RateLimit-Limit") != "1000000") {
			t.Errorf("%.60s: got %s with %v", path, got.body, got.header)
		}
	}
}

func TestBatch(t *testing.T) {
	w := newSite(t, settings{})
	upper := strings.ToUpper(panelID)
	fifty := strings.Repeat("x,", 49) + "x"
	tests := []struct {
		rule, query, items, missing string
	}{
		{"by id and by slug, in the order asked for", "ids=stahlbeton," + panelID + ",reihe-3", concreteID + " " + panelID + " " + idOf(3), `[]`},
		{"repeated", "ids=reihe-1&ids=reihe-2", idOf(1) + " " + idOf(2), `[]`},
		{"twice comes once, at its first place", "ids=" + upper + ",stahlbeton,akustikpaneel-fichte," + panelID, panelID + " " + concreteID, `[]`},
		{"unknown and unpublished", "ids=nichts,geheim," + hiddenID + ",stahlbeton", concreteID, `["nichts","geheim","` + hiddenID + `"]`},
		{"missing ones as they were spelled, each once", "ids=Nichts,nichts,Nichts,A%22b", "", `["Nichts","nichts","A\"b"]`},
		{"a missing UUID has no case", "ids=" + strings.ToUpper(hiddenID) + "," + hiddenID, "", `["` + strings.ToUpper(hiddenID) + `"]`},
		{"blanks and empty ones do not count", "ids=+,,+stahlbeton+,", concreteID, `[]`},
		{"fifty, doubles included", "ids=" + fifty, "", `["x"]`},
		{"fifty and empty ones", "ids=,," + fifty + ",,", "", `["x"]`},
		{"as clients write lists", "ids[]=stahlbeton&ids%5B%5D=reihe-1&ids=reihe-2", concreteID + " " + idOf(1) + " " + idOf(2), `[]`},
		{"acoustics add nothing", "ids=stahlbeton&include=acoustics", concreteID, `[]`},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.get(t, "/v1/materials?"+tt.query)
			if items := ids(got.json("items")); got.status != 200 || items != tt.items || got.json("missing").Raw != tt.missing {
				t.Errorf("got %d with %s, missing %s; want %s, missing %s", got.status, items, got.json("missing").Raw, tt.items, tt.missing)
			}
		})
	}
	refused := []struct{ rule, query, code, message string }{
		{"none", "", "missing_ids", "no identifiers are given"},
		{"only empty ones", "ids=,+,&ids=", "missing_ids", "no identifiers are given"},
		{"another spelling of the parameter", "IDs=stahlbeton", "invalid_request", `the parameter "IDs" is unknown here, the nearest is "ids"; allowed: "ids", "include"`},
		{"fifty-one", "ids=" + fifty + ",x", "invalid_request", "ids: 51 identifiers are given; at most 50 are fetched at once"},
		{"another include", "ids=x&include=all", "invalid_request", `include: "all" is not known; allowed: "acoustics", "geometry"`},
	}
	for _, tt := range refused {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.get(t, "/v1/materials?"+tt.query)
			if got.status != 400 || got.json("error").String() != tt.code || got.json("message").String() != tt.message {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
	item := w.get(t, "/v1/materials?include=geometry&ids="+panelID).json("items.0").Raw
	if detail := w.get(t, "/v1/materials/"+panelID+"?include=geometry").body; item != detail {
		t.Errorf("a batch's item is not the detail:\n%s\n%s", item, detail)
	}
}

func TestCompare(t *testing.T) {
	w := newSite(t, settings{})
	tests := []struct{ rule, query, want string }{
		{"by id and by slug, in the order asked for", "id=stahlbeton," + panelID, concreteID + " " + panelID},
		{"repeated", "id=reihe-1&id=reihe-2", idOf(1) + " " + idOf(2)},
		{"the first four count", "id=reihe-1,reihe-2,reihe-3,reihe-4,reihe-5", idOf(1) + " " + idOf(2) + " " + idOf(3) + " " + idOf(4)},
		{"doubles collapse behind the cut", "id=reihe-1,reihe-1,reihe-2,reihe-2,reihe-3", idOf(1) + " " + idOf(2)},
		{"empty ones do not count", "id=,,reihe-1,,&id=&id=reihe-2,reihe-3,,reihe-4", idOf(1) + " " + idOf(2) + " " + idOf(3) + " " + idOf(4)},
		{"unknown ones count and are left out", "id=nichts,geheim,stahlbeton,reihe-1,reihe-2", concreteID + " " + idOf(1)},
		{"only unknown ones", "id=nichts", ""},
		{"ids in any case", "id=" + strings.ToUpper(panelID), panelID},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, "GET", w.base+"/public/compare-products?"+tt.query)
			if found := ids(got.json("products")); got.status != 200 || found != tt.want {
				t.Errorf("got %d with %s, want %s", got.status, found, tt.want)
			}
		})
	}
	for _, query := range []string{"", "?id=", "?id=,,+", "?ids=stahlbeton"} {
		if got := w.ask(t, "GET", w.base+"/public/compare-products"+query); got.status != 400 || got.json("error").String() != "missing_ids" {
			t.Errorf("%s: got %d %s", query, got.status, got.body)
		}
	}
	detail := w.get(t, "/v1/materials/"+panelID)
	compared := w.ask(t, "GET", w.base+"/public/compare-products?id="+panelID)
	if compared.json("products.0.absorption_iso354").Raw != detail.json("measurements.absorption_iso_354").Raw {
		t.Error("absorption_iso354 is not the list of the detail's absorption measurements")
	}
	if got := compared.json("products.0.label").String(); got != "Akustikpaneel Fichte" {
		t.Errorf("got the label %s", got)
	}
}

func TestCodings(t *testing.T) {
	w := newSite(t, settings{})
	large := []string{"/v1/materials/search", "/v1/materials/" + panelID, "/v1/materials/" + panelID + "?include=geometry", "/v1/materials?ids=" + panelID, "/public/search", "/public/compare-products?id=" + panelID, "/v1/openapi.json"}
	for _, path := range large {
		plain := w.get(t, path)
		if plain.header.Get("Content-Encoding") != "" || plain.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: got %v", path, plain.header)
		}
		for accepted, coding := range map[string]string{"gzip": "gzip", "zstd": "zstd", "gzip, zstd": "zstd", "zstd;q=0.1, gzip": "gzip", "br": "", "gzip;q=0": "", "identity;q=0, gzip": "gzip"} {
			got := w.get(t, path, "Accept-Encoding", accepted)
			if got.header.Get("Content-Encoding") != coding || got.header.Get("Vary") != "Accept-Encoding" || decode(t, got) != plain.body {
				t.Errorf("%s, %s: got the coding %q", path, accepted, got.header.Get("Content-Encoding"))
			}
		}
	}
	for _, path := range []string{"/v1/materials/search?q=xyzxyzxyz", "/v1/materials/gibt-es-nicht", "/nowhere", "/v1/materials?ids=x"} {
		got := w.get(t, path, "Accept-Encoding", "gzip, zstd")
		if len(got.body) >= 512 || got.header.Get("Content-Encoding") != "" || got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: a body of %d bytes has the coding %q", path, len(got.body), got.header.Get("Content-Encoding"))
		}
	}
}
