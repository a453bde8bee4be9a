package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/synthetic"
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// Memory limits for a request or command that uses a file of at most a few MB. The most expensive request
// allocates 1 MB for a valid file, and 6 MB for the seeds, whose bodies have up to one MB each.
const (
	hostileBytes = 64 << 20
	hostileTime  = 10 * time.Second
)

var hostileFiles = flag.Int("hostile", 0, "random files that FuzzHostileSnapshot tries in addition to its seeds")

// A victim contains a snapshot folder, a server for this folder, and all requests and commands that are tried
// on each hostile snapshot.
type victim struct {
	t        testing.TB
	folder   snapshot.Folder
	good     *snapshot.File
	other    *sealed.Draft
	bodies   []record // records of the valid snapshot
	goodName string
	current  *runtime.Current
	server   *serve.Server
	key      string

	mutations string // edits of the current file
	name      string // name of the current file
	panics    []string
}

// newVictim builds two catalogues with the same number of products. It reports errors to t.
func newVictim(t testing.TB) *victim {
	v := &victim{t: t, folder: snapshot.Folder{Dir: filepath.Join(t.TempDir(), "snapshots")}}
	v.must(os.Mkdir(v.folder.Dir, 0o755))
	build := func(seed uint64) *snapshot.File {
		inputs, _, err := dataset.Inputs([]string{"../../serve/testdata/catalogue"}, nil)
		v.must(err)
		_, err = compiler.Build(context.Background(), compiler.Options{Folder: v.folder, SkipInvalid: true,
			Inputs: append(inputs, dataset.Input{
				Name: "synthetic.ndjson", Open: func() (io.ReadCloser, error) {
					var records bytes.Buffer
					err := synthetic.Generate(&records, 30, seed)
					return io.NopCloser(&records), err
				}})})
		v.must(err)
		v.goodName, err = v.folder.Current()
		v.must(err)
		f, err := snapshot.Open(v.folder.Path(v.goodName))
		v.must(err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	v.other = sealed.Of(build(2))
	v.good = build(1)
	v.bodies = v.recordsOf(v.good)

	log := slog.New(panicLog{slog.DiscardHandler, v})
	keyFile := filepath.Join(t.TempDir(), "keys.json")
	v.must(keys.Update(keyFile, func(f *keys.File) (err error) {
		v.key, err = f.Create("a", []string{keys.ScopeRead}, nil, time.Now())
		return err
	}))
	store, err := keys.OpenStore(keyFile, log)
	v.must(err)
	counters, err := ratelimit.NewMemory("", nil, log)
	v.must(err)
	much := ratelimit.Policy{{Limit: 1 << 30, Span: time.Hour}}
	v.current = runtime.NewCurrent(v.folder, log)
	v.must(v.current.Load(context.Background()))
	t.Cleanup(func() { _ = v.current.Close() })
	v.server, err = serve.New(serve.Options{
		Current: v.current, Keys: store, Limits: ratelimit.NewLimiter(counters, much, much, much), Log: log, Explorer: true,
		MCP: true, PublicDetail: true,
	})
	v.must(err)
	return v
}

func (v *victim) must(err error) {
	if err != nil {
		v.t.Helper()
		v.t.Fatal(err)
	}
}

// A panicLog stores the panics that the server logs, except panics about bodies that do not match.
type panicLog struct {
	slog.Handler
	v *victim
}

func (panicLog) Enabled(context.Context, slog.Level) bool { return true }

func (l panicLog) Handle(_ context.Context, r slog.Record) error {
	if !strings.HasPrefix(r.Message, "panic") {
		return nil
	}
	bad, text := true, r.Message
	r.Attrs(func(a slog.Attr) bool {
		if _, declared := a.Value.Any().(*runtime.DamagedBody); declared && a.Key == "panic" {
			bad = false
		}
		text += fmt.Sprintf("\n%s: %v", a.Key, a.Value)
		return true
	})
	if bad {
		l.v.panics = append(l.v.panics, text)
	}
	return nil
}

// try seals a draft and tries requests and commands on it: all of them on the valid file, and a quarter of
// them, selected by the content, on other files, so that more files can be tried in the same time.
func (v *victim) try(t testing.TB, d *sealed.Draft, mutations string) {
	v.t, v.mutations = t, mutations
	content := d.Seal()
	sum := sha256.Sum256(content)
	v.name = snapshot.FileName(hex.EncodeToString(sum[:]))
	path := v.folder.Path(v.name)
	if v.name != v.goodName {
		v.must(os.WriteFile(path, content, 0o444))
		defer func() {
			v.switchTo(v.goodName)
			v.must(os.Remove(path))
			v.step("load what is good again", func() { v.must(v.current.Load(context.Background())) })
		}()
	}
	v.switchTo(v.name)
	v.step("load", func() { v.must(v.current.Load(context.Background())) })
	if v.current.State().Status != runtime.StatusReady {
		v.refused(path)
		return
	}
	chosen := func(i int) bool { return v.name == v.goodName || i%4 == int(sum[0])%4 }
	for i, target := range hostileRequests {
		if chosen(i) {
			v.request(http.MethodGet, target, "", []string{"identity", "gzip", "zstd"}[i%3])
		}
	}
	for i, message := range hostileMessages {
		if chosen(i) {
			v.request(http.MethodPost, "/mcp", message, "")
		}
	}
	v.changesSince(v.goodName)
	for i, args := range hostileCommands {
		if chosen(i) {
			v.command(args...)
		}
	}
	v.command("diff", v.folder.Path(v.goodName), path)
	v.command("diff", "--json", path, v.folder.Path(v.goodName))
	v.switchTo(v.goodName)
	v.step("load what is good again", func() { v.must(v.current.Load(context.Background())) })
	v.changesSince(v.name)
}

func (v *victim) changesSince(name string) {
	v.request(http.MethodGet, "/api/v1/changes?since="+strings.TrimSuffix(name, ".snapshot"), "", "")
}

// refused checks that the current snapshot does not change, and that commands report why the file is invalid.
func (v *victim) refused(path string) {
	if status := v.request(http.MethodGet, "/api/public/search", "", ""); status != http.StatusOK {
		v.t.Errorf("%s: while a file is refused: status %d", v.mutations, status)
	}
	for _, args := range [][]string{{"verify", "--deep", path}, {"diff", path, path}} {
		if v.command(args...) != exitFailed {
			v.t.Errorf("%s: refused by the server, and not by %s", v.mutations, args[0])
		}
	}
	v.command("inspect", path)
}

func (v *victim) switchTo(name string) {
	v.must(os.WriteFile(filepath.Join(v.folder.Dir, "CURRENT"), []byte(name+"\n"), 0o644))
}

// step runs a function. The function must end, must not panic, must not use much memory, and must not be
// refused because of a panic.
func (v *victim) step(what string, do func()) {
	defer time.AfterFunc(hostileTime, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("%s: %s takes longer than %v", v.mutations, what, hostileTime))
	}).Stop()
	defer func() {
		if p := recover(); p != nil {
			v.t.Errorf("%s: %s: panic: %v\n%s", v.mutations, what, p, debug.Stack())
		}
		if len(v.panics) > 0 {
			v.t.Errorf("%s: %s: %s", v.mutations, what, strings.Join(v.panics, "\n"))
			v.panics = nil
		}
		if reason := v.current.State().Reason; strings.Contains(reason, "runtime error") {
			v.t.Errorf("%s: %s: %s", v.mutations, what, reason)
		}
	}()
	before := allocated()
	do()
	if bytes := allocated() - before; bytes > hostileBytes {
		v.t.Errorf("%s: %s allocates %d bytes", v.mutations, what, bytes)
	}
}

