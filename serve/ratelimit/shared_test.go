package ratelimit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"sabine/internal/freeport"
)

// exactly exhausts a client's budget with parallel requests to two servers with different clocks, before and
// after a window's edge. The allowed requests must be the limits of both windows. meanwhile runs in parallel.
func exactly(t *testing.T, one, two Store, meanwhile func()) {
	t.Helper()
	const limit, askers, each = 150, 16, 40
	policy := Policy{{limit, time.Hour}, {10 * limit, 24 * time.Hour}}
	before, after := noon.Add(-time.Second), noon
	var through [2]atomic.Int64 // requests allowed in the hours before and after noon
	spend := func(times ...time.Time) {
		var asking sync.WaitGroup
		for i := range askers {
			asking.Go(func() {
				store := []Store{one, two}[i%2]
				for n := range each {
					c, counted, err := store.Take(context.Background(), "account:a", policy, times[(i/2+n)%len(times)], 1)
					if err != nil {
						t.Error(err)
						return
					}
					if counted && c.At.Before(noon) {
						through[0].Add(1)
					} else if counted {
						through[1].Add(1)
					}
				}
			})
		}
		asking.Wait()
	}
	var background sync.WaitGroup
	background.Go(meanwhile)
	spend(before)
	spend(before, after) // requests with one of the clocks slow
	background.Wait()
	if through[0].Load() != limit || through[1].Load() != limit {
		t.Errorf("%d requests were allowed before noon and %d after it, want %d each", through[0].Load(),
			through[1].Load(), limit)
	}
}

func TestServersTogetherLetTheBudgetThroughExactly(t *testing.T) {
	t.Parallel()
	nothing := func() {}
	t.Run("memory, for one server", func(t *testing.T) {
		t.Parallel()
		m, err := NewMemory("", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		exactly(t, m, m, nothing)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		r := startRedis(t)
		exactly(t, r.open(t), r.open(t), nothing)
	})
	t.Run("valkey", func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath("valkey-server"); err != nil {
			t.Skip("valkey-server is not installed")
		}
		v := startEngine(t, "valkey-server")
		exactly(t, v.open(t), v.open(t), nothing)
	})
	t.Run("redis by TLS", func(t *testing.T) {
		t.Parallel()
		r := startRedis(t, tlsOptions(t)...)
		exactly(t, r.open(t), r.open(t), nothing)
	})
	t.Run("a cluster whose slots move", func(t *testing.T) {
		t.Parallel()
		c := startCluster(t)
		one, two := openStore(t, c.address()), openStore(t, c.address())
		exactly(t, one, two, func() {
			look := func() {
				if _, _, err := one.Take(context.Background(), "account:a", account, noon, 0); err != nil {
					t.Error(err)
				}
			}
			for range 3 {
				c.move(t, one.key("account:a"), look)
				look()
			}
		})
	})
}

// nodes contains the three engines of a cluster, which share the slots.
type nodes [3]*engine

func startCluster(t *testing.T) (c nodes) {
	t.Helper()
	for i := range c {
		bus := freeport.New()
		c[i] = startRedis(t, "--cluster-enabled", "yes", "--cluster-port", bus,
			"--cluster-node-timeout", "5000", "--repl-diskless-sync-delay", "0")
		c.must(t, c[i].client(t), "CLUSTER", "ADDSLOTSRANGE", i*16384/3, (i+1)*16384/3-1)
		if i > 0 {
			c.must(t, c[0].client(t), "CLUSTER", "MEET", "127.0.0.1", c[i].port, bus)
		}
	}
	for _, e := range c {
		client := e.client(t)
		eventually(t, "the cluster is complete", func() bool {
			info := client.text("CLUSTER", "INFO")
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3")
		})
	}
	return c
}

// must sends a command and reports an error from the engine.
func (nodes) must(t *testing.T, c client, name string, args ...any) {
	t.Helper()
	if _, err := c.Do(name, args...); err != nil {
		t.Error(err)
	}
}

