package serve_test

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// pages lists addresses of pages that have status 200 for the catalogue.
var pages = []string{
	"/", "/?q=holz&locale=en", "/?q=xyzzyq", "/?page=1", "/?page=9223372036854775807",
	"/?absorption_min=125:0.2&sort=margin_desc",
	"/products/akustikpaneel-fichte-40", "/products/00000000-0000-4000-8000-000000000015?locale=en",
	"/compare", "/compare?id=akustikpaneel-fichte-40,panel-2,gibt-es-nicht", "/room",
	"/room?volume=180&target=0.6&surface=akustikpaneel-fichte-40:20&surface=" + hard + ":200",
	"/robots.txt", "/llms.txt", "/licences.md", "/.well-known/api-catalog", "/favicon.svg", "/favicon.ico",
}

// TestPagesOfTheSite checks that pages can be requested like operations of the API, are not counted, and have
// ETags in every coding. The judge checks the header fields.
func TestPagesOfTheSite(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true})
	for _, path := range pages {
		for _, method := range []string{"POST", "PUT", "DELETE", "BREW"} {
			if a := s.ask(t, method, path); a.status != 405 || a.code() != "invalid_request" {
				t.Errorf("%s %s: got %d %s", method, path, a.status, a.body)
			}
		}
		if a := s.ask(t, "OPTIONS", path, "Origin", "https://example.com", "Access-Control-Request-Method",
			"GET"); a.status != 204 {
			t.Errorf("OPTIONS %s: got %d", path, a.status)
		}
		plain := s.ask(t, "GET", path)
		for _, coding := range []string{"", "gzip", "zstd"} {
			get, head := s.ask(t, "GET", path, "Accept-Encoding", coding), s.ask(t, "HEAD", path, "Accept-Encoding", coding)
			if get.status != 200 || head.status != 200 || get.body != plain.body {
				t.Errorf("%s in %q: got %d and %d", path, coding, get.status, head.status)
			}
			for _, name := range []string{"ETag", "Vary", "Cache-Control", "Content-Type", "Content-Encoding", "Content-Length",
				"Content-Security-Policy", "Link"} {
				if get.header.Get(name) != head.header.Get(name) {
					t.Errorf("%s in %q: %s: HEAD has %q, GET %q", path, coding, name, head.header.Get(name), get.header.Get(name))
				}
			}
			again := s.ask(t, "GET", path, "Accept-Encoding", coding, "If-None-Match", get.header.Get("ETag"))
			if again.status != 304 {
				t.Errorf("%s in %q: its own tag gives %d", path, coding, again.status)
			}
			for _, name := range []string{"ETag", "Vary", "Cache-Control", "Link"} {
				if again.header.Get(name) != get.header.Get(name) {
					t.Errorf("%s in %q: %s: 304 has %q, 200 %q", path, coding, name, again.header.Get(name), get.header.Get(name))
				}
			}
		}
	}
}

// TestPagesStayWithoutTheExplorer checks that the other pages remain, and do not mention the explorer.
func TestPagesStayWithoutTheExplorer(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, path := range pages {
		want := 404
		if bare, _, _ := strings.Cut(path, "?"); strings.Contains(bare, ".") {
			want = 200
		}
		if a := s.ask(t, "GET", path); a.status != want {
			t.Errorf("%s: got %d, want %d", path, a.status, want)
		}
	}
	if guide := s.ask(t, "GET", "/llms.txt").body; strings.Contains(guide, "Explorer") || strings.Contains(guide, "MCP") {
		t.Errorf("llms.txt names what is switched off:\n%s", guide)
	}
}

