package main

import (
	"fmt"
	"sync"
	"time"
)

// A generation is one build of the catalogue, and what is right to answer from it.
type generation struct {
	number   int
	hash     string
	products int
	answers  []expected // by question
}

// shownDigits is how much of a hash X-Snapshot shows.
const shownDigits = 16

func (g *generation) shown() string { return g.hash[:shownDigits] }

// A move is one of the store's pointer.
type move struct {
	to       *generation
	rollback bool
	at       time.Time // zero until the publisher has told
}

// A history is how the pointer moved, and how far each server has followed it. A generation that was rolled back to is the
// aim of two moves.
type history struct {
	mu      sync.Mutex
	moves   []move
	servers [][]time.Time // by server: when it was first seen at each of the moves, so far
}

func newHistory(servers int) *history { return &history{servers: make([][]time.Time, servers)} }

// announce adds a move that is about to be made: servers may follow it before its publisher has ended.
func (h *history) announce(to *generation, rollback bool) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves = append(h.moves, move{to: to, rollback: rollback})
	return len(h.moves) - 1
}

// moved notes when a move was made.
func (h *history) moved(n int, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves[n].at = at
}

// reached returns how many moves a server has followed.
func (h *history) reached(server int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.servers[server])
}

// last returns the last move.
func (h *history) last() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.moves) - 1
}

// allReached reports whether every server has followed a move.
func (h *history) allReached(n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, seen := range h.servers {
		if len(seen) <= n {
			return false
		}
	}
	return true
}

// place returns the generation of an answer that shows a hash. The server had followed so many moves when it was asked, so
// that none but the last of these, or a later one, can be it.
func (h *history) place(server, reached int, shown string, now time.Time) (*generation, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := max(0, reached-1)
	for n := first; n < len(h.moves); n++ {
		if h.moves[n].to.shown() != shown {
			continue
		}
		for len(h.servers[server]) <= n {
			h.servers[server] = append(h.servers[server], now)
		}
		return h.moves[n].to, nil
	}
	for n := range first {
		if h.moves[n].to.shown() == shown {
			return nil, fmt.Errorf("server %d went back to generation %d, of move %d, from move %d", server, h.moves[n].to.number, n, first)
		}
	}
	return nil, fmt.Errorf("server %d shows the snapshot %q, which was not published", server, shown)
}

// possible returns the generations that an answer which shows no hash may be of.
func (h *history) possible(reached int) (all []*generation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.moves[max(0, reached-1):] {
		all = append(all, m.to)
	}
	return all
}

// A following is how long the servers took to follow one move.
type following struct {
	move
	delays []time.Duration // of the servers that did follow
	missed int             // servers that did not
}

// followings returns all of them but the first, which was made before there were servers. A delay counts from the move, or
// from the end of an outage of the store that lay between the move and the server's step.
func (h *history) followings(away *outages) (all []following) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n := 1; n < len(h.moves); n++ {
		f := following{move: h.moves[n]}
		for _, seen := range h.servers {
			if len(seen) <= n {
				f.missed++
				continue
			}
			f.delays = append(f.delays, seen[n].Sub(away.returned(store, f.at, seen[n])))
		}
		all = append(all, f)
	}
	return all
}
