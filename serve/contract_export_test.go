package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/dataset/synthetic"
	"sabine/indexes/snapshot"
	"sabine/serve"
	"sabine/serve/ratelimit"
)

// generatedSite returns a server with a generated catalogue of products.
func generatedSite(t *testing.T, products int) *site {
	t.Helper()
	var records strings.Builder
	if err := synthetic.Generate(&records, products, 12); err != nil {
		t.Fatal(err)
	}
	return newSite(t, settings{folder: built(t, records.String())})
}

// ids returns the ids of the products in an export.
func ids(body string) []string {
	var all []string
	for line := range strings.Lines(body) {
		all = append(all, gjson.Get(line, "id").String())
	}
	return all
}

// TestAnExportIsTheDetailsByID checks that the lines of an export are the bodies of the detail operation.
func TestAnExportIsTheDetailsByID(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*site{"the sample": sample(t), "generated": generatedSite(t, 200)} {
		t.Run(name, func(t *testing.T) {
			body := s.get(t, "/v1/export").body
			exported := ids(body)
			if total := int(s.get(t, "/v1/materials/search").json("total_count").Int()); len(exported) != total ||
				!slices.IsSorted(exported) {
				t.Fatalf("got %d products, in the order of ids: %t; want %d", len(exported), slices.IsSorted(exported), total)
			}
			for line := range strings.Lines(body) {
				id := gjson.Get(line, "id").String()
				if want := s.fetch(t, s.url+s.base+"/v1/materials/"+id+"?include=geometry", s.as(goodKey)...).body; line != want+
					"\n" {
					t.Fatalf("%s:\ngot  %s\nwant %s", id, line, want)
				}
			}
		})
	}
}

// TestAnExportBuildsAgain checks that a build from an export has the exported details.
func TestAnExportBuildsAgain(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*site{"the sample": sample(t), "the catalogue of these tests": shared(t),
		"generated": generatedSite(t, 600)} {
		t.Run(name, func(t *testing.T) {
			exported := s.get(t, "/v1/export").body
			again := newSite(t, settings{folder: built(t, exported)})
			rebuilt := again.get(t, "/v1/export").body
			if rebuilt == exported {
				return
			}
			for line := range strings.Lines(exported) {
				if !strings.Contains(rebuilt, line) {
					id := gjson.Get(line, "id").String()
					t.Fatalf("%s:\nwas %s\nis  %s", id, line, again.get(t, "/v1/materials/"+id+"?include=geometry").body)
				}
			}
			t.Errorf("other products have come: %d bytes, then %d", len(exported), len(rebuilt))
		})
	}
}

// TestAnExportContainsWhatASearchFinds compares an export with all pages of a search, for every filter.
func TestAnExportContainsWhatASearchFinds(t *testing.T) {
	t.Parallel()
	s := generatedSite(t, 500)
	facets := s.get(t, "/v1/materials/search?facets=1").json("facets")
	value := func(family, key string) string { return facets.Get(family + ".1." + key).String() }
	for _, filters := range []string{
		"", "q=akustik", "q=akutsik+paneel", "q=xyzzyxyzzy", "category=" + value("categories", "value"), "character=" +
			value("characters", "value"),
		"installation=" + value("installations", "value") + "&has_epd=1", "manufacturer[]=" + value("manufacturers", "slug"),
		"alpha_w_min=0.5&alpha_w_max=0.8", "fire_class=B", "purchasable_only=true&q=schaum",
		"absorption_min=250:0.5,500:0.6&depth_max=200", "absorption_class=A,B&mounting=E", "source_kind=measured&q=akustik",
		"curve=125:0.3,250:0.6,500:0.9", "like=" + s.get(t, "/v1/materials/search?absorption_class=A&limit=1").json(
			"items.0.id").String(),
	} {
		var found []string
		for page := 0; ; page++ {
			a := s.get(t, fmt.Sprintf("/v1/materials/search?limit=50&page=%d&%s", page, filters))
			for _, item := range a.json("items").Array() {
				found = append(found, item.Get("id").String())
			}
			if !a.json("has_more").Bool() {
				break
			}
		}
		slices.Sort(found)
		if got := ids(s.get(t, "/v1/export?"+filters).body); !slices.Equal(got, found) {
			t.Errorf("%q: got %d products, a search finds %d", filters, len(got), len(found))
		}
	}
}

