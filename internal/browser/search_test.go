package browser_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/internal/browser"
)

// searchField is the name of the search field.
const searchField = "Search for products"

// ask requests a path below a server's API and returns the body.
func ask(t *testing.T, s *browser.Server, path string) gjson.Result {
	t.Helper()
	resp, err := http.Get(s.URL + s.API + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s %v", path, resp.StatusCode, body, err)
	}
	return gjson.ParseBytes(body)
}

// products formats a number of products as the page does.
func products(n int64) string {
	if n == 1 {
		return "1 product"
	}
	return strconv.FormatInt(n, 10) + " products"
}

// hits returns the names of the listed products.
func hits(b *browser.Tab) []string {
	return browser.Eval[[]string](b,
		`[...document.querySelectorAll("main article h3, main li h3")].map(h => h.textContent.replace(/\s+/g, " ").trim())`)
}

// showsWhat waits until the page shows the first hits from the API.
func showsWhat(t *testing.T, s *browser.Server, b *browser.Tab, query string) {
	t.Helper()
	asked := query
	if strings.Contains(query, "absorption_min=") && !strings.Contains(query, "sort=") && !strings.Contains(query, "q=") {
		asked += "&sort=margin_desc" // the page shows the best fit first
	}
	want := ask(t, s, "/public/search?"+asked)
	b.Find("heading", products(want.Get("total").Int()))
	var labels []string
	for _, p := range want.Get("products.#.label").Array() {
		labels = append(labels, p.String())
	}
	b.Await("the products of "+query, func() bool { return slices.Equal(hits(b), labels) })
}

func TestSearchAsOneTypes(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	showsWhat(t, s, b, "locale=en")
	for _, text := range []string{"akustik", "holz", "stoff", ""} {
		b.Fill("searchbox", searchField, text)
		showsWhat(t, s, b, "locale=en&q="+text)
	}
	b.Fill("searchbox", searchField, "wood wool")
	b.At("q=wood+wool")
	b.Await("a marked word of the query", func() bool {
		return browser.Eval[int](b, "document.querySelectorAll('main mark').length") > 0
	})
}

// TestTheNewestQuestionIsAnswered checks that the page does not show late answers to an earlier query.
func TestTheNewestQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	showsWhat(t, s, b, "locale=en")
	release := b.Hold("*/public/search*")
	b.Focus("searchbox", searchField)
	for _, key := range "holz" {
		b.Press(string(key))
		b.Await("a request", func() bool { return len(b.Requested("/public/search")) > 1 })
	}
	b.Sees("Loading")
	b.Sees("384 products") // the earlier hits remain visible
	release()
	showsWhat(t, s, b, "locale=en&q=holz")
}

// TestFacetsNeverHideTheirSiblings checks that the other values of a family remain after a value is selected,
// with the number of products that each would add.
func TestFacetsNeverHideTheirSiblings(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	before := facets(b, "Material")
	if len(before) < 5 {
		t.Fatalf("the materials are %q", before)
	}
	b.Click("checkbox", "Wood")
	showsWhat(t, s, b, "locale=en&categories=holz")
	b.At("categories=holz")
	if after := facets(b, "Material"); !slices.Equal(after, before) {
		t.Errorf("the materials were %q and are %q", before, after)
	}
	b.Click("checkbox", "Metal")
	showsWhat(t, s, b, "locale=en&categories=holz,metall")
	b.Click("checkbox", "Ceiling")
	showsWhat(t, s, b, "locale=en&categories=holz,metall&type=ceiling")
	b.Click("button", "Reset all")
	showsWhat(t, s, b, "locale=en")
}

// facets waits for a family's values with their counts and returns them.
func facets(b *browser.Tab, family string) (values []string) {
	b.Await("the facets of "+family, func() bool {
		values = browser.Eval[[]string](b, fmt.Sprintf(
			`[...document.querySelectorAll("fieldset")].filter(f => f.querySelector("legend")?.innerText.trim() === %q)
				.flatMap(f => [...f.querySelectorAll("label")].map(l => l.innerText.replace(/\s+/g, " ").trim()))`, family))
		return len(values) > 0
	})
	slices.Sort(values) // selected values can precede the others
	return values
}

