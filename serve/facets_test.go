package serve_test

import (
	"fmt"
	"net/url"
	"testing"
)

// TestAFacetCountsWhatChoosingItWouldFind asks for every bucket by itself, under several choices in other families and
// in the bucket's own.
func TestAFacetCountsWhatChoosingItWouldFind(t *testing.T) {
	w := newSite(t, settings{})
	families := []struct{ facet, parameter, public, publicFacet string }{
		{"categories", "category", "categories", "materialCategories"},
		{"characters", "character", "characters", "absorptionCharacters"},
		{"installations", "installation", "type", "installationTypes"},
		{"manufacturers", "manufacturer", "manufacturers", "manufacturers"},
		{"fire_classes", "fire_class", "", ""},
	}
	for _, chosen := range []url.Values{
		{},
		{"category": {"textil"}},
		{"category": {"holz", "glas"}, "installation": {"wall"}},
		{"character": {"tiefton"}, "alpha_w_min": {"0.3"}},
		{"q": {"ziegel"}, "fire_class": {"C"}},
		{"has_epd": {"1"}, "manufacturer": {"reihen-gmbh"}},
	} {
		facets := w.get(t, "/v1/materials/search?facets=true&"+chosen.Encode()).json("facets")
		for _, family := range families {
			for _, bucket := range facets.Get(family.facet).Array() {
				value := bucket.Get("value").String() + bucket.Get("slug").String()
				alone := url.Values{}
				for name, values := range chosen {
					alone[name] = values
				}
				alone.Set(family.parameter, value)
				total := w.get(t, "/v1/materials/search?"+alone.Encode()).json("total_count").Int()
				if total != bucket.Get("count").Int() {
					t.Errorf("%s: %s=%s counts %s, and finds %d", chosen.Encode(), family.parameter, value, bucket.Get("count").Raw, total)
				}
			}
		}
	}
}

func TestFacetsOfTheWholeCatalogue(t *testing.T) {
	w := newSite(t, settings{})
	manufacturer := func(slug string, count int) string { return fmt.Sprintf("%s %d", slug, count) }
	got := w.get(t, "/v1/materials/search?facets=1").json("facets")
	for family, want := range map[string]string{
		"categories":    `[{"value":"textil","count":60},{"value":"holz","count":1},{"value":"metall","count":1}]`,
		"characters":    `[{"value":"hochton","count":30},{"value":"tiefton","count":30},{"value":"breitband","count":1}]`,
		"installations": `[{"value":"ceiling","count":21},{"value":"wall","count":21},{"value":"free-standing","count":20}]`,
		"fire_classes":  `[{"value":"A1","count":1},{"value":"A2","count":6},{"value":"B","count":7},{"value":"C","count":12},{"value":"D","count":12},{"value":"E","count":12},{"value":"F","count":17}]`,
		"has_epd":       `{"true":16,"false":47}`,
	} {
		if raw := got.Get(family).Raw; raw != want {
			t.Errorf("%s: got  %s\nwant %s", family, raw, want)
		}
	}
	var manufacturers []string
	for _, m := range got.Get("manufacturers").Array() {
		manufacturers = append(manufacturers, manufacturer(m.Get("slug").String(), int(m.Get("count").Int())))
	}
	if fmt.Sprint(manufacturers) != "[reihen-gmbh 60 beispiel-akustik 1 literatur 1 mueller-soehne 1]" {
		t.Errorf("got %v", manufacturers)
	}
	if first := got.Get("manufacturers.1").Raw; first != `{"id":"`+manufacturerID+`","slug":"beispiel-akustik","name":"Beispiel Akustik","count":1}` {
		t.Errorf("got %s", first)
	}
	public := w.ask(t, "GET", w.base+"/public/search").json("facets")
	for one, other := range map[string]string{
		"materialCategories": "categories", "absorptionCharacters": "characters", "installationTypes": "installations", "manufacturers": "manufacturers", "hasEPD": "has_epd",
	} {
		if public.Get(one).Raw != got.Get(other).Raw {
			t.Errorf("%s: got %s, want %s", one, public.Get(one).Raw, got.Get(other).Raw)
		}
	}
	if raw := public.Get("purchasableOnly").Raw; raw != `{"true":62,"false":1}` {
		t.Errorf("got %s", raw)
	}
}

func TestFacetsUnderAChoice(t *testing.T) {
	w := newSite(t, settings{})
	tests := []struct{ rule, query, path, want string }{
		{"a choice does not hide its family", "category=holz", "categories", `[{"value":"textil","count":60},{"value":"holz","count":1},{"value":"metall","count":1}]`},
		{"a choice that counts 0 stays", "category=glas", "categories", `[{"value":"textil","count":60},{"value":"holz","count":1},{"value":"metall","count":1},{"value":"glas","count":0}]`},
		{"other buckets that count 0 go", "installation=free-standing", "categories", `[{"value":"textil","count":20}]`},
		{"a choice restricts other families", "category=holz", "characters", `[{"value":"breitband","count":1}]`},
		{"EPD under all other families", "category=textil&has_epd=1", "has_epd", `{"true":15,"false":45}`},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := w.get(t, "/v1/materials/search?facets=1&"+tt.query).json("facets." + tt.path).Raw; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	public := w.ask(t, "GET", w.base+"/public/search?categories=gips,holz&kaufbar=1")
	if got := public.json("facets.materialCategories").Raw; got != `[{"value":"textil","count":60},{"value":"holz","count":1}]` {
		t.Errorf("a chosen value that is not in the vocabulary: got %s", got)
	}
	if got := public.json("facets.purchasableOnly").Raw; got != `{"true":1,"false":0}` {
		t.Errorf("got %s", got)
	}
}
