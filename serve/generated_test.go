package serve_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

var generatedRequests = flag.Int("generated", 400,
	"number of requests of TestGeneratedRequests; with thousands, every status must occur")

// TestGeneratedRequests generates valid and invalid requests from the parameters in the description. The
// judge checks the status, header and body of every response against the description. Valid requests must not
// be refused, invalid requests must be refused, and no response may be a server error. The seed is fixed.
func TestGeneratedRequests(t *testing.T) {
	t.Parallel()
	s := sample(t)
	g := newGenerator(t, s)
	seen := map[string]int{}
	for range *generatedRequests {
		r := g.next()
		a, err := s.send(r)
		if err == nil && !r.fits(a.status) {
			err = fmt.Errorf("%d %s", a.status, a.body)
		}
		if err == nil && g.one(20) {
			err = s.checkOtherForms(r, a)
		}
		if err != nil {
			t.Fatalf("%s %s %q %q: %v", r.method, r.target, r.fields, r.body, err)
		}
		if tag := a.header.Get("ETag"); tag != "" {
			g.tags = append(g.tags[max(0, len(g.tags)-20):], tag)
		}
		seen[fmt.Sprint(r.operation, " ", a.status)]++
	}
	t.Logf("%d requests: %v", *generatedRequests, seen)
	if *generatedRequests < 1000 {
		return // not enough requests to cause every kind of response
	}
	for _, path := range g.paths {
		op := g.doc.Paths.Value(path).Get
		for status := range op.Responses.Map() {
			if answer := op.OperationID + " " + status; seen[answer] == 0 && !slices.Contains(beyondRequests, status) {
				t.Errorf("no request was answered %s", answer)
			}
		}
	}
}

// Statuses that a single request cannot cause: an exhausted budget, a server error, an unavailable store.
var beyondRequests = []string{"429", "500", "503"}

// The nature of a request determines which statuses are allowed.
type nature int

const (
	good nature = iota // must not be refused
	open               // may be refused
	bad                // must be refused
)

// A generated is a generated request.
type generated struct {
	operation      string // operation id; "" if the request has no operation
	method, target string
	fields         []string
	body           string // body of a request to /mcp
	nature         nature
}

// fits reports whether the nature of a request allows a status. Server errors are never allowed.
func (r *generated) fits(status int) bool {
	switch {
	case status >= 500:
		return false
	case status >= 400:
		return r.nature != good
	}
	return r.nature != bad
}

