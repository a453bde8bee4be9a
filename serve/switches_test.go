package serve_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sabine/indexes/snapshot"
)

var switches = flag.Int("switches", 60, "switches that TestASwitchIsInvisibleToClients makes")

// A mixed is one of the requests that are sent while generations are switched.
type mixed struct {
	path, coding string // path is relative to the root of the server
	message      string // body of a POST; "" means GET
}

// mixedRequests returns requests for every operation whose response depends on the generation. The first is
// an export; the last ones are an agent's session.
func mixedRequests(s *site, since string) []mixed {
	all := []mixed{{path: s.base + "/v1/export", coding: "identity"}}
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		all = append(all, mixed{path: s.base + "/v1/materials/produkt-7", coding: coding})
	}
	for _, path := range []string{
		"/v1/materials?ids=produkt-1,produkt-2,unbekannt,produkt-9", "/v1/materials/search?q=produkt&facets=true&limit=50",
		"/v1/materials/search?absorption_min=500:0.05&facets=true&include=acoustics,geometry",
		"/public/search?sort=name_asc", "/public/materials/produkt-3",
		"/public/compare-products?id=produkt-3,produkt-4", "/public/reverberation?volume=100&surface=produkt-5:10&surface=" +
			hard + ":90",
		"/v1/export?format=csv", "/v1/changes?since=" + since,
	} {
		all = append(all, mixed{path: s.base + path, coding: "gzip"})
	}
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		initialized, listMessage, callOf("search_materials", `{"query":"produkt","limit":20}`),
		callOf("get_material", `{"id":"produkt-2"}`),
		callOf("compare_materials", `{"ids":["produkt-1","produkt-2"]}`),
		callOf("find_by_absorption", `{"absorption_min":{"500":0.05}}`),
	} {
		all = append(all, mixed{path: "/mcp", coding: "identity", message: message})
	}
	return all
}

// tells reports whether the response depends on the generation.
func (m *mixed) tells() bool { return m.message == "" || strings.Contains(m.message, "tools/call") }

// request returns the request with a valid key.
func (m *mixed) request(s *site) *http.Request {
	method := "GET"
	if m.message != "" {
		method = "POST"
	}
	r, err := http.NewRequest(method, s.url+m.path, strings.NewReader(m.message))
	if err != nil {
		panic(err)
	}
	r.Header = http.Header{"Authorization": s.as(goodKey)[1:], "Accept-Encoding": {m.coding},
		"Content-Type": {"application/json"}}
	return r
}

// swapped returns the records for a generation. Every product contains the generation's number, and each
// generation has a different number of products. An export is larger than one piece.
func swapped(number int) string {
	var records strings.Builder
	for n := range 24 + number {
		records.WriteString(
			fielded(n, fmt.Sprintf(`"commercial_name":"Stand %d","material_category":"stand-%d","description":%q,`+
				`"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"125":0.1,"250":0.1,"500":%g,"1000":0.1,"2000":0.1,"4000":0.1}}]}`,
				number, number, strings.Repeat(fmt.Sprint("Stand ", number, " "), 800), 0.1+float64(number)/10)))
	}
	return records.String()
}

// A swapping is a site whose generations are switched, with the responses expected from each generation.
type swapping struct {
	*site
	names    []string // file names of the generations
	requests []mixed
	right    map[string][]string // expected responses, by X-Snapshot and by request
	made     atomic.Int64        // number of switches so far
}

// text returns the parts of a response that must be correct.
func (a *answer) text() string {
	return fmt.Sprint(a.status, a.header.Get("ETag"), a.header.Get("Content-Encoding"), a.body)
}

// newSwapping builds generations and records all responses from each of them before the switches begin. The
// responses from two generations always differ, so that a response identifies its generation.
func newSwapping(t *testing.T, generations int) *swapping {
	s := &swapping{site: newSite(t, settings{folder: &snapshot.Folder{Dir: t.TempDir()}, mcp: true}),
		right: map[string][]string{}}
	for n := range generations {
		other := built(t, swapped(n)) // a separate folder, because a folder retains only three
		name, err := other.Current()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(other.Path(name), s.folder.Path(name)); err != nil {
			t.Fatal(err)
		}
		s.names = append(s.names, name)
	}
	s.requests = mixedRequests(s.site, s.names[0][:64])
	seen := map[string]string{}
	for _, name := range s.names {
		s.put(t, name)
		if err := s.current.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range s.requests {
			m := &s.requests[i]
			a, err := s.do(m.request(s.site))
			if err != nil || a.status >= 300 || a.header.Get("X-Snapshot") != name[:16] {
				t.Fatalf("%s %s: %v, %+v", m.path, m.message, err, a)
			}
			text := a.text()
			question := fmt.Sprint(*m, text)
			if was, again := seen[question]; again && m.tells() {
				t.Errorf("%s %s: generations %s and %s answer the same, %.200s", m.path, m.message, was, name, text)
			}
			seen[question] = name
			s.right[name[:16]] = append(s.right[name[:16]], text)
		}
	}
	return s
}

