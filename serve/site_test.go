// The tests in package serve_test are the contract: their names are the rules, and each rule occurs once. A
// test sends requests over connections to a server with a snapshot from the real compiler. The judge
// (judge_test.go) checks all responses against the general rules and the served description. A separate
// process would not test more, and would hide the server from the race detector, the coverage report and
// debuggers. Tests that need a process, or the command line, are in cmd/sabine.
package serve_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/queryreport"
	"sabine/serve/ratelimit"
)

// work is a temporary folder for all tests. Its folder catalogue contains the snapshot of testdata/catalogue,
// which most tests use.
var (
	work      string
	catalogue snapshot.Folder
)

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sabine-serve-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	work, catalogue = dir, snapshot.Folder{Dir: filepath.Join(dir, "catalogue")}
	if err := buildCatalogue(catalogue); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	name, err := catalogue.Current()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	operations = append(operations, operationCase{"/v1/changes?since=" + strings.TrimSuffix(name, ".snapshot"), true,
		true, false})
	return m.Run()
}

func buildCatalogue(folder snapshot.Folder) error {
	inputs, _, err := dataset.Inputs([]string{"testdata/catalogue"}, nil)
	if err != nil {
		return err
	}
	_, err = compiler.Build(context.Background(), compiler.Options{Folder: folder, Inputs: inputs})
	return err
}

// rebuilt returns a new folder with the catalogue's snapshot. A test may damage it.
func rebuilt(t testing.TB) *snapshot.Folder {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	if err := os.CopyFS(folder.Dir, os.DirFS(catalogue.Dir)); err != nil {
		t.Fatal(err)
	}
	return &folder
}

