package fleet

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"time"

	"sabine/indexes/snapshot"
)

const (
	// DefaultPoll is the longest time between two looks at a store, unless a Follower says otherwise.
	DefaultPoll = 10 * time.Second
	// mostBackOff is the longest time for which a generation whose bytes were wrong is not downloaded again.
	mostBackOff = 2 * time.Minute
)

// A Follower looks at a store again and again, and keeps the state of what it finds there. It is what a
// Mirror and a Copy have in common.
type Follower struct {
	Source Source
	Trust  Trust         // who may change what is followed, by a signature; empty: whoever can write to the store
	Poll   time.Duration // the longest time between two looks; default DefaultPoll
	Log    *slog.Logger  // of every change of the state, once; default: none

	mu    sync.Mutex
	state State
}

// State is how a Mirror, or a Copy, follows its store.
type State struct {
	Status    string    // one of the constants below
	Reason    string    // why it is not ok, in one line
	Since     time.Time // when Status became what it is
	Hash      string    // of the generation that the store has in force, as far as is known; of a Copy's file as it is
	Published time.Time // when that one was brought into force; zero for a Copy
	Looked    time.Time // when the store answered last
	Newer     int       // a newer snapshot format that waits in the store, 0: there is none
	Failures  int64     // looks and downloads that failed
	Refused   int64     // looks and downloads that found what may not come into force
	Fetched   int64     // generations, or files, that were downloaded
	Bytes     int64     // that were downloaded for them
}

// The values of State.Status. What is refused and what is away is tried again at every look.
const (
	StatusStarting = "starting" // the store was not asked yet
	StatusOK       = "ok"       // here is what the store has in force
	StatusFetching = "fetching" // it is being downloaded, by this process or by another one that fills the folder
	StatusEmpty    = "empty"    // nothing was published to the store yet
	StatusAway     = "away"     // the store does not answer, or names what it does not have
	StatusRefused  = "refused"  // what the store has may not come into force here, or cannot: somebody has to look at it
)

var (
	errEmpty    = errors.New("nothing was published there yet")
	errFetching = errors.New("it is being downloaded")
)

// An awayError is a fault of the store, and not of what it has or of this machine.
type awayError struct{ error }

func (e awayError) Unwrap() error { return e.error }

func statusOf(err error) string {
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, errEmpty):
		return StatusEmpty
	case errors.Is(err, errFetching), errors.Is(err, snapshot.ErrLocked): // whoever has the folder fills it
		return StatusFetching
	case errors.As(err, new(awayError)):
		return StatusAway
	default:
		return StatusRefused
	}
}

// interval returns the time until the next look: twenty servers do not look at once.
func (f *Follower) interval() time.Duration {
	poll := cmp.Or(f.Poll, DefaultPoll)
	return poll - rand.N(poll/5+1)
}

// State says how the store is followed.
func (f *Follower) State() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.state
	s.Status = cmp.Or(s.Status, StatusStarting)
	return s
}

func (f *Follower) update(change func(s *State)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
}

// note states how a look or a download went, counts it, and logs it when that is new.
func (f *Follower) note(err error) { f.set(err, 1) }

// set states what err says, counts it as so many looks, and logs it when that is new.
func (f *Follower) set(err error, looks int64) {
	status, reason := statusOf(err), reasonOf(err)
	changed := false
	f.update(func(s *State) {
		changed = s.Status != status || s.Reason != reason
		if s.Status != status {
			s.Since = time.Now()
		}
		s.Status, s.Reason = status, reason
		switch status {
		case StatusRefused:
			s.Refused += looks
		case StatusAway:
			s.Failures += looks
		}
	})
	if f.Log == nil || !changed {
		return
	}
	log := f.Log.With("store", f.Source.String())
	switch status {
	case StatusOK:
		log.Info("here is what the store has in force")
	case StatusFetching:
		log.Info("the store has another generation in force, which is being downloaded")
	default:
		log.Warn("the store cannot be followed; what is here stays in force", "status", status, "error", reason)
	}
}

// ownPort is what differs in the errors of two connections to the same address.
var ownPort = regexp.MustCompile(`\S+:\d+->`)

// reasonOf says in one line why something is not ok; the same fault has the same words. What is being
// downloaded is ok.
func reasonOf(err error) string {
	if err == nil || statusOf(err) == StatusFetching {
		return ""
	}
	return ownPort.ReplaceAllString(strings.ReplaceAll(err.Error(), "\n", "; "), "")
}

// A try is how bringing a generation into the folder has gone, beside the looks at the store.
type try struct {
	of     Generation
	failed error         // how the last one has ended, nil when it has not failed
	wait   time.Duration // until the next one: 0 after an outage, which the next look may find ended
	until  time.Time
}

// Run follows the store until the context ends.
func (m *Mirror) Run(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, m.interval()) {
		g, err := m.look(ctx)
		for err == nil && g != nil {
			g, err = m.follow(ctx, g)
		}
		if ctx.Err() == nil {
			m.note(err)
		}
	}
}

// follow brings a generation into the folder, and goes on looking at the store meanwhile. It returns the next
// generation when the pointer has left this one behind, which it gives up then. Unless the store has failed,
// the next try waits, each time twice as long.
func (m *Mirror) follow(ctx context.Context, g *Generation) (next *Generation, err error) {
	last := &m.last
	if !last.of.is(g) {
		*last = try{of: *g}
	}
	if time.Now().Before(last.until) {
		return nil, last.failed
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = m.bring(working, g)
	}()
	for {
		select {
		case <-done:
			wait := min(cmp.Or(2*last.wait, m.Poll, DefaultPoll), mostBackOff)
			*last = try{of: *g}
			switch statusOf(err) {
			case StatusRefused:
				last.failed, last.wait, last.until = err, wait, time.Now().Add(wait)
			case StatusAway:
				last.failed = err
			}
			return nil, err
		case <-time.After(m.interval()):
		}
		switch next, err := m.look(ctx); {
		case ctx.Err() != nil: // bring ends
		case err != nil:
			m.note(err)
		case next.is(g):
			m.fetching()
		default:
			stop()
			<-done
			return next, nil
		}
	}
}

// fetching states that a generation is being downloaded, or why that has failed so far.
func (m *Mirror) fetching() { m.set(cmp.Or(m.last.failed, errFetching), 0) }
