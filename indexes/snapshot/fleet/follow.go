package fleet

import (
	"cmp"
	"errors"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"time"

	"sabine/indexes/snapshot"
)

// DefaultPoll is the default value of Follower.Poll.
const DefaultPoll = 10 * time.Second

// A Follower polls a store and records the state. Mirror and Copy embed it.
type Follower struct {
	Source Source
	Trust  Trust         // keys that must have signed the content; empty to disable verification
	Poll   time.Duration // maximum time between two polls; 0 means DefaultPoll
	Log    *slog.Logger  // logger for each change of the state; may be nil

	mu    sync.Mutex
	state State
}

// A State describes a Mirror or a Copy.
type State struct {
	Status       string    // one of the Status constants
	Reason       string    // why Status is not StatusOK, in one line
	Since        time.Time // time of the last change of Status
	Hash         string    // hash of the store's current generation, if known; for a Copy, hash of the file
	Published    time.Time // time when that generation became current; zero for a Copy
	LastResponse time.Time // time of the store's last response
	NewerFormat  int       // snapshot format in the store if newer than this program's, otherwise 0
	Failures     int64     // number of failed polls and downloads
	Refused      int64     // number of polls and downloads with refused content
	Fetched      int64     // number of downloaded generations or files
	Bytes        int64     // number of downloaded bytes
}

// The values of State.Status. Even after StatusRefused and StatusAway, the next poll tries again.
const (
	StatusStarting = "starting" // before the first poll
	StatusOK       = "ok"       // the folder contains the store's current generation
	StatusFetching = "fetching" // the generation is being downloaded, perhaps by another process with this folder
	StatusEmpty    = "empty"    // no generation has been published to the store
	StatusAway     = "away"     // the store does not respond, or has no object that the pointer lists
	StatusRefused  = "refused"  // the store's content is invalid or cannot be installed; an operator must fix this
)

var (
	errEmpty = errors.New("nothing has been published to the store")
	// errFetching stands for StatusFetching in setStatus. It is never returned.
	errFetching = errors.New("the download is in progress")
)

// An awayError reports a failure of the store, as opposed to invalid content or a local error.
type awayError struct{ error }

func (e awayError) Unwrap() error { return e.error }

func statusOf(err error) string {
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, errEmpty):
		return StatusEmpty
	case errors.Is(err, errFetching), errors.Is(err, snapshot.ErrLocked): // another process is downloading
		return StatusFetching
	case errors.As(err, new(awayError)):
		return StatusAway
	default:
		return StatusRefused
	}
}

// interval returns a random time until the next poll, so that many servers do not poll simultaneously.
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

// record updates the state after a poll or a download, including the counters, and logs a change.
func (f *Follower) record(err error) { f.setStatus(err, 1) }

// logger returns Log, or a logger without output.
func (f *Follower) logger() *slog.Logger { return cmp.Or(f.Log, noLog) }

var noLog = slog.New(slog.DiscardHandler)

// setStatus updates the state for err, adds polls to Refused or Failures if it is such an error, and logs a
// change.
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
	if !changed {
		return
	}
	log := f.logger().With("store", f.Source.String())
	switch status {
	case StatusOK:
		log.Info("the current generation of the store is installed")
	case StatusFetching:
		log.Info("downloading a new generation from the store")
	default:
		log.Warn("following the store failed; the local version remains in use", "status", status, "error", reason)
	}
}

// ownPort matches the local address in a connection error. It is different for each connection.
var ownPort = regexp.MustCompile(`\S+:\d+->`)

// reasonOf returns the message of an error in one line. The result is equal for repeated errors with the same
// cause. It is "" for a nil error and during a download.
func reasonOf(err error) string {
	if err == nil || statusOf(err) == StatusFetching {
		return ""
	}
	return ownPort.ReplaceAllString(strings.ReplaceAll(err.Error(), "\n", "; "), "")
}