// TestAnExportIsOfOneGeneration checks an export during which the server switches to another generation.
func TestAnExportIsOfOneGeneration(t *testing.T) {
	t.Parallel()
	s := generatedSite(t, 1500)
	want := s.get(t, "/v1/export")
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+s.base+"/v1/export", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", s.as(goodKey)[1])
	resp, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	compile(t, s.folder, product(1, "Eins"))
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next := s.get(t, "/v1/export"); len(ids(next.body)) != 1 ||
		next.header.Get("X-Snapshot") == want.header.Get("X-Snapshot") {
		t.Errorf("the next export has %d bytes", len(next.body))
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != want.body || resp.Header.Get("ETag") != want.header.Get("ETag") {
		t.Errorf("got %d bytes, %v, want %d", len(body), err, len(want.body))
	}
}

// TestTheHeaderOfAnExport checks the header fields that the judge does not check.
func TestTheHeaderOfAnExport(t *testing.T) {
	t.Parallel()
	s := sample(t)
	for _, tt := range []struct{ query, mediaType, extension, notes string }{
		{"", "application/x-ndjson", "ndjson", ""},
		{"format=ndjson", "application/x-ndjson", "ndjson", ""},
		{"format=csv", "text/csv; charset=utf-8; header=present", "csv", ""},
		{"format=csv&separator=semicolon", "text/csv; charset=utf-8; header=present", "csv", ""},
		{"format=pyroomacoustics", "application/json", "json", "clipped="},
		{"format=pyroomacoustics&bands=63,125&fill=hold", "application/json", "json", "clipped="},
		{"format=catt", "text/plain; charset=utf-8", "txt", "clipped="},
	} {
		for _, coding := range []string{"", "gzip", "zstd"} {
			for _, method := range []string{"GET", "HEAD"} {
				a := s.ask(t, method, s.base+"/v1/export?"+tt.query, append(s.as(goodKey), "Accept-Encoding", coding)...)
				version := a.header.Get("X-Snapshot")
				for name, want := range map[string]string{
					"Content-Type": tt.mediaType, "Content-Disposition": `attachment; filename="sabine-` + version + "." +
						tt.extension + `"`,
					"Content-Encoding": coding, "Vary": "Accept-Encoding", "Cache-Control": "private, no-cache",
				} {
					if got := a.header.Get(name); got != want {
						t.Errorf("%s %q in %q: %s: got %q, want %q", method, tt.query, coding, name, got, want)
					}
				}
				told := tt.notes != "" && method == "GET" // notes are not counted for HEAD, which is not charged
				if notes := a.header.Get("X-Export-Notes"); told && !strings.HasPrefix(notes, tt.notes) || (notes != "") != told {
					t.Errorf("%s %q: X-Export-Notes %q", method, tt.query, notes)
				}
				if tag := a.header.Get("ETag"); !strings.HasPrefix(tag, `"`+version) {
					t.Errorf("%s %q: the tag %s is not of the version %s", method, tt.query, tag, version)
				}
			}
		}
	}
}

// TestTagsOfExports checks that exports have equal tags if and only if their parameters mean the same.
func TestTagsOfExports(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tags := map[string]string{}
	for _, same := range [][]string{
		{"", "format=ndjson", "has_epd=false", "q=+", "category=", "purchasable_only=0&format=ndjson"},
		{"category=holz,textil", "category=textil&category=holz", "category[]=holz,+textil,holz"},
		{"alpha_w_min=0.5", "alpha_w_min=5e-1"},
		{"absorption_min=250:0.3,500:0.4", "absorption_min=500:0.40&absorption_min=250:0.3"},
		{"like=akustikpaneel-fichte-40", "like=" + s.get(t, "/v1/materials/akustikpaneel-fichte-40").json("id").String()},
		{"format=csv", "format=csv&separator=comma"},
		{"format=csv&separator=semicolon"},
		{"format=pyroomacoustics", "format=pyroomacoustics&bands=4000,125,250,500,1000,2000",
			"format=pyroomacoustics&bands=125,250&bands=500,1000,2000,4000,125"},
		{"format=pyroomacoustics&bands=125", "format=pyroomacoustics&bands[]=125,125"},
		{"format=pyroomacoustics&fill=hold"},
		{"format=catt"},
	} {
		tag := s.get(t, "/v1/export?"+same[0]).header.Get("ETag")
		if other, used := tags[tag]; used {
			t.Errorf("%q and %q have the tag %s", same[0], other, tag)
		}
		tags[tag] = same[0]
		for _, query := range same[1:] {
			if a := s.get(t, "/v1/export?"+query, "If-None-Match", tag); a.status != 304 || a.header.Get("ETag") != tag {
				t.Errorf("%q: got %d with the tag %s, want that of %q, %s", query, a.status, a.header.Get("ETag"), same[0], tag)
			}
		}
		if a := s.get(t, "/v1/export?"+same[0], "If-Match", tag); a.status != 200 {
			t.Errorf("%q: If-Match: got %d", same[0], a.status)
		}
		if a := s.get(t, "/v1/export?"+same[0], "If-Match", `"x"`); a.status != 412 {
			t.Errorf("%q: If-Match of another: got %d", same[0], a.status)
		}
	}
}

func TestInvalidParametersOfExports(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, tt := range []struct{ rule, query, says string }{
		{"a format", "format=xml", `format: "xml" is not a format; allowed: "ndjson", "csv", "pyroomacoustics", "catt"`},
		{"a format in other letters", "format=CSV", `format: "CSV" is not a format; the nearest is "csv"; allowed: `},
		{"two formats", "format=csv&format=catt", `format: conflicting values "csv" and "catt"; use only one`},
		{"a page", "page=1", `the parameter "page" is unknown`},
		{"a limit", "limit=1", `the parameter "limit" is unknown`},
		{"a sort", "sort=name_asc", `the parameter "sort" is unknown`},
		{"facets", "facets=true", `the parameter "facets" is unknown`},
		{"an include", "include=geometry", `the parameter "include" is unknown`},
		{"a locale", "locale=en", `the parameter "locale" is unknown`},
		{"a misspelt filter", "categry=holz", `the nearest is "category"`},
		{"an unknown category", "category=xyz", `category: "xyz" is not a known value`},
		{"a separator without csv", "separator=semicolon", "separator: is only for the format csv"},
		{"a separator of another format", "separator=comma&format=catt", "separator: is only for the format csv"},
		{"an unknown separator", "separator=%3B&format=csv",
			`separator: ";" is not an allowed value; allowed: "comma", "semicolon"`},
		{"bands of ndjson", "bands=125", "bands: is only for the format pyroomacoustics"},
		{"bands of CATT", "bands=125&format=catt", "bands: is only for the format pyroomacoustics"},
		{"a band that is no octave", "bands=100&format=pyroomacoustics", `bands: "100" is not an octave from 63 to 8000 Hz`},
		{"a band that is no number", "bands=x&format=pyroomacoustics", `bands: "x" is not an octave from 63 to 8000 Hz`},
		{"a fill of csv", "fill=hold&format=csv", "fill: is only for the format pyroomacoustics or catt"},
		{"an unknown fill", "fill=zero&format=catt", `fill: "zero" is not an allowed value; allowed: "hold"`},
		{"several at once", "format=x&alpha_w_min=2", `alpha_w_min: "2" is not between 0 and 1; format: "x" is not a format`},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			if a := s.get(t, "/v1/export?"+tt.query); a.status != 400 || !strings.Contains(a.message(), tt.says) {
				t.Errorf("got %d %s, want %s", a.status, a.message(), tt.says)
			}
		})
	}
}

