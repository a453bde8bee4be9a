package browser_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/internal/browser"
)

func TestComparison(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	ids := []string{rich, "beton-glatt"}
	b := browser.Open(t, s, browser.View{}, "/compare?id="+strings.Join(ids, ","))
	want := ask(t, s, "/public/compare-products?id="+strings.Join(ids, ","))
	for i := range ids {
		if got := b.Find("link", label(t, s, ids[i])); got.Name == "" {
			t.Errorf("no link to %s", ids[i])
		}
	}
	b.Click("DisclosureTriangle", "Values as a table")
	b.Await("a table of both curves", func() bool {
		rows := cells(b, "Values as a table")
		return len(rows) > 6 && len(rows[0]) == 3
	})
	for _, row := range cells(b, "Values as a table")[1:] {
		for i := range ids {
			path := fmt.Sprintf("products.%d.absorption_iso354.0.alpha_s_octave.%s", i, strings.ReplaceAll(row[0], ",", ""))
			if got, err := strconv.ParseFloat(row[i+1], 64); err != nil && row[i+1] != "–" ||
				abs(got-want.Get(path).Float()) > 0.0051 {
				t.Errorf("%s: %q, want %s", path, row, want.Get(path))
			}
		}
	}
	b.Focus("combobox", "Add a product")
	b.Paste("keramikfliesen") // in one step, so that the list does not move before the click
	b.Click("option", "Ceramic tiles, smooth")
	b.At("keramikfliesen")
	b.Find("heading", "Ceramic tiles, smooth")
	b.Reload()
	b.Find("heading", "Ceramic tiles, smooth")
	b.Click("button", "Remove Concrete, smooth, unpainted")
	b.Await("two products", func() bool { return !b.Has("heading", "Concrete, smooth, unpainted") })
	b.Back()
	b.Find("heading", "Concrete, smooth, unpainted")
	b.CheckAccess()
	b.Click("link", "Add to room")
	b.Find("heading", "Room")
	b.Find("textbox", "Area of Ceramic tiles, smooth")
}

// TestTheDepthOfAComparisonIsKnownOrNotStated checks that an unstated air gap is not shown as 0.
func TestTheDepthOfAComparisonIsKnownOrNotStated(t *testing.T) {
	t.Parallel()
	snapshots := filepath.Join(t.TempDir(), "snapshots")
	var records, slugs []string
	for i, mounting := range []string{`"A"`, `"E-400"`, `"E","air_gap_mm":200`, `"E"`} {
		slugs = append(slugs, fmt.Sprintf("p%d", i+1))
		records = append(records, strings.Replace(record(i+1, slugs[i], slugs[i]), `"mounting":"A"`, `"mounting":`+mounting, 1))
	}
	browser.Build(t, snapshots, "["+strings.Join(records, ",")+"]")
	s := browser.Serve(t, snapshots, "--public-limit", browser.Unlimited)
	b := browser.Open(t, s, browser.View{}, "/compare?id="+strings.Join(slugs, ","))
	b.Find("heading", "p4")
	var got []string
	for _, row := range cells(b, "Data side by side") {
		if strings.HasPrefix(row[0], "Depth with air gap") {
			got = row[1:]
		}
	}
	if want := []string{"40 mm", "400 mm", "240 mm", "air gap not stated"}; !slices.Equal(got, want) {
		t.Errorf("the depths are %q, want %q", got, want)
	}
}

// label returns a product's English label.
func label(t *testing.T, s *browser.Server, slug string) string {
	t.Helper()
	return ask(t, s, "/public/search?locale=en&q="+url.QueryEscape(slug)).Get(`products.#(slug=="` + slug +
		`").label`).String()
}

func TestComparisonsOfNothingAndOfTooMuch(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/compare")
	b.Find("heading", "No products selected yet")
	b.Goto("/compare?id=beton-glatt,beton-rau,keramikfliesen,mauerwerk-verputzt,kalkanstrich-rau")
	b.Sees("The link names 5 products.")
	b.Find("heading", "Rendered masonry")
	if b.Has("heading", "Lime wash, rough") {
		t.Error("the fifth is compared as well")
	}
}

// TestChoosingWhatIsCompared checks that up to four products can be selected in the search, and that they
// remain selected during further searches.
func TestChoosingWhatIsCompared(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/?q=wood+wool")
	b.Find("searchbox", searchField)
	b.Sees("products")
	names := hits(b)[:5]
	for _, name := range names[:4] {
		b.Click("button", "Compare: "+name)
	}
	if b.Find("button", "Compare: "+names[4]).States["disabled"] != "true" {
		t.Error("a fifth can be chosen")
	}
	b.Fill("searchbox", searchField, "glas")
	b.Click("link", "Compare 4")
	for _, name := range names[:4] {
		b.Find("heading", name)
	}
}