// TestAQueryIsNeverRefusedByAPage checks that a page reports an invalid query in addition to its other data.
func TestAQueryIsNeverRefusedByAPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true})
	long := strings.Repeat("x", 8<<10)
	for _, tt := range []struct {
		path, says string // says is the reported fault, or ""
	}{
		{"/?utm_source=mail", ""},
		{"/?page=x", `page: "x" is not a 64-bit integer`},
		{"/?sort=<b>", `sort: "<b>" is not a sort order`},
		{"/?a;b=1", "semicolon"},
		{"/?q=%zz", "percent-encoding"},
		{"/?q=%ff", "UTF-8"},
		{"/?q=" + long, "has 8192 characters"},
		{"/?q=" + long + long + long, "the maximum is 16384"},
		{"/?locale=de&locale=en", "locale: conflicting values"},
		{"/?like=gibt-es-nicht", "like: "},
		{"/products/panel-2?q=%zz", "percent-encoding"},
		{"/products/panel-2?" + long, ""},
		{"/compare", "Noch keine Produkte"},
		{"/compare?locale=en&id=,", "identifiers are missing"},
		{"/compare?id=" + strings.Repeat("gibt-es-nicht,", 600), ""},
		{"/room", "Für die Berechnung fehlt noch"},
		{"/room?target=1", "volume: missing"},
		{"/room?volume=200&surface=std:concrete:300&target=din18041:B4&size=10,8,2.5&covers=0", ""},
		{"/room?volume=180", "surface"},
		{"/room?volume=9&surface=125:1,250:1,500:1,1000:1,2000:1,4000:1:9", "Eyring"},
		{"/room?volume=9&surface=gibt-es-nicht:9", "gibt-es-nicht"},
	} {
		a := s.ask(t, "GET", tt.path)
		_, fault, _ := strings.Cut(a.body, `role="alert">`)
		fault, _, _ = strings.Cut(fault, "<")
		if fault = html.UnescapeString(fault); a.status != 200 || !strings.Contains(fault, tt.says) || tt.says == "" &&
			fault != "" {
			t.Errorf("%.60s: got %d with %q, want %q", tt.path, a.status, fault, tt.says)
		}
	}
}

// TestPagesOfUnknownProducts checks that these pages have status 404 and must not be stored by caches.
func TestPagesOfUnknownProducts(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true, folder: built(t, product(1, "Eins")+product(2, "Zwei"))})
	const withdrawn = "/products/produkt-2"
	if a := s.ask(t, "GET", withdrawn); a.status != 200 || strings.Contains(a.body, "noindex") {
		t.Fatalf("got %d", a.status)
	}
	compile(t, s.folder, product(1, "Eins"))
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{withdrawn, "/products/gibt-es-nicht", "/products/%3Cscript%3E", "/products/a%2Fb",
		"/products/" + strings.Repeat("x", 8<<10), "/products/search"} {
		a := s.ask(t, "GET", path, "If-None-Match", "*")
		if a.status != 404 || !strings.Contains(a.body, `<div id="app">`) ||
			!strings.Contains(a.body, `content="noindex"`) || !strings.Contains(a.body, `data-root=".."`) {
			t.Errorf("%.60s: got %d %s", path, a.status, a.body)
		}
		if strings.Contains(strings.ToLower(a.body), "<script>") {
			t.Errorf("%.60s: the address is markup", path)
		}
		if a := s.ask(t, "GET", path, "If-Match", `"x"`); a.status != 404 {
			t.Errorf("%.60s with If-Match: got %d", path, a.status)
		}
	}
	for _, path := range []string{"/products", "/products/", "/products/produkt-1/", "/products/produkt-1/x",
		"/Products/produkt-1", "//compare", "/compare/", "/assets/", "/assets/none.js"} {
		if a := s.fetch(t, s.url+path); a.status != 404 || a.code() != "not_found" {
			t.Errorf("%s: got %d", path, a.status)
		}
	}
}

