package serve_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// publish builds a snapshot from records in the site's folder, makes it current and returns its hash.
func (s *site) publish(t testing.TB, records string) string {
	t.Helper()
	compile(t, s.folder, records)
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s.current.State().Hash
}

// empty returns a server with a new, empty folder.
func empty(t testing.TB) *site {
	t.Helper()
	return newSite(t, settings{folder: &snapshot.Folder{Dir: t.TempDir()}})
}

// changes returns the changes since a generation as signs followed by the last digits of ids: "+4 ~3 -2".
func (s *site) changes(t testing.TB, since string) string {
	t.Helper()
	a := s.get(t, "/v1/changes?since="+since)
	if a.status != 200 {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	var short []string
	for _, list := range []struct{ name, sign string }{{"added", "+"}, {"changed", "~"}, {"removed", "-"}} {
		for _, id := range a.json(list.name + ".#.id").Array() {
			short = append(short, list.sign+strings.TrimLeft(id.String()[24:], "0"))
		}
	}
	return strings.Join(short, " ")
}

// fielded returns product(n) with additional fields, given as a JSON object without its braces.
func fielded(n int, fields string) string {
	return strings.TrimSuffix(product(n, fmt.Sprint("Produkt ", n)), "}\n") + "," + fields + "}\n"
}

func TestChanges(t *testing.T) {
	t.Parallel()
	plain := func(n int) string { return product(n, fmt.Sprint("Produkt ", n)) }
	const panel = `"geometry":{"shape":"panel","bounding_box_mm":{"width":600,"height":600,"depth":40}}`
	for _, tt := range []struct{ rule, before, after, want string }{
		{"added", plain(1), plain(1) + plain(2), "+2"},
		{"removed", plain(1) + plain(2), plain(2), "-1"},
		{"unpublished is removed", plain(1) + plain(2), plain(1) + fielded(2, `"published":false`), "-2"},
		{"a label", plain(1), product(1, "Anders"), "~1"},
		{"the time of the last change", plain(1), fielded(1, `"updated_at":"2026-01-02T03:04:05Z"`), "~1"},
		{"the slug", plain(1), strings.Replace(plain(1), "produkt-1", "produkt-eins", 1), "~1"},
		{"a measurement", plain(1),
			fielded(1, `"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"500":0.5}}]}`), "~1"},
		{"geometry alone", plain(1) + fielded(2, panel), fielded(1, panel) +
			fielded(2, strings.Replace(panel, "40", "41", 1)), "~1 ~2"},
		{"only the English label", strings.Replace(plain(1), `"Produkt 1"`, `{"de":"Produkt 1","en":"Product 1"}`, 1),
			strings.Replace(plain(1), `"Produkt 1"`, `{"de":"Produkt 1","en":"Product One"}`, 1), "~1"},
		{"an English label, where there was none", plain(1), strings.Replace(plain(1), `"Produkt 1"`,
			`{"de":"Produkt 1","en":"Product 1"}`, 1), "~1"},
		{"the character, which only public bodies have", plain(1), fielded(1, `"absorption_character":"breitband"`), "~1"},
		{"the source", plain(1), fielded(1, `"data_source":"manufacturer"`), "~1"},
		{"the minimum alpha_w", fielded(1, `"alpha_w":0.5,"alpha_w_min":0.4`),
			fielded(1, `"alpha_w":0.5,"alpha_w_min":0.45`), "~1"},
		{"the fire class, which no body has", fielded(1, `"fire_class":"B"`), fielded(1, `"fire_class":"C"`), ""},
		{"purchasable", plain(1), fielded(1, `"purchasable":false`), ""},
		{"the English description", fielded(1, `"description":{"de":"x","en":"y"}`),
			fielded(1, `"description":{"de":"x","en":"z"}`), ""},
		{"the manufacturer's id", plain(1), strings.Replace(plain(1), `"Werk"`,
			`{"name":"Werk","id":"00000000-0000-4000-8000-000000000077"}`, 1), ""},
		{"in the order of ids, not of changes", fielded(7, `"updated_at":"2026-01-01T00:00:00Z"`) + plain(3) +
			plain(11) + plain(2),
			fielded(11, `"updated_at":"2026-01-03T00:00:00Z"`) + fielded(3, `"updated_at":"2026-01-02T00:00:00Z"`) + plain(5) +
				plain(12) + plain(4), "+4 +5 +12 ~3 ~11 -2 -7"},
		{"everything is another", plain(1) + plain(3), plain(2) + plain(4), "+2 +4 -1 -3"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := empty(t)
			before := s.publish(t, tt.before)
			after := s.publish(t, tt.after)
			if before == after {
				t.Fatal("the catalogues are one")
			}
			if got := s.changes(t, before); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := s.changes(t, before[:16]); got != tt.want {
				t.Errorf("by 16 digits: got %q, want %q", got, tt.want)
			}
			if got := s.changes(t, after); got != "" {
				t.Errorf("since what answers: %q", got)
			}
		})
	}
}

