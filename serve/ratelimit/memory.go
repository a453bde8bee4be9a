package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"time"

	"sabine/serve/statefile"
)

// maxClients limits the memory store to about 20 MB. To add another client, the store drops a client with
// small counts.
const maxClients = 100_000

// saveInterval is the time between two saves of the counters.
const saveInterval = 5 * time.Second

// Memory is a store in process memory. It contains at most maxClients clients.
type Memory struct {
	secret   *Secret   // hashes the names of clients
	file     stateFile // the path is "" if there is no state file
	opened   time.Time // includes a monotonic clock reading
	capacity int       // maximum number of clients; smaller in tests
	stop     func()    // stops the saving; nil without a state file

	mu      sync.Mutex
	clients map[name][]counter
	dirty   bool // whether a counter of a saved window has changed since the last save
}

// A counter is the number of requests by a client in a window.
type counter struct {
	Span  int64         `json:"span"`  // length of the window in seconds
	Start int64         `json:"start"` // beginning of the window in seconds since the Unix epoch
	N     int           `json:"n"`
	begun time.Duration // time from the opening of the store to the first request; 0 if read from the file
}

func (c counter) isOf(w Window) bool { return c.Span == w.seconds() }

// NewMemory returns a store in process memory. If file is not "", it reads the counters of windows of at
// least ten minutes from the file, and saves changed counters every few seconds and in Close. The secret
// hashes the names of clients. If it is nil, the store generates a secret in ratelimit.secret in the same
// folder. If the file is missing or damaged, the counters start at 0. It is an error if the file is
// unreadable or another server uses it.
func NewMemory(file string, secret *Secret, log *slog.Logger) (*Memory, error) {
	m := &Memory{secret: secret, file: stateFile{path: file}, opened: time.Now(), capacity: maxClients,
		clients: map[name][]counter{}}
	if file == "" {
		m.secret = cmp.Or(m.secret, newSecret(newKey()))
		return m, nil
	}
	err := m.file.acquire()
	if errors.Is(err, errShared) {
		return nil, fmt.Errorf("rate-limit state: %w", err)
	}
	saver := &statefile.Saver{Interval: saveInterval, Save: m.save, LogError: func(err error) {
		log.Error("the rate-limit state cannot be written", "error", err)
	}}
	saver.Record(err) // a file that cannot be locked cannot be written; the next save tries again
	if err := m.load(log); err != nil {
		m.file.lock.Close()
		return nil, err
	}
	m.stop = saver.Start()
	return m, nil
}

// load reads the counters, and the secret unless the caller provided one.
func (m *Memory) load(log *slog.Logger) (err error) {
	if m.secret == nil {
		if m.secret, err = m.file.secret(); err != nil {
			return fmt.Errorf("rate-limit secret: %w", err)
		}
	}
	b, err := statefile.Read(m.file.path, maxStateSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("rate-limit state: %w", err)
	}
	clients, damage := parseState(b, m.secret, time.Now())
	if damage != nil {
		log.Warn("the rate-limit state is damaged; unreadable counters start at 0", "file", m.file.path,
			"clients", len(clients), "error", damage)
	}
	m.clients, m.dirty = clients, len(clients) > 0 // save soon, because older versions did not hash names
	return nil
}

// Take implements Store.
func (m *Memory) Take(_ context.Context, client string, p Policy, now time.Time, n int) (Count, bool, error) {
	id := m.secret.name(client)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.clients[id]; n == 0 && !known { // not counting needs no memory for the client
		return Count{make([]int, len(p)), now}, false, nil
	}
	counters, at := m.current(id, p, now)
	count, counted := Count{make([]int, len(p)), at}, n > 0
	for i, w := range p {
		counted = counted && counters[i].N < w.Limit
	}
	for i, w := range p {
		if counted {
			counters[i].N += n
			m.dirty = m.dirty || w.Span >= savedSpan
		}
		count.N[i] = counters[i].N
	}
	return count, counted, nil
}