// TestWhatAnExportCosts uses an account with six requests and two exports; each case is independent.
func TestWhatAnExportCosts(t *testing.T) {
	t.Parallel()
	limits := settings{
		account: ratelimit.Policy{{Limit: 6, Span: 700_000 * time.Hour}, {Limit: 9, Span: 900_000 * time.Hour}},
		export:  ratelimit.Policy{{Limit: 2, Span: 800_000 * time.Hour}},
	}
	const policy = "6;w=2520000000, 2;w=2880000000, 9;w=3240000000"
	type step struct {
		method, path, key, want string
		fields                  []string
	}
	const all, one = "/v1/export", "/v1/materials/panel-2"
	tests := []struct {
		rule  string
		steps []step
	}{
		{"a request and an export", []step{
			{"GET", all, goodKey, "200: 1 of 2", nil}, {"GET", one, goodKey, "200: 4 of 6", nil},
			{"GET", all + "?format=catt", goodKey, "200: 0 of 2", nil},
			{"GET", all, goodKey, "429: 0 of 2", nil}, {"GET", one, goodKey, "200: 1 of 6", nil},
		}},
		{"304, 400, 412 and HEAD cost only a request", []step{
			{"GET", all, goodKey, "304: 2 of 2", []string{"If-None-Match", "*"}}, {"GET", all + "?page=1", goodKey,
				"400: 2 of 2", nil}, {"HEAD", all, goodKey, "200: 2 of 2", nil},
			{"GET", all, goodKey, "412: 2 of 6", []string{"If-Match", `"x"`}}, {"GET", one, goodKey, "200: 1 of 6", nil},
			{"GET", all, goodKey, "200: 0 of 6", nil},
			{"GET", all, goodKey, "429: 0 of 6", nil},
		}},
		{"and are answered when no export is left", []step{
			{"GET", all, goodKey, "200: 1 of 2", nil}, {"GET", all, goodKey, "200: 0 of 2", nil},
			{"GET", all, goodKey, "304: 0 of 2", []string{"If-None-Match", "*"}},
			{"HEAD", all, goodKey, "200: 0 of 2", nil}, {"GET", all + "?page=1", goodKey, "400: 0 of 2", nil},
			{"GET", all, goodKey, "429: 0 of 2", nil},
		}},
		{"keys of an account share its exports, accounts do not", []step{
			{"GET", all, goodKey, "200: 1 of 2", nil}, {"GET", all, secondKey, "200: 0 of 2", nil},
			{"GET", all, goodKey, "429: 0 of 2", nil}, {"GET", all, otherKey, "200: 1 of 2", nil},
		}},
		{"a bad key costs no export", []step{
			{"GET", all, "", "401: 2999999 of 3000000", nil}, {"GET", all, pausedKey, "403: 2999998 of 3000000", nil},
			{"GET", all, goodKey, "200: 1 of 2", nil},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newSite(t, limits)
			for n, step := range tt.steps {
				fields := step.fields
				if step.key != "" {
					fields = append(s.as(step.key), fields...)
				}
				a := s.ask(t, step.method, s.base+step.path, fields...)
				if got := budget(a); got != step.want {
					t.Errorf("request %d, %s %s: got %s, want %s", n+1, step.method, step.path, got, step.want)
				}
				shown := policy
				switch {
				case a.status == 401 || a.status == 403:
					shown = "3000000;w=60"
				case step.path == one:
					shown = "6;w=2520000000, 9;w=3240000000"
				}
				if got := a.header.Get("RateLimit-Policy"); got != shown {
					t.Errorf("request %d: RateLimit-Policy: got %s, want %s", n+1, got, shown)
				}
			}
		})
	}
	t.Run("refusals are counted by the budget", func(t *testing.T) {
		s := newSite(t, limits)
		for range 7 {
			s.get(t, all)
		}
		metrics := s.fetch(t, s.admin+"/metrics").body
		for _, want := range []string{`sabine_rate_limit_refusals_total{budget="export"} 4`,
			`sabine_rate_limit_refusals_total{budget="account"} 1`} {
			if !strings.Contains(metrics, "\n"+want+"\n") {
				t.Errorf("/metrics lacks %s", want)
			}
		}
	})
}