// TestFilters checks that the address contains each filter by its API name, and that a reload restores them.
func TestFilters(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	for _, tt := range []struct {
		rule   string
		choose func(b *browser.Tab)
		query  string // query for the API and in the page's address
	}{
		{"alpha_w at least", func(b *browser.Tab) {
			b.Focus("slider", "at least")
			b.Press(browser.ArrowRight, browser.ArrowRight)
		}, "min=0.1"},
		{"alpha_w at most", func(b *browser.Tab) { b.Focus("slider", "at most"); b.Press(browser.Home) }, "max=0"},
		{"a class", func(b *browser.Tab) { b.Click("button", "Class A") }, "absorption_class=A"},
		{"classes", func(b *browser.Tab) {
			b.Click("button", "Class A")
			showsWhat(t, s, b, "locale=en&absorption_class=A") // moves the next button
			b.Click("button", "Class B")
		}, "absorption_class=A,B"},
		{"a need by its slider", func(b *browser.Tab) {
			b.Focus("slider", "Absorption coefficient at 500 Hz")
			b.Press(browser.End, browser.ArrowDown, browser.ArrowDown)
		}, "absorption_min=500:0.9"},
		{"a need by its number", func(b *browser.Tab) {
			b.Fill("textbox", "Absorption coefficient at 125 Hz", "0.3")
			b.Fill("textbox", "Absorption coefficient at 4000 Hz", "0.75")
		}, "absorption_min=125:0.3,4000:0.75"},
		{"a need at most", func(b *browser.Tab) {
			b.Click("radio", "At most")
			b.Fill("textbox", "Absorption coefficient at 1000 Hz", "0.2")
		}, "absorption_max=1000:0.2"},
		{"a curve like this", func(b *browser.Tab) {
			b.Click("radio", "Similar")
			b.Fill("textbox", "Absorption coefficient at 250 Hz", "0.4")
			b.Fill("textbox", "Absorption coefficient at 1000 Hz", "0.9")
		}, "curve=250:0.4,1000:0.9"},
		{"an EPD", func(b *browser.Tab) { b.Click("checkbox", "With EPD") }, "epd=true"},
		{"the order", func(b *browser.Tab) { b.Focus("combobox", "Order"); b.Press(browser.ArrowDown) }, "sort=alphaW_desc"},
	} {
		t.Log(tt.rule)
		b.Goto("/")
		b.Find("heading", "384 products")
		tt.choose(b)
		showsWhat(t, s, b, "locale=en&"+tt.query)
		b.At(tt.query)
		b.Reload()
		showsWhat(t, s, b, "locale=en&"+tt.query)
		b.At(tt.query)
	}
}

// TestWhyAProductIsFound checks that the page shows the reason for the order, and the set-up that meets a
// need.
func TestWhyAProductIsFound(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/?q=Akustikpaneel+Fichte+40")
	b.Sees("Exact name matches first.")
	b.Goto("/?q=xqzwjkv")
	b.Sees("No products found for “xqzwjkv”.")
	b.Goto("/?absorption_min=500:0.9")
	b.Sees("One set-up of each product meets all requirements.")
	first := ask(t, s, "/public/search?absorption_min=500:0.9&sort=margin_desc").Get("products.0.match")
	b.Sees(fmt.Sprintf("Set-up: Type %s · %s mm", first.Get("mounting"), first.Get("thickness_mm")))
}

// TestTheSetUpThatIsFoundGoesAlong checks that the links to the product and the room contain the set-up and
// the need.
func TestTheSetUpThatIsFoundGoesAlong(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	const need = "absorption_min=500:0.3&depth_max=60"
	var found gjson.Result // product whose best set-up is a different one
	for _, p := range ask(t, s, "/public/search?locale=en&sort=margin_desc&"+need).Get("products").Array() {
		if p.Get("match.absorption_class").String() != "A" && p.Get("alphaW").Float() >= 0.9 {
			found = p
			break
		}
	}
	b := browser.Open(t, s, browser.View{}, "/?"+need)
	b.Sees("best set-up: class\u00a0A")
	b.Click("link", found.Get("label").String())
	b.Find("heading", found.Get("label").String())
	b.At("entry=" + found.Get("match.id").String())
	b.Sees("Required at least")
	b.Click("link", "Add to room")
	b.At("surface=" + found.Get("slug").String() + "@" + found.Get("match.entry").String() + ":")
}

// TestWhatComesClosest checks that the page shows the nearest products if no product meets a need.
func TestWhatComesClosest(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	const need = "absorption_min=125:0.95,250:1,500:1&thickness_max=60"
	near := ask(t, s, "/public/search?locale=en&near=true&"+need).Get("products.0")
	b := browser.Open(t, s, browser.View{}, "/?"+need)
	b.Find("heading", "What comes closest")
	b.Find("heading", near.Get("label").String())
	b.Sees(fmt.Sprintf("lacks %.2f at 125 Hz", near.Get("match.shortfall.125").Float()))
}