// allocated returns the number of bytes that the process has allocated since its start.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// request sends a request and returns the status of the response.
func (v *victim) request(method, target, body, coding string) int {
	w := httptest.NewRecorder()
	v.step(method+" "+target+body, func() {
		defer func() {
			p := recover()
			if err, ok := p.(error); p != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) { // ends a stream
				panic(p)
			}
		}()
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+v.key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Encoding", coding)
		v.server.ServeHTTP(w, r)
	})
	if v.name == v.goodName && (w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"isError":true`)) {
		v.t.Errorf("%s: a good file: status %d, %s", target, w.Code, w.Body)
	}
	return w.Code
}

// command runs a command line and returns its exit status. A command that fails must print a reason.
func (v *victim) command(args ...string) (status int) {
	v.step(strings.Join(args, " "), func() {
		var stderr bytes.Buffer
		stdin := strings.NewReader(strings.Join(hostileMessages, "\n"))
		status = run(context.Background(), append([]string{"sabine"}, v.placed(args)...), streams{stdin, io.Discard, &stderr})
		if status != exitDone && (stderr.Len() == 0 || v.name == v.goodName) || strings.Contains(stderr.String(),
			"runtime error") {
			v.t.Errorf("%s: %s: status %d, %q", v.mutations, args, status, stderr.String())
		}
	})
	return status
}

// placed replaces the folder's placeholder in a command line.
func (v *victim) placed(args []string) []string {
	if args[0] == "publish" {
		args = append(args, "--store", "file://"+filepath.Join(filepath.Dir(v.folder.Dir), "store"))
	}
	if args[0] == "diff" || slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, ".snapshot") }) {
		return args
	}
	return slices.Concat(args, []string{"--snapshots", v.folder.Dir})
}

// hostileRequests lists requests, which are sent with alternating codings: identity, gzip and zstd.
var hostileRequests = func() (targets []string) {
	const one, two, searched = "akustikpaneel-fichte-40", "qrd-diffusor-7",
		"/api/v1/materials/search?facets=true&limit=50&include=acoustics,geometry"
	for _, detail := range []string{"/api/v1/materials/" + one, "/api/v1/materials/" + one + "?include=geometry",
		"/api/v1/export"} {
		targets = append(targets, detail, detail, detail)
	}
	for _, query := range []string{
		"", "q=holz", "q=akutsikpanel+weis", "q=deckensegel+45+600", "q=schallabsorberplatte", "q=a", "q=mineral+wool+board",
		"q=silentwood+40+mm",
		"q=vlies+b%C3%BCro&alpha_w_min=0.1&category=textil,holz&installation=wall&fire_class=C",
		"manufacturer=beispiel-akustik,teppichwerk",
		"has_epd=true&purchasable_only=true&alpha_w_max=0.9&sort=alphaW_asc", "sort=name_asc&page=1&limit=3",
		"sort=date_desc&character=breitband",
		"absorption_min=125:0.1,500:0.3&absorption_max=4000:0.99&depth_max=300&thickness_max=100&mounting=A,E&source_kind=measured&sort=margin_desc",
		"scattering_min=500:0.1&diffusion_min=500:0.1", "like=" + one + "&sort=distance_asc",
		"curve=250:0.5,500:0.6&absorption_class=A,B", "q=" + one,
	} {
		targets = append(targets, searched+"&"+query)
	}
	return append(targets,
		"/api/v1/materials?include=acoustics,geometry&ids="+one+","+two+",00000000-0000-4000-8000-000000000003,nowhere",
		"/api/v1/export?format=csv&separator=semicolon", "/api/v1/export?format=pyroomacoustics&fill=hold",
		"/api/v1/export?format=catt&fill=hold&q=holz",
		"/api/public/search?q=holz&locale=en", "/api/public/search?sort=alphaW_desc&page=1&kaufbar=true",
		"/api/public/compare-products?id="+one+","+two,
		"/api/public/materials/"+one+"?locale=en", "/api/public/reverberation?volume=180&target=din18041:A3&surface="+one+
			":64&surface=stahlbeton-glatt@0:154",
		"/?q=holz&locale=en", "/?page=1", "/products/"+one, "/compare?id="+one+"&id="+two,
		"/room?volume=180&target=0.6&surface="+one+":64",
	)
}()

var hostileMessages = func() (messages []string) {
	const one = "akustikpaneel-fichte-40"
	for tool, arguments := range map[string]string{
		"search_materials":   `{"query":"holz decke","facets":true}`,
		"find_by_absorption": `{"absorption_min":{"500":0.3},"like":"` + one + `"}`,
		"get_material":       `{"id":"` + one + `"}`, "compare_materials": `{"ids":["` + one + `","qrd-diffusor-7"]}`,
		"reverberation_time": `{"volume":180,"surfaces":[{"material":"` + one + `","area":64}]}`,
	} {
		messages = append(messages, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+
			arguments+`}}`)
	}
	slices.Sort(messages)
	return append(messages, `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"sabine://vocabulary"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"sabine://catalogue"}}`)
}()

var hostileCommands = [][]string{
	{"verify", "--deep"}, {"inspect", "--json"}, {"inspect"}, {"show", "akustikpaneel-fichte-40"},
	{"show", "--json", "qrd-diffusor-7"},
	{"search", "akutsik holz", "--explain", "--absorption-min", "500:0.2", "--facets"},
	{"search", "segel", "--explain", "--json", "--sort", "name_asc"},
	{"room", "--volume", "180", "--surface", "akustikpaneel-fichte-40:64", "--surface", "stahlbeton-glatt:154",
		"--target", "din18041:A3"},
	{"export"}, {"export", "--format", "csv"}, {"export", "--format", "pyroomacoustics"}, {"export", "--format", "catt"},
	{"mcp"}, {"publish"},
}

// FuzzHostileSnapshot edits a valid snapshot and seals it again. Code that reads the snapshot must soon
// return a response or an error, whatever the snapshot contains.
func FuzzHostileSnapshot(f *testing.F) {
	v := newVictim(f)
	v.try(f, sealed.Of(v.good), "nothing")
	for i, program := range hostileSeeds(*hostileFiles) {
		if !testing.Short() || i%4 == 0 {
			f.Add(program)
		}
	}
	f.Fuzz(func(t *testing.T, program []byte) { v.run(t, program) })
}
