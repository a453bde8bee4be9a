package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"
)

// maxRedirects is how often a command may be sent on to another node. A node that redirects a command does
// not execute it.
const maxRedirects = 3

// reloadInterval is the shortest time between two reloads of the owners: a node that is away fails every
// request.
const reloadInterval = 100 * time.Millisecond

// owners has the address of the primary of each hash slot; "" when no node serves the slot.
type owners [16384]string

// A cluster is the primaries of a Redis cluster. It asks the nodes for the owners of the slots when it is
// first used, after a redirect and after a failure: a replica may have taken the place of a primary.
type cluster struct {
	ctx     context.Context // the nodes end with it
	address *address
	owners  atomic.Pointer[owners] // nil until they are known
	loading singleflight.Group
	reload  rate.Sometimes // once a reloadInterval

	mu    sync.Mutex
	nodes map[string]*node // by address
}

func newCluster(ctx context.Context, a *address) *cluster {
	return &cluster{ctx: ctx, address: a, nodes: map[string]*node{}, reload: rate.Sometimes{Interval: reloadInterval}}
}

// do sends a command to the primary of its key, and on to another node when that one says so.
func (c *cluster) do(sent *call) (any, error) {
	known := c.owners.Load()
	if known == nil {
		select {
		case loaded := <-c.load():
			if loaded.Err != nil {
				return nil, loaded.Err
			}
			known = loaded.Val.(*owners)
		case <-sent.ctx.Done():
			return nil, sent.ctx.Err()
		}
	}
	at := cmp.Or(known[slot(sent.key)], c.address.hosts[0]) // any node says what is wrong with a slot that none serves
	for redirects := 0; ; redirects++ {
		reply, err := c.node(at).do(sent)
		ask, moved := hasPrefix(err, "ASK "), hasPrefix(err, "MOVED ")
		if err != nil && !ask && !hasPrefix(err, "NOSCRIPT ") && !errors.Is(err, context.Canceled) {
			c.reload.Do(func() { c.load() })
		}
		if !ask && !moved || redirects == maxRedirects {
			return reply, err
		}
		at = redirected(err.Error(), at)
		sent = newCall(sent.ctx, sent.key, sent.name, sent.args...)
		sent.asking = ask
	}
}

// redirected returns the address in a redirect such as "MOVED 3999 127.0.0.1:6381". When the node does not
// know the host, the host is that of the node.
func redirected(redirect, asked string) string {
	to := redirect[strings.LastIndexByte(redirect, ' ')+1:]
	port := strings.LastIndexByte(to, ':') + 1 // there are no brackets around an IPv6 address
	return join(to[:max(port-1, 0)], to[port:], asked)
}

// join returns the address of a host and port. The host that was asked stands in for an empty one.
func join(host, port, asked string) string {
	askedHost, _, _ := net.SplitHostPort(asked)
	return net.JoinHostPort(cmp.Or(host, askedHost), port)
}

func (c *cluster) node(at string) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nodes[at]
	if n == nil {
		n = newNode(c.ctx, c.address, c.address.dialer(at))
		c.nodes[at] = n
	}
	return n
}

// load asks the nodes for the owners of the slots, in the background. Nodes that own none end.
func (c *cluster) load() <-chan singleflight.Result {
	return c.loading.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(c.ctx, c.address.timeout)
		defer cancel()
		c.mu.Lock()
		known := slices.AppendSeq(slices.Clone(c.address.hosts), maps.Keys(c.nodes))
		c.mu.Unlock()
		slices.Sort(known)
		loaded, err := first(ctx, slices.Compact(known), c.ask)
		if err != nil {
			return nil, err
		}
		c.owners.Store(loaded)
		c.mu.Lock()
		defer c.mu.Unlock()
		for at, n := range c.nodes {
			if !slices.Contains(loaded[:], at) {
				delete(c.nodes, at)
				time.AfterFunc(n.timeout, n.end) // when no request waits for it any more
			}
		}
		return loaded, nil
	})
}

// ask asks one node for the owners of the slots.
func (c *cluster) ask(ctx context.Context, at string) (*owners, error) {
	ranges, err := redis.Values(c.node(at).do(newCall(ctx, "", "CLUSTER", "SLOTS")))
	if err != nil {
		return nil, err
	}
	loaded := new(owners)
	for _, r := range ranges {
		var from, to, port int
		var host string
		var primary []any
		fields, err := redis.Values(r, nil)
		if err == nil {
			_, err = redis.Scan(fields, &from, &to, &primary)
		}
		if err == nil {
			_, err = redis.Scan(primary, &host, &port)
		}
		if err == nil && (from < 0 || from > to || to >= len(loaded) || loaded[from] != "") {
			err = fmt.Errorf("slots %d to %d are out of range or repeated", from, to)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: invalid reply to CLUSTER SLOTS: %w", at, err)
		}
		owner := join(host, strconv.Itoa(port), at)
		for i := from; i <= to; i++ {
			loaded[i] = owner
		}
	}
	if *loaded == (owners{}) {
		return nil, fmt.Errorf("%s: no node of the cluster has a slot", at)
	}
	return loaded, nil
}

// slot returns the hash slot of a key without braces: its CRC-16/XMODEM, modulo the number of slots.
func slot(key string) int {
	var crc uint16
	for i := range len(key) {
		crc ^= uint16(key[i]) << 8
		for range 8 {
			overflow := crc >> 15
			crc = crc<<1 ^ overflow*0x1021
		}
	}
	return int(crc) % len(owners{})
}

// first asks all servers at the same time and returns the first reply without an error. It does not wait for
// a server that hangs.
func first[T any](ctx context.Context, servers []string, ask func(context.Context, string) (T, error)) (T, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type reply struct {
		value T
		err   error
	}
	replies := make(chan reply, len(servers))
	for _, s := range servers {
		go func() {
			value, err := ask(ctx, s)
			replies <- reply{value, err}
		}()
	}
	var err error
	for range servers {
		r := <-replies
		if r.err == nil {
			return r.value, nil
		}
		err = errors.Join(err, r.err)
	}
	return *new(T), err
}
