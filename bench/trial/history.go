package trial

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// A Move is one of the pointer to the generation in force.
type Move struct {
	To       *Generation
	Rollback bool
	At       time.Time // zero until who moved it has told
}

// A History is how the pointer moved, and how far each server has followed it. A generation that was rolled
// back to is the aim of two moves.
type History struct {
	mu      sync.Mutex
	moves   []Move
	servers [][]time.Time // by server: when it was first seen at each of the moves, so far
}

// NewHistory returns that of some servers.
func NewHistory(servers int) *History { return &History{servers: make([][]time.Time, servers)} }

// Announce adds a move that is about to be made: servers may follow it before its publisher has ended.
func (h *History) Announce(to *Generation, rollback bool) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves = append(h.moves, Move{To: to, Rollback: rollback})
	return len(h.moves) - 1
}

// Moved notes when a move was made.
func (h *History) Moved(n int, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves[n].At = at
}

// Reached returns how many moves a server has followed.
func (h *History) Reached(server int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.servers[server])
}

// Last returns the last move.
func (h *History) Last() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.moves) - 1
}

// AllReached reports whether every server has followed a move.
func (h *History) AllReached(n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, seen := range h.servers {
		if len(seen) <= n {
			return false
		}
	}
	return true
}

// Place returns the generation of an answer that shows a hash. The server had followed so many moves when it
// was asked, so that none but the last of these, or a later one, can be it.
func (h *History) Place(server, reached int, shown string, now time.Time) (*Generation, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := max(0, reached-1)
	for n := first; n < len(h.moves); n++ {
		if h.moves[n].To.Shown() != shown {
			continue
		}
		for len(h.servers[server]) <= n {
			h.servers[server] = append(h.servers[server], now)
		}
		return h.moves[n].To, nil
	}
	for n := range first {
		if h.moves[n].To.Shown() == shown {
			return nil, fmt.Errorf("server %d went back to generation %d, of move %d, from move %d", server,
				h.moves[n].To.Number, n, first)
		}
	}
	return nil, fmt.Errorf("server %d shows the snapshot %q, which was not published", server, shown)
}

// Possible returns the generations that an answer which shows no hash may be of.
func (h *History) Possible(reached int) (all []*Generation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.moves[max(0, reached-1):] {
		all = append(all, m.To)
	}
	return all
}

// A Following is how long the servers took to follow one move.
type Following struct {
	Move
	Delays []time.Duration // of the servers that did follow
	Missed int             // servers that did not
}

// Followings returns all of them but the first, which was made before there were servers. A delay counts from
// the moment that from makes of the move and of the server's step.
func (h *History) Followings(from func(moved, seen time.Time) time.Time) (all []Following) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n := 1; n < len(h.moves); n++ {
		f := Following{Move: h.moves[n]}
		for _, seen := range h.servers {
			if len(seen) <= n {
				f.Missed++
				continue
			}
			f.Delays = append(f.Delays, seen[n].Sub(from(f.At, seen[n])))
		}
		all = append(all, f)
	}
	return all
}

// KnownTag returns the tag of the answer of a generation that may be in force, or of the one before, as one
// who has asked before sends it, for one request of eight; else "".
func (h *History) KnownTag(question, reached int) string {
	if rand.IntN(8) > 0 {
		return ""
	}
	return h.Possible(reached - rand.IntN(2))[0].Answers[question].Tag
}

// Judge holds the answer of a server, which had followed so many moves when it was asked, against what its
// generation has to answer. It returns what is wrong, "" when nothing is, and whether that is the generation
// itself.
func (h *History) Judge(server, question, reached int, known string, a *Answer, now time.Time) (fault string,
	misplaced bool) {
	if a.Shown == "" {
		possible := h.Possible(reached)
		for _, g := range possible {
			if !g.Answers[question].Shown && g.Answers[question].Fault(a, known) == "" {
				return "", false
			}
		}
		return "no generation in force answers so: " + possible[len(possible)-1].Answers[question].Fault(a, known), false
	}
	g, err := h.Place(server, reached, a.Shown, now)
	if err != nil {
		return err.Error(), true
	}
	if why := g.Answers[question].Fault(a, known); why != "" {
		return fmt.Sprintf("generation %d: %s", g.Number, why), false
	}
	return "", false
}
