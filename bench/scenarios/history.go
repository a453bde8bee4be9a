package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"sabine/indexes/snapshot"
)

// A generation is one build of a catalogue, and what is right to answer from it.
type generation struct {
	number   int
	hash     string
	products int
	answers  []*answer // by question, without their bodies and headers
}

// shown is what X-Snapshot says of a generation.
func (g *generation) shown() string { return g.hash[:16] }

func (g *generation) file() string { return snapshot.FileName(g.hash) }

// A move is one of the pointer to the generation in force.
type move struct {
	to       *generation
	rollback bool
	at       time.Time // zero until who moved it has told
	back     time.Time // when the store was back that went after the move; zero: it did not go
}

// A history is how the pointer moved, and how far each server has followed it. A generation that was rolled
// back to is the aim of two moves.
type history struct {
	mu      sync.Mutex
	moves   []move
	servers [][]time.Time // by server: when it was first seen at each of the moves, so far
}

// announce adds a move that is about to be made: servers may follow it before its publisher has ended.
func (h *history) announce(to *generation, rollback bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves = append(h.moves, move{to: to, rollback: rollback})
}

func (h *history) last(change func(*move)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.moves[len(h.moves)-1])
}

// reached returns how many moves a server has followed.
func (h *history) reached(server int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.servers[server])
}

// made returns how many moves were announced, and whether every server has followed all.
func (h *history) made() (moves int, followed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	behind := func(seen []time.Time) bool { return len(seen) < len(h.moves) }
	return len(h.moves), !slices.ContainsFunc(h.servers, behind)
}

// place returns the generation of an answer that shows a hash. The server had followed so many moves when it
// was asked, so that none but the last of these, or a later one, can be it.
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
	return nil, fmt.Errorf("server %d shows the snapshot %q: it went back to it from move %d, or it was not published",
		server, shown, first)
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

// followings returns how long servers took to follow the moves of a kind, and how many of these steps were
// missed; the first move was made before there were servers. A delay counts from the move, or from the return
// of the store that went before the server's step.
func (h *history) followings(rollback bool) (moves int, delays []time.Duration, missed int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n, m := range h.moves {
		if n == 0 || m.rollback != rollback {
			continue
		}
		moves++
		for _, seen := range h.servers {
			if len(seen) <= n {
				missed++
				continue
			}
			from := m.at
			if m.back.Before(seen[n]) && m.back.After(m.at) {
				from = m.back
			}
			delays = append(delays, seen[n].Sub(from))
		}
	}
	return moves, delays, missed
}

// knownTag returns the tag of the answer of a generation that may be in force, or of the one before, as one
// who has asked before sends it, for one request of eight; else "".
func (h *history) knownTag(question, reached int) string {
	if rand.IntN(8) > 0 {
		return ""
	}
	return h.possible(reached - rand.IntN(2))[0].answers[question].tag
}

// judge holds the answer of a server, which had followed so many moves when it was asked, against what its
// generation has to answer. It returns what is wrong, and of which sort, "" when nothing is.
func (h *history) judge(server, question, reached int, known string, a *answer, now time.Time) (sort, why string) {
	if a.shown == "" {
		possible := h.possible(reached)
		for _, g := range possible {
			if want := g.answers[question]; want.shown == "" && want.fault(a, known) == "" {
				return "", ""
			}
		}
		return wrong, "no generation in force answers so: " + possible[len(possible)-1].answers[question].fault(a, known)
	}
	g, err := h.place(server, reached, a.shown, now)
	if err != nil {
		return misplaced, err.Error()
	}
	if why := g.answers[question].fault(a, known); why != "" {
		return wrong, fmt.Sprintf("generation %d: %s", g.number, why)
	}
	return "", ""
}