// A failingStore returns an error after some calls.
type failingStore struct {
	ratelimit.Store
	left int
}

func (s *failingStore) answers() bool {
	s.left--
	return s.left >= 0
}

func (s *failingStore) Take(ctx context.Context, client string, p ratelimit.Policy, now time.Time,
	n int) (ratelimit.Count, bool, error) {
	if !s.answers() {
		return ratelimit.Count{}, false, errors.New("the store is away")
	}
	return s.Store.Take(ctx, client, p, now, n)
}

// TestExportsThatCannotBeCounted checks that an export is refused if either budget cannot be counted.
func TestExportsThatCannotBeCounted(t *testing.T) {
	t.Parallel()
	for answered := range 4 {
		memory, err := ratelimit.NewMemory("", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := newSite(t, settings{store: &failingStore{memory, answered}})
		a := s.get(t, "/v1/export")
		if whole := answered == 3; (a.status == 200) != whole || !whole &&
			(a.status != 503 || a.code() != "rate_limit_unavailable") {
			t.Errorf("a store that answers %d times: got %d %.200s", answered, a.status, a.body)
		}
	}
}

// TestAnExportOfADamagedSnapshotBreaksOff checks that the client gets an error and the file is verified.
func TestAnExportOfADamagedSnapshotBreaksOff(t *testing.T) {
	t.Parallel()
	var records strings.Builder
	if err := synthetic.Generate(&records, 1000, 12); err != nil {
		t.Fatal(err)
	}
	folder := built(t, records.String())
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		t.Run(coding, func(t *testing.T) {
			own := &snapshot.Folder{Dir: t.TempDir()}
			if err := os.CopyFS(own.Dir, os.DirFS(folder.Dir)); err != nil {
				t.Fatal(err)
			}
			s := newSite(t, settings{folder: own})
			all := ids(s.get(t, "/v1/export").body)
			s.overwriteBodies(t, func(bodies []byte) {
				at := bytes.Index(bodies, []byte(`"id":"`+all[len(all)-1]+`"`))
				if at < 0 {
					t.Fatal("the last product is nowhere in the bodies")
				}
				bodies[at+len(`"id":"`)] ^= 1
			})
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "GET %s/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nAccept-Encoding: %s\r\n\r\n",
				s.base, s.as(goodKey)[1], coding)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, resp.Body); resp.StatusCode != 200 || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("got %d and %d bytes, %v", resp.StatusCode, n, err)
			}
			if err := s.current.Load(t.Context()); err == nil {
				t.Error("the load finds no damage: the file was not checked")
			}
		})
	}
}