// TestTheFormOfChanges checks that from and to are complete hashes, and that a product is listed in its later
// version or, if it was removed, in its earlier version.
func TestTheFormOfChanges(t *testing.T) {
	t.Parallel()
	s := empty(t)
	bare := func(n int) string {
		return fmt.Sprintf(`{"id":"10000000-0000-4000-8000-%012d","label":"\"<ü>\"","manufacturer":"Werk"}`+"\n", n)
	}
	first := s.publish(t, bare(1)+product(2, "Zwei")+product(3, "Drei"))
	second := s.publish(t, product(2, "Zwei")+fielded(3, `"updated_at":"2026-01-02T03:04:05+01:00"`)+
		fielded(4, `"updated_at":"2026-01-01T00:00:00Z"`)+bare(5))
	tag := func(path string) string { return strings.ReplaceAll(s.get(t, path).header.Get("ETag"), `"`, `\"`) }
	id := func(n int) string { return fmt.Sprintf("10000000-0000-4000-8000-%012d", n) }
	want := `{"from":"` + first + `","to":"` + second + `",` +
		`"added":[{"id":"` + id(4) + `","slug":"produkt-4","updated_at":"2026-01-01T00:00:00Z"},{"id":"` + id(5) +
		`","slug":null,"updated_at":null}],` +
		`"changed":[{"id":"` + id(3) + `","slug":"produkt-3","updated_at":"2026-01-02T02:04:05Z","etag":"` +
		tag("/v1/materials/produkt-3") + `"}],` +
		`"removed":[{"id":"` + id(1) + `","slug":null}]}`
	a := s.get(t, "/v1/changes?since="+first)
	if a.body != want || a.header.Get("X-Snapshot") != second[:16] {
		t.Errorf("got  %s\nwant %s", a.body, want)
	}
	if e := a.json("changed.0.etag").String(); s.get(t, "/v1/materials/produkt-3", "If-None-Match", e).status != 304 {
		t.Errorf("etag %s is not that of the product", e)
	}
	if got, want := s.get(t, "/v1/changes?since="+second).body, `{"from":"`+second+`","to":"`+second+
		`","added":[],"changed":[],"removed":[]}`; got != want {
		t.Errorf("since what answers: %s", got)
	}
	third := s.publish(t, bare(1))
	for since, want := range map[string]string{first: "-2 -3", second: "+1 -2 -3 -4 -5", third: ""} {
		if got := s.changes(t, since); got != want {
			t.Errorf("since %s: got %q, want %q", since, got, want)
		}
	}
	if err := s.folder.Switch(snapshot.FileName(first)); err != nil { // switch back to the first generation
		t.Fatal(err)
	}
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.changes(t, third); got != "+2 +3" {
		t.Errorf("since a later build: got %q", got)
	}
}

