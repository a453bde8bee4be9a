// Package queryreport counts the texts that people searched for and did not find, so that the data team can
// answer them with synonyms.
//
// It never keeps or writes an address, an account, a key or the time of a request. Clients are keyed hashes,
// in memory only. A text is written only after five different clients sent it within 30 days.
//
// Read report.go first: it takes searches from requests. summary.go counts the texts of a day, file.go writes
// and reads the file.
package queryreport

import (
	"context"
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
	keptDays     = 30
	ripe         = 5                // different clients that make a text one that is written
	extendedTime = 10 * time.Second // in which a client that types on replaces its text
	maxTextBytes = 200              // of a text; longer ones are not counted
	maxPending   = 4096             // searches that wait for their time to be extended; more are counted early
	maxLookBack  = 8                // searches of a client that a new one may extend
	saveInterval = 5 * time.Minute
)

// A Client is the keyed hash of an account or address.
type Client [16]byte

// A Report counts texts. Its methods may be called by several goroutines at the same time.
type Report struct {
	path   string
	lock   *os.File
	log    *slog.Logger
	stop   func() // ends the saving
	begun  int64  // the day when counting began
	before File   // what an earlier process has counted

	mu      sync.Mutex
	pending pending
	days    []*day // ascending; only the last one changes
}

// A search is one that found nothing strictly.
type search struct {
	client   Client
	text     string // "" once it was extended
	strategy string
	at       time.Time
	previous uint64 // the number of the client's search before it, 0 for none
}

// pending are the last searches, by their numbers from first to next-1 in a ring.
type pending struct {
	ring        [maxPending]search
	first, next uint64
	last        map[Client]uint64
}

func newReport(before File, now time.Time) *Report {
	return &Report{before: before, begun: dayOf(now), pending: pending{first: 1, next: 1, last: map[Client]uint64{}}}
}

// Open returns a report that goes on counting what is in a file, and writes it every few minutes and at
// Close. A file of another kind, and one that another server uses, is an error.
func Open(path string, log *slog.Logger) (*Report, error) {
	lock, err := files.Lock(path+".lock", 0o600)
	if errors.Is(err, files.ErrLocked) {
		err = fmt.Errorf("%s: another server uses it: give each its own file", path)
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
	r.path, r.lock, r.log = path, lock, log
	if err := r.save(time.Now()); err != nil {
		lock.Close()
		return nil, fmt.Errorf("query report: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var saving sync.WaitGroup
	saving.Go(func() { r.run(ctx) })
	r.stop = func() { cancel(); saving.Wait() }
	return r, nil
}

// run saves every few minutes until the context ends.
func (r *Report) run(ctx context.Context) {
	saver := statefile.Saver{Tell: func(err error) { r.log.Error("the query report cannot be written", "error", err) }}
	for now := range statefile.Ticks(ctx, saveInterval) {
		r.flush(now)
		saver.Note(r.save(now))
	}
}

// Close counts the pending searches and writes the report for the last time.
func (r *Report) Close() error {
	r.stop()
	defer r.lock.Close()
	now := time.Now()
	r.flush(now.Add(2 * extendedTime)) // no client extends them any more
	if err := r.save(now); err != nil {
		return fmt.Errorf("query report: %w", err)
	}
	return nil
}

// Note adds a search by a client. The strategy is the bucket of the first hit or none. It is "" for a text
// that was found strictly: such a text only replaces the client's shorter ones. A call takes a few steps,
// whatever was counted before.
func (r *Report) Note(client Client, text, strategy string, now time.Time) {
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
	for range 2 { // more than come in
		r.countExpired(now)
	}
}

// extend removes the texts of the client's searches of the last seconds that a new text begins with.
func (p *pending) extend(client Client, text string, now time.Time) {
	n := p.last[client]
	for range maxLookBack {
		if n < p.first {
			return
		}
		s := &p.ring[n%maxPending]
		if now.Sub(s.at) > extendedTime {
			return
		}
		if len(text) > len(s.text) && strings.HasPrefix(text, s.text) {
			s.text = ""
		}
		n = s.previous
	}
}

// flush counts the pending searches that cannot be extended any more. It takes the lock for each of them.
func (r *Report) flush(now time.Time) {
	for more := true; more; {
		r.mu.Lock()
		more = r.countExpired(now)
		r.mu.Unlock()
	}
}

// countExpired counts the first pending search, unless it can still be extended, and reports whether it did.
func (r *Report) countExpired(now time.Time) bool {
	p := &r.pending
	if p.first == p.next || now.Sub(p.ring[p.first%maxPending].at) <= extendedTime {
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
		r.today(dayOf(s.at)).add(s.client, s.text, s.strategy)
	}
}

// today returns the day of a number, or the last one when the clock was set back, and drops days that are too
// old.
func (r *Report) today(number int64) *day {
	last := len(r.days) - 1
	if last < 0 || r.days[last].number < number {
		if last >= 0 {
			r.days[last].places = nil
		}
		r.days = append(r.days, newDay(number))
		for r.days[0].number <= number-keptDays {
			r.days = r.days[1:]
		}
		last = len(r.days) - 1
	}
	return r.days[last]
}