// TestExportsToOldClients checks that exports over HTTP/1.0 have a length, because the end of the connection
// would otherwise mean the end of the body.
func TestExportsToOldClients(t *testing.T) {
	t.Parallel()
	s := sample(t)
	want := s.get(t, "/v1/export").body
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s/v1/export HTTP/1.0\r\nAuthorization: %s\r\nAccept-Encoding: %s\r\n\r\n", s.base,
			s.as(goodKey)[1], coding)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := io.ReadAll(resp.Body)
		if err != nil || resp.ContentLength != int64(len(sent)) || len(sent) == 0 {
			t.Errorf("%s: got %d bytes of %d, %v", coding, len(sent), resp.ContentLength, err)
		}
		if body, err := decode(resp.Header.Get("Content-Encoding"), sent); err != nil || string(body) != want {
			t.Errorf("%s: got %d bytes, %v, want %d", coding, len(body), err, len(want))
		}
		conn.Close()
	}
}

// TestAnExportOfNothingIsEmpty checks that an export without products is not an error.
func TestAnExportOfNothingIsEmpty(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, coding := range []string{"", "gzip", "zstd"} {
		if a := s.get(t, "/v1/export?q=xyzzyxyzzy", "Accept-Encoding", coding); a.status != 200 || a.body != "" {
			t.Errorf("%q: got %d %.100s", coding, a.status, a.body)
		}
	}
}

// TestAnExportOfTheCommandLineEndsInItsNotes checks that an export can be cancelled before its first byte.
func TestAnExportOfTheCommandLineEndsInItsNotes(t *testing.T) {
	g := shared(t).current.Acquire()
	defer g.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, format := range []string{"pyroomacoustics", "catt"} {
		if _, _, err := serve.Export(ctx, g, "format="+format, strings.ToUpper); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", format, err)
		}
	}
}
