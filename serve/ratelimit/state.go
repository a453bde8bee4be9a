package ratelimit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sabine/indexes/files"
	"sabine/serve/statefile"
)

// The state file is a JSON object that maps the name of each client, in hexadecimal digits, to its counters.
// Older versions, which had no secret, wrote "account:" or "address:" and the client instead. The file has a
// size limit, like the memory.
const (
	maxStateSize    = 64 << 20 // more than maxClients clients need
	maxCountersSize = 4 << 10  // maximum size of the JSON of one client
	// savedSpan is the span of the shortest window that is saved. A shorter window would be nearly over after a
	// restart.
	savedSpan = 10 * time.Minute
)

// errShared is returned if another server uses the state file.
var errShared = errors.New(
	"another server uses the file and would overwrite the counters: give each server a separate file with " +
		"--rate-limit-state, or share a Redis with --rate-limit-store")

// A stateFile preserves counters across restarts. Only one server can use it at a time.
type stateFile struct {
	path    string
	lock    *os.File // locked since the first successful access; nil while locking fails
	unsaved []byte   // generated secret that is not written yet
}

// secretName is the name of the file with a generated secret, in the folder of the state file.
const secretName = "ratelimit.secret"

// secret returns the secret in the file's folder, and generates a missing secret. A secret that cannot be
// written is used nevertheless, and written later. An unreadable or invalid secret file is an error.
func (f *stateFile) secret() (*Secret, error) {
	path := filepath.Join(filepath.Dir(f.path), secretName)
	if s, err := ReadSecret(path); !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	f.unsaved = newKey()
	s := newSecret(f.unsaved)
	if errors.Is(f.saveSecret(), fs.ErrExist) { // another server was faster
		f.unsaved = nil
		return ReadSecret(path)
	}
	return s, nil
}

func (f *stateFile) saveSecret() error {
	if f.unsaved == nil {
		return nil
	}
	err := statefile.Create(filepath.Join(filepath.Dir(f.path), secretName), f.unsaved)
	if err == nil {
		f.unsaved = nil
	}
	return err
}

// acquire locks the file unless it is locked. It locks a second file, because saving replaces the state file.
func (f *stateFile) acquire() (err error) {
	if f.lock != nil {
		return nil
	}
	f.lock, err = files.Lock(f.path+".lock", 0o600)
	if errors.Is(err, files.ErrLocked) {
		err = fmt.Errorf("%s: %w", f.path, errShared)
	}
	return err
}

// parseState returns the counters for at most maxClients clients. If it cannot return all counters, the error
// is the cause; it omits windows in the future without an error. It returns none if the file is not a JSON
// object or has an invalid counter.
func parseState(b []byte, secret *Secret, now time.Time) (map[name][]counter, error) {
	var saved map[string]json.RawMessage
	err := json.NewDecoder(bytes.NewReader(b)).Decode(&saved)
	if err != nil || saved == nil {
		return map[name][]counter{}, fmt.Errorf("expected a JSON object: %w", cmp.Or(err, errors.New("got null")))
	}
	clients := make(map[name][]counter, min(len(saved), maxClients))
	for client, raw := range saved {
		if len(clients) == maxClients {
			return clients, fmt.Errorf("more than %d clients", maxClients)
		}
		if len(raw) > maxCountersSize {
			return map[name][]counter{}, fmt.Errorf("client %.100q has %d bytes of counters, expected at most %d", client,
				len(raw), maxCountersSize)
		}
		var counters []counter
		if err := json.Unmarshal(raw, &counters); err != nil {
			return map[name][]counter{}, fmt.Errorf("client %.100q: %w", client, err)
		}
		for _, c := range counters {
			if c.Span < 1 || c.Start < 0 || c.N < 0 {
				return map[name][]counter{}, fmt.Errorf("client %.100q has an invalid counter %+v", client, c)
			}
		}
		id, isName := parseName(client)
		if !isName {
			id = secret.name(client)
		}
		// A window that begins more than its span after now was begun when the clock was wrong. The client's other
		// counters are valid.
		clients[id] = slices.DeleteFunc(counters, func(c counter) bool { return c.Start-c.Span > now.Unix() })
	}
	return clients, nil
}

func (f *stateFile) write(clients map[name][]counter) error {
	if err := cmp.Or(f.saveSecret(), f.acquire()); err != nil {
		return err
	}
	b, err := json.Marshal(clients)
	if err != nil {
		return err
	}
	return statefile.Write(f.path, b)
}
