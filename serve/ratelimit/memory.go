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

// maxClients bounds the memory store: some 20 MB. Beyond it, a client that has counted little is forgotten.
const maxClients = 100_000

// Memory is a store in process memory. It holds at most maxClients clients.
type Memory struct {
	secret *Secret
	file   stateFile // path "": none
	opened time.Time // with the reading of a clock that nobody sets
	most   int       // clients; tests hold fewer
	stop   func()    // ends the saving

	mu      sync.Mutex
	clients map[name][]counter
	dirty   bool // a counter that is saved has changed since the last time
}

// A counter is how many requests a client made in one window.
type counter struct {
	Span  int64         `json:"span"`  // of the window, in seconds
	Start int64         `json:"start"` // of the window, in seconds since the Unix epoch
	N     int           `json:"n"`
	begun time.Duration // since the store was opened
}

func (c counter) isOf(w Window) bool { return c.Span == w.seconds() }

// NewMemory returns a store in process memory. When file is not "", the counters of windows of ten minutes
// and more are read from it, and written to it every few seconds while they change and at Close, under names
// by the secret: nil means one of the store's own, kept in ratelimit.secret beside the file. A file that is
// not there, or that is damaged, means no counters yet; one that cannot be read, or that another server uses,
// is an error.
func NewMemory(file string, secret *Secret, log *slog.Logger) (*Memory, error) {
	m := &Memory{secret: secret, file: stateFile{path: file}, opened: time.Now(), most: maxClients,
		clients: map[name][]counter{}}
	if file == "" {
		m.secret = cmp.Or(m.secret, newSecret(newKey()))
		return m, nil
	}
	err := m.file.acquire()
	if errors.Is(err, errShared) {
		return nil, fmt.Errorf("rate-limit state: %w", err)
	}
	saver := statefile.Saver{Save: m.save, Tell: func(err error) {
		log.Error("the rate-limit state cannot be written", "error", err)
	}}
	saver.Note(err) // where it cannot be locked it cannot be written; the next save tries again
	if err := m.load(log); err != nil {
		m.file.lock.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var saving sync.WaitGroup
	saving.Go(func() { saver.Run(ctx) })
	m.stop = func() { cancel(); saving.Wait() }
	return m, nil
}

// load reads the secret, if it is the store's own, and the counters.
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
		log.Warn("the rate-limit state is damaged; what cannot be read of it is counted anew", "file", m.file.path,
			"clients", len(clients), "error", damage)
	}
	m.clients, m.dirty = clients, len(clients) > 0 // written again: it may be from before names were hashed
	return nil
}

// Take counts a request, or none.
func (m *Memory) Take(_ context.Context, client string, p Policy, now time.Time, n int) (Count, bool, error) {
	id := m.secret.name(client)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.clients[id]; n == 0 && !known { // nobody need be forgotten for it
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

// current returns the client's counters of the policy's present windows, in the policy's order, where they
// are kept, and a time that lies in all of them: now, unless one begins after it. One that does is over once
// it has lasted its span: the clock that began it was wrong, and may have been so by a year.
func (m *Memory) current(client name, p Policy, now time.Time) ([]counter, time.Time) {
	known, ok := m.clients[client]
	if !ok && len(m.clients) >= m.most {
		m.makeRoom(now)
	}
	if !slices.EqualFunc(known, p, counter.isOf) {
		counters := make([]counter, len(p))
		for i, w := range p { // a policy that changed over a restart keeps the counters of the windows it still has
			counters[i].Span = w.seconds()
			for _, k := range known {
				if k.isOf(w) {
					counters[i] = k
				}
			}
		}
		known = counters
		m.clients[client] = known
	}
	at := now
	for i := range known {
		if known[i].Start > now.Unix() && m.left(known[i], now) <= 0 {
			known[i].Start = 0
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

// latest returns the later one of a time and of one in seconds since the Unix epoch.
func latest(t time.Time, seconds int64) time.Time {
	if t.Unix() >= seconds {
		return t
	}
	return time.Unix(seconds, 0)
}

// left returns for how many seconds a counter still counts; for none when its window is over.
func (m *Memory) left(c counter, now time.Time) int64 {
	if c.Start > now.Unix() {
		return c.Span - int64((time.Since(m.opened)-c.begun)/time.Second)
	}
	return c.Start + c.Span - now.Unix()
}

// makeRoom looks at a few clients taken at random. It forgets those whose windows are over or, when there is
// none, the one that has counted the least, and of several the one whose windows end first: so nobody gets a
// fresh budget in the place of a spent one by asking from many addresses. It never looks at more, since
// everybody waits for it.
func (m *Memory) makeRoom(now time.Time) {
	const sample = 16
	var victim name
	least, leastLeft, seen := 0, int64(0), 0
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
	if len(m.clients) >= m.most {
		delete(m.clients, victim)
	}
}

// save writes the counters that are worth it, when one of them has changed since the last time.
func (m *Memory) save() error {
	saved := m.changed(time.Now())
	if saved == nil {
		return nil
	}
	err := m.file.write(saved)
	if err != nil { // the next time tries again, whether requests come or not
		m.mu.Lock()
		m.dirty = true
		m.mu.Unlock()
	}
	return err
}

// changed returns the counters that are worth saving, nil when none has changed since the last time.
func (m *Memory) changed(now time.Time) map[name][]counter {
	type one struct {
		client name
		counter
	}
	m.mu.Lock() // for a copy in one piece, and no longer: everybody waits for it
	if !m.dirty {
		m.mu.Unlock()
		return nil
	}
	m.dirty = false
	worth := make([]one, 0, len(m.clients))
	for client, counters := range m.clients {
		for _, c := range counters {
			if c.Span >= int64(savedSpan/time.Second) && c.Start+c.Span > now.Unix() {
				worth = append(worth, one{client, c})
			}
		}
	}
	m.mu.Unlock()
	saved := make(map[name][]counter, len(worth))
	for _, w := range worth {
		saved[w.client] = append(saved[w.client], w.counter)
	}
	return saved
}

// Close writes the counters for the last time.
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