// send sends a generated request and returns the response after the judge has checked it.
func (s *site) send(r *generated) (*answer, error) {
	request, err := http.NewRequest(r.method, s.url, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	if request.URL, err = url.Parse(s.url + r.target); err != nil {
		return nil, err
	}
	for i := 0; i < len(r.fields); i += 2 {
		request.Header.Add(r.fields[i], r.fields[i+1])
	}
	return s.judged(request)
}

// checkOtherForms repeats a successful GET. A HEAD request must return the same header without a body, and a
// request with the tag must return a 304 with the same metadata.
func (s *site) checkOtherForms(r *generated, a *answer) error {
	if r.method != http.MethodGet || strings.HasSuffix(r.operation, "Changes") { // may have no length
		return nil
	}
	again := *r
	again.method = http.MethodHead
	head, err := s.send(&again)
	if err != nil {
		return fmt.Errorf("HEAD: %w", err)
	}
	if head.status != a.status {
		return fmt.Errorf("HEAD gives %d, GET %d", head.status, a.status)
	}
	of := func(h http.Header) http.Header {
		h = h.Clone()
		for _, name := range []string{"Date", "X-Request-Id", "X-Export-Notes", "RateLimit-Limit", "RateLimit-Policy",
			"RateLimit-Remaining", "RateLimit-Reset"} {
			h.Del(name) // GET is charged as an export, but HEAD is not
		}
		return h
	}
	if got, want := of(head.header), of(a.header); !reflect.DeepEqual(got, want) {
		return fmt.Errorf("the header of HEAD is %v, the header of GET %v", got, want)
	}
	tag := a.header.Get("ETag")
	if tag == "" || a.status != 200 {
		return nil
	}
	again.method, again.fields = r.method, append(slices.Clone(r.fields), "If-None-Match", tag)
	known, err := s.send(&again)
	if err != nil || known.status != 304 {
		return fmt.Errorf("its own tag gives %v, %w", known, err)
	}
	for _, name := range []string{"ETag", "Vary", "Cache-Control", "Link", "X-Snapshot", "X-Ignored-Parameters"} {
		if got, want := known.header.Get(name), a.header.Get(name); got != want {
			return fmt.Errorf("the 304 has %s %q, the 200 %q", name, got, want)
		}
	}
	return nil
}

// A generator generates requests for the operations of a description.
type generator struct {
	*rand.Rand
	base         string
	paths        []string
	doc          *openapi3.T
	key, revoked string
	tags         []string            // ETags from earlier responses
	known        map[string][]string // values in the catalogue by parameter
}

func newGenerator(t testing.TB, s *site) *generator {
	t.Helper()
	g := &generator{Rand: rand.New(rand.NewPCG(17, 2026)), base: s.base, doc: s.judge.doc, key: s.keys[goodKey],
		revoked: s.keys["revoked"], tags: []string{`"0"`}}
	for path := range g.doc.Paths.Map() {
		g.paths = append(g.paths, path)
	}
	slices.Sort(g.paths)
	strings := func(a *answer, path string) (values []string) {
		for _, v := range a.json(path).Array() {
			values = append(values, v.String())
		}
		return values
	}
	all, page := s.get(t, "/public/search"), s.get(t, "/v1/materials/search?limit=50")
	products := append(strings(page, "items.#.id"), strings(page, "items.#(slug!=null)#.slug")...)
	manufacturers := strings(all, "facets.manufacturers.#(slug!=null)#.slug")
	categories, characters, types := strings(all, "facets.materialCategories.#.value"),
		strings(all, "facets.absorptionCharacters.#.value"), strings(all, "facets.installationTypes.#.value")
	g.known = map[string][]string{
		"id": products, "ids": products, "manufacturer": manufacturers, "manufacturers": manufacturers,
		"category": categories, "categories": categories,
		"character": characters, "characters": characters, "installation": types, "type": types, "like": products,
		"mounting": {"A", "E"},
		"since":    {all.header.Get("X-Snapshot")},
	}
	return g
}

// next generates the next request.
func (g *generator) next() *generated {
	r := g.operation()
	switch g.IntN(20) {
	case 0:
		return g.message()
	case 1:
		_, query, _ := strings.Cut(r.target, "?") // pages never refuse a query
		r.target = pick(g, []string{
			"/", "/compare", "/room", "/products/" + url.PathEscape(pick(g, append(g.known["id"], "x", "ä/b"))),
			g.base + "/reference", "/robots.txt", "/llms.txt", "/licences.md",
			"/.well-known/api-catalog", "/favicon.svg", "/favicon.ico", "/assets/x.js", "/nowhere", "//", "/.",
			g.base + "/v1/materials/", g.base + "//v1/export", "/mcp",
		}) + "?" + query
		r.operation, r.nature = "", open
	case 2: // percent-encode some letters
		if i := strings.IndexAny(r.target, "materilpubcsh"); i > 0 && i < strings.IndexAny(r.target+"?", "?%") {
			r.target = fmt.Sprintf("%s%%%02x%s", r.target[:i], r.target[i], r.target[i+1:])
		}
	}
	return r
}

// message generates a message from an agent: a valid or damaged tool call.
func (g *generator) message() *generated {
	r := &generated{method: "POST", target: "/mcp", fields: []string{"Content-Type", "application/json"}, nature: open}
	arguments := pick(g, []string{
		`{}`, `{"query":"Vlies","limit":3}`, `{"absorption_min":{"125":0.4},"depth_max":1e309}`,
		`{"curve":{"125":0.1,"250":1e-9}}`, `{"id":"` + pick(g, g.known["id"]) + `"}`,
		`{"ids":["` + pick(g, g.known["id"]) + `","x"]}`, `{"volume_m3":180,"surfaces":[{"material":"` +
			pick(g, g.known["id"]) + `","area_m2":20}],"target_s":0.6}`, `[]`, `null`,
	})
	r.body = pick(g, []string{
		pingMessage, listMessage, initialized, `{"jsonrpc":"2.0","id":"ü","method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"x"}`, "[" + pingMessage + "]", "", "\xff",
		callOf("search_materials", arguments), callOf("find_by_absorption", arguments), callOf("get_material", arguments),
		callOf("compare_materials", arguments),
		callOf("reverberation_time", arguments), callOf("x", arguments),
	})
	if g.one(10) {
		r.body = r.body[:g.IntN(len(r.body)+1)]
	}
	if g.one(10) {
		r.fields = append(r.fields, pick(g, []string{"Origin", "Content-Encoding", "Mcp-Protocol-Version", "Accept-Encoding",
			"Mcp-Session-Id"}), pick(g, []string{"null", "gzip", "2025-06-18", "zstd"}))
	}
	if g.one(4) {
		r.fields, _ = g.authorize(r.fields, open)
	}
	return r
}

// operation generates a request for an operation: a method, a path, some parameters, and a key if one is
// required.
func (g *generator) operation() *generated {
	path := pick(g, g.paths)
	op := g.doc.Paths.Value(path).Get
	r := &generated{operation: op.OperationID, method: pick(g, []string{"GET", "GET", "GET", "GET", "GET", "GET", "GET",
		"HEAD"})}
	if g.one(15) {
		r.method, r.nature = pick(g, []string{"POST", "PUT", "PATCH", "DELETE"}), bad
	}
	var query []string
	for _, ref := range op.Parameters {
		p := ref.Value
		if !p.Required && p.Name != "surface" && (!g.one(4) || p.Extensions["x-sabine-extension"] != nil && !g.one(2)) {
			continue
		}
		value, nature := g.value(p)
		if p.In == openapi3.ParameterInQuery && p.Required && g.one(20) {
			value, nature = "", bad
		}
		if needed[path+" "+p.Name] != "" {
			nature = max(nature, open)
		}
		if p.Name == "surface" && nature != bad && !g.one(4) { // with coefficients above 1, there is no time
			query = append(query, "surface="+url.QueryEscape("125:0,250:0,500:0,1000:0.1,2000:0,4000:0.02:500"))
		}
		r.nature = max(r.nature, nature)
		switch p.In {
		case openapi3.ParameterInPath:
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(value), 1)
		case openapi3.ParameterInHeader:
			r.fields = append(r.fields, p.Name, value)
		default:
			name := p.Name
			if p.Schema.Value.Type.Is("array") && g.one(4) {
				name += "%5B%5D"
			}
			query = append(query, name+"="+url.QueryEscape(value))
			if value != "" && g.one(40) {
				query = append(query, p.Name+"=1")
				r.nature = max(r.nature, open)
			}
		}
	}
	if given := strings.Join(query, "&"); strings.Contains(given, "like=") && strings.Contains(given, "curve") {
		r.nature = bad // the request now has two targets
	}
	if g.one(30) {
		query = append(query, pick(g, []string{"a;b=1", "q=%zz", "q=%ff", "%=1", "q=" + strings.Repeat("x", 17<<10)}))
		r.nature = max(r.nature, open)
	}
	if g.one(15) {
		query = append(query, pick(g, []string{"utm_source=x", "categry=holz", "Q=1", "%00=%00", "ü=ü", "page.size=1",
			"q%5B%5D=1"}))
		if len(*op.Security) > 0 {
			r.nature = bad
		}
	}
	if g.one(2) {
		r.fields = append(r.fields, "Accept-Encoding",
			pick(g, []string{"gzip", "zstd", "*", "gzip;q=0", "identity;q=0, zstd", "br", ";;", ""}))
	}
	if len(*op.Security) > 0 {
		r.fields, r.nature = g.authorize(r.fields, r.nature)
	}
	if r.target = g.base + path; len(query) > 0 {
		r.target += "?" + strings.Join(query, "&")
	}
	return r
}