// TestSince checks which values of since are invalid, and which are answered with 410 (gone).
func TestSince(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, product(1, "Eins")), publicURL: "https://materials.example.org/x"})
	first := s.current.State().Hash
	s.publish(t, product(1, "Eins, neu"))
	const form = " is invalid: expected 16 or 64 lower-case hex digits, as in X-Snapshot and in the changes"
	for _, tt := range []struct{ rule, query, want string }{
		{"it is needed", "", "since: missing: expected the value of X-Snapshot of an earlier response"},
		{"an empty one is none", "?since=", "since: missing: expected the value of X-Snapshot of an earlier response"},
		{"misspelt", "?sinse=" + first, `the parameter "sinse" is unknown; the nearest is "since"; allowed: "since"`},
		{"no other parameters", "?limit=5&since=" + first, `the parameter "limit" is unknown; allowed: "since"`},
		{"twice, which agree", "?since=" + first + "&since=" + first, ""},
		{"twice, which differ", "?since=" + first + "&since=0123456789abcdef",
			`since: conflicting values "` + first[:60] + `…" and "0123456789abcdef"; use only one`},
		{"no digits", "?since=yesterday", `since: "yesterday"` + form},
		{"too few", "?since=" + first[:15], `since: "` + first[:15] + `"` + form},
		{"between", "?since=" + first[:17], `since: "` + first[:17] + `"` + form},
		{"too many", "?since=" + first + "0", `since: "` + first[:60] + `…"` + form},
		{"upper case", "?since=0123456789ABCDEF", `since: "0123456789ABCDEF"` + form},
		{"a name of a file", "?since=" + first + ".snapshot", `since: "` + first[:60] + `…"` + form},
		{"a path", "?since=../../../../etc/", `since: "../../../../etc/"` + form},
		{"a tag", "?since=%22" + first[:16] + "%22", `since: "\"` + first[:16] + `\""` + form},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, "/v1/changes"+tt.query)
			if want := map[bool]int{true: 200, false: 400}[tt.want == ""]; a.status != want || a.message() != tt.want {
				t.Errorf("got %d %s\nwant %s", a.status, a.message(), tt.want)
			}
		})
	}
	if a := s.open(t, "/v1/changes?since="+first); a.status != 401 {
		t.Errorf("without a key: got %d", a.status)
	}

	const anew = ": get all products again from https://materials.example.org/x/api/v1/export"
	path := s.folder.Path(snapshot.FileName(first))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(t *testing.T, b []byte) {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		rule string
		do   func(t *testing.T)
		want string // "" means that the generation is not gone
	}{
		{"damaged", func(t *testing.T) {
			b := slices.Clone(whole)
			b[len(b)-1] ^= 1
			replace(t, b)
		}, "is damaged"},
		{"repaired", func(t *testing.T) { replace(t, whole) }, ""},
		{"of another format", func(t *testing.T) {
			b := slices.Clone(whole)
			b[8]++
			replace(t, b)
		}, "has a format that this server cannot read"},
		{"repaired once more", func(t *testing.T) { replace(t, whole) }, ""},
		{"pruned", func(t *testing.T) {
			for i := range 3 {
				s.publish(t, product(1, fmt.Sprint("Eins, Stand ", i)))
			}
		}, "is not available on this server"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			tt.do(t)
			for _, since := range []string{first, first[:16]} {
				a := s.get(t, "/v1/changes?since="+since)
				switch {
				case tt.want == "" && a.status != 200:
					t.Errorf("got %d %s", a.status, a.body)
				case tt.want == "":
				case a.status != 410 || a.code() != "gone" || !strings.HasSuffix(a.message(), " "+tt.want+anew):
					t.Errorf("got %d %s, want 410 with %q", a.status, a.body, tt.want)
				}
			}
		})
	}
	t.Run("16 digits of two", func(t *testing.T) {
		name := s.current.State().Name
		if err := os.WriteFile(s.folder.Path(name[:16]+strings.Repeat("0", 48)+".snapshot"), whole, 0o644); err != nil {
			t.Fatal(err)
		}
		want := `since: the hashes of several generations begin with ` + name[:16] + `: specify all 64 digits`
		if a := s.get(t, "/v1/changes?since="+name[:16]); a.status != 400 || a.message() != want {
			t.Errorf("got %d %s", a.status, a.body)
		}
		if got := s.changes(t, s.current.State().Hash); got != "" {
			t.Errorf("by all digits: %q", got)
		}
	})
}

