package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
)

const (
	// maxRedirects is how often a command may be sent on. A node that redirects one does not execute it.
	maxRedirects = 3
	hashSlots    = 16384
)

// A cluster is the primaries of a Redis cluster. Any node redirects a command to the primary of its hash
// slot, which is remembered: each slot costs one redirect. What a node that fails has served is asked of the
// other ones, since a replica may have taken its place.
type cluster struct {
	ctx     context.Context // the nodes end with it
	address *address

	mu     sync.Mutex
	nodes  []*node // those of the address come first
	turn   int     // of nodes: the last one that was asked without knowing
	owners [hashSlots]*node
}

func newCluster(ctx context.Context, a *address) *cluster {
	c := &cluster{ctx: ctx, address: a, turn: rand.N(len(a.hosts))} // the first may be away
	for _, at := range a.hosts {
		c.node(at)
	}
	return c
}

// do sends a command to the primary of its key, and on to another node when that one says so.
func (c *cluster) do(sent *call) (any, error) {
	slot := slot(sent.key)
	n := c.owner(slot)
	for redirects := 0; ; redirects++ {
		reply, err := n.do(sent)
		ask, moved := hasPrefix(err, "ASK "), hasPrefix(err, "MOVED ")
		if !errors.Is(err, context.Canceled) {
			n.failed.Store(err != nil && !ask && !moved && !hasPrefix(err, "NOSCRIPT "))
		}
		switch {
		case redirects == maxRedirects:
			return reply, err
		case moved:
			n = c.node(redirected(err.Error(), n.at))
			c.mu.Lock()
			c.owners[slot] = n
			c.mu.Unlock()
		case ask:
			n = c.node(redirected(err.Error(), n.at))
		case redirects == 0 && errors.As(err, new(dialError)): // nothing was sent
			n = c.owner(slot)
		default:
			return reply, err
		}
		sent = newCall(sent.ctx, sent.key, sent.name, sent.args...)
		sent.asking = ask
	}
}

// redirected returns the address in a redirect such as "MOVED 3999 127.0.0.1:6381". When the node does not
// know the host, the host is that of the node.
func redirected(redirect, asked string) string {
	to := redirect[strings.LastIndexByte(redirect, ' ')+1:]
	port := strings.LastIndexByte(to, ':') + 1 // there are no brackets around an IPv6 address
	askedHost, _, _ := net.SplitHostPort(asked)
	return net.JoinHostPort(cmp.Or(to[:max(port-1, 0)], askedHost), to[port:])
}

// owner returns the primary of a slot or, while none is known that does not fail, the next of the others.
func (c *cluster) owner(slot int) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.owners[slot]; n != nil && !n.failed.Load() {
		return n
	}
	for range c.nodes {
		c.turn = (c.turn + 1) % len(c.nodes)
		if !c.nodes[c.turn].failed.Load() {
			break
		}
	}
	return c.nodes[c.turn]
}

func (c *cluster) node(at string) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.nodes, func(n *node) bool { return n.at == at })
	if i < 0 {
		i, c.nodes = len(c.nodes), append(c.nodes, newNode(c.ctx, c.address, at, c.address.dialer(at)))
	}
	return c.nodes[i]
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
	return int(crc) % hashSlots
}
