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

// A Follower looks at a store again and again, and keeps the state of what it finds there. It is what a Mirror and a Copy
// have in common.
type Follower struct {
	Source Source
	Trust  Trust         // who may change what is followed, by a signature; empty: whoever can write to the store
	Poll   time.Duration // the longest time between two looks; default DefaultPoll
	Log    *slog.Logger  // of every change of the state, once; default: none

	failed *failure // the last attempt to bring a generation; it does not change while one is under way

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

// errEmpty says that nothing was published to a store yet.
var errEmpty = errors.New("nothing was published there yet")

// errFetching says that a generation is on its way.
var errFetching = errors.New("it is being downloaded")

// An awayError is a fault of the store, and not of what it has or of this machine.
type awayError struct{ error }

func (e awayError) Unwrap() error { return e.error }

// statusOf returns what an error says of the store.
func statusOf(err error) string {
	var away awayError
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, errEmpty):
		return StatusEmpty
	case errors.Is(err, errFetching), errors.Is(err, snapshot.ErrLocked): // whoever has the folder fills it
		return StatusFetching
	case errors.As(err, &away):
		return StatusAway
	default:
		return StatusRefused
	}
}

// follow calls look at once and then whenever it is time, until the context ends. A look may begin work, which goes on
// beside the next ones.
func (f *Follower) follow(ctx context.Context, look func(context.Context, *bringing)) {
	var work bringing
	defer work.end()
	for next := time.After(0); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-work.done:
			f.settle(work.of, work.err)
			work.end()
		case <-next:
			look(ctx, &work)
			poll := cmp.Or(f.Poll, DefaultPoll)
			next = time.After(poll - rand.N(poll/5+1)) // twenty servers do not look at once
		}
	}
}

// A bringing is the work on one generation. The zero value is that of none.
type bringing struct {
	of   *Generation
	stop context.CancelFunc
	done chan struct{} // closed when it has ended
	err  error         // then
}

func (b *bringing) begin(ctx context.Context, g *Generation, bring func(context.Context, *Generation) error) {
	ctx, stop := context.WithCancel(ctx)
	*b = bringing{of: g, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		b.err = bring(ctx, g)
	}()
}

// end gives the work up and waits until it has ended.
func (b *bringing) end() {
	if b.of != nil {
		b.stop()
		<-b.done
		*b = bringing{}
	}
}

// A failure is that of the last attempt to bring a generation into the folder.
type failure struct {
	of    *Generation
	err   error
	wait  time.Duration // until the next attempt: 0 after an outage, which the next look may find ended
	until time.Time
}

// failureOf returns how the last attempt to bring a generation has failed, nil when it has not.
func (f *Follower) failureOf(g *Generation) *failure {
	if f.failed != nil && f.failed.of.is(g) {
		return f.failed
	}
	return nil
}

// settle notes how an attempt to bring a generation into the folder ended. When it is not the store that has failed, the
// next one waits, twice as long every time.
func (f *Follower) settle(g *Generation, err error) {
	before := f.failureOf(g)
	f.failed = nil
	switch statusOf(err) {
	case StatusAway:
		f.failed = &failure{of: g, err: err}
	case StatusRefused:
		wait := cmp.Or(f.Poll, DefaultPoll)
		if before != nil && before.wait > 0 {
			wait = 2 * before.wait
		}
		wait = min(wait, mostBackOff)
		f.failed = &failure{g, err, wait, time.Now().Add(wait)}
	}
	f.note(err)
}

// fetching states that a generation is not here yet: that it is being downloaded, or why that has failed so far.
func (f *Follower) fetching(g *Generation) {
	if last := f.failureOf(g); last != nil {
		f.set(last.err)
	} else {
		f.set(errFetching)
	}
}

// State says how the store is followed.
func (f *Follower) State() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.state
	s.Status = cmp.Or(s.Status, StatusStarting)
	return s
}

// update changes the state.
func (f *Follower) update(change func(s *State)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
}

// note states how a look or a download went, counts it, and logs it when that is new.
func (f *Follower) note(err error) {
	f.update(func(s *State) {
		switch statusOf(err) {
		case StatusRefused:
			s.Refused++
		case StatusAway:
			s.Failures++
		}
	})
	f.set(err)
}

// set states what err says, and logs it when that is new.
func (f *Follower) set(err error) {
	status, reason := statusOf(err), reasonOf(err)
	changed := false
	f.update(func(s *State) {
		changed = s.Status != status || s.Reason != reason
		if s.Status != status {
			s.Since = time.Now()
		}
		s.Status, s.Reason = status, reason
	})
	if f.Log == nil || !changed {
		return
	}
	store := f.Source.String()
	switch status {
	case StatusOK:
		f.Log.Info("here is what the store has in force", "store", store)
	case StatusFetching:
		f.Log.Info("the store has another generation in force, which is being downloaded", "store", store)
	default:
		f.Log.Warn("the store cannot be followed; what is here stays in force", "store", store, "status", status, "error", reason)
	}
}

// ownPort is what differs in the errors of two connections to the same address.
var ownPort = regexp.MustCompile(`\S+:\d+->`)

// reasonOf says in one line why something is not ok; the same fault has the same words. What is being downloaded is ok.
func reasonOf(err error) string {
	if err == nil || statusOf(err) == StatusFetching {
		return ""
	}
	return ownPort.ReplaceAllString(strings.ReplaceAll(err.Error(), "\n", "; "), "")
}
