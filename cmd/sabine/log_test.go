package main_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sys/unix"
)

// launchUnread starts a server and reads its log only until the server serves. It returns the server and the
// read end of the log's pipe.
func launchUnread(t *testing.T, args ...string) (s *server, log *os.File) {
	t.Helper()
	read, written, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s = &server{dir: builtFolder(t), ended: make(chan struct{}), log: new(logBuffer),
		client: &http.Client{Timeout: patience}}
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...)
	s.process = command{dir: s.dir}.process(context.Background(), t, args)
	s.process.Stderr = written
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	written.Close()
	go func() {
		_ = s.process.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		_ = s.process.Process.Kill()
		<-s.ended
		read.Close()
	})
	lines := bufio.NewReader(read)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if gjson.Get(line, "msg").String() == "serving" {
			s.site = strings.TrimSuffix(gjson.Get(line, "api").String(), "/api")
			s.admin = gjson.Get(line, "admin").String()
			return s, read
		}
	}
}

// status requests an address and returns the status.
func (s *server) status(t *testing.T, url string) int {
	t.Helper()
	resp, err := s.client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// TestALogWithoutAReader checks that a blocked log does not stop, kill or delay the server or its shutdown.
func TestALogWithoutAReader(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule string
		then func(log *os.File) error
	}{
		{"the reader blocks", func(*os.File) error { return nil }},
		{"the reader has ended", (*os.File).Close},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			s, log := launchUnread(t)
			if err := tt.then(log); err != nil {
				t.Fatal(err)
			}
			const lines = 6000 // lines of 250 bytes, more than a pipe and the queue can buffer
			for range lines {
				if got := s.status(t, s.site+"/api/v1/openapi.json"); got != 200 {
					t.Fatalf("got %d", got)
				}
			}
			eventually(t, patience, "lines are counted as dropped", func() bool {
				resp, err := s.client.Get(s.admin + "/metrics")
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				for text := bufio.NewScanner(resp.Body); text.Scan(); {
					if n, ok := strings.CutPrefix(text.Text(), "sabine_log_lines_dropped_total "); ok {
						return n != "0"
					}
				}
				return false
			})
			s.endsInTime(t)
		})
	}
}

// endsInTime sends SIGTERM and checks that the server ends in time even if something hangs.
func (s *server) endsInTime(t *testing.T) {
	t.Helper()
	s.client.CloseIdleConnections()
	s.signal(t, syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(15 * time.Second):
		t.Fatal("the server does not end")
	}
	if s.process.ProcessState.ExitCode() < 0 {
		t.Errorf("the server was killed: %v", s.process.ProcessState)
	}
}

// TestASIGTERMEndsAServerWhoseClientStalls ends a server while its client sends requests without reading, and
// its log has no reader.
func TestASIGTERMEndsAServerWhoseClientStalls(t *testing.T) {
	t.Parallel()
	s, log := launchUnread(t)
	if _, err := unix.FcntlInt(log.Fd(), unix.F_SETPIPE_SZ, 1); err != nil { // one page, which a few requests fill
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	request := "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
	if err := conn.SetWriteDeadline(time.Now().Add(2 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for range 10000 { // until the buffers of both sides are full
		if _, err := fmt.Fprint(conn, request); err != nil {
			break
		}
	}
	s.endsInTime(t)
}

func TestRiskySettingsAreLogged(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	const every, admin, anybody = "--addr has no host", "--admin-addr is not a loopback address",
		"--trusted-proxies contains every address"
	for _, tt := range []struct {
		rule string
		args []string
		want string // "" for no warning
	}{
		{"the defaults", nil, ""},
		{"no host", []string{"--addr", ":0"}, every},
		{"all IPv4 addresses as proxies", []string{"--trusted-proxies", "10.0.0.0/8,0.0.0.0/0"}, anybody},
		{"all IPv6 addresses as proxies", []string{"--trusted-proxies", "::/0"}, anybody},
		{"an admin address on all interfaces", []string{"--admin-addr", "0.0.0.0:0"}, admin},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := start(t, dir, tt.args...)
			for _, warning := range []string{every, admin, anybody} {
				if logged := strings.Contains(s.log.String(), warning); logged != (warning == tt.want) {
					t.Errorf("%q: logged %t in %s", warning, logged, s.log)
				}
			}
		})
	}
	for _, args := range [][]string{{"--max-connections", "0"}, {"--max-connections", "-1"}, {"--drain-delay", "-1s"}} {
		if r := sabine(t, dir, append([]string{"serve"}, args...)...); r.status != 2 || !strings.Contains(r.err, args[0]) {
			t.Errorf("%v: got %d %s", args, r.status, r.err)
		}
	}
}

// TestConnectionsBeyondTheLimitWait checks that the limit does not apply to the admin address.
func TestConnectionsBeyondTheLimitWait(t *testing.T) {
	t.Parallel()
	s, log := launchUnread(t, "--max-connections", "1", "--drain-delay", "1ms")
	defer log.Close()
	first, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	const request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
	answered := func(conn net.Conn) error {
		if _, err := fmt.Fprint(conn, request); err != nil {
			return err
		}
		_, err := bufio.NewReader(conn).ReadString('\n')
		return err
	}
	if err := answered(first); err != nil {
		t.Fatal(err)
	}
	second, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	waited := make(chan error)
	go func() { waited <- answered(second) }()
	if got := s.status(t, s.admin+"/healthz"); got != 200 {
		t.Errorf("the admin address: got %d", got)
	}
	first.Close()
	if err := <-waited; err != nil {
		t.Error(err)
	}
	second.Close()
	s.endsInTime(t)
}