// current returns the stored counters of a client for the current windows, in the order of the policy, and a
// time within all of them: now, unless a window begins later. A later window was begun when the clock was
// wrong, possibly by a year, so the window ends after the duration of its span.
func (m *Memory) current(client name, p Policy, now time.Time) ([]counter, time.Time) {
	known, ok := m.clients[client]
	if !ok && len(m.clients) >= m.capacity {
		m.makeRoom(now)
	}
	if !slices.EqualFunc(known, p, counter.isOf) { // a new client, or the policy changed at a restart
		counters := make([]counter, len(p))
		for i, w := range p { // unchanged windows retain their counters
			counters[i].Span = w.seconds()
			if k := slices.IndexFunc(known, func(c counter) bool { return c.isOf(w) }); k >= 0 {
				counters[i] = known[k]
			}
		}
		known = counters
		m.clients[client] = known
	}
	at := now
	for i := range known {
		if known[i].Start > now.Unix() && m.left(known[i], now) <= 0 {
			known[i].Start = 0 // the loop below replaces the counter
		}
		at = latest(at, known[i].Start)
	}
	for i, w := range p {
		if start := w.start(at); known[i].Start != start {
			known[i] = counter{Span: w.seconds(), Start: start, begun: time.Since(m.opened)}
		}
	}
	return known, at
}

// latest returns the later of a time and a time in seconds since the Unix epoch.
func latest(t time.Time, seconds int64) time.Time {
	if t.Unix() >= seconds {
		return t
	}
	return time.Unix(seconds, 0)
}

// left returns the number of seconds until the window of a counter is over; it is then 0 or negative.
func (m *Memory) left(c counter, now time.Time) int64 {
	if c.Start > now.Unix() {
		return c.Span - int64((time.Since(m.opened)-c.begun)/time.Second)
	}
	return c.Start + c.Span - now.Unix()
}

// makeRoom examines a few random clients and drops those whose windows are over. If there are none, it drops
// the client with the smallest count and, among equal counts, with the earliest end of its windows, so that a
// client cannot reset its budget with requests from many addresses. It examines only a few clients, because
// all requests wait for it.
func (m *Memory) makeRoom(now time.Time) {
	const sample = 16
	var victim name
	least, leastLeft, seen := 0, int64(0), 0 // leastLeft is 0 until there is a victim
	for client, counters := range m.clients {
		count, left := 0, int64(0)
		for _, c := range counters {
			if l := m.left(c, now); l > 0 {
				count, left = max(count, c.N), max(left, l)
			}
		}
		switch {
		case left == 0:
			delete(m.clients, client)
		case leastLeft == 0 || count < least || count == least && left < leastLeft:
			victim, least, leastLeft = client, count, left
		}
		if seen++; seen == sample {
			break
		}
	}
	if len(m.clients) >= m.capacity {
		delete(m.clients, victim)
	}
}

// save writes the counters of long windows if one of them has changed since the last save.
func (m *Memory) save() error {
	saved := m.changed(time.Now())
	if saved == nil {
		return nil
	}
	err := m.file.write(saved)
	if err != nil { // so that the next save tries again, even without more requests
		m.mu.Lock()
		m.dirty = true
		m.mu.Unlock()
	}
	return err
}

// changed returns the counters of long windows, or nil if none has changed since the last save.
func (m *Memory) changed(now time.Time) map[name][]counter {
	type clientCounter struct {
		client name
		counter
	}
	m.mu.Lock() // only for a shallow copy, because requests wait for this lock
	if !m.dirty {
		m.mu.Unlock()
		return nil
	}
	m.dirty = false
	copied := make([]clientCounter, 0, len(m.clients))
	for client, counters := range m.clients {
		for _, c := range counters {
			if c.Span >= int64(savedSpan/time.Second) && c.Start+c.Span > now.Unix() {
				copied = append(copied, clientCounter{client, c})
			}
		}
	}
	m.mu.Unlock()
	saved := make(map[name][]counter, len(copied))
	for _, c := range copied {
		saved[c.client] = append(saved[c.client], c.counter)
	}
	return saved
}

// Close stops the saving and writes the counters.
func (m *Memory) Close() error {
	if m.file.path == "" {
		return nil
	}
	m.stop()
	defer m.file.lock.Close()
	if err := m.save(); err != nil {
		return fmt.Errorf("rate-limit state: %w", err)
	}
	return nil
}