// TestDamageOfAnEarlierGenerationIsNoneOfTheLater checks that an overwritten earlier generation is reported
// as gone, and that the current generation continues to serve.
func TestDamageOfAnEarlierGenerationIsNoneOfTheLater(t *testing.T) {
	for damage, change := range map[string]func([]byte){
		"zeros": func(bodies []byte) { clear(bodies) },
		"other digits": func(bodies []byte) {
			for i, b := range bodies {
				if b >= '0' && b <= '8' {
					bodies[i]++
				}
			}
		},
	} {
		for rule, now := range map[string]string{
			"found by comparing": strings.Replace(product(15, "Eins"), "10000000", "00000000", 1), // id in the catalogue
			"found by writing":   product(15, "Eins"),
		} {
			t.Run(damage+", "+rule, func(t *testing.T) {
				s := newSite(t, settings{folder: rebuilt(t)})
				first := s.current.State().Hash
				s.publish(t, now)
				s.overwriteBodiesOf(t, snapshot.FileName(first), func(bodies []byte) {
					s.changes(t, first) // opens the generation before it is damaged
					change(bodies)
				})
				for range 2 {
					if a := s.get(t, "/v1/changes?since="+first); a.status != 410 || !strings.Contains(a.message(), " is damaged: ") {
						t.Errorf("got %d %s", a.status, a.body)
					}
				}
				if got := s.current.State(); got.Status != runtime.StatusReady {
					t.Errorf("state %+v", got)
				}
			})
		}
	}
}

// TestManyChanges checks that a streamed body equals one in memory, and that the response to HEAD has no
// length.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	s := empty(t)
	first := s.publish(t, product(1, "Eins"))
	var records strings.Builder
	for n := range 1500 {
		records.WriteString(product(2+n, fmt.Sprint("Produkt ", n)))
	}
	s.publish(t, records.String())
	for _, coding := range []string{"", "gzip", "zstd"} {
		a := s.get(t, "/v1/changes?since="+first, "Accept-Encoding", coding)
		if a.status != 200 || !gjson.Valid(a.body) || a.json("added.#").Int() != 1500 || a.json("removed.#").Int() != 1 ||
			a.header.Get("Content-Encoding") != coding {
			t.Errorf("in %q: got %d %.300s", coding, a.status, a.body)
		}
	}
	if a := s.ask(t, "HEAD", s.base+"/v1/changes?since="+first, s.as(goodKey)...); a.status != 200 {
		t.Errorf("HEAD: got %d", a.status)
	}
}

// TestAStreamOfChangesThatCannotEndBreaksOff checks that a partial body does not look complete.
func TestAStreamOfChangesThatCannotEndBreaksOff(t *testing.T) {
	t.Parallel()
	s := empty(t)
	var records strings.Builder
	for n := range 5000 { // much more than a single write: no client retries after the first bytes
		records.WriteString(product(2+n, fmt.Sprint("Produkt ", n)))
	}
	first := s.publish(t, records.String())
	s.publish(t, product(1, "Eins"))
	s.overwriteBodiesOf(t, snapshot.FileName(first), func(bodies []byte) {
		s.changes(t, first)
		clear(bodies[len(bodies)/2:])
	})
	if a, err := s.try("GET", s.base+"/v1/changes?since="+first, s.as(goodKey)...); err == nil {
		t.Errorf("got %d, %.300s", a.status, a.body)
	}
	if a := s.get(t, "/v1/changes?since="+first); a.status != 410 {
		t.Errorf("once it is known: got %d", a.status)
	}
	if a := s.fetch(t, s.admin+"/metrics"); !strings.Contains(a.body,
		`sabine_http_responses_cut_total{reason="damage",route="getChanges"} 1`) {
		t.Error("it is not counted as damage")
	}
}