// TestAnAddressThatHasNoPage checks that a browser gets a page with valid links. Responses to other clients,
// and at addresses of the API, are JSON.
func TestAnAddressThatHasNoPage(t *testing.T) {
	t.Parallel()
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	s := newSite(t, settings{explorer: true})
	hidden := newSite(t, settings{})
	for _, tt := range []struct {
		rule   string
		site   *site
		method string
		path   string
		accept string
		root   string // expected root; "" means JSON
	}{
		{"a browser", s, "GET", "/nowhere", browser, "."},
		{"in a folder", s, "GET", "/products/panel-2/", browser, "../.."},
		{"with a slash that is text", s, "GET", "/a%2Fb/c", browser, ".."},
		{"next to the API", s, "GET", "/apinowhere", browser, "."},
		{"at the base of the API", s, "GET", "/api", browser, ""},
		{"next to its operations", s, "GET", "/api/nowhere", browser, ""},
		{"in English", s, "GET", "/nowhere?locale=en", browser, "."},
		{"with a faulty query", s, "GET", "/nowhere?q=%zz", browser, "."},
		{"a program", s, "GET", "/nowhere", "*/*", ""},
		{"another method", s, "POST", "/nowhere", browser, ""},
		{"in the API", s, "GET", "/api/v1/nowhere", browser, ""},
		{"in the public API", s, "GET", "/api/public/nowhere", browser, ""},
		{"very deep", s, "GET", strings.Repeat("/x", 9), browser, ""},
		{"without the explorer", hidden, "GET", "/nowhere", browser, ""},
	} {
		a := tt.site.ask(t, tt.method, tt.path, "Accept", tt.accept)
		isPage := strings.Contains(a.body, `data-root="`+tt.root+`"`) && strings.Contains(a.body, `content="noindex"`) &&
			strings.Contains(a.body, "<title>N") && strings.Contains(a.body, `role="alert">`)
		if a.status != 404 || isPage != (tt.root != "") || isPage == (a.code() == "not_found") {
			t.Errorf("%s: %s %s: got %d %s", tt.rule, tt.method, tt.path, a.status, a.body)
		}
	}
}

// TestNumbersOfPages checks that a page and its script format numbers in the same way.
func TestNumbersOfPages(t *testing.T) {
	t.Parallel()
	record := `{"id":"10000000-0000-4000-8000-000000000001","slug":"m","label":"M","manufacturer":"Werk","url":"https://m.example/",
		"description":"Was es ist","measurements":{"absorption_iso_354":[{"label":"A","source_kind":"measured","mounting":"E-12345","thickness_mm":12345.5,
		"air_gap_mm":0,"alpha_s_octave":{"125":-0.05,"250":0.9,"500":0.5,"1000":0.5,"2000":0.5,"4000":0.5}},
		{"label":"B","source_kind":"measured","alpha_s_octave":{"8000":0.001}}]}}`
	s := newSite(t, settings{explorer: true, folder: built(t, strings.ReplaceAll(record, "\n", " ")+"\n")})
	for path, wants := range map[string][]string{
		"/products/m": {"A · Typ E-12345 · 12.345,5 mm · ohne Luftspalt", "<td>−0,05</td>", "<td>–</td>", "Was es ist",
			"α<sub>w</sub> 0,50(L)"},
		"/products/m?locale=en": {"A · Type E-12345 · 12,345.5 mm · no air gap", "<td>−0.05</td>", "<td>0.00</td>"},
		"/?locale=en":           {"<p>1 product</p>", "This is a sample"},
	} {
		page := s.ask(t, "GET", path).body
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s:\n%s", path, want, page)
			}
		}
	}
}

// TestPagesWaitForNoSnapshot checks that pages are served even if there is no snapshot.
func TestPagesWaitForNoSnapshot(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true, folder: &snapshot.Folder{Dir: t.TempDir()}})
	for _, path := range pages {
		a := s.ask(t, "GET", path)
		if _, isPage := pageKinds[strings.Split(path, "?")[0]]; a.status != 200 || isPage &&
			strings.Contains(a.body, "<html") && !strings.Contains(a.body, "no catalogue is loaded") {
			t.Errorf("%s: got %d %s", path, a.status, a.body)
		}
	}
}

