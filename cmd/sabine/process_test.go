package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// patience is how long a test waits for an expected event. It is long because the machine may be busy.
// Successful tests wait less.
const patience = 30 * time.Second

// soon is the time limit for a switch or a changed key to take effect.
const soon = time.Second

// A result contains the result of a command.
type result struct {
	status   int
	out, err string
}

// A command contains settings for running the program. With the zero value, the program runs in a new folder.
type command struct {
	dir   string
	env   []string
	stdin io.Reader
}

// sabine runs a command line in a folder and returns the result.
func sabine(t testing.TB, dir string, args ...string) result {
	t.Helper()
	return command{dir: dir}.run(t, args...)
}

func (c command) run(t testing.TB, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := c.process(ctx, t, args)
	var out, stderr bytes.Buffer
	p.Stdout, p.Stderr = &out, &stderr
	err := p.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("sabine %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	checkLog(t, stderr.String())
	return result{p.ProcessState.ExitCode(), out.String(), stderr.String()}
}

// process prepares a process for the program. Its environment contains only the settings of c.
func (c command) process(ctx context.Context, t testing.TB, args []string) *exec.Cmd {
	t.Helper()
	p := exec.CommandContext(ctx, program, args...)
	p.Dir = c.dir
	if p.Dir == "" {
		p.Dir = t.TempDir()
	}
	p.Stdin = c.stdin
	p.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "SABINE_")
	}), c.env...)
	return p
}

// must runs a command line that must succeed and returns its standard output.
func must(t testing.TB, dir string, args ...string) string {
	t.Helper()
	r := sabine(t, dir, args...)
	if r.status != 0 {
		t.Fatalf("sabine %s: status %d\n%s", strings.Join(args, " "), r.status, r.err)
	}
	return r.out
}

// checkLog checks that a log contains no key, data race or panic.
func checkLog(t testing.TB, log string) {
	t.Helper()
	for _, word := range []string{"DATA RACE", "panic", "goroutine "} {
		if strings.Contains(log, word) {
			t.Errorf("the log has a %s:\n%s", strings.TrimSpace(word), log)
		}
	}
	checkSecrets(t, log)
}

// checkSecrets checks that a text contains no key that the tests have created.
func checkSecrets(t testing.TB, text string) {
	t.Helper()
	secrets.Range(func(secret, _ any) bool {
		if strings.Contains(text, secret.(string)[len("sab_"):]) {
			t.Errorf("the key %s is in:\n%s", secret, text)
		}
		return true
	})
}

// secrets contains all keys that the tests have created.
var secrets sync.Map

// createKey creates a key in a folder's key file with the keys command.
func createKey(t testing.TB, dir, account string, args ...string) string {
	t.Helper()
	secret := strings.TrimSuffix(must(t, dir, append([]string{"keys", "create", "--account", account}, args...)...), "\n")
	secrets.Store(secret, true)
	return secret
}