// bodies returns all response bodies of each product by id, to detect changes.
func (s *site) bodies(t testing.TB, ids []string) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	add := func(path, list string) {
		for _, item := range s.get(t, path).json(list).Array() {
			bodies[item.Get("id").String()] += item.Raw
		}
	}
	all := strings.Join(ids, ",")
	add("/v1/materials?ids="+all, "items")
	add("/v1/materials?include=geometry&ids="+all, "items")
	add("/v1/materials/search?limit=50", "items")
	add("/v1/materials/search?limit=50&include=acoustics,geometry", "items")
	add("/public/search", "products")
	add("/public/search?locale=en", "products")
	for four := range slices.Chunk(ids, 4) {
		add("/public/compare-products?id="+strings.Join(four, ","), "products")
	}
	return bodies
}

// someRecord returns a record with few possible values, so that two records often differ in only one field.
func someRecord(r *rand.Rand, id string) map[string]any {
	record := map[string]any{"id": id, "manufacturer": "Werk"}
	for _, field := range []string{
		"label", "slug", "updated_at", "description", "data_source", "purchasable", "material_category",
		"absorption_character",
		"fire_class", "alpha_w_min", "geometry", "structured_meta", "measurements",
	} {
		change(r, record, field)
	}
	return record
}

// change changes one field of a record, or sets the same value again.
func change(r *rand.Rand, record map[string]any, field string) {
	tail := record["id"].(string)[30:]
	values := map[string][]any{
		"label":                {"A", map[string]any{"de": "A", "en": "B"}, map[string]any{"de": "A", "en": "A"}, "B"},
		"slug":                 {nil, "a-" + tail, "b-" + tail},
		"updated_at":           {nil, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
		"description":          {nil, "x", map[string]any{"de": "x", "en": "y"}},
		"data_source":          {nil, "manufacturer", "ptb"},
		"purchasable":          {nil, true, false},
		"material_category":    {nil, "holz", "metall"},
		"absorption_character": {nil, "breitband", "tiefton"},
		"fire_class":           {nil, "B", "B-s1,d0"},
		"alpha_w_min":          {nil, 0, 0.4},
		"geometry": {nil, map[string]any{"shape": "box", "bounding_box_mm": map[string]any{"width": 1,
			"height": 2, "depth": 3}}},
		"structured_meta": {nil, map[string]any{"a": "1"}},
		"measurements": {nil, map[string]any{"absorption_iso_354": []any{map[string]any{
			"source_kind": "measured", "alpha_s_octave": map[string]any{"125": 0.1, "250": 0.3, "500": 0.5, "1000": 0.5,
				"2000": 0.5, "4000": 0.5},
		}}}},
	}[field]
	record[field] = values[r.IntN(len(values))]
}

// TestChangesAreWhatTheBodiesSay compares changes with the bodies of all products of random catalogues.
func TestChangesAreWhatTheBodiesSay(t *testing.T) {
	t.Parallel()
	s := empty(t)
	r := rand.New(rand.NewPCG(12, 2026))
	var ids []string
	for range 12 {
		ids = append(ids, fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint32()))
	}
	slices.Sort(ids)
	catalogue := map[string]map[string]any{}
	publish := func() (hash string, bodies map[string]string) {
		var records strings.Builder
		for _, id := range ids {
			if record := catalogue[id]; record != nil {
				b, err := json.Marshal(record)
				if err != nil {
					t.Fatal(err)
				}
				records.Write(append(b, '\n'))
			}
		}
		hash = s.publish(t, records.String())
		return hash, s.bodies(t, ids)
	}
	for _, id := range ids[:8] {
		catalogue[id] = someRecord(r, id)
	}
	hash, bodies := publish()
	fields := slices.Sorted(maps.Keys(catalogue[ids[0]]))
	seen := map[string]int{}
	for range 25 {
		for _, id := range ids {
			switch n := r.IntN(10); {
			case n > 4:
			case catalogue[id] == nil:
				catalogue[id] = someRecord(r, id)
			case n == 0 && len(catalogue) > 1:
				delete(catalogue, id)
			default:
				if field := fields[r.IntN(len(fields))]; field != "id" && field != "manufacturer" {
					change(r, catalogue[id], field)
				}
			}
		}
		before, was := hash, bodies
		hash, bodies = publish()
		want := map[string][]string{"added": {}, "changed": {}, "removed": {}}
		note := func(kind, id string) { want[kind] = append(want[kind], id); seen[kind]++ }
		for _, id := range ids {
			switch {
			case was[id] == bodies[id]:
				seen["same"]++
			case was[id] == "":
				note("added", id)
			case bodies[id] == "":
				note("removed", id)
			default:
				note("changed", id)
			}
		}
		a := s.get(t, "/v1/changes?since="+before[:16])
		if a.status != 200 {
			t.Fatalf("got %d %s", a.status, a.body)
		}
		for kind, ids := range want {
			got := []string{}
			for _, id := range a.json(kind + ".#.id").Array() {
				got = append(got, id.String())
			}
			if !slices.Equal(got, ids) {
				t.Fatalf("%s: got %v, the bodies say %v\n%s", kind, got, ids, a.body)
			}
		}
		for _, product := range a.json("changed").Array() {
			detail := s.get(t, "/v1/materials/"+product.Get("id").String())
			if product.Get("etag").String() != detail.header.Get("ETag") ||
				product.Get("updated_at").Raw != detail.json("updated_at").Raw ||
				product.Get("slug").Raw != detail.json("slug").Raw {
				t.Fatalf("got %s of %s %.300s", product.Raw, detail.header.Get("ETag"), detail.body)
			}
		}
	}
	for _, kind := range []string{"added", "changed", "removed", "same"} {
		if seen[kind] == 0 {
			t.Errorf("no product was %s: %v", kind, seen)
		}
	}
}

