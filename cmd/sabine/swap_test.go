package main_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// readiness returns the response from /readyz.
func (s *server) readiness(t testing.TB) (status int, body gjson.Result) {
	t.Helper()
	a := fetch(t, s.admin+"/readyz")
	return a.status, gjson.Parse(a.body)
}

// buildLabelled builds a catalogue of a few products whose labels begin with a word. It returns the
// snapshot's name.
func buildLabelled(t testing.TB, dir, word string, products int) string {
	t.Helper()
	var catalogue strings.Builder
	for n := range products {
		catalogue.WriteString(product(t, n, fmt.Sprintf("%s %d", word, n)))
	}
	path := filepath.Join(t.TempDir(), "c.ndjson")
	writeFile(t, path, catalogue.String())
	must(t, dir, "build", path)
	return current(t, dir)
}

// awaitSnapshot waits until the server serves a snapshot.
func awaitSnapshot(t testing.TB, s *server, name string) {
	t.Helper()
	eventually(t, soon, "the new snapshot answers", func() bool {
		return s.get(t, "/public/compare-products?id=produkt-0").header.Get("X-Snapshot") == name[:16]
	})
}

// damage overwrites a byte in the middle of a file.
func damage(t testing.TB, path string) {
	t.Helper()
	content := []byte(readFile(t, path))
	content[len(content)/2] ^= 0x40
	replace(t, path, content)
}

// replace replaces a read-only file.
func replace(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o444); err != nil {
		t.Fatal(err)
	}
}

// TestHotSwap builds repeatedly during many requests. No request may fail, and each response must come from
// one snapshot.
func TestHotSwap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := map[string]string{buildLabelled(t, dir, "Alt", 40)[:16]: "Alt"}
	key := createKey(t, dir, "A")
	s := start(t, dir, generous...)
	var known sync.Mutex // protects names
	var stop atomic.Bool
	var asked atomic.Int64
	var hammers sync.WaitGroup
	paths := []string{
		"/v1/materials/produkt-7", "/v1/materials?ids=produkt-1,produkt-2,produkt-39",
		"/v1/materials/search?q=Werk&facets=true&limit=50",
		"/public/search?sort=name_asc", "/public/compare-products?id=produkt-3,produkt-4",
	}
	for i := range 4 {
		hammers.Go(func() {
			for n := i; !stop.Load(); n++ {
				a, err := s.try(paths[n%len(paths)], "Authorization", "Bearer "+key)
				if err != nil || a.status != 200 {
					t.Errorf("request %d: %v %v", n, a, err)
					return
				}
				known.Lock()
				word := names[a.header.Get("X-Snapshot")]
				known.Unlock()
				labels := strings.Count(a.body, `"label":"`)
				if word == "" || labels == 0 || strings.Count(a.body, `"label":"`+word+" ") != labels {
					t.Errorf("the answer of snapshot %s (%s) is %.300s", a.header.Get("X-Snapshot"), word, a.body)
					return
				}
				asked.Add(1)
			}
		})
	}
	for _, word := range []string{"Neu", "Neuer", "Alt", "Neueste"} {
		// The name must be known before the snapshot is served, so the first build writes to another folder.
		name := buildLabelled(t, t.TempDir(), word, 40)
		known.Lock()
		names[name[:16]] = word
		known.Unlock()
		if again := buildLabelled(t, dir, word, 40); again != name {
			t.Errorf("the same content is called %s and %s", name, again)
		}
		awaitSnapshot(t, s, name)
		before := asked.Load()
		eventually(t, patience, "requests go on", func() bool { return asked.Load() > before+20 || t.Failed() })
	}
	stop.Store(true)
	hammers.Wait()
	status, ready := s.readiness(t)
	if status != 200 || ready.Get("status").String() != "ready" || ready.Get("snapshot").String() != current(t, dir) ||
		ready.Get("products").Int() != 40 || ready.Get("reason").Raw != "null" {
		t.Errorf("/readyz: got %d %s", status, ready.Raw)
	}
}

