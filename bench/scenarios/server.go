package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"sabine/bench/step"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"
)

const (
	startTime   = 30 * time.Second // time limit for the start of a server
	stopTime    = 20 * time.Second // time limit for the end of a server
	probeTime   = time.Second      // time limit for a check whether a server is ready
	requestTime = 10 * time.Second // time limit for a request while the machine is busy with builds
	inFlight    = 512              // maximum number of unanswered requests; without Redis, each takes 250 ms
)

// A server is a program that listens on an address. A restart does not change the address.
type server struct {
	run     *run
	name    string
	address string
	admin   string // address for sabine's metrics
	command []string
	env     []string // in addition to this program's environment
	ready   func() error

	process *os.Process
	ended   chan struct{} // closed when the process has ended
	down    bool          // whether stop was called
}

// newServer returns a server with a free address. It does not start the server.
func (r *run) newServer(name string) *server {
	s := &server{run: r, name: name, address: r.freeAddress()}
	s.ready = func() error { // succeeds when the server listens
		c, err := net.DialTimeout("tcp", s.address, probeTime)
		if err == nil {
			c.Close()
		}
		return err
	}
	return s
}

// newSabine returns a sabine server that follows a key file. It does not start the server.
func (r *run) newSabine(name, snapshots, keys, limit string, flags ...string) *server {
	s := r.newServer(name)
	s.admin, s.env = r.freeAddress(), r.env
	s.command = append([]string{r.sabine, "serve", "--addr", s.address, "--admin-addr", s.admin, "--snapshots", snapshots,
		"--keys", keys, "--account-limit", limit, "--public-limit", "1000000000/1m"}, flags...)
	s.ready = func() error {
		resp, err := (&http.Client{Timeout: probeTime}).Get("http://" + s.admin + "/readyz")
		if err == nil && resp.StatusCode != http.StatusOK {
			err = errors.New(resp.Status)
		}
		if resp != nil {
			resp.Body.Close()
		}
		return err
	}
	return s
}

func (s *server) log() string { return filepath.Join(s.run.dir, s.name+".log") }

func (s *server) start() {
	log := step.Must(os.OpenFile(s.log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600))
	defer log.Close()
	c := exec.CommandContext(s.run, s.command[0], s.command[1:]...)
	c.Env = append(os.Environ(), s.env...)
	c.Stdout, c.Stderr = log, log
	step.Check(c.Start(), s.name)
	if s.process == nil {
		s.run.running = append(s.run.running, s)
	}
	ended := make(chan struct{})
	s.process, s.ended, s.down = c.Process, ended, false
	alive, dies := context.WithCancelCause(s.run)
	go func() {
		dies(fmt.Errorf("it ended by itself, %w", cmp.Or(c.Wait(), errors.New("without an error"))))
		close(ended)
	}()
	if err := await(alive, startTime, s.ready); err != nil {
		text, _ := os.ReadFile(s.log())
		step.Check(fmt.Errorf("%s is not ready: %w: its log ends with %s", s.name, err, text[max(0, len(text)-1000):]))
	}
}

func (s *server) signal(signal syscall.Signal) {
	if err := s.process.Signal(signal); err != nil {
		step.Check(fmt.Errorf("%s ended by itself: %w: see %s", s.name, err, s.log()))
	}
}

// stop sends a signal that ends the server, and waits until it has ended.
func (s *server) stop(signal syscall.Signal) error {
	if s.down {
		return nil
	}
	s.down = true
	if err := s.process.Signal(signal); err != nil && s.run.Err() == nil {
		return fmt.Errorf("%s ended by itself: %w: see %s", s.name, err, s.log())
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("%s did not end within %v", s.name, stopTime), s.process.Kill())
	}
}

func (r *run) freeAddress() string {
	l := step.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return l.Addr().String()
}

// An answer is a server's response to a question.
type answer struct {
	status int
	shown  string            // X-Snapshot
	tag    string            // ETag
	sum    [sha256.Size]byte // hash of the encoded body
	bytes  int64             // length of the encoded body
	body   []byte            // encoded body; nil if it was streamed
	header http.Header
}

// fault describes how the answer got differs from the correct answer a. It returns "" if got is correct.
// known is the If-None-Match of the request.
func (a *answer) fault(got *answer, known string) string {
	want := *a
	if known != "" && known == a.tag {
		want.status, want.bytes, want.sum = http.StatusNotModified, 0, sha256.Sum256(nil)
	}
	if got.status == want.status && got.tag == want.tag && got.sum == want.sum {
		return ""
	}
	return fmt.Sprintf("expected %d, ETag %s, %d bytes, SHA-256 %.8x; got SHA-256 %.8x, %s", want.status, want.tag,
		want.bytes, want.sum, got.sum, got)
}

// client does not decode bodies. It allows one connection for each unanswered request.
var client = http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: inFlight}}

// ask sends a question to the server at an address, with the API key and the tag known unless they are "".
func ask(ctx context.Context, address string, q *question, key, known string) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	var body bytes.Buffer
	a, err := stream(ctx, address, q, key, known, &body)
	a.body = body.Bytes()
	return a, err
}

func (q *question) request(address, key, known string) *http.Request {
	r := step.Must(http.NewRequest(http.MethodGet, "http://"+address+q.path, strings.NewReader(q.body)))
	for name, value := range map[string]string{"Accept-Encoding": q.coding, "If-None-Match": cmp.Or(known, q.tag)} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if q.keyed {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if q.body != "" {
		r.Method = http.MethodPost
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// stream does what ask does, for a body of any length, which it writes to to. If the server closes the
// connection, stream returns an error, although the client retries the request on another connection.
func stream(ctx context.Context, address string, q *question, key, known string, to io.Writer) (*answer, error) {
	connections := 0
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connections++ }})
	resp, err := client.Do(q.request(address, key, known).WithContext(ctx))
	if err != nil {
		return &answer{}, err
	}
	defer resp.Body.Close()
	h, hash := resp.Header, sha256.New()
	a := &answer{status: resp.StatusCode, header: h, shown: h.Get("X-Snapshot"), tag: h.Get("ETag")}
	a.bytes, err = io.Copy(io.MultiWriter(hash, to), resp.Body)
	if err == nil && connections > 1 {
		err = errors.New("the server closed the connection that the request came on")
	}
	a.sum = [sha256.Size]byte(hash.Sum(nil))
	return a, err
}

func (a *answer) text() (string, error) {
	var r io.Reader = bytes.NewReader(a.body)
	var err error
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

func (a *answer) code() string {
	text, _ := a.text()
	return gjson.Get(text, "error").String()
}

func (a *answer) String() string {
	text, _ := a.text()
	return fmt.Sprintf("%d, X-Snapshot %q, ETag %s, %d bytes: %.300s", a.status, a.shown, a.tag, a.bytes, text)
}