// TestChangesWhileGenerationsSwitch checks that each response is complete and belongs to the two generations
// that it names, while generations are built and pruned. Run it with -race.
func TestChangesWhileGenerationsSwitch(t *testing.T) {
	t.Parallel()
	s := empty(t)
	const rounds = 12
	// Generation n contains the products n+1 to n+3.
	records := func(n int) string { return product(n+1, "a") + product(n+2, "b") + product(n+3, "c") }
	var mu sync.Mutex
	numbers, hashes := map[string]int{}, []string{}
	publish := func(n int) {
		compile(t, s.folder, records(n))
		name, err := s.folder.Current()
		if err != nil {
			t.Fatal(err)
		}
		hash := strings.TrimSuffix(name, ".snapshot")
		mu.Lock()
		numbers[hash] = n
		hashes = append(hashes, hash)
		mu.Unlock()
		if err := s.current.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	publish(0)
	done := make(chan struct{})
	var askers sync.WaitGroup
	for i := range 4 {
		askers.Go(func() {
			for k := i; ; k++ {
				select {
				case <-done:
					return
				default:
				}
				mu.Lock()
				since := hashes[max(0, len(hashes)-1-k%5)]
				mu.Unlock()
				a, err := s.try("GET", s.base+"/v1/changes?since="+since[:16+48*(k%2)], s.as(goodKey)...)
				if err != nil {
					t.Error(err)
					return
				}
				if a.status == 410 {
					continue
				}
				mu.Lock()
				from, to := numbers[a.json("from").String()], numbers[a.json("to").String()]
				mu.Unlock()
				want := min(max(to-from, from-to), 3)
				if a.status != 200 || a.json("from").String() != since || int(a.json("added.#").Int()) != want ||
					int(a.json("removed.#").Int()) != want {
					t.Errorf("from %d to %d: got %d %s", from, to, a.status, a.body)
					return
				}
			}
		})
	}
	for n := 1; n < rounds; n++ {
		publish(n)
	}
	close(done)
	askers.Wait()
}
