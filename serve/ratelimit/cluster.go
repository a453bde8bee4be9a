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

	"sabine/serve/statefile"
)

// maxRedirects limits the redirects for a command. A node that redirects a command does not execute it.
const maxRedirects = 3

// reloadInterval is the minimum time between reloads of the owners. Every failed request causes a reload.
const reloadInterval = 100 * time.Millisecond

// sentinelInterval is the time between two queries to the sentinels for the primary.
const sentinelInterval = time.Second

// slots is the number of hash slots.
const slots = 16384

// owners contains the servers for the slots.
type owners []owner

// An owner is the primary for a range of slots.
type owner struct {
	from, to int    // first and last slot
	server   string // HOST:PORT
}

// of returns the primary for a slot, or "" if no server owns the slot.
func (o owners) of(slot int) string {
	for _, r := range o {
		if r.from <= slot && slot <= r.to {
			return r.server
		}
	}
	return ""
}

// A cluster contains the servers with the counters: the primaries of a Redis cluster, or one server with all
// slots, which the address or the sentinels name. It queries the nodes or the sentinels for the owners of the
// slots before its first command and after a failure, because a replica may have replaced a primary. It also
// queries the nodes after a redirect, and the sentinels once a second and before it replaces a lost
// connection, because sentinels close the connections to a primary that they have replaced.
type cluster struct {
	ctx     context.Context // parent context of the nodes
	end     context.CancelFunc
	address *address
	owners  atomic.Pointer[owners] // nil until the first reply
	loading singleflight.Group
	reload  rate.Sometimes // limits reloads to one in reloadInterval

	mu    sync.Mutex
	nodes map[string]*node // nodes by their address
}

func newCluster(ctx context.Context, a *address) *cluster {
	c := &cluster{address: a, nodes: map[string]*node{}, reload: rate.Sometimes{Interval: reloadInterval}}
	c.ctx, c.end = context.WithCancel(ctx)
	if a.kind == "sentinel" {
		go func() {
			for range statefile.Ticks(c.ctx, sentinelInterval) {
				if c.owners.Load() != nil {
					c.load()
				}
			}
		}()
	}
	return c
}

// do sends a command to the primary for its key, and follows redirects to other nodes.
func (c *cluster) do(command *call) (any, error) {
	if c.address.kind == "" {
		return c.node(c.address.hosts[0]).do(command)
	}
	known := c.owners.Load()
	if known == nil || c.address.kind == "sentinel" && c.node(known.of(0)).hasLost() {
		select {
		case loaded := <-c.load():
			if loaded.Err != nil {
				return nil, loaded.Err
			}
			known = loaded.Val.(*owners)
		case <-command.ctx.Done():
			return nil, command.ctx.Err()
		}
	}
	server := cmp.Or(known.of(slot(command.key)), c.address.hosts[0]) // if the owner is unknown, ask any node
	for redirects := 0; ; redirects++ {
		reply, err := c.node(server).do(command)
		ask, moved, noScript := isReply(err, "ASK "), isReply(err, "MOVED "), isReply(err, "NOSCRIPT ")
		if err != nil && !ask && !noScript && !errors.Is(err, context.Canceled) { // the owners may have changed
			c.reload.Do(func() { c.load() })
		}
		if !ask && !moved || redirects == maxRedirects {
			return reply, err
		}
		server = redirected(err.Error(), server)
		command = newCall(command.ctx, command.key, command.name, command.args...)
		command.asking = ask
	}
}

// redirected returns the address in a redirect such as "MOVED 3999 127.0.0.1:6381". An empty host means the
// host of the node that sent the redirect.
func redirected(redirect, asked string) string {
	to := redirect[strings.LastIndexByte(redirect, ' ')+1:]
	port := strings.LastIndexByte(to, ':') + 1 // the last colon, because an IPv6 address has no brackets here
	return join(to[:max(port-1, 0)], to[port:], asked)
}

// join returns the address with a host and port. If host is empty, it uses the host in asked.
func join(host, port, asked string) string {
	askedHost, _, _ := net.SplitHostPort(asked)
	return net.JoinHostPort(cmp.Or(host, askedHost), port)
}

func (c *cluster) node(server string) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nodes[server]
	if n == nil {
		n = newNode(c.ctx, c.address, server)
		c.nodes[server] = n
	}
	return n
}

// load queries the nodes or sentinels for the owners of the slots, in the background, and ends unused nodes.
func (c *cluster) load() <-chan singleflight.Result {
	return c.loading.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(c.ctx, c.address.timeout)
		defer cancel()
		query, servers := c.askNode, slices.Clone(c.address.hosts)
		if c.address.kind == "sentinel" {
			query = c.address.askSentinel
		} else { // a cluster may no longer have any of the nodes in the address
			c.mu.Lock()
			servers = slices.AppendSeq(servers, maps.Keys(c.nodes))
			c.mu.Unlock()
		}
		slices.Sort(servers)
		loaded, err := first(ctx, slices.Compact(servers), query)
		if err != nil {
			return nil, err
		}
		c.owners.Store(&loaded)
		c.mu.Lock()
		defer c.mu.Unlock()
		for server, n := range c.nodes {
			if !slices.ContainsFunc(loaded, func(o owner) bool { return o.server == server }) {
				delete(c.nodes, server)
				time.AfterFunc(n.address.timeout, n.end) // by then no request can still wait for the node
			}
		}
		return &loaded, nil
	})
}

// askNode queries one node for the owners of the slots.
func (c *cluster) askNode(ctx context.Context, server string) (owners, error) {
	ranges, err := redis.Values(c.node(server).do(newCall(ctx, "", "CLUSTER", "SLOTS")))
	if err != nil {
		return nil, err
	}
	var loaded owners
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
		if err == nil && (from < 0 || from > to || to >= slots ||
			slices.ContainsFunc(loaded, func(o owner) bool { return from <= o.to && o.from <= to })) {
			err = fmt.Errorf("slots %d to %d are out of range or duplicate", from, to)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: invalid reply to CLUSTER SLOTS: %w", server, err)
		}
		loaded = append(loaded, owner{from, to, join(host, strconv.Itoa(port), server)})
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("%s: no node of the cluster has a slot", server)
	}
	return loaded, nil
}

// askSentinel queries one sentinel for the address of the primary, which owns all slots.
func (a *address) askSentinel(ctx context.Context, sentinel string) (owners, error) {
	conn, err := a.connect(ctx, sentinel, a.sentinelUser)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // a failed close does not affect the reply
	found, err := redis.Strings(redis.DoContext(conn, ctx, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", a.primary))
	if err == nil && len(found) != 2 {
		err = fmt.Errorf("invalid reply: %d fields, expected host and port", len(found))
	}
	if err != nil {
		return nil, fmt.Errorf("sentinel %s: %w", sentinel, err)
	}
	return owners{{0, slots - 1, net.JoinHostPort(found[0], found[1])}}, nil
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
	return int(crc) % slots
}

// first queries all servers concurrently and returns the first reply that is not an error.
func first(ctx context.Context, servers []string, query func(context.Context, string) (owners, error)) (owners, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type reply struct {
		owners
		err error
	}
	replies := make(chan reply, len(servers))
	for _, s := range servers {
		go func() {
			found, err := query(ctx, s)
			replies <- reply{found, err}
		}()
	}
	var err error
	for range servers {
		r := <-replies
		if r.err == nil {
			return r.owners, nil
		}
		err = errors.Join(err, r.err)
	}
	return nil, err
}
