package serve_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// buckets formats the buckets of a family as value:count.
func buckets(family gjson.Result) string {
	if family.IsObject() {
		return fmt.Sprintf("true:%d false:%d", family.Get("true").Int(), family.Get("false").Int())
	}
	var all []string
	for _, b := range family.Array() {
		value := b.Get("value")
		if !value.Exists() {
			value = b.Get("slug")
		}
		all = append(all, fmt.Sprintf("%s:%d", value, b.Get("count").Int()))
	}
	return strings.Join(all, " ")
}

func TestFacets(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, path, family, want string }{
		{"count descending, then value ascending", "/public/search?q=Akustik", "materialCategories",
			"holz:2 schaum:1 textil:1"},
		{"a choice does not hide its siblings", "/public/search?categories=holz", "materialCategories",
			"holz:4 textil:4 metall:2 schaum:2 mineral:1"},
		{"a choice counts in the other families", "/public/search?categories=holz", "installationTypes", "wall:4 ceiling:3"},
		{"two values of a family", "/public/search?categories=holz,schaum", "manufacturers",
			"beispiel-akustik:3 nordklang-aps:2 panelwerk:1"},
		{"two families", "/public/search?categories=holz&type=ceiling", "materialCategories",
			"holz:3 mineral:1 schaum:1 textil:1"},
		{"two families, the other one", "/public/search?categories=holz&type=ceiling", "installationTypes",
			"wall:4 ceiling:3"},
		{"a chosen value keeps its bucket at 0", "/public/search?categories=mineral&q=Vlies", "materialCategories",
			"textil:2 holz:1 mineral:0"},
		{"a declared value without products, chosen", "/public/search?categories=glas", "materialCategories",
			"holz:4 textil:4 metall:2 schaum:2 mineral:1 glas:0"},
		{"a chosen value that is not in the vocabulary has no bucket", "/public/search?categories=beton",
			"materialCategories", "holz:4 textil:4 metall:2 schaum:2 mineral:1"},
		{"nothing is left of the other families then", "/public/search?categories=beton", "installationTypes", ""},
		{"manufacturers by count, then slug", "/public/search?min=0.5", "manufacturers",
			"beispiel-akustik:3 mueller-soehne:3 nordklang-aps:1"},
		{"a manufacturer chosen by its id",
			"/public/search?manufacturers=C2A1D0E9-8B7F-5A6C-9D4E-3F2B1A0C9D8E&categories=metall", "manufacturers",
			"panelwerk:2 beispiel-akustik:0"},
		{"alpha_w bounds count everywhere", "/public/search?max=0.2", "absorptionCharacters", "hochton:1"},
		{"hasEPD counts both ways with all other families applied", "/public/search?categories=textil&epd=true", "hasEPD",
			"true:2 false:2"},
		{"purchasableOnly counts the others under false", "/public/search?kaufbar=true&categories=holz", "purchasableOnly",
			"true:3 false:1"},
		{"facets belong to the text", "/public/search?q=Vlies", "hasEPD", "true:3 false:1"},
		{"facets of a fallback", "/public/search?q=Deckensegl", "materialCategories", "textil:1"},
		{"facets of nothing", "/public/search?q=xyzzyq", "materialCategories", ""},
		{"facets of a page past the end are those of the whole result", "/public/search?page=9&categories=holz",
			"installationTypes", "wall:4 ceiling:3"},
		{"authenticated: categories", "/v1/materials/search?facets=true&installation=free-standing", "categories",
			"schaum:2 textil:2"},
		{"authenticated: characters", "/v1/materials/search?facets=true&installation=free-standing", "characters",
			"tiefton:2 breitband:1 hochton:1"},
		{"authenticated: installations", "/v1/materials/search?facets=true&installation=free-standing", "installations",
			"wall:8 ceiling:6 free-standing:4 floor:1"},
		{"fire classes are cumulative, A1 to F", "/v1/materials/search?facets=true&category=textil", "fire_classes",
			"A2:1 B:2 C:3 D:3 E:3 F:3"},
		{"a fire class chosen does not hide the others", "/v1/materials/search?facets=true&fire_class=A2&category=textil",
			"fire_classes", "A2:1 B:2 C:3 D:3 E:3 F:3"},
		{"a fire class chosen keeps its bucket at 0", "/v1/materials/search?facets=true&fire_class=A1&category=textil",
			"fire_classes", "A1:0 A2:1 B:2 C:3 D:3 E:3 F:3"},
		{"a fire class chosen counts elsewhere", "/v1/materials/search?facets=true&fire_class=A2", "categories",
			"mineral:1 textil:1"},
		{"authenticated: has_epd", "/v1/materials/search?facets=true&has_epd=1", "has_epd", "true:3 false:12"},
		{"purchasable_only counts elsewhere", "/v1/materials/search?facets=true&purchasable_only=1&fire_class=A1",
			"manufacturers", "nordklang-aps:1"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := buckets(s.get(t, tt.path).json("facets." + tt.family)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("locale never changes values or counts", func(t *testing.T) {
		if de, en := s.get(t, "/public/search?q=Vlies"),
			s.get(t, "/public/search?q=Vlies&locale=en"); de.json("facets").Raw != en.json("facets").Raw {
			t.Errorf("got %s and %s", de.json("facets"), en.json("facets"))
		}
	})
}

// TestABucketIsTheTotal repeats each request once for each bucket, with the bucket's value as the only
// selected value of its family. The total must be the count of the bucket.
func TestABucketIsTheTotal(t *testing.T) {
	t.Parallel()
	s := shared(t)
	authenticated := map[string]string{"categories": "category", "characters": "character",
		"installations": "installation", "manufacturers": "manufacturer", "fire_classes": "fire_class"}
	public := map[string]string{"materialCategories": "categories", "absorptionCharacters": "characters",
		"installationTypes": "type", "manufacturers": "manufacturers"}
	tests := []struct {
		path     string
		params   url.Values
		families map[string]string
		flags    map[string]string
		total    string
	}{
		{"/v1/materials/search", url.Values{}, authenticated, map[string]string{"has_epd": "has_epd"}, "total_count"},
		{"/v1/materials/search", url.Values{"category": {"holz", "textil"}, "fire_class": {"C"}, "has_epd": {"true"}},
			authenticated, map[string]string{"has_epd": "has_epd"}, "total_count"},
		{"/v1/materials/search", url.Values{"q": {"Akustik"}, "alpha_w_min": {"0.6"}}, authenticated,
			map[string]string{"has_epd": "has_epd"}, "total_count"},
		{"/public/search", url.Values{"type": {"wall"}, "manufacturers": {"nordklang-aps"}, "kaufbar": {"true"}}, public,
			map[string]string{"hasEPD": "epd", "purchasableOnly": "kaufbar"}, "total"},
		{"/public/search", url.Values{"q": {"Panel 3"}}, public, map[string]string{"hasEPD": "epd",
			"purchasableOnly": "kaufbar"}, "total"},
	}
	for _, tt := range tests {
		t.Run(tt.path+"?"+tt.params.Encode(), func(t *testing.T) {
			ask := func(change, value string) *answer {
				params := url.Values{"facets": {"true"}}
				for name, values := range tt.params {
					params[name] = values
				}
				if change != "" {
					params[change] = []string{value}
				}
				return s.get(t, tt.path+"?"+params.Encode())
			}
			facets := ask("", "").json("facets")
			for family, parameter := range tt.families {
				for _, b := range facets.Get(family).Array() {
					value := b.Get("value").String()
					if slug := b.Get("slug"); slug.Exists() {
						value = slug.String()
					}
					if total := ask(parameter, value).json(tt.total).Int(); total != b.Get("count").Int() {
						t.Errorf("%s %s: count %d, total %d", family, value, b.Get("count").Int(), total)
					}
				}
			}
			for family, parameter := range tt.flags {
				with, all := ask(parameter, "true").json(tt.total).Int(), ask(parameter, "false").json(tt.total).Int()
				if split := facets.Get(family); split.Get("true").Int() != with || split.Get("false").Int() != all-with {
					t.Errorf("%s: counts %s, totals %d and %d", family, split.Raw, with, all-with)
				}
			}
		})
	}
}