// catalogueFolder returns the folder of the catalogue for API tests.
func catalogueFolder(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs("../../serve/testdata/catalogue")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var building sync.Once

// builtFolder returns a new working folder with a snapshot of the catalogue. The snapshot is built once for
// all tests.
func builtFolder(t testing.TB) string {
	t.Helper()
	built := filepath.Join(work, "built")
	building.Do(func() {
		must(t, t.TempDir(), "build", catalogueFolder(t), "--snapshots", filepath.Join(built, "snapshots"))
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(built)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// writeFile writes a test file.
func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// record returns a source record as one line of JSON.
func record(t testing.TB, fields map[string]any) string {
	t.Helper()
	b, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// product returns a small source record. n is its number in a catalogue.
func product(t testing.TB, n int, label string) string {
	t.Helper()
	return record(t, map[string]any{
		"id": fmt.Sprintf("10000000-0000-4000-8000-%012d", n), "slug": fmt.Sprintf("produkt-%d", n), "label": label,
		"manufacturer": "Werk",
	})
}

// current returns the file name in a working folder's CURRENT file.
func current(t testing.TB, dir string) string {
	t.Helper()
	return strings.TrimSuffix(readFile(t, filepath.Join(dir, "snapshots", "CURRENT")), "\n")
}

// eventually waits until a condition is true, for at most the given time. Delays of its pauses on a busy
// machine do not count, because they also delay the server.
func eventually(t testing.TB, within time.Duration, what string, holds func() bool) {
	t.Helper()
	const pause = 5 * time.Millisecond
	for deadline := time.Now().Add(within); !holds(); {
		began := time.Now()
		if began.After(deadline) {
			t.Fatalf("not within %v: %s", within, what)
		}
		time.Sleep(pause)
		deadline = deadline.Add(time.Since(began) - pause)
	}
}

// A logBuffer stores the standard error of a process.
type logBuffer struct {
	mu   sync.Mutex
	text []byte
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	return len(p), nil
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// line returns the first complete line with a message in the log, or "".
func (l *logBuffer) line(message string) string {
	for line := range strings.Lines(l.String()) {
		if strings.HasSuffix(line, "\n") && gjson.Get(line, "msg").String() == message {
			return line
		}
	}
	return ""
}

// A server is a running process of sabine serve.
type server struct {
	dir     string // working folder
	site    string // http://127.0.0.1:PORT, or https with a certificate
	base    string // path of the API
	admin   string // http://127.0.0.1:PORT
	log     *logBuffer
	process *exec.Cmd
	ended   chan struct{} // closed when the process has ended
	client  *http.Client
}

// An answer is a response and its body.
type answer struct {
	status int
	header http.Header
	body   string
}

// json returns the value at a gjson path in the body.
func (a *answer) json(path string) gjson.Result { return gjson.Get(a.body, path) }

// code returns the error code in the body, or "".
func (a *answer) code() string { return a.json("error").String() }

// get requests a path below the base path. fields contains header fields (name, value, name, value).
func (s *server) get(t testing.TB, path string, fields ...string) *answer {
	t.Helper()
	a, err := s.try(path, fields...)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return a
}

// getAs requests a path with a key.
func (s *server) getAs(t testing.TB, key, path string) *answer {
	t.Helper()
	return s.get(t, path, "Authorization", "Bearer "+key)
}

// try is like get, but for goroutines other than the test's.
func (s *server) try(path string, fields ...string) (*answer, error) {
	r, err := http.NewRequest(http.MethodGet, s.site+s.base+path, nil)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &answer{resp.StatusCode, resp.Header, string(body)}, err
}

// fetch requests an address that is not part of the API.
func fetch(t testing.TB, address string) *answer {
	t.Helper()
	a, err := (&server{site: address, client: http.DefaultClient}).try("")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// start runs sabine serve in a folder on free ports until the test ends.
func start(t testing.TB, dir string, args ...string) *server {
	t.Helper()
	s, err := command{dir: dir}.launch(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop(t) })
	return s
}

// served starts a server for the catalogue. It returns the server and an API key.
func served(t testing.TB) (s *server, key string) {
	t.Helper()
	dir := builtFolder(t)
	key = createKey(t, dir, "A")
	return start(t, dir), key
}

// launch starts a server and waits until it logs its addresses. The error is the reason for a failed start.
func (c command) launch(t testing.TB, args ...string) (*server, error) {
	t.Helper()
	s := &server{dir: c.dir, log: new(logBuffer), ended: make(chan struct{})}
	s.process = c.process(context.Background(), t,
		append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...))
	s.process.Stderr = s.log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.process.Wait()
		close(s.ended)
	}()
	for deadline := time.Now().Add(patience); s.log.line("serving") == ""; time.Sleep(5 * time.Millisecond) {
		if s.hasEnded() {
			return nil, fmt.Errorf("the server ended with status %d: %s", s.process.ProcessState.ExitCode(), s.log)
		}
		if time.Now().After(deadline) {
			_ = s.process.Process.Kill()
			return nil, fmt.Errorf("the server does not say that it serves: %s", s.log)
		}
	}
	line := s.log.line("serving")
	api := gjson.Get(line, "api").String()
	s.admin = gjson.Get(line, "admin").String()
	scheme, rest, _ := strings.Cut(api, "://")
	host, _, _ := strings.Cut(rest, "/")
	s.site = scheme + "://" + host
	s.base = strings.TrimSuffix(strings.TrimPrefix(api, s.site), "/")
	s.client = &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	return s, nil
}

func (s *server) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// signal sends a signal to the process.
func (s *server) signal(t testing.TB, sig syscall.Signal) {
	t.Helper()
	if err := s.process.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// stop ends the server with SIGTERM and checks its exit status and log. It does nothing if the server has
// already ended.
func (s *server) stop(t testing.TB) {
	t.Helper()
	if !s.hasEnded() {
		s.client.CloseIdleConnections()
		s.signal(t, syscall.SIGTERM)
		select {
		case <-s.ended:
		case <-time.After(patience):
			_ = s.process.Process.Kill()
			t.Fatalf("the server does not end:\n%s", s.log)
		}
	}
	if status := s.process.ProcessState.ExitCode(); status != 0 {
		t.Errorf("the server ended with status %d:\n%s", status, s.log)
	}
	checkLog(t, s.log.String())
}

// generous sets limits that no test reaches.
var generous = []string{"--account-limit", "1000000/1m,2000000/24h", "--public-limit", "3000000/1m"}