// TestWhenASnapshotIsRefused checks that the valid snapshot remains in use and /readyz reports the reason.
func TestWhenASnapshotIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := buildLabelled(t, dir, "Gut", 3)
	s := start(t, dir, generous...)
	folder := filepath.Join(dir, "snapshots")
	other := buildLabelled(t, t.TempDir(), "Anders", 3)
	switchTo := func(line string) { writeFile(t, filepath.Join(folder, "CURRENT"), line) }
	degraded := func(t *testing.T, parts ...string) {
		t.Helper()
		var ready gjson.Result
		eventually(t, soon, "degraded, because of "+strings.Join(parts, ", "), func() bool {
			var status int
			status, ready = s.readiness(t)
			reason := ready.Get("reason").String()
			for _, part := range parts {
				if !strings.Contains(reason, part) {
					return false
				}
			}
			return status == 200 && ready.Get("status").String() == "degraded"
		})
		if ready.Get("snapshot").String() != good ||
			s.get(t, "/public/compare-products?id=produkt-0").json("products.0.label").String() != "Gut 0" {
			t.Errorf("the good snapshot does not serve: %s", ready.Raw)
		}
		if metrics := fetch(t, s.admin+"/metrics").body; !strings.Contains(metrics, `status="degraded"`) {
			t.Error("the metrics do not say so")
		}
	}
	recover := func(t *testing.T) {
		t.Helper()
		switchTo(good + "\n")
		eventually(t, soon, "ready again", func() bool {
			status, ready := s.readiness(t)
			return status == 200 && ready.Get("status").String() == "ready" && ready.Get("snapshot").String() == good
		})
	}
	tests := []struct {
		rule    string
		content func(t *testing.T, whole []byte) []byte // content of the file that CURRENT names; nil for no file
		message []string
	}{
		{"a flipped bit", func(_ *testing.T, b []byte) []byte {
			b[len(b)/2] ^= 1
			return b
		}, []string{other, "damaged at byte"}},
		{"a truncated file", func(_ *testing.T, b []byte) []byte { return b[:len(b)-100] }, []string{other}},
		{"an empty file", func(*testing.T, []byte) []byte { return []byte{} }, []string{other}},
		{"something else", func(*testing.T, []byte) []byte {
			return []byte("no snapshot at all\n")
		}, []string{other, "magic"}},
		{"another format version; both are named", func(_ *testing.T, b []byte) []byte {
			binary.LittleEndian.PutUint16(b[8:], 9)
			return b
		}, []string{other, "version 9.0", "version 8"}},
		{"a missing file", nil, []string{other}},
	}
	whole := func(t *testing.T) []byte {
		t.Helper()
		buildLabelled(t, dir, "Anders", 3)
		recover(t)
		return []byte(readFile(t, filepath.Join(folder, other)))
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			recover(t)
			if tt.content == nil {
				if err := os.Remove(filepath.Join(folder, other)); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			} else {
				replace(t, filepath.Join(folder, other), tt.content(t, whole(t)))
			}
			switchTo(other + "\n")
			degraded(t, tt.message...)
		})
	}
	t.Run("a CURRENT that does not name a snapshot", func(t *testing.T) {
		recover(t)
		switchTo("../secret\n")
		degraded(t, "CURRENT")
	})
	t.Run("an empty CURRENT", func(t *testing.T) {
		recover(t)
		switchTo("")
		degraded(t, "CURRENT")
	})
	t.Run("a valid build repairs it", func(t *testing.T) {
		name := buildLabelled(t, dir, "Danach", 3)
		awaitSnapshot(t, s, name)
		if status, ready := s.readiness(t); status != 200 || ready.Get("status").String() != "ready" {
			t.Errorf("got %d %s", status, ready.Raw)
		}
	})
	t.Run("SIGHUP tries a refused snapshot again", func(t *testing.T) {
		replace(t, filepath.Join(folder, other), []byte("no snapshot"))
		switchTo(other + "\n")
		refusals := func() float64 { return s.metrics(t)["sabine_generation_refused_total"] }
		eventually(t, soon, "the server refuses it", func() bool {
			_, ready := s.readiness(t)
			return strings.Contains(ready.Get("reason").String(), other)
		})
		before := refusals()
		s.signal(t, syscall.SIGHUP)
		eventually(t, soon, "the server refuses it again", func() bool { return refusals() > before })
	})
}