// TestMarkupInACatalogueIsText checks the product list, the head, and the names for the page's script.
func TestMarkupInACatalogueIsText(t *testing.T) {
	t.Parallel()
	const markup = `"'></title></noscript></script><script>alert(1)</script><img src=x onerror=alert(1)>`
	quoted := strings.ReplaceAll(markup, `"`, `\"`)
	record := fmt.Sprintf(`{"id":"10000000-0000-4000-8000-000000000001","slug":"m","label":{"de":"%[1]s","en":"%[1]s"},"commercial_name":"%[1]s","manufacturer":"%[1]s",
		"material_category":"%[1]s","absorption_character":"%[1]s","installation_types":["%[1]s"],"description":"%[1]s","structured_meta":{"%[1]s":"%[1]s"},
		"measurements":{"absorption_iso_354":[{"label":"%[1]s","mounting":"%[1]s","measuring_option":"%[1]s","source_kind":"measured","alpha_s_octave":{"125":0.5,"250":0.5,"500":0.5,"1000":0.5,"2000":0.5,"4000":0.5}}]}}`, quoted)
	s := newSite(t, settings{explorer: true, folder: built(t, strings.ReplaceAll(record, "\n", " ")+"\n")})
	escaped := url.QueryEscape(markup)
	for _, path := range []string{"/", "/?q=" + escaped, "/?" + escaped + "=" + escaped, "/?page=" + escaped,
		"/?categories=" + escaped, "/products/m", "/products/m?locale=" + escaped, "/compare?id=m",
		"/room?volume=9&surface=m:9&target=" + escaped, "/room?volume=9&surface=m:4"} {
		a := s.ask(t, "GET", path)
		if a.status != 200 {
			t.Errorf("%s: got %d", path, a.status)
		}
		for _, tag := range []string{"<script>", "<img", "</script><", "alert(1)</"} {
			if strings.Contains(a.body, tag) {
				t.Errorf("%s: %s is in the page:\n%s", path, tag, a.body)
			}
		}
		if n := strings.Count(a.body, "</noscript>"); n != 1 {
			t.Errorf("%s: the list ends %d times", path, n)
		}
	}
	if page := s.ask(t, "GET", "/products/m").body; !strings.Contains(page,
		html.EscapeString("<script>alert(1)</script>")) {
		t.Errorf("the label is not shown:\n%s", page)
	}
}

// TestTheLanguageOfPages checks that the address selects the language, then the browser, then German.
func TestTheLanguageOfPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true})
	for _, tt := range []struct{ rule, query, accept, want string }{
		{"no language is named", "", "", "de"},
		{"the browser reads German", "", "de-CH, en;q=0.9", "de"},
		{"the browser reads English", "", "en-GB,de;q=0.5", "en"},
		{"the browser prefers by weight", "", "de;q=0.2, en;q=0.8", "en"},
		{"the browser reads neither", "", "fr, it;q=0.5", "en"},
		{"the browser prefers unsupported languages to German", "", "fr-CH, fr;q=0.9, de;q=0.5, en;q=0.3", "de"},
		{"the browser takes any", "", "*", "de"},
		{"any but English", "", "en;q=0, *;q=0.5", "de"},
		{"what is no language", "", ";;;q=x", "de"},
		{"very much of it", "", strings.Repeat("de-", 4000), "de"},
		{"the address names English", "?locale=EN-us", "de", "en"},
		{"the address names German", "?locale=de", "en", "de"},
		{"the address names another language", "?locale=fr", "en", "de"},
	} {
		a := s.ask(t, "GET", "/products/akustikpaneel-fichte-40"+tt.query, "Accept-Language", tt.accept)
		label := map[string]string{"de": "Akustikpaneel Fichte 40",
			"en": s.open(t, "/public/materials/akustikpaneel-fichte-40?locale=en").json("label").String()}[tt.want]
		if !strings.Contains(a.body, `<html lang="`+tt.want+`"`) || !strings.Contains(a.body, "<title>"+label) {
			t.Errorf("%s: got %.300s, want %s", tt.rule, a.body, tt.want)
		}
		if keeps := strings.Contains(a.body, `href="../?locale=`+tt.want+`"`); keeps != (tt.query != "") {
			t.Errorf("%s: links keep the language: %t", tt.rule, keeps)
		}
	}
}

