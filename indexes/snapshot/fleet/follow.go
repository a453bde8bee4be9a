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
	// DefaultPoll is the default for Follower.Poll.
	DefaultPoll = 10 * time.Second
	// maxBackOff is the maximum time before a generation with invalid content is downloaded again.
	maxBackOff = 2 * time.Minute
)

// A Follower polls a store and records its state. It is the common part of a Mirror and a Copy.
type Follower struct {
	Source Source
	Trust  Trust         // keys for signatures in the source; empty for no verification
	Poll   time.Duration // maximum time between two polls; default DefaultPoll
	Log    *slog.Logger  // logs each change of the state; may be nil

	mu    sync.Mutex
	state State
}

// State is the state of a Mirror or a Copy.
type State struct {
	Status    string    // one of the constants below
	Reason    string    // why Status is not ok, in one line
	Since     time.Time // when Status changed last
	Hash      string    // hash of the store's current generation, if known; for a Copy, of the file
	Published time.Time // when that generation became current; zero for a Copy
	Looked    time.Time // when the store responded last
	Newer     int       // newer snapshot format in the store, or 0
	Failures  int64     // failed polls and downloads
	Refused   int64     // polls and downloads with refused content
	Fetched   int64     // downloaded generations or files
	Bytes     int64     // downloaded bytes
}

// The values of State.Status. After StatusRefused and StatusAway, every poll tries again.
const (
	StatusStarting = "starting" // before the first poll
	StatusOK       = "ok"       // the folder has the store's current generation
	StatusFetching = "fetching" // this or another process with the same folder is downloading the generation
	StatusEmpty    = "empty"    // nothing has been published to the store
	StatusAway     = "away"     // the store does not respond, or an object in the pointer is missing
	StatusRefused  = "refused"  // the content of the store is invalid or cannot be installed: an operator must act
)

var (
	errEmpty    = errors.New("nothing has been published to the store")
	errFetching = errors.New("the download is in progress")
)

// An awayError is a failure of the store, unlike errors in its content or on this machine.
type awayError struct{ error }

func (e awayError) Unwrap() error { return e.error }

func statusOf(err error) string {
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, errEmpty):
		return StatusEmpty
	case errors.Is(err, errFetching), errors.Is(err, snapshot.ErrLocked): // the holder of the lock downloads
		return StatusFetching
	case errors.As(err, new(awayError)):
		return StatusAway
	default:
		return StatusRefused
	}
}

// interval returns the time until the next poll. It is random, so that many servers do not poll at once.
func (f *Follower) interval() time.Duration {
	poll := cmp.Or(f.Poll, DefaultPoll)
	return poll - rand.N(poll/5+1)
}

// State returns the current state.
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

// record sets the state after a poll or a download, counts it, and logs a change.
func (f *Follower) record(err error) { f.setStatus(err, 1) }

// setStatus sets the state for err, counts it as the given number of polls, and logs a change.
func (f *Follower) setStatus(err error, polls int64) {
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
			s.Refused += polls
		case StatusAway:
			s.Failures += polls
		}
	})
	if f.Log == nil || !changed {
		return
	}
	log := f.Log.With("store", f.Source.String())
	switch status {
	case StatusOK:
		log.Info("the current generation of the store is installed")
	case StatusFetching:
		log.Info("downloading a new generation from the store")
	default:
		log.Warn("following the store failed; the local version remains in use", "status", status, "error", reason)
	}
}

// ownPort matches the local address, which differs between errors of connections to the same server.
var ownPort = regexp.MustCompile(`\S+:\d+->`)

// reasonOf returns the text of an error in one line, which is the same for the same fault. It returns "" for
// nil and during a download.
func reasonOf(err error) string {
	if err == nil || statusOf(err) == StatusFetching {
		return ""
	}
	return ownPort.ReplaceAllString(strings.ReplaceAll(err.Error(), "\n", "; "), "")
}

// An attempt is the result of trying to install a generation.
type attempt struct {
	generation Generation
	failed     error         // error from the last attempt, or nil
	wait       time.Duration // until the next attempt; 0 after an outage, which may have ended at the next poll
	until      time.Time
}

// Run follows the store until the context ends.
func (m *Mirror) Run(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, m.interval()) {
		g, err := m.poll(ctx)
		for err == nil && g != nil {
			g, err = m.follow(ctx, g)
		}
		if ctx.Err() == nil {
			m.record(err)
		}
	}
}

// follow installs a generation, and polls the store meanwhile. When the store has another current generation,
// follow stops the work and returns that generation. Unless the store has failed, the time before each
// further attempt doubles.
func (m *Mirror) follow(ctx context.Context, g *Generation) (next *Generation, err error) {
	last := &m.last
	if !last.generation.equal(g) {
		*last = attempt{generation: *g}
	}
	if time.Now().Before(last.until) {
		return nil, last.failed
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = m.install(working, g)
	}()
	for {
		select {
		case <-done:
			wait := min(cmp.Or(2*last.wait, m.Poll, DefaultPoll), maxBackOff)
			*last = attempt{generation: *g}
			switch statusOf(err) {
			case StatusRefused:
				last.failed, last.wait, last.until = err, wait, time.Now().Add(wait)
			case StatusAway:
				last.failed = err
			}
			return nil, err
		case <-time.After(m.interval()):
		}
		switch next, err := m.poll(ctx); {
		case ctx.Err() != nil: // install ends
		case err != nil:
			m.record(err)
		case next.equal(g):
			m.recordFetching()
		default:
			stop()
			<-done
			return next, nil
		}
	}
}

// recordFetching sets the status to fetching, or to the error from the last attempt.
func (m *Mirror) recordFetching() { m.setStatus(cmp.Or(m.last.failed, errFetching), 0) }
