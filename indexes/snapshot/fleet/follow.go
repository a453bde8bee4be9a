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

// A work is the bringing of one generation into the folder, beside the looks at the store.
type work struct {
	of   *Generation
	stop context.CancelFunc
	done chan struct{} // closed when it has ended; nil while it does not go on
	err  error         // how it has ended

	failed error         // how the last try has ended, nil when it has not failed
	wait   time.Duration // until the next try: 0 after an outage, which the next look may find ended
	until  time.Time
}

// Run follows the store until the context ends. A download that the pointer has left behind is given up.
func (m *Mirror) Run(ctx context.Context) {
	defer m.halt()
	for next := time.After(0); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-m.work.done:
			m.settle()
		case <-next:
			m.step(ctx)
			next = time.After(m.interval())
		}
	}
}

// step looks at the store once, and begins to bring what it has in force into the folder.
func (m *Mirror) step(ctx context.Context) {
	g, err := m.look(ctx)
	switch w := &m.work; {
	case ctx.Err() != nil:
		return
	case err != nil:
		m.note(err)
		return
	case w.of == nil || !w.of.is(g):
		m.halt()
		m.work = work{of: g}
	case w.done != nil:
		m.fetching()
		return
	case time.Now().Before(w.until):
		m.note(w.failed)
		return
	}
	ctx, m.work.stop = context.WithCancel(ctx)
	m.work.done = make(chan struct{})
	go func() {
		defer close(m.work.done)
		m.work.err = m.bring(ctx, g)
	}()
}

// halt gives the work up and waits until it has ended.
func (m *Mirror) halt() {
	if m.work.done != nil {
		m.work.stop()
		<-m.work.done
		m.work.done = nil
	}
}

// settle notes how the work ended. Unless the store has failed, the next try waits, each time twice as long.
func (m *Mirror) settle() {
	w := &m.work
	w.stop()
	wait := min(cmp.Or(2*w.wait, m.Poll, DefaultPoll), mostBackOff)
	w.done, w.failed, w.wait = nil, nil, 0
	switch statusOf(w.err) {
	case StatusRefused:
		w.failed, w.wait, w.until = w.err, wait, time.Now().Add(wait)
	case StatusAway:
		w.failed = w.err
	}
	m.note(w.err)
}

// fetching states that a generation is being downloaded, or why that has failed so far.
func (m *Mirror) fetching() { m.set(cmp.Or(m.work.failed, errFetching), 0) }