// TestAnAirGapIsNotStated checks that an air gap counts as unstated only if neither the record nor the
// mounting determines it.
func TestAnAirGapIsNotStated(t *testing.T) {
	t.Parallel()
	const octaves = `"alpha_s_octave":{"125":0.5,"250":0.5,"500":0.5,"1000":0.5,"2000":0.5,"4000":0.5}`
	var records strings.Builder
	for i, setUp := range []string{
		`"mounting":"E","thickness_mm":20`, `"mounting":"A"`, `"mounting":"E-400"`, `"mounting":"E","air_gap_mm":100`,
	} {
		fmt.Fprintf(&records, `{"id":"10000000-0000-4000-8000-00000000000%d","label":"P%d","manufacturer":"M","measurements":`+
			`{"absorption_iso_354":[{"source_kind":"measured",%s,%s}]}}`+"\n", i, i, setUp, octaves)
	}
	folder := t.TempDir()
	browser.Build(t, folder, records.String())
	b := browser.Open(t, browser.Serve(t, folder), browser.View{}, "/?sort=name_asc")
	b.Find("heading", "4 products")
	b.Await("P0 alone without an air gap", func() bool {
		return slices.Equal(browser.Eval[[]string](b, `[...document.querySelectorAll("article")]
			.filter(a => a.innerText.includes("air gap not stated")).map(a => a.querySelector("h3").innerText.trim())`), []string{"P0"})
	})
}

// TestFiltersOfSetUps checks that the page offers only values in the catalogue, each with its count.
func TestFiltersOfSetUps(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/?mounting=A")
	counts := ask(t, s, "/public/search?mounting=A&need_facets=true").Get("need_facets")
	var want []string
	for _, c := range counts.Get("source_kinds").Array() {
		want = append(want, c.Get("value").String()+" "+c.Get("count").String())
	}
	slices.Sort(want)
	b.Await("the counts of source kinds", func() bool { return slices.Equal(facets(b, "Values"), want) })
	b.Click("button", "Class A")
	showsWhat(t, s, b, "locale=en&mounting=A&absorption_class=A")
}

// TestWhatExcludesEverything checks that an empty result offers changes, each with the number of hits.
func TestWhatExcludesEverything(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/?categories=glas&absorption_min=125:1")
	b.Sees("No product meets all filters together.")
	glass := ask(t, s, "/public/search?categories=glas").Get("total").Int()
	b.Click("button", "Without “At least 125 Hz: 1”: "+products(glass))
	showsWhat(t, s, b, "locale=en&categories=glas")
}

func TestGermanAndEnglish(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	for _, tt := range []struct{ language, path, heading, lang string }{
		{"de-AT,de;q=0.9,en;q=0.5", "/", "384 Produkte", "de"},
		{"en-GB", "/", "384 products", "en"},
		{"fr", "/", "384 products", "en"},
		{"en", "/?locale=de", "384 Produkte", "de"}, // the language in the address takes priority
		{"de", "/?locale=en", "384 products", "en"},
	} {
		t.Run(tt.language+" "+tt.path, func(t *testing.T) {
			b := browser.Open(t, s, browser.View{Language: tt.language}, tt.path)
			b.Find("heading", tt.heading)
			if got := browser.Eval[string](b, "document.documentElement.lang"); got != tt.lang {
				t.Errorf("the page's language is %q, want %q", got, tt.lang)
			}
			if got := hits(b)[0]; got != ask(t, s, "/public/search?locale="+tt.lang).Get("products.0.label").String() {
				t.Errorf("the first product is %q", got)
			}
		})
	}
	b := browser.Open(t, s, browser.View{}, "/?q=holz")
	b.Sees("products")
	b.Click("button", "Deutsch")
	b.Sees("Produkte")
	b.At("locale=de")
	b.Goto("/room") // the selected language applies to the next page
	b.Find("heading", "Raum")
	b.Click("button", "English")
	b.Find("heading", "Room")
}

