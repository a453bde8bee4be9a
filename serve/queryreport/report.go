// Package queryreport counts the texts that users searched for and did not find, so that the data team can
// add synonyms for them.
//
// It never stores an address, an account, a key or the time of a request. Clients are stored as keyed hashes,
// only in memory. A text is written only after five different clients have searched for it within 30 days.
//
// Read report.go first: it collects the searches of requests. day.go counts the texts of a day, and
// file.go writes and reads the file.
package queryreport

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"sabine/indexes/files"
	"sabine/serve/statefile"
)

const (
	retainedDays = 30
	minClients   = 5                // number of different clients required before a text is written
	typingTime   = 10 * time.Second // time within which a longer text of a client replaces its prefix
	maxTextBytes = 200              // maximum length of a text to count
	maxPending   = 4096             // maximum number of searches that clients may still extend
	maxLookBack  = 8                // maximum number of a client's earlier searches that a new search can extend
	saveInterval = 5 * time.Minute
)

// A Client is the keyed hash of an account or address.
type Client [16]byte

// A Report counts texts. It is safe for concurrent use.
type Report struct {
	path   string
	lock   *os.File
	stop   func() // stops the saving
	begun  int64  // day on which counting began, as in dayOf
	before File   // counts from an earlier process

	mu      sync.Mutex
	pending pending
	days    []*day // in ascending order; only the last day changes
}

// A search is a search that found no strict hit.
type search struct {
	client   Client
	text     string // "" after a longer text has replaced it
	strategy string
	at       time.Time
	previous uint64 // number of the client's previous search, or 0
}

// pending is a ring of the latest searches, numbered from first to next-1. The first number of all is 1.
type pending struct {
	ring        [maxPending]search // search n is at n modulo maxPending
	first, next uint64
	last        map[Client]uint64 // number of each client's latest search
}

func newReport(before File, now time.Time) *Report {
	return &Report{before: before, begun: dayOf(now), pending: pending{first: 1, next: 1, last: map[Client]uint64{}}}
}

// Open returns a report that continues the counts in a file, and writes the file every few minutes and in
// Close. It returns an error if the file is not a query report, or if another server uses it.
func Open(path string, log *slog.Logger) (*Report, error) {
	lock, err := files.Lock(path+".lock", 0o600)
	if errors.Is(err, files.ErrLocked) {
		err = fmt.Errorf("%s: in use by another server: give each server a separate file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("query report: %w", err)
	}
	before, err := Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		lock.Close()
		return nil, fmt.Errorf("query report: %w", err)
	}
	r := newReport(before, time.Now())
	r.path, r.lock = path, lock
	if err := r.save(time.Now()); err != nil {
		lock.Close()
		return nil, fmt.Errorf("query report: %w", err)
	}
	saver := &statefile.Saver{
		Interval: saveInterval,
		Save: func() error {
			now := time.Now()
			r.flush(now)
			return r.save(now)
		},
		LogError: func(err error) { log.Error("the query report cannot be written", "error", err) },
	}
	r.stop = saver.Start()
	return r, nil
}

// Close counts the pending searches and writes the report.
func (r *Report) Close() error {
	r.stop()
	defer r.lock.Close()
	now := time.Now()
	r.flush(now.Add(2 * typingTime)) // late enough that clients can no longer extend a search
	if err := r.save(now); err != nil {
		return fmt.Errorf("query report: %w", err)
	}
	return nil
}

// Add adds a search by a client. The strategy is the bucket of the first hit, or "none". It is "" for a text
// with strict hits, which is not counted and only replaces the client's shorter texts. The duration of a call
// does not depend on the counts.
func (r *Report) Add(client Client, text, strategy string, now time.Time) {
	if text == "" || len(text) > maxTextBytes {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &r.pending
	p.extend(client, text, now)
	if strategy != "" {
		if p.next-p.first == maxPending {
			r.countFirst()
		}
		p.ring[p.next%maxPending] = search{client, strings.Clone(text), strategy, now, p.last[client]}
		p.last[client] = p.next
		p.next++
	}
	for range 2 { // a call adds at most one search, so counting two drains the ring
		r.countExpired(now)
	}
}

// extend removes the texts of a client's latest searches that are prefixes of its new text.
func (p *pending) extend(client Client, text string, now time.Time) {
	n := p.last[client]
	for range maxLookBack {
		if n < p.first {
			return
		}
		s := &p.ring[n%maxPending]
		if now.Sub(s.at) > typingTime {
			return
		}
		if len(text) > len(s.text) && strings.HasPrefix(text, s.text) {
			s.text = ""
		}
		n = s.previous
	}
}

// flush counts the pending searches that can no longer be extended. It locks the report once for each search.
func (r *Report) flush(now time.Time) {
	for more := true; more; {
		r.mu.Lock()
		more = r.countExpired(now)
		r.mu.Unlock()
	}
}

// countExpired counts the first pending search and returns true if that search can no longer be extended.
func (r *Report) countExpired(now time.Time) bool {
	p := &r.pending
	if p.first == p.next || now.Sub(p.ring[p.first%maxPending].at) <= typingTime {
		return false
	}
	r.countFirst()
	return true
}

// countFirst counts the first pending search.
func (r *Report) countFirst() {
	p := &r.pending
	s := p.ring[p.first%maxPending]
	p.ring[p.first%maxPending] = search{}
	if p.last[s.client] == p.first {
		delete(p.last, s.client)
	}
	p.first++
	if s.text != "" {
		r.lastDay(dayOf(s.at)).add(s.client, s.text, s.strategy)
	}
}

// lastDay returns the last day, which is the day with the given number unless the clock was set back. It adds
// this day if necessary, and drops days that are too old.
func (r *Report) lastDay(number int64) *day {
	last := len(r.days) - 1
	if last < 0 || r.days[last].number < number {
		if last >= 0 {
			r.days[last].index = nil
		}
		r.days = append(r.days, newDay(number))
		for r.days[0].number <= number-retainedDays {
			r.days = r.days[1:]
		}
		last = len(r.days) - 1
	}
	return r.days[last]
}