// TestStarting checks how a server starts with different folders.
func TestStarting(t *testing.T) {
	t.Parallel()
	t.Run("an empty folder: the server waits, reports it, and is ready after a build", func(t *testing.T) {
		dir := t.TempDir()
		s := start(t, dir, generous...)
		if status, ready := s.readiness(t); status != 503 || ready.Get("status").String() != "waiting" ||
			ready.Get("snapshot").Raw != "null" {
			t.Errorf("/readyz: got %d %s", status, ready.Raw)
		}
		if a := fetch(t, s.admin+"/healthz"); a.status != 200 {
			t.Errorf("/healthz: got %d", a.status)
		}
		if a := s.get(t, "/public/search"); a.status != 503 {
			t.Errorf("got %d %s", a.status, a.body)
		}
		name := buildLabelled(t, dir, "Erst", 2)
		eventually(t, soon, "the first snapshot answers", func() bool {
			return s.get(t, "/public/search").header.Get("X-Snapshot") == name[:16]
		})
		if status, ready := s.readiness(t); status != 200 || ready.Get("status").String() != "ready" {
			t.Errorf("/readyz: got %d %s", status, ready.Raw)
		}
	})
	t.Run("a damaged current snapshot: the newest valid snapshot serves, and /readyz reports it", func(t *testing.T) {
		dir := t.TempDir()
		oldest, newer := buildLabelled(t, dir, "Ältestes", 2), buildLabelled(t, dir, "Neueres", 2)
		newest := buildLabelled(t, dir, "Neuestes", 2)
		folder := filepath.Join(dir, "snapshots")
		for i, name := range []string{newer, oldest, newest} { // order of modification times, independent of names
			at := time.Now().Add(time.Duration(i-10) * time.Hour)
			if err := os.Chtimes(filepath.Join(folder, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
		damage(t, filepath.Join(folder, newest))
		s := start(t, dir, generous...)
		if got := s.get(t, "/public/search").header.Get("X-Snapshot"); got != oldest[:16] {
			t.Errorf("got %s, want %s", got, oldest[:16])
		}
		status, ready := s.readiness(t)
		if status != 200 || ready.Get("status").String() != "degraded" || ready.Get("snapshot").String() != oldest ||
			!strings.Contains(ready.Get("reason").String(), newest) {
			t.Errorf("/readyz: got %d %s", status, ready.Raw)
		}
	})
	t.Run("no valid snapshot: status 1, and all snapshots are named", func(t *testing.T) {
		dir := t.TempDir()
		one, two := buildLabelled(t, dir, "Eins", 2), buildLabelled(t, dir, "Zwei", 2)
		damage(t, filepath.Join(dir, "snapshots", one))
		damage(t, filepath.Join(dir, "snapshots", two))
		r := sabine(t, dir, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
		if r.status != 1 || !strings.Contains(r.err, one) || !strings.Contains(r.err, two) {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("an address in use: status 1, and the flag and the address are named", func(t *testing.T) {
		dir := builtFolder(t)
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		for _, flags := range [][2]string{{"--addr", "--admin-addr"}, {"--admin-addr", "--addr"}} {
			r := sabine(t, dir, "serve", flags[0], taken.Addr().String(), flags[1], "127.0.0.1:0")
			if r.status != 1 || !strings.Contains(r.err, flags[0]) || !strings.Contains(r.err, taken.Addr().String()) ||
				!strings.Contains(r.err, "in use") {
				t.Errorf("%s: got %d %s", flags[0], r.status, r.err)
			}
		}
	})
	t.Run("a key file that cannot be read: status 1, and it is named", func(t *testing.T) {
		dir := builtFolder(t)
		for name, content := range map[string]string{"damaged.json": `{"accounts":`, "other.json": `[1]`,
			"unknown.json": `{"accounts":[],"keys":[],"x":1}`} {
			writeFile(t, filepath.Join(dir, name), content)
			if r := sabine(t, dir, "serve", "--keys", name, "--addr", "127.0.0.1:0", "--admin-addr",
				"127.0.0.1:0"); r.status != 1 || !strings.Contains(r.err, name) {
				t.Errorf("%s: got %d %s", name, r.status, r.err)
			}
		}
		if r := sabine(t, dir, "serve", "--keys", dir, "--addr", "127.0.0.1:0", "--admin-addr",
			"127.0.0.1:0"); r.status != 1 || !strings.Contains(r.err, "key file") {
			t.Errorf("a folder: got %d %s", r.status, r.err)
		}
	})
	t.Run("--sample first compiles the sample catalogue into an empty folder, and reports it", func(t *testing.T) {
		dir := t.TempDir()
		s := start(t, dir, append(generous, "--sample")...)
		if !strings.Contains(s.log.String(), "sample catalogue") {
			t.Errorf("the log does not say so:\n%s", s.log)
		}
		a := s.get(t, "/public/search")
		if a.json("total").Int() == 0 || a.header.Get("X-Snapshot") != current(t, dir)[:16] {
			t.Errorf("got %s", a.body)
		}
	})
	t.Run("--sample does not change a folder with a snapshot", func(t *testing.T) {
		dir := t.TempDir()
		name := buildLabelled(t, dir, "Mein", 2)
		s := start(t, dir, append(generous, "--sample")...)
		if got := s.get(t, "/public/search").header.Get("X-Snapshot"); got != name[:16] || current(t, dir) != name {
			t.Errorf("got %s, want %s", got, name[:16])
		}
	})
	t.Run("a deleted snapshot continues to serve", func(t *testing.T) {
		dir := t.TempDir()
		name := buildLabelled(t, dir, "Weg", 2)
		s := start(t, dir, generous...)
		if err := os.Remove(filepath.Join(dir, "snapshots", name)); err != nil {
			t.Fatal(err)
		}
		if a := s.get(t, "/public/compare-products?id=produkt-1"); a.json("products.0.label").String() != "Weg 1" {
			t.Errorf("got %d %s", a.status, a.body)
		}
	})
}

// TestDraining checks that, after SIGTERM, the server accepts no connections and completes its response to a
// running request. The response exceeds the connection's buffers, so the request runs until the client reads.
func TestDraining(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var catalogue strings.Builder
	var ids []string
	for n := range 24 {
		id := fmt.Sprintf("10000000-0000-4000-8000-%012d", n)
		ids = append(ids, id)
		catalogue.WriteString(record(t, map[string]any{
			"id": id, "label": "L", "manufacturer": "M", "structured_meta": map[string]any{"large": strings.Repeat("x", 1<<20)},
		}))
	}
	writeFile(t, filepath.Join(dir, "c.ndjson"), catalogue.String())
	must(t, dir, "build", "c.ndjson")
	key := createKey(t, dir, "A")
	s := start(t, dir, generous...)
	host := strings.TrimPrefix(s.site, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "GET /api/v1/materials?ids=%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n",
		strings.Join(ids, ","), key); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil) // reads only the header
	if err != nil {
		t.Fatal(err)
	}
	s.client.CloseIdleConnections()
	s.signal(t, syscall.SIGTERM)
	eventually(t, patience, "no new connection is taken", func() bool {
		late, err := net.Dial("tcp", host)
		if err != nil {
			return true
		}
		late.Close()
		return false
	})
	if s.hasEnded() {
		t.Fatalf("the server did not wait:\n%s", s.log)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || gjson.GetBytes(body, "items.#").Int() != 24 {
		t.Errorf("got %d %v %.200s", resp.StatusCode, err, body)
	}
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Fatalf("the server does not end:\n%s", s.log)
	}
	if s.log.line("draining") == "" || strings.Contains(s.log.String(), "cut_short") {
		t.Errorf("the log is:\n%s", s.log)
	}
}

// TestADrainingServerFollowsItsFiles checks that a draining server applies revocations and survives SIGHUP.
func TestADrainingServerFollowsItsFiles(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "A")
	s, err := command{dir: dir}.launch(t, append(generous, "--drain-delay", "1h")...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.process.Process.Kill()
		<-s.ended
		checkLog(t, s.log.String())
	})
	s.signal(t, syscall.SIGTERM)
	eventually(t, patience, "the server drains", func() bool { return s.log.line("draining") != "" })
	s.signal(t, syscall.SIGHUP)
	must(t, dir, "keys", "revoke", keyID(t, dir))
	awaitVerdict(t, s, key, 403, "token_revoked")
	writeFile(t, filepath.Join(dir, "c.ndjson"), product(t, 1, "Neu"))
	must(t, dir, "build", "c.ndjson")
	name := current(t, dir)
	eventually(t, soon, "the new snapshot answers", func() bool {
		return s.get(t, "/public/search").header.Get("X-Snapshot") == name[:16]
	})
}

// TestInterrupting checks that Ctrl-C ends a server as SIGTERM does.
func TestInterrupting(t *testing.T) {
	t.Parallel()
	s := start(t, builtFolder(t), generous...)
	s.get(t, "/public/search")
	s.client.CloseIdleConnections()
	s.signal(t, syscall.SIGINT)
	<-s.ended
}
