package ratelimit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A redisServer is a real redis-server process on a port of its own.
type redisServer struct {
	port    string
	dir     string
	process *exec.Cmd
}

// startRedis starts a server for one test. Where there is no redis-server the test is skipped, but not in CI.
func startRedis(t *testing.T) *redisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed: make test installs it")
		}
		t.Skip("redis-server is not installed: make test installs it where it can")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	r := &redisServer{port: port, dir: t.TempDir()}
	r.start(t)
	t.Cleanup(r.kill)
	return r
}

// start runs the server and returns once it says that it takes connections.
func (r *redisServer) start(t *testing.T) {
	t.Helper()
	r.process = exec.Command("redis-server", "--port", r.port, "--bind", "127.0.0.1", "--save", "", "--dir", r.dir)
	out, err := r.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Ready to accept connections") {
			return
		}
	}
	t.Fatal("redis-server ended before it was ready")
}

func (r *redisServer) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := r.process.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func (r *redisServer) kill() {
	_ = r.process.Process.Kill() // it may have been killed by the test
	_ = r.process.Wait()
}

func openRedis(t *testing.T, r *redisServer) *Redis {
	t.Helper()
	store, err := NewRedis("redis://127.0.0.1:" + r.port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestServersThatShareAStoreShareTheCounters(t *testing.T) {
	r := startRedis(t)
	a, b := openRedis(t, r), openRedis(t, r)
	policy := Policy{{3, time.Minute}}
	for i, s := range []Store{a, b, a, b} {
		c, counted, err := s.Take(context.Background(), "account:a", policy, noon)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(i+1, 3); c.N[0] != want || counted != (i < 3) {
			t.Errorf("request %d: got count %d and counted %t", i+1, c.N[0], counted)
		}
	}
}

func TestAStoreThatIsPausedOrKilledIsUnavailableUntilItIsBack(t *testing.T) {
	r := startRedis(t)
	store := openRedis(t, r)
	ask := func() error {
		_, _, err := store.Take(context.Background(), "account:a", account, time.Now())
		return err
	}
	back := func(what string) {
		t.Helper()
		var err error
		for range 50 { // connections that broke meanwhile are given up one by one
			if err = ask(); err == nil {
				return
			}
		}
		t.Fatalf("%s: still %v", what, err)
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	r.signal(t, syscall.SIGSTOP)
	if err := ask(); !errors.Is(err, errUnavailable) {
		t.Errorf("paused: got %v", err)
	}
	r.signal(t, syscall.SIGCONT)
	back("after the pause")
	r.kill()
	if err := ask(); !errors.Is(err, errUnavailable) {
		t.Errorf("killed: got %v", err)
	}
	r.start(t)
	back("after a new start")
}

func TestNoCounterLivesForEver(t *testing.T) {
	r := startRedis(t)
	store := openRedis(t, r)
	take(t, store, "account:a", account, time.Now())
	keys, err := store.client.Keys(context.Background(), "*").Result()
	if err != nil || len(keys) != 1 {
		t.Fatalf("got keys %v, %v", keys, err)
	}
	for _, key := range keys {
		left, err := store.client.TTL(context.Background(), key).Result()
		if err != nil || left <= 0 || left > 25*time.Hour {
			t.Errorf("%s lives for %v, %v", key, left, err)
		}
	}
}

func TestAStoreThatIsNotThereAtStartIsOnlyUnavailable(t *testing.T) {
	store, err := NewRedis("redis://127.0.0.1:1/0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	if _, _, err := store.Take(context.Background(), "account:a", account, noon); !errors.Is(err, errUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	if _, err := NewRedis("http://127.0.0.1"); err == nil || !strings.Contains(err.Error(), "redis://") {
		t.Errorf("got %v", err)
	}
}

func ExampleNewRedis() {
	store, err := NewRedis("redis://127.0.0.1:6379/0") // connects when it is first asked
	if err != nil {
		panic(err)
	}
	fmt.Println(store.Close())
	// Output: <nil>
}

func TestAPasswordInTheAddressIsNotRepeated(t *testing.T) {
	for _, address := range []string{"redis://:geheim@localhost/x", "redis://:geheim%zz@localhost/0", "rediss://u:geheim@ho st", "geheim@localhost"} {
		if _, err := NewRedis(address); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("NewRedis(%q): got %v", address, err)
		}
	}
}