// TestWhereThePagesAre checks that links between pages and to the API are relative, so that any path prefix
// works, and that addresses for other programs are public addresses.
func TestWhereThePagesAre(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, base, publicURL, api, site string }{
		{"by default", "", "", "/api", ""},
		{"the root", "/", "", "", ""},
		{"a base path that a page has too", "/products", "", "/products", ""},
		{"a public URL with a path", "/api", "https://example.org/materials/", "https://example.org/materials/api",
			"https://example.org/materials"},
		{"a public URL with the base path at its end", "/api", "https://example.org/api", "https://example.org/api",
			"https://example.org"},
		{"a public URL and the root", "/", "https://example.org", "https://example.org", "https://example.org"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := newSite(t, settings{explorer: true, mcp: true, basePath: tt.base, publicURL: tt.publicURL})
			for _, path := range []string{"/", "/compare?id=panel-2", "/room", "/products/panel-2"} {
				here, err := url.Parse(s.url + path)
				if err != nil {
					t.Fatal(err)
				}
				a := s.ask(t, "GET", path)
				named := address.FindAllStringSubmatch(a.body, -1)
				if len(named) < 4 {
					t.Fatalf("%s names %q", path, named)
				}
				for _, match := range named {
					there, err := here.Parse(html.UnescapeString(match[1]))
					if err != nil {
						t.Fatal(err)
					}
					if there.Host != here.Host {
						continue // a link to the manufacturer's page
					}
					if got := s.fetch(t, there.String()); got.status != 200 && there.Path != "/room" {
						t.Errorf("%s: %s gives %d", path, match[1], got.status)
					} else if strings.HasPrefix(there.Path, "/assets/") &&
						got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
						t.Errorf("%s: Cache-Control %q", there, got.header.Get("Cache-Control"))
					}
				}
			}
			about := s.ask(t, "GET", "/products/panel-2").body
			if want := `<meta property="og:url" content="` + tt.site + `/products/panel-2" />`; strings.Contains(about,
				"og:url") != (tt.site != "") || tt.site != "" && !strings.Contains(about, want) {
				t.Errorf("the page lacks %s:\n%.1500s", want, about)
			}
			catalog := s.ask(t, "GET", "/.well-known/api-catalog")
			api := tt.api
			if api == "" {
				api = "/"
			}
			for at, want := range map[string]string{
				"linkset.0.anchor": tt.site + "/.well-known/api-catalog", "linkset.0.item.0.href": api, "linkset.1.anchor": api,
				"linkset.1.service-desc.0.href": tt.api + "/v1/openapi.json", "linkset.1.service-doc.0.href": tt.api +
					"/reference", "linkset.1.service-doc.1.href": tt.site + "/llms.txt",
				"linkset.0.item.1.href": tt.site + "/mcp", "linkset.2.anchor": tt.site + "/mcp", "linkset.#": "3",
			} {
				if got := catalog.json(at).String(); got != want {
					t.Errorf("the catalogue's %s: got %q, want %q", at, got, want)
				}
			}
			guide := s.ask(t, "GET", "/llms.txt").body
			for _, want := range []string{"# sabine\n\n> ", "(" + tt.api + "/v1/openapi.json)", "GET " + tt.api +
				"/public/search?q=", "(" + tt.site + "/)", "(" + tt.site + "/mcp)", tt.api + "/public/materials/{id}"} {
				if !strings.Contains(guide, want) {
					t.Errorf("llms.txt lacks %q:\n%s", want, guide)
				}
			}
			path, err := url.Parse(tt.api)
			if err != nil {
				t.Fatal(err)
			}
			if want := "User-agent: *\nAllow: " + path.Path + "/v1/openapi.json\nDisallow: " + path.Path + "/v1/\nDisallow: " +
				path.Path + "/public/\n"; s.ask(t, "GET", "/robots.txt").body != want {
				t.Errorf("robots.txt: want %s", want)
			}
		})
	}
}