// authorize adds a key, occasionally an invalid one.
func (g *generator) authorize(fields []string, n nature) ([]string, nature) {
	if !g.one(9) {
		return append(fields, "Authorization", pick(g, []string{"Bearer ", "bearer ", "BEARER "})+g.key), n
	}
	if g.one(4) {
		return fields, bad
	}
	if g.one(3) {
		return append(fields, "Authorization", "Bearer "+g.revoked), bad
	}
	return append(fields, "Authorization", pick(g, []string{"Bearer", "Basic Og==", g.key, "Bearer " + g.key + "x",
		"Bearer ü", ""})), bad
}

// value generates a value of a parameter from its schema, and returns the nature that it gives the request.
func (g *generator) value(p *openapi3.Parameter) (string, nature) {
	if p.In == openapi3.ParameterInHeader {
		return g.condition()
	}
	schema := p.Schema.Value
	switch p.Name {
	case "volume":
		return g.either([]string{"180", "1e9", "0.5"}, []string{"0", "-1", ".5", "1.", "+1", "NaN", "0,5", "1e999"})
	case "surface":
		of, _ := g.text("id", schema.Items.Value)
		return of + pick(g, []string{":20", ":2e1", ":0.5", ":7", "@0:20", "@x:1", ":0", ":1e99", ""}), open
	case "air":
		return g.either([]string{"20,50", "-20, 100", "none", ""}, []string{"20", "20;50", "51,50", "20,9", "x", ","})
	case "target":
		v, n := g.either([]string{"0.6", "1", "1e2", "din18041:B3", ""}, []string{"0", "x", "din18041:A9", "DIN18041:A1",
			"din18041:B1", "-1"})
		return v, max(n, open)
	case "height":
		v, n := g.either([]string{"3", "2.5", "1e2"}, []string{"0", "-1", "x", "NaN", "1e10"})
		return v, max(n, open)
	case "object":
		return g.either([]string{"person-seated:25", "chair-wood:1", " child : 10000"}, []string{"x:1", "child", "child:0",
			"child:1.5", "child:10001", ":1"})
	case "fill":
		if schema.Items != nil { // fills of a room; a single value belongs to an export
			of, _ := g.text("id", schema.Items.Value)
			return of + pick(g, []string{"", "", "@0", "@x"}), open
		}
	case "covers":
		return pick(g, []string{"0", "1", "31", "-1", "x"}), open
	}
	if schema.Type.Is("array") {
		items := schema.Items.Value
		if items.Pattern != "" {
			return g.coefficients(p.Name, strings.Contains(items.Pattern, "630"))
		}
		var values []string
		n := good
		for range 1 + g.IntN(4) {
			v, nature := g.text(p.Name, items)
			values, n = append(values, v), max(n, nature)
		}
		if schema.MaxItems != nil && g.one(20) {
			return strings.Repeat("x,", int(*schema.MaxItems)) + "y", bad
		}
		return strings.Join(values, pick(g, []string{",", ", ", ",,"})), n
	}
	switch {
	case schema.Type.Is("boolean"):
		return g.either([]string{"true", "false", "TRUE", "1", "0", ""}, []string{"yes", "2", "null"})
	case schema.Type.Is("integer"): // a page or limit out of range is set to the nearest valid value
		return g.either([]string{"0", "1", "7", "-3", "60", "9223372036854775807"}, []string{"x", "1.0", "+1", "1e2",
			"9223372036854775808", "0x1"})
	case strings.HasSuffix(p.Name, "_max") && schema.Max == nil:
		return g.either([]string{"0", "40", "62.5", "1e3", "-0"}, []string{"-1", ".5", "1.", "+1", "NaN", "12,5", "1e999"})
	case schema.Type.Is("number"):
		v, n := g.either([]string{"0", "1", "0.5", "5e-1", "0.05E1"}, []string{"1.01", "-0.1", ".5", "1.", "+1", "NaN",
			"0,5", "1e999"})
		return v, max(n, open) // a minimum above the maximum is refused
	}
	return g.text(p.Name, schema)
}