// compile builds a snapshot from NDJSON records in a folder.
func compile(t testing.TB, folder snapshot.Folder, records string) {
	t.Helper()
	_, err := compiler.Build(context.Background(), compiler.Options{Folder: folder, Inputs: []dataset.Input{{
		Name: "records.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(records)), nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

// built returns a new folder with a snapshot built from records.
func built(t testing.TB, records string) *snapshot.Folder {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	compile(t, folder, records)
	return &folder
}

// product returns a small source record with the number n.
func product(n int, label string) string {
	return fmt.Sprintf(`{"id":"10000000-0000-4000-8000-%012d","slug":"produkt-%d","label":%q,"manufacturer":"Werk"}`+"\n",
		n, n, label)
}

// settings configures a site. The zero value is a server for the catalogue, with limits that no test reaches.
type settings struct {
	folder              *snapshot.Folder // default: the catalogue's folder
	account, public     ratelimit.Policy
	export              ratelimit.Policy
	store               ratelimit.Store
	basePath, publicURL string
	proxies             []netip.Prefix
	log                 io.Writer
	explorer, mcp       bool
	noDetail            bool // no details without a key
	images              []string
	http2               bool // HTTP/2 over TLS; default: HTTP/1.1 without TLS
	report              *queryreport.Report
}

// A site is a running server with a separate client.
type site struct {
	url     string // http://127.0.0.1:PORT, or https with TLS
	base    string // path of the API
	admin   string // http://127.0.0.1:PORT
	current *runtime.Current
	folder  snapshot.Folder
	keys    map[string]string // keys by their name in keyStates
	client  *http.Client
	handler http.Handler
	judge   *judge
	end     func() error
}

// localhost is the network that the tests use.
var localhost = netip.MustParsePrefix("127.0.0.0/8")

// newSite starts a server, which stops at the end of the test.
func newSite(t testing.TB, o settings) *site {
	t.Helper()
	s, err := launch(o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// shared returns a server for the catalogue. All tests that only read share it.
func shared(t testing.TB) *site {
	t.Helper()
	s, err := sharedSite()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var sharedSite = sync.OnceValues(func() (*site, error) { return launch(settings{}, catalogue.Dir) })

// sample returns a server with all features enabled for the sample catalogue, to which the examples in the
// description refer.
func sample(t testing.TB) *site {
	t.Helper()
	folder := sampleFolder(t)
	return newSite(t, settings{folder: &folder, explorer: true, mcp: true})
}

func launch(o settings, dir string) (s *site, err error) {
	s = &site{folder: catalogue, base: "/api"}
	if o.folder != nil {
		s.folder = *o.folder
	}
	if o.basePath != "" {
		s.base = strings.TrimSuffix(o.basePath, "/")
	}
	if o.log == nil {
		o.log = io.Discard
	}
	log := slog.New(slog.NewJSONHandler(o.log, nil))
	keyFile := filepath.Join(dir, "keys.json")
	if s.keys, err = writeKeys(keyFile); err != nil {
		return nil, err
	}
	store, err := keys.OpenStore(keyFile, log)
	if err != nil {
		return nil, err
	}
	if o.account == nil {
		o.account = ratelimit.Policy{{Limit: 1_000_000, Span: time.Minute}, {Limit: 2_000_000, Span: 24 * time.Hour}}
	}
	if o.public == nil {
		o.public = ratelimit.Policy{{Limit: 3_000_000, Span: time.Minute}}
	}
	if o.export == nil {
		o.export = ratelimit.Policy{{Limit: 4_000_000, Span: 24 * time.Hour}}
	}
	if o.store == nil {
		if o.store, err = ratelimit.NewMemory("", nil, log); err != nil {
			return nil, err
		}
	}
	s.current = runtime.NewCurrent(s.folder, log)
	if err := s.current.Load(context.Background()); err != nil {
		return nil, err
	}
	server, err := serve.New(serve.Options{
		Current: s.current, Keys: store, Limits: ratelimit.NewLimiter(o.store, o.account, o.public, o.export),
		BasePath: o.basePath, PublicURL: o.publicURL, TrustedProxies: o.proxies, Log: log, Explorer: o.explorer,
		PublicDetail: !o.noDetail, ImageOrigins: o.images,
		MCP: o.mcp, Version: "test", QueryReport: o.report,
	})
	if err != nil {
		return nil, err
	}
	api, admin := httptest.NewUnstartedServer(server), httptest.NewServer(server.Admin())
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}
	if api.EnableHTTP2 = o.http2; o.http2 {
		api.StartTLS()
		transport.TLSClientConfig, transport.ForceAttemptHTTP2 = api.Client().Transport.(*http.Transport).TLSClientConfig,
			true
	} else {
		api.Start()
	}
	s.url, s.admin, s.handler = api.URL, admin.URL, server
	s.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.end = sync.OnceValue(func() error {
		api.Close() // returns after the lines of its requests were written
		admin.Close()
		return s.current.Close()
	})
	if s.judge, err = newJudge(s, strings.TrimSuffix(strings.TrimSuffix(o.publicURL, "/"), s.base)); err != nil {
		return nil, err
	}
	s.judge.shown, s.judge.agents = o.explorer, o.mcp
	return s, nil
}

// Keys for the tests.
const (
	goodKey   = "nothing is wrong"
	secondKey = "another of the same account"
	otherKey  = "another account's"
	pausedKey = "paused"
)

// keyStates lists the keys of a site, one for each state of a key, with the code of the 403. If a key has
// several faults, the first one in the contract's order determines the code.
var keyStates = []struct {
	name, account string
	status        keys.Status
	expired       bool
	scope         string
	code          string
}{
	{goodKey, "acme", keys.Active, false, keys.ScopeRead, ""},
	{secondKey, "acme", keys.Active, false, keys.ScopeRead, ""},
	{otherKey, "other", keys.Active, false, keys.ScopeRead, ""},
	{"the scope stands among others", "acme", keys.Active, false, "materials:write " + keys.ScopeRead, ""},
	{pausedKey, "acme", keys.Paused, false, keys.ScopeRead, "token_paused"},
	{"revoked", "acme", keys.Revoked, false, keys.ScopeRead, "token_revoked"},
	{"expired", "acme", keys.Active, true, keys.ScopeRead, "token_expired"},
	{"the account is disabled", "gone", keys.Active, false, keys.ScopeRead, "partner_inactive"},
	{"another scope", "acme", keys.Active, false, "materials:write", "partner_not_allowed"},
	{"revoked before expired", "gone", keys.Revoked, true, "x", "token_revoked"},
	{"expired before paused", "gone", keys.Paused, true, "x", "token_expired"},
	{"paused before the account", "gone", keys.Paused, false, "x", "token_paused"},
	{"the account before the scope", "gone", keys.Active, false, "x", "partner_inactive"},
}

// writeKeys writes a key file with keyStates.
func writeKeys(file string) (map[string]string, error) {
	secrets := map[string]string{}
	return secrets, keys.Update(file, func(f *keys.File) error {
		now := time.Now()
		past := now.Add(-time.Second)
		for _, k := range keyStates {
			var expires *time.Time
			if k.expired {
				expires = &past
			}
			secret, err := f.Create(k.account, strings.Fields(k.scope), expires, now)
			if err != nil {
				return err
			}
			if err := f.SetStatus(f.Keys[len(f.Keys)-1].ID, k.status); err != nil {
				return err
			}
			secrets[k.name] = secret
		}
		return f.SetActive("gone", false)
	})
}

// An answer is a response with its body.
type answer struct {
	status int
	header http.Header
	body   string // body after decoding
	sent   int64  // number of body bytes received, before decoding
}

// json returns a value of the body at a gjson path.
func (a *answer) json(path string) gjson.Result { return gjson.Get(a.body, path) }

// code returns the error code in the body, or "" if there is none.
func (a *answer) code() string { return a.json("error").String() }

// message returns the message in the body, or "" if there is none.
func (a *answer) message() string { return a.json("message").String() }

// ask sends a request with header fields (name, value, name, value) and returns the response after the judge
// has checked it. The target is the part of the URL after the host.
func (s *site) ask(t testing.TB, method, target string, fields ...string) *answer {
	t.Helper()
	a, err := s.try(method, target, fields...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return a
}

// open requests a path below the base path, without a key.
func (s *site) open(t testing.TB, path string, fields ...string) *answer {
	t.Helper()
	return s.ask(t, "GET", s.base+path, fields...)
}

// get requests a path below the base path with a valid key, which public endpoints ignore.
func (s *site) get(t testing.TB, path string, fields ...string) *answer {
	t.Helper()
	return s.open(t, path, append(fields, s.as(goodKey)...)...)
}

// as returns the header field for the key with a name in keyStates, or for an unknown key.
func (s *site) as(name string) []string {
	key, ok := s.keys[name]
	if !ok {
		key = "sab_" + name
	}
	return []string{"Authorization", "Bearer " + key}
}

func (s *site) try(method, target string, fields ...string) (*answer, error) {
	r, err := http.NewRequest(method, s.url+target, nil)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	return s.judged(r)
}

// judged sends a request and returns the response after the judge has checked it.
func (s *site) judged(r *http.Request) (*answer, error) {
	a, err := s.do(r)
	if err != nil {
		return nil, err
	}
	if err := s.judge.check(r, a); err != nil {
		return nil, fmt.Errorf("%d: %w\n%v\n%.3000s", a.status, err, a.header, a.body)
	}
	return a, nil
}

// do sends a request and reads the response.
func (s *site) do(r *http.Request) (*answer, error) {
	resp, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	return read(resp)
}

// read reads a complete response.
func read(resp *http.Response) (*answer, error) {
	defer resp.Body.Close()
	coded, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	body, err := decode(resp.Header.Get("Content-Encoding"), coded)
	return &answer{resp.StatusCode, resp.Header, string(body), int64(len(coded))}, err
}

// fetch requests an address without the judge, because the judge knows neither the admin address nor all
// spellings of paths.
func (s *site) fetch(t testing.TB, address string, fields ...string) *answer {
	t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	a, err := s.do(r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func decode(coding string, coded []byte) ([]byte, error) {
	var r io.Reader = bytes.NewReader(coded)
	var err error
	switch {
	case coding == "" || len(coded) == 0: // nothing to decode: a response to HEAD has no body
		return coded, nil
	case coding == "gzip":
		r, err = gzip.NewReader(r)
	case coding == "zstd":
		r, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	default:
		err = fmt.Errorf("Content-Encoding %q", coding)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// TestTheCurrentSnapshotIsMeasured checks the metric for the time of the switch, which alerts use.
func TestTheCurrentSnapshotIsMeasured(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{})
	if text := s.fetch(t, s.admin+"/metrics").body; !strings.Contains(text, "\nsabine_generation_since_seconds 1") {
		t.Errorf("the metrics lack the time: %s", text)
	}
}
