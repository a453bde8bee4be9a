package ratelimit

import (
	"context"
	"errors"
	"net"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// mustEnd waits for the end of a store's only connection.
func (r *Redis) mustEnd(t *testing.T) {
	t.Helper()
	c := r.cluster.Load()
	p := c.node(c.address.hosts[0]).current
	eventually(t, "the connection ends", func() bool { return p.ctx.Err() != nil })
}

// TestAConnectionThatWasClosedWhileIdleIsReplaced checks that the next request does not fail after a server
// or a load balancer has closed an idle connection.
func TestAConnectionThatWasClosedWhileIdleIsReplaced(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	store, admin := r.open(t), r.client(t)
	take(t, store, "account:a", account, noon)
	if n := admin.text("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"); n != "" {
		t.Fatal(n)
	}
	store.mustEnd(t)
	if c := take(t, store, "account:a", account, noon); c.N[0] != 2 {
		t.Errorf("got %v, want the second request", c)
	}
}

// An expiring context reaches its deadline when expired is closed.
type expiring struct {
	context.Context
	expired chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.expired }

func (e expiring) Err() error {
	select {
	case <-e.expired:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestARequestThatTimesOutDoesNotAffectOthers checks that the other requests on the connection get their own
// replies, and that later requests use a new connection.
func TestARequestThatTimesOutDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	store, admin, replies := r.open(t), r.client(t), new(sync.RWMutex)
	dial := store.address.netDial
	store.address.netDial = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		return heldConn{c, replies}, err
	}
	store.connect()
	take(t, store, "account:a", account, noon)
	store.address.netDial = dial

	replies.Lock()
	var a, b sync.WaitGroup
	impatient := expiring{context.Background(), make(chan struct{})}
	a.Go(func() {
		if _, _, err := store.Take(impatient, "account:a", account, noon, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	eventually(t, "a is counted", func() bool { return admin.text("HGET", store.key("account:a"), "60:n") == "2" })
	b.Go(func() {
		if c, _, err := store.Take(context.Background(), "account:b", account, noon, 1); err != nil || c.N[0] != 1 {
			t.Errorf("got %v, %v, want the first request of b", c, err)
		}
	})
	eventually(t, "b is counted", func() bool { return admin.text("HGET", store.key("account:b"), "60:n") == "1" })
	close(impatient.expired)
	a.Wait()
	take(t, store, "account:c", account, noon)
	replies.Unlock()
	b.Wait()
}

func TestARequestThatEndsBeforeItIsSentIsNotCounted(t *testing.T) {
	t.Parallel()
	store := startRedis(t).open(t)
	take(t, store, "account:b", account, noon) // loads the script into Redis
	dial, dialing, connect := store.address.netDial, make(chan bool), make(chan bool)
	store.address.netDial = func(ctx context.Context, network, address string) (net.Conn, error) {
		close(dialing)
		<-connect
		return dial(ctx, network, address)
	}
	store.connect()
	ctx, leave := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	asking.Go(func() {
		if _, _, err := store.Take(ctx, "account:a", account, noon, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	<-dialing
	leave()
	asking.Wait()
	close(connect)
	if c := take(t, store, "account:a", account, noon); c.N[0] != 1 {
		t.Errorf("got %v, want the first request", c)
	}
}

func TestNoConnectionIsLeftBehind(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	admin := r.client(t)
	connections := func() int { return strings.Count(admin.text("CLIENT", "LIST", "TYPE", "normal"), "\n") - 1 }
	store := r.open(t)
	take(t, store, "account:a", account, noon)
	store.wait(time.Millisecond) // make the timeout short, after which the unused connection ends
	store.wait(20 * time.Second)
	take(t, store, "account:a", account, noon)
	eventually(t, "there is one connection", func() bool { return connections() == 1 })
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "there is no connection after Close", func() bool { return connections() == 0 })
	if _, _, err := store.Take(context.Background(), "account:a", account, noon, 1); !errors.Is(err, errUnavailable) {
		t.Errorf("after Close: got %v", err)
	}
}

// serving starts a server that writes the same reply after each read. It returns the server's address and the
// number of replies.
func serving(t *testing.T, reply string) (address string, replies *atomic.Int64) {
	t.Helper()
	replies = new(atomic.Int64)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for {
					if _, err := c.Read(make([]byte, 4096)); err != nil {
						return
					}
					replies.Add(1)
					_, _ = c.Write([]byte(reply))
				}
			}()
		}
	}()
	return l.Addr().String(), replies
}

func TestAServerWithInvalidRepliesIsUnavailable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, scheme, reply, want string }{
		{"another protocol", "redis://", "HTTP/1.1 400 Bad Request\r\n\r\n", "unexpected response line"},
		{"an empty line", "redis://", "\r\n", "short response line"},
		{"a text", "redis://", "+OK\r\n", "unexpected type"},
		{"a null array", "redis://", "*-1\r\n", "nil returned"},
		{"too few numbers", "redis://", "*2\r\n:1\r\n:5\r\n", "2 numbers for 2 windows"},
		{"no numbers", "redis://", "*4\r\n:1\r\n+a\r\n:1\r\n:1\r\n", "unexpected element type"},
		{"an error", "redis://", "-OOM command not allowed\r\n", "OOM command not allowed"},
		{"two replies to one command", "redis://", "-ERR one\r\n-ERR two\r\n", "ERR one"},
		{"an impossible length", "redis://", "*9223372036854775807\r\n", "invalid reply"},
		{"a cluster without slots", "redis+cluster://", "*0\r\n", "no node of the cluster has a slot"},
		{"a text for slots", "redis+cluster://", "+OK\r\n", "unexpected type"},
		{"a slot that does not exist", "redis+cluster://", "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n+a\r\n:1\r\n",
			"slots 0 to 16384 are out of range"},
		{"a negative slot", "redis+cluster://", "*1\r\n*3\r\n:-1\r\n:2\r\n*2\r\n+a\r\n:1\r\n",
			"slots -1 to 2 are out of range"},
		{"a slot of two nodes", "redis+cluster://",
			"*2\r\n*3\r\n:0\r\n:5\r\n*2\r\n+a\r\n:1\r\n*3\r\n:5\r\n:9\r\n*2\r\n+a\r\n:1\r\n",
			"slots 5 to 9 are out of range or duplicate"},
		{"slots without a node", "redis+cluster://", "*1\r\n*2\r\n:0\r\n:5\r\n", "array short"},
		{"a number for slots", "redis+cluster://", "*1\r\n:0\r\n", "unexpected type"},
		{"a node without a port", "redis+cluster://", "*1\r\n*3\r\n:0\r\n:5\r\n*1\r\n+a\r\n", "array short"},
		{"not a cluster", "redis+cluster://", "-ERR This instance has cluster support disabled\r\n",
			"cluster support disabled"},
		{"a sentinel that does not know the name", "redis+sentinel://", "*-1\r\n", "nil returned"},
		{"a sentinel with an incomplete address", "redis+sentinel://", "*1\r\n+a\r\n", "1 fields, expected host and port"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			at, _ := serving(t, tt.reply)
			if strings.Contains(tt.scheme, "sentinel") {
				at += "?master_name=counters"
			}
			store := openStore(t, tt.scheme+at)
			_, _, err := store.Take(context.Background(), "account:a", account, noon, 1)
			if !errors.Is(err, errUnavailable) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestAConnectionWithARedundantReplyIsNotUsedAgain is necessary because on such a connection, every later
// command would get the reply to the previous command.
func TestAConnectionWithARedundantReplyIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	const first, redundant = "*4\r\n:1\r\n:5\r\n:1\r\n:1\r\n", "*4\r\n:1\r\n:5\r\n:9\r\n:9\r\n"
	at, _ := serving(t, first+redundant)
	store := openStore(t, "redis://"+at)
	take(t, store, "account:a", account, noon)
	store.mustEnd(t)
	if c := take(t, store, "account:a", account, noon); c.N[0] != 1 {
		t.Errorf("got %v, want the reply on a new connection", c)
	}
}

// TestAPasswordIsInNoError uses a server without AUTH, which repeats the arguments of the command.
func TestAPasswordIsInNoError(t *testing.T) {
	t.Parallel()
	r := startRedis(t, "--rename-command", "AUTH", "")
	store := openStore(t, "redis://sabine:geheim@127.0.0.1:"+r.port)
	_, _, err := store.Take(context.Background(), "account:a", account, noon, 1)
	if err == nil || strings.Contains(err.Error(), "geheim") || !strings.Contains(err.Error(), "unknown command") {
		t.Errorf("got %v", err)
	}
}

// TestAServerThatRefusesACommandKeepsItsConnection is necessary because a new connection would get the same
// reply, and would need memory on a server that has no more memory.
func TestAServerThatRefusesACommandKeepsItsConnection(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	store, admin := r.open(t), r.client(t)
	take(t, store, "account:a", account, noon)
	connections := func() string {
		return regexp.MustCompile(`total_connections_received:\d+`).FindString(admin.text("INFO", "stats"))
	}
	before := connections()
	admin.text("CONFIG", "SET", "maxmemory", "1")
	for range maxFailures - 1 {
		if _, _, err := store.Take(context.Background(), "account:a", account, noon, 1); !errors.Is(err, errUnavailable) {
			t.Fatalf("got %v, want a server without memory", err)
		}
	}
	if after := connections(); after != before || before == "" {
		t.Errorf("got %s, want %s", after, before)
	}
}

// TestOwnersAreNotLoadedForEachRequest checks that failed requests to the slots of a lost node do not each
// query the other nodes for the owners.
func TestOwnersAreNotLoadedForEachRequest(t *testing.T) {
	t.Parallel()
	at, loads := serving(t, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n+127.0.0.1\r\n:1\r\n")
	c := openStore(t, "redis+cluster://"+at).cluster.Load()
	const requests = 100
	for range requests {
		if _, err := c.do(newCall(t.Context(), "key", "PING")); err == nil {
			t.Fatal("a missing node has replied")
		}
		_, _, _ = c.loading.Do("", func() (any, error) { return nil, nil }) // wait until no load is running
	}
	if n := loads.Load(); n > requests/2 {
		t.Errorf("the owners were loaded %d times for %d requests", n, requests)
	}
}

func TestRedirected(t *testing.T) {
	for _, tt := range []struct{ redirect, want string }{
		{"MOVED 3999 127.0.0.1:6381", "127.0.0.1:6381"},
		{"ASK 3999 cache.example.org:6381", "cache.example.org:6381"},
		{"MOVED 3999 ::1:6381", "[::1]:6381"},
		{"MOVED 3999 :6381", "asked:6381"}, // sent by a node that does not know its own host
		{"MOVED 3999", "asked:3999"},
		{"MOVED ", "asked:"},
	} {
		if got := redirected(tt.redirect, "asked:7000"); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.redirect, got, tt.want)
		}
	}
}