// text generates a text: a value of an enumeration, a value of the catalogue, or a difficult text.
func (g *generator) text(name string, schema *openapi3.Schema) (string, nature) {
	var allowed []string
	for _, v := range schema.Enum {
		allowed = append(allowed, fmt.Sprint(v))
	}
	switch name {
	case "like": // refused if the product has too few bands
		return pick(g, append(g.known[name], "x")), open
	case "since": // 410 if the generation was deleted
		return pick(g, append(g.known[name], "0123456789abcdef", "x")), open
	case "sort": // some sorts require a parameter
		v, n := g.either(allowed, []string{"x", "distance"})
		return v, max(n, open)
	case "source_kind", "absorption_class": // in public search, unknown values find nothing
		v, n := g.either(allowed, []string{"x"})
		return v, min(n, open)
	}
	if len(allowed) > 0 {
		return g.either(allowed, []string{"x", strings.ToLower(allowed[0]) + "x"})
	}
	if known := g.known[name]; len(known) > 0 && !g.one(8) {
		return pick(g, known), good
	}
	odd := pick(g, []string{"x", "Säule", "a/b", "..", "%", "' OR 1=1", "\x00", "🙂", " ", "a\nb", "<script>",
		strings.Repeat("ä", 180), strings.Repeat("z", 500), "akustikpaneel fichte", "search", "0123456789abcdef"})
	return odd, open
}