// put replaces CURRENT by renaming a file, like mv. folder.Switch additionally protects against power loss.
func (s *swapping) put(t *testing.T, name string) {
	t.Helper()
	aside := filepath.Join(s.folder.Dir, ".aside")
	if err := errors.Join(os.WriteFile(aside, []byte(name+"\n"), 0o644),
		os.Rename(aside, filepath.Join(s.folder.Dir, "CURRENT"))); err != nil {
		t.Fatal(err)
	}
}

// turn writes CURRENT and waits until the server has switched to the generation.
func (s *swapping) turn(t *testing.T, name string) {
	t.Helper()
	s.put(t, name)
	for deadline := time.Now().Add(30 * time.Second); s.current.State().Name != name; time.Sleep(100 * time.Microsecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come into force: %+v", name, s.current.State())
		}
	}
	s.made.Add(1)
}

// fault returns the fault in a response, or "" if all of the response is from the generation that it names.
func (s *swapping) fault(i int, a *answer, err error) string {
	if err != nil {
		return err.Error()
	}
	shown := a.header.Get("X-Snapshot")
	if right := s.right[shown]; right != nil && right[i] == a.text() {
		return ""
	}
	return fmt.Sprintf("it is not that of the snapshot %q which it names: %.500s", shown, a.text())
}

// A waitingClient waits for a switch between reading two pieces of a response.
type waitingClient struct {
	s      *swapping
	done   context.Context
	header http.Header
	status int
	body   bytes.Buffer
	pieces int
}

func (w *waitingClient) Header() http.Header    { return w.header }
func (w *waitingClient) WriteHeader(status int) { w.status = status }

func (w *waitingClient) Write(b []byte) (int, error) {
	for before := w.s.made.Load(); w.s.made.Load() == before && w.done.Err() == nil; {
		time.Sleep(time.Millisecond)
	}
	w.pieces++
	return w.body.Write(b)
}

// export requests an export during switches and returns the fault in the response, or "".
func (s *swapping) export(done context.Context) string {
	w := &waitingClient{s: s, done: done, header: http.Header{}, status: http.StatusOK}
	r := s.requests[0].request(s.site)
	r.RemoteAddr = "127.0.0.1:1"
	s.handler.ServeHTTP(w, r)
	if w.pieces < 2 {
		return "it came in one piece"
	}
	return s.fault(0, &answer{status: w.status, header: w.header, body: w.body.String()}, nil)
}

// TestASwitchIsInvisibleToClients switches generations under a load of all operations, including exports that
// are partly sent during a switch. It checks that no request fails, that each response is byte for byte from
// the generation that it names, and that there are no more mappings, open files and goroutines at the end
// than at the beginning. Because it counts these, it is not parallel.
func TestASwitchIsInvisibleToClients(t *testing.T) {
	s := newSwapping(t, 5)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var watch, load sync.WaitGroup
	watch.Go(func() { s.current.Watch(ctx, nil) })
	s.settle(t)
	before := s.holdings(t)

	loaded, unload := context.WithCancel(ctx)
	defer unload()
	var asked, exported atomic.Int64
	for i := range 3 {
		load.Go(func() {
			for n := 5 * i; loaded.Err() == nil; n++ {
				i := n % len(s.requests)
				a, err := s.do(s.requests[i].request(s.site))
				if fault := s.fault(i, a, err); fault != "" {
					t.Errorf("%s %s: %s", s.requests[i].path, s.requests[i].message, fault)
					return
				}
				asked.Add(1)
			}
		})
	}
	load.Go(func() {
		for loaded.Err() == nil {
			if fault := s.export(loaded); fault != "" {
				t.Errorf("an export: %s", fault)
				return
			}
			exported.Add(1)
		}
	})
	for n := range *switches {
		s.turn(t, s.names[(n+2)%len(s.names)])
		for enough := int64(2 * n); asked.Load() < enough && !t.Failed(); time.Sleep(100 * time.Microsecond) {
		}
	}
	unload()
	load.Wait()
	s.settle(t)
	s.awaitNoMoreThan(t, before)
	stop()
	watch.Wait()
	t.Logf("%d switches, %d requests, %d exports across switches", *switches, asked.Load(), exported.Load())
}

// settle switches to the second generation, with the first one open for changes, and closes idle connections.
func (s *swapping) settle(t *testing.T) {
	t.Helper()
	s.turn(t, s.names[1])
	s.open(t, "/v1/changes?since="+s.names[0][:64], s.as(goodKey)...)
	s.client.CloseIdleConnections()
}

// holdings contains the numbers of open resources of the process: mapped snapshots, files and goroutines.
type holdings struct{ mappings, files, goroutines int }

func (s *swapping) holdings(t *testing.T) holdings {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skipf("that switches leave nothing open was not tested: %v", err)
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return holdings{strings.Count(string(maps), s.folder.Dir), len(files), goruntime.NumGoroutine()}
}

// awaitNoMoreThan waits until no more resources are open than in before, because closing a connection takes
// some time.
func (s *swapping) awaitNoMoreThan(t *testing.T, before holdings) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		now := s.holdings(t)
		if now.mappings <= before.mappings && now.files <= before.files && now.goroutines <= before.goroutines {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("open before the switches: %+v; after them: %+v", before, now)
		}
	}
}