// TestTheListWithoutJavaScript checks that the list contains the same data as the API.
func TestTheListWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true})
	for _, query := range []string{"?locale=en", "?q=akustik&locale=en", "?categories=holz&locale=en",
		"?min=0.5&sort=alphaW_desc&locale=en"} {
		found := s.open(t, "/public/search"+query)
		page := s.ask(t, "GET", "/"+query).body
		if total := fmt.Sprintf("<p>%d products</p>", found.json("total").Int()); !strings.Contains(page, total) {
			t.Errorf("%s: the page lacks %s", query, total)
		}
		at := 0
		found.json("products").ForEach(func(_, p gjson.Result) bool {
			line := `<a href="./products/` + p.Get("slug").String() + `?locale=en">` +
				html.EscapeString(p.Get("label").String()) + `</a> · ` + html.EscapeString(p.Get("manufacturerName").String())
			i := strings.Index(page[at:], line)
			if i < 0 {
				t.Fatalf("%s: the page lacks, or has elsewhere, %s\n%s", query, line, page)
			}
			at += i
			return true
		})
	}
	for path, wants := range map[string][]string{
		"/products/akustikpaneel-fichte-40?locale=en": {`content="Beispiel Akustik · Wood · αw 0.90"`,
			`<th scope="col">125 Hz</th>`, "<td>0.25</td><td>0.60</td><td>0.94</td><td>1.04</td>",
			`href="../api/public/materials/akustikpaneel-fichte-40?locale=en"`},
		"/products/akustikpaneel-fichte-40": {"Ohne JavaScript", "<td>0,25</td><td>0,60</td>",
			"E-200 · Typ E · 40 mm · Luftspalt 200 mm"},
		"/compare?id=akustikpaneel-fichte-40,panel-2": {`<a href="./products/akustikpaneel-fichte-40">`,
			`<a href="./products/panel-2">`, "<td>0,25</td>",
			`href="./api/public/compare-products?id=akustikpaneel-fichte-40%2Cpanel-2"`},
		"/room?volume=200&air=none&locale=en&target=0.5&surface=125:0.1,250:0.1,500:0.1,1000:0.1,2000:0.1,4000:0.1:322": {
			"<th scope=\"row\">125</th><td></td><td>1.00</td><td>0.95</td><td>0.50</td><td>32</td>",
			"<li>Own absorption coefficients: 322 m²</li>"},
		"/room?volume=200&target=din18041:B4&height=2.5&surface=std:concrete:300&object=child:9&fill=akustikpaneel-fichte-40": {
			`<th scope="col">Oktave, Hz</th><th scope="col">Urteil</th><th scope="col">Soll, A/V</th><th scope="col">Erreicht, A/V</th></tr>`,
			`<th scope="row">250</th><td>zu wenig</td><td>0,250</td><td>0,030</td></tr>`, "<li>Beton, unverputzt: 300 m²</li>",
			"<li>Kind in einer Vorschuleinrichtung, ohne Angabe zum Stuhl: 9, zählt nicht mit: Das Soll gilt für den leeren Raum</li>",
			"<li>Gebraucht: Akustikpaneel Fichte 40: 74 m²</li>"},
		"/room?volume=200&air=none&target=0.5&fill=akustikpaneel-fichte-40&locale=en": {
			"<th scope=\"row\">125</th><td>–</td><td>–</td><td>0.50</td><td>64</td>", "<li>Needed: Acoustic panel spruce 40: no area fits in all octave bands</li>"},
	} {
		page := s.ask(t, "GET", path).body
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s:\n%s", path, want, page)
			}
		}
	}
}

// TestImageOrigins checks that a page can show images from the origins that the operator allows.
func TestImageOrigins(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true, images: []string{" https://Images.example.org/ ", "",
		"http://localhost:8080"}})
	a := s.ask(t, "GET", "/")
	const list = "https://images.example.org http://localhost:8080"
	if policy := a.header.Get("Content-Security-Policy"); !strings.Contains(policy, "; img-src 'self' data: "+list+
		"; ") || !strings.Contains(a.body, `data-images="`+list+`"`) {
		t.Errorf("got %s\n%.500s", policy, a.body)
	}
	for _, bad := range []string{"example.org", "https://", "https://example.org/pictures", "https://*.example.org",
		"https://a.example;script-src *", "https://a@example.org", "https://example.org?x", "ftp://example.org",
		"'unsafe-inline'", "https://a b", "*", "https://example.org:", "https://:443"} {
		o := serve.Options{Current: new(runtime.Current), Keys: new(keys.Store), Limits: new(ratelimit.Limiter),
			ImageOrigins: []string{bad}}
		if _, err := serve.New(o); err == nil || !strings.Contains(err.Error(), "image origin ") {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}