// coefficients generates a list of bands with coefficients. Values of absorption_min never exceed those of
// absorption_max.
func (g *generator) coefficients(name string, thirds bool) (string, nature) {
	bands := []string{"63", "125", "250", "500", "1000", "2000", "4000", "8000"}
	if thirds {
		bands = append(bands, "50", "315", "630", "10000")
	}
	g.Shuffle(len(bands), func(i, j int) { bands[i], bands[j] = bands[j], bands[i] })
	values := []string{"0.1", "-0.1", "0", "0.25", "2e-1", "0.500", "0.855"}
	if name == "absorption_max" {
		values = []string{"1", "1.05", "2", "2.000", "0.9e0"}
	}
	var items []string
	for _, band := range bands[:2+g.IntN(2)] {
		items = append(items, band+":"+pick(g, values))
	}
	list := strings.Join(items, pick(g, []string{",", ", ", ",,"}))
	return g.either([]string{list}, []string{
		list + ",300:0.5", list + "," + items[0], list + ",8", "125", "125:", ":0.5", "125:0,5", "125:2.1", "125:0.0005",
		"125:+1", "0125:1", "1k:0.1", "125.0:0.1", "9:1", strings.Repeat("9", 30) + ":1",
	})
}

// condition generates a value of If-Match or If-None-Match.
func (g *generator) condition() (string, nature) {
	return pick(g, []string{"*", "*", "*", "*", pick(g, g.tags), "W/" + pick(g, g.tags), `"x", ` + pick(g, g.tags), "x",
		`"`, ""}), open
}

// either returns a value of goods, occasionally one of bads.
func (g *generator) either(goods, bads []string) (string, nature) {
	if g.one(25) {
		return pick(g, bads), bad
	}
	return pick(g, goods), good
}

// one returns true with a probability of 1/n.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, of []T) T { return of[g.IntN(len(of))] }
