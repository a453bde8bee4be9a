package browser_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/internal/browser"
)

// rich is a sample product with octaves, third-octaves, an EPD and a geometry.
const rich = "akustikpaneel-fichte-40"

// cells returns the rows of the first table in a region whose name contains the given text.
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
		t.Errorf("the title of the page is %q", got)
	}

	b.Sees(product.Get("description").String())

	// The similar products must be the same as in the API, in the same order, each with the alpha_w and shape
	// letters of the similar set-up.
	var like []string
	for _, p := range ask(t, s, "/public/search?locale=en&like="+rich).Get("products").Array() {
		said := p.Get("label").String()
		if alpha := p.Get("match.alpha_w"); alpha.Type == gjson.Number {
			said += fmt.Sprintf(" αw %.2f", alpha.Float())
		}
		if letters := p.Get("match.alpha_w_shape").String(); letters != "" {
			said += "(" + letters + ")"
		}
		like = append(like, said)
	}
	if !strings.Contains(strings.Join(like[:6], ""), ")") {
		t.Errorf("none of %q has shape letters", like)
	}
	b.Await("products like this", func() bool {
		got := browser.Eval[[]string](b, `[...document.querySelectorAll("section[aria-labelledby=similar] li")].map(li =>
			[li.querySelector("a").textContent.trim(), ...(li.textContent.match(/αw\s*[^\s]*?\d(\([LMH]+\))?(?=deviation|\s|$)/) ?? []).slice(0, 1)].join(" ").replace(/\s+/g, " "))`)
		return len(got) > 0 && slices.Equal(got, like[:len(got)])
	})

	// A table must show the values of the curves in both kinds of bands.
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

	// The cursor, which keys can move, must also show the values.
	b.Focus("slider", "Sound absorption coefficient of")
	for i, band := range []string{"125 Hz", "250 Hz"} {
		b.Press(browser.ArrowRight)
		b.Wait(fmt.Sprintf("band %d at the cursor", i),
			fmt.Sprintf("document.activeElement.getAttribute('aria-valuetext').includes(%q)", band))
	}
	b.CheckAccess()
}

// TestSetUpsAreNamedByWhatDiffers checks the names of set-ups in the page's language, and the shape letters
// of alpha_w.
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

// TestADescriptionIsShownInFull checks that the page shows the description as text, with its lines and in its
// language, with and without scripts, unless details require a key.
func TestADescriptionIsShownInFull(t *testing.T) {
	t.Parallel()
	snapshots := filepath.Join(t.TempDir(), "snapshots")
	texts := map[string]string{}
	for _, language := range []string{"de", "en"} {
		texts[language] = language + ": one <b>line</b> & another,\n" + strings.Repeat("a long text ", 300) + "to the end\n\nlast"
	}
	description, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	browser.Build(t, snapshots, strings.Replace(record(1, "eins", "Eins"), `"manufacturer"`,
		`"description":`+string(description)+`,"manufacturer"`, 1))
	const shown = `document.querySelector(".description")?.innerText ?? ""`
	s := browser.Serve(t, snapshots, "--public-detail", "--public-limit", browser.Unlimited)
	for _, v := range []browser.View{{}, {NoScript: true}} {
		for language, want := range texts {
			b := browser.Open(t, s, v, "/products/eins?locale="+language)
			b.Sees("last")
			if got := browser.Eval[string](b, shown); got != want {
				t.Errorf("%+v, %s: the description is %q, want %q", v, language, got, want)
			}
		}
	}
	b := browser.Open(t, browser.Serve(t, snapshots, "--public-limit", browser.Unlimited), browser.View{}, "/products/eins")
	b.Find("heading", "Description, scattering, diffusion and geometry")
	if got := browser.Eval[string](b, shown); got != "" {
		t.Errorf("without the details the page shows %q", got)
	}
}

// TestDownloads checks that saved files contain the same data as the API.
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

// TestAProductWithoutPublicDetail checks that the page shows the public comparison data, and where the other
// data are.
func TestAProductWithoutPublicDetail(t *testing.T) {
	t.Parallel()
	s := browser.Serve(t, browser.SampleFolder(t), "--public-limit", browser.Unlimited)
	b := browser.Open(t, s, browser.View{}, "/products/"+rich)
	b.Find("heading", "Akustikpaneel Fichte 40") // a comparison contains only German labels
	b.Find("heading", "Description, scattering, diffusion and geometry")
	b.Find("link", "API reference")
	if rows := cells(b, "Values as a table"); len(rows) < 7 {
		t.Errorf("the table is %q", rows)
	}
	b.CheckAccess()
}