// TestBackAndForward checks that each selection adds an entry to the history. A text or curve that is entered
// without a pause also adds one entry.
func TestBackAndForward(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	b.Fill("searchbox", searchField, "paneel")
	showsWhat(t, s, b, "locale=en&q=paneel")
	b.Click("checkbox", "Wood")
	showsWhat(t, s, b, "locale=en&q=paneel&categories=holz")
	first := hits(b)[0]
	b.Click("link", first)
	b.Find("heading", first)
	b.Back()
	showsWhat(t, s, b, "locale=en&q=paneel&categories=holz")
	b.Back()
	showsWhat(t, s, b, "locale=en&q=paneel")
	b.Back()
	showsWhat(t, s, b, "locale=en")
	b.Forward()
	showsWhat(t, s, b, "locale=en&q=paneel")
	if got := b.Find("searchbox", searchField).Value; got != "paneel" {
		t.Errorf("the field holds %q", got)
	}
	b.Forward()
	showsWhat(t, s, b, "locale=en&q=paneel&categories=holz")
	b.Forward()
	b.Find("heading", first)
	b.Back()
	b.Focus("slider", "Absorption coefficient at 500 Hz")
	b.Press(browser.Home, browser.ArrowUp, browser.ArrowUp)
	showsWhat(t, s, b, "locale=en&q=paneel&categories=holz&absorption_min=500:0.1")
	b.Back()
	showsWhat(t, s, b, "locale=en&q=paneel&categories=holz")
}

// TestBackScrolls checks that Back and a reload restore the scroll position of the list.
func TestBackScrolls(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	showsWhat(t, s, b, "locale=en")
	name := hits(b)[20]
	b.Click("link", name)
	b.Find("heading", name)
	b.Wait("the top of the product", "scrollY === 0")
	b.Back()
	b.Wait("the place of the list", "scrollY > 500")
	b.Reload()
	b.Wait("the place of the list", "scrollY > 500")
}

// TestTypingCostsFewRequests checks that a query typed without a pause causes one request.
func TestTypingCostsFewRequests(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	showsWhat(t, s, b, "locale=en")
	before := len(b.Requested("/public/search"))
	b.Fill("searchbox", searchField, "holzwolle akustikplatten")
	showsWhat(t, s, b, "locale=en&q=holzwolle+akustikplatten")
	if n := len(b.Requested("/public/search")) - before; n > 3 {
		t.Errorf("24 letters cost %d requests", n)
	}
}

// TestTheFirstScreen checks the description of the catalogue and the example links.
func TestTheFirstScreen(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	makers := len(ask(t, s, "/public/search").Get("facets.manufacturers").Array())
	b.Sees(fmt.Sprintf("384 products from %d manufacturers.", makers))
	b.Sees("its manufacturers and their products are invented")
	for _, example := range []struct{ link, query string }{
		{"Absorption class A", "absorption_class=A&thickness_max=50"},
		{"at 125 Hz", "absorption_min=125:0.5&sort=margin_desc"},
	} {
		b.Click("link", example.link)
		b.SeesNot("invented")
		showsWhat(t, s, b, "locale=en&"+example.query)
		b.Goto("/")
	}
	b.Click("link", "Reverberation time of a classroom")
	b.Find("heading", "Room")
	b.Sees("Too long in all octave bands")
	b.Wait("a title of its own", "document.title.startsWith('Room 189 m³ A3')")
}

// TestManyChangesReachTheAddress checks that the address is correct after many changes, because browsers
// ignore some changes if there are hundreds within seconds.
func TestManyChangesReachTheAddress(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	b.Focus("slider", "Absorption coefficient at 500 Hz")
	b.Press(browser.End)
	for range 130 {
		b.Press(browser.ArrowDown, browser.ArrowUp)
	}
	b.Press(browser.Home, browser.ArrowUp, browser.ArrowUp)
	b.At("absorption_min=500:0.1")
	showsWhat(t, s, b, "locale=en&absorption_min=500:0.1")
}

func TestListAndGrid(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	b.Click("button", "Grid")
	b.At("view=grid")
	b.Reload()
	if b.Find("button", "Grid").States["pressed"] != "true" {
		t.Error("the grid is not chosen after a reload")
	}
	showsWhat(t, s, b, "locale=en")
}

func TestPagesOfAResult(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	b.Click("link", "Next")
	b.At("page=1")
	showsWhat(t, s, b, "locale=en&page=1")
	b.Goto("/?page=4000")
	b.Sees("There are only 384 products")
	b.Click("button", "To the first page")
	showsWhat(t, s, b, "locale=en")
}

// TestAnAddressThatTheServerRefuses checks that the page shows the server's error and a link.
func TestAnAddressThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("400")
	for _, query := range []string{"min=2", "absorption_min=300:0.5", "like=nothing-of-that-name", "sort=up", "page=x"} {
		b.Goto("/?" + query)
		name, _, _ := strings.Cut(query, "=")
		b.Wait("what is wrong with "+query, "document.querySelector('#results [role=status]').innerText.includes("+
			strconv.Quote(name)+")")
		b.Click("button", "Remove “"+name+"”")
		b.Find("heading", "384 products")
	}
}
