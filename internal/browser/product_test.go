package browser_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/internal/browser"
)

// rich is a product of the sample with octaves, thirds, an EPD and a geometry.
const rich = "akustikpaneel-fichte-40"

// cells returns the rows of the first table of a region whose name holds a text.
func cells(b *browser.Tab, region string) [][]string {
	return browser.Eval[[][]string](b, fmt.Sprintf(`[...(
		[...document.querySelectorAll("[role=region], section")].find(r => (r.getAttribute("aria-label") ?? r.innerText).includes(%q))
			?.querySelector("table")?.rows ?? [])].map(r => [...r.cells].map(c => c.textContent.replace(/\s+/g, " ").trim()))`, region))
}

func TestAProduct(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	product := ask(t, s, "/public/materials/"+rich+"?locale=en")
	b := browser.Open(t, s, browser.View{}, "/products/"+rich)
	b.Find("heading", product.Get("label").String())
	for _, title := range []string{"Absorption", "Geometry", "Facts", "Sources", "Similar products"} {
		b.Find("heading", title)
	}
	b.Sees(product.Get("manufacturerName").String())
	b.Sees(product.Get("id").String())
	if got, want := browser.Eval[string](b, "document.title"), product.Get("label").String(); !strings.HasPrefix(got,
		want) {
		t.Errorf("the page is called %q", got)
	}

	// Products like this are those of the API, in its order.
	var like []string
	for _, p := range ask(t, s, "/public/search?locale=en&like="+rich).Get("products.#.label").Array() {
		like = append(like, p.String())
	}
	b.Await("products like this", func() bool {
		got := browser.Eval[[]string](b,
			`[...document.querySelectorAll("section[aria-labelledby=similar] a")].map(a => a.textContent.trim())`)
		return len(got) > 0 && slices.Equal(got, like[:len(got)])
	})

	// The values of the curves stand in a table, in both kinds of bands.
	entry := product.Get("measurements.absorption_iso_354.0")
	for _, kind := range []string{"Third octaves", "Octaves"} {
		bands := entry.Get(map[string]string{"Octaves": "alpha_s_octave", "Third octaves": "alpha_s_third_octave"}[kind])
		b.Click("button", kind)
		b.Await("the table of "+kind, func() bool {
			rows := cells(b, "Values as a table")
			return len(rows) == len(bands.Map())+1
		})
		for _, row := range cells(b, "Values as a table")[1:] {
			hz := strings.ReplaceAll(row[0], ",", "")
			if got, err := strconv.ParseFloat(row[1], 64); err != nil || got != bands.Get(hz).Float() {
				t.Errorf("%s at %s Hz: got %s, want %s", kind, hz, row[1], bands.Get(hz))
			}
		}
	}

	// At the cursor, which keys move as well, too.
	b.Focus("slider", "Sound absorption coefficient of")
	for i, band := range []string{"125 Hz", "250 Hz"} {
		b.Press(browser.ArrowRight)
		b.Wait(fmt.Sprintf("band %d at the cursor", i),
			fmt.Sprintf("document.activeElement.getAttribute('aria-valuetext').includes(%q)", band))
	}
	b.CheckAccess()
}

// TestSetUpsAreNamedByWhatDiffers, in the language of the page, and alpha_w has its shape letters.
func TestSetUpsAreNamedByWhatDiffers(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/products/ulmvara-paneele-holzwolle-akustikplatte-elsolis-03960562")
	b.Await("the set-ups", func() bool { return len(cells(b, "Set-ups")) == 3 })
	for i, want := range [][]string{{"air gap 200 mm · infinite area", "0.60(H)", "C"}, {"air gap 40 mm", "0.50(H)", "D"}} {
		if got := cells(b, "Set-ups")[i+1][:3]; !slices.Equal(got, want) {
			t.Errorf("set-up %d: got %q, want %q", i, got, want)
		}
	}
	if b.Has("heading", "Diffusion") {
		t.Error("there is a card for measurements that there are not")
	}
}

// TestDownloads: what the page saves is what the API gave it.
func TestDownloads(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	product := ask(t, s, "/public/materials/"+rich+"?locale=en")
	b := browser.Open(t, s, browser.View{}, "/products/"+rich)
	name, text := b.Download(func() { b.Click("button", "JSON") })
	var got, want any
	if err := json.Unmarshal([]byte(text), &got); err != nil || name != rich+".json" {
		t.Errorf("%s: %v", name, err)
	}
	_ = json.Unmarshal([]byte(product.Raw), &want)
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("the JSON is\n%s\nwant\n%s", g, w)
	}
	b.Reload()
	name, text = b.Download(func() { b.Click("button", "CSV") })
	if rows := strings.Count(strings.TrimSpace(text), "\n"); name != rich+".csv" ||
		rows != len(product.Get("measurements.@values|@flatten").Array()) {
		t.Errorf("%s has %d rows:\n%s", name, rows, text)
	}
}

// TestAProductWithoutPublicDetail shows what compare makes public, and says where the rest is.
func TestAProductWithoutPublicDetail(t *testing.T) {
	t.Parallel()
	s := browser.Serve(t, browser.SampleFolder(t), "--public-limit", browser.Unlimited)
	b := browser.Open(t, s, browser.View{}, "/products/"+rich)
	b.Find("heading", "Akustikpaneel Fichte 40") // compare knows German labels alone
	b.Find("heading", "Scattering, diffusion and geometry")
	b.Find("link", "API reference")
	if rows := cells(b, "Values as a table"); len(rows) < 7 {
		t.Errorf("the table is %q", rows)
	}
	b.CheckAccess()
}