// address returns the address of one of the nodes, which knows the others.
func (c nodes) address() string { return "redis+cluster://127.0.0.1:" + c[0].port }

// owner returns the index of the node that owns the slot of a key.
func (c nodes) owner(t *testing.T, key string) int {
	t.Helper()
	for i, e := range c {
		if _, err := e.client(t).Do("EXISTS", key); err == nil {
			return i
		}
	}
	t.Fatal("no node has the slot")
	return 0
}

// move moves the slot of a key to the next node, like redis-cli --cluster reshard. It calls meanwhile after
// it has moved the key and before it moves the slot.
func (c nodes) move(t *testing.T, key string, meanwhile func()) {
	t.Helper()
	var ids [len(c)]string
	var clients [len(c)]client
	for i, e := range c {
		clients[i] = e.client(t)
		ids[i] = clients[i].text("CLUSTER", "MYID")
	}
	slot, err := redis.Int(clients[0].Do("CLUSTER", "KEYSLOT", key))
	if err != nil {
		t.Fatal(err)
	}
	from := c.owner(t, key)
	to := (from + 1) % len(c)
	c.must(t, clients[to], "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[from])
	c.must(t, clients[from], "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to])
	c.must(t, clients[from], "MIGRATE", "127.0.0.1", c[to].port, key, 0, 1000)
	meanwhile()
	c.must(t, clients[to], "CLUSTER", "SETSLOT", slot, "NODE", ids[to])
	c.must(t, clients[from], "CLUSTER", "SETSLOT", slot, "NODE", ids[to])
}

// TestAReplicaInAClusterContinuesToCount checks a replica that has replaced the primary, which only the other
// nodes know.
func TestAReplicaInAClusterContinuesToCount(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	store := openStore(t, fmt.Sprintf("%s?addr=127.0.0.1:%s&addr=127.0.0.1:%s", c.address(), c[1].port, c[2].port))
	key, other := store.key("account:a"), "account:0"
	at := c.owner(t, key)
	for n := 1; c.owner(t, store.key(other)) == at; n++ {
		other = fmt.Sprint("account:", n)
	}
	primary := c[at]

	bus := freeport.New()
	e := startRedis(t, "--cluster-enabled", "yes", "--cluster-port", bus)
	replica := e.client(t)
	c.must(t, c[0].client(t), "CLUSTER", "MEET", "127.0.0.1", e.port, bus)
	eventually(t, "the engine is a replica", func() bool {
		_, err := replica.Do("CLUSTER", "REPLICATE", primary.client(t).text("CLUSTER", "MYID"))
		return err == nil
	})
	c.must(t, replica, "READONLY")
	take(t, store, "account:a", account, noon)
	eventually(t, "the replica has counted too", func() bool { return replica.text("HGET", key, "60:n") == "1" })
	primary.kill()
	c.must(t, replica, "CLUSTER", "FAILOVER", "TAKEOVER")
	eventually(t, "the replica is used", func() bool {
		count, _, err := store.Take(context.Background(), "account:a", account, noon, 0)
		take(t, store, other, Policy{{1e9, time.Minute}}, noon) // another node works, so the breaker remains closed
		return err == nil && count.N[0] == 1
	})
	if count := take(t, store, "account:a", account, noon); count.N[0] != 2 {
		t.Errorf("got %v, want the second request", count)
	}
}

// TestAPrimaryThatTheSentinelsHaveReplacedIsNotUsed checks a replaced primary that is still running.
func TestAPrimaryThatTheSentinelsHaveReplacedIsNotUsed(t *testing.T) {
	t.Parallel()
	before, after := startRedis(t), startRedis(t)
	sentinel := startSentinel(t, before)
	watch := sentinel.client(t)
	store := openStore(t, "redis+sentinel://127.0.0.1:"+sentinel.port+"?master_name=counters")
	take(t, store, "account:a", account, noon)
	for _, command := range [][]any{{"REMOVE", "counters"}, {"MONITOR", "counters", "127.0.0.1", after.port, 1}} {
		if _, err := watch.Do("SENTINEL", command...); err != nil {
			t.Fatal(err)
		}
	}
	admin := after.client(t)
	eventually(t, "the new primary counts requests", func() bool {
		take(t, store, "account:b", Policy{{1e9, time.Minute}}, noon)
		return admin.text("HGET", store.key("account:b"), "60:n") != ""
	})
}

// TestAfterAFailoverOfSentinelsTheNextRequestUsesTheNewPrimary checks the first request after the sentinels
// have closed the connections to the old primary.
func TestAfterAFailoverOfSentinelsTheNextRequestUsesTheNewPrimary(t *testing.T) {
	t.Parallel()
	before, after := startRedis(t), startRedis(t)
	sentinel := startSentinel(t, before)
	watch := sentinel.client(t)
	store := openStore(t, "redis+sentinel://127.0.0.1:"+sentinel.port+"?master_name=counters")
	store.address.timeout = 10 * time.Second
	store.connect()
	take(t, store, "account:a", account, noon)
	p := store.cluster.Load().node("127.0.0.1:" + before.port).current
	for _, command := range [][]any{{"REMOVE", "counters"}, {"MONITOR", "counters", "127.0.0.1", after.port, 1}} {
		if _, err := watch.Do("SENTINEL", command...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := before.client(t).Do("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"); err != nil {
		t.Fatal(err)
	}
	<-p.ctx.Done()
	if c := take(t, store, "account:a", account, noon); c.N[0] != 1 {
		t.Errorf("got %v, want the first request at the new primary", c)
	}
}

// TestAReplicaContinuesToCount checks that a replica that replaces a lost primary has the primary's counters.
func TestAReplicaContinuesToCount(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	first := startRedis(t, "--repl-diskless-sync-delay", "0")
	second := startRedis(t, "--replicaof", "127.0.0.1 "+first.port).client(t)
	watch := startSentinel(t, first)
	eventually(t, "the sentinel knows the replica", func() bool {
		replicas, err := watch.client(t).Do("SENTINEL", "REPLICAS", "counters")
		return err == nil && strings.Contains(fmt.Sprintf("%s", replicas), "master-link-status ok")
	})
	address := "redis+sentinel://127.0.0.1:" + watch.port + "?master_name=counters"
	one, two := openStore(t, address), openStore(t, address)
	policy := Policy{{5, 24 * time.Hour}}
	eventually(t, "the sentinel reports the primary", func() bool {
		_, _, err := one.Take(ctx, "account:a", policy, noon, 0)
		return err == nil
	})
	take(t, one, "account:a", policy, noon)
	take(t, two, "account:a", policy, noon)
	eventually(t, "the replica has counted too", func() bool {
		return second.text("HGET", one.key("account:a"), "86400:n") == "2"
	})
	first.kill()
	for _, store := range []*Redis{one, two} {
		eventually(t, "the replica is used", func() bool {
			c, _, err := store.Take(ctx, "account:a", policy, noon, 0)
			return err == nil && c.N[0] == 2
		})
	}
	if c := take(t, two, "account:a", policy, noon); c.N[0] != 3 {
		t.Errorf("got %v, want the third request", c)
	}
}

// startSentinel starts a sentinel that watches an engine under the name "counters".
func startSentinel(t *testing.T, e *engine) *engine {
	t.Helper()
	s := &engine{program: "redis-server", port: freeport.New(), dir: t.TempDir()}
	file := filepath.Join(s.dir, "sentinel.conf")
	if err := os.WriteFile(file, []byte("port "+s.port+"\nsentinel monitor counters 127.0.0.1 "+e.port+" 1\n"+
		"sentinel down-after-milliseconds counters 500\nsentinel failover-timeout counters 2000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.process = exec.Command(s.program, file, "--sentinel", "--dir", s.dir)
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	return s
}
