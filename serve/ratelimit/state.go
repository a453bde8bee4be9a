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

// The state file is a JSON object that has the counters of each client by its name in hexadecimal digits; a
// program from before there were secrets wrote "account:" or "address:" and who it is. What it may hold is
// bounded as the memory is.
const (
	maxStateSize    = 64 << 20 // more than maxClients need
	maxCountersSize = 4 << 10  // of one client, as JSON
	// savedSpan is the shortest window that is written: the minute is over before a restart matters.
	savedSpan = 10 * time.Minute
)

// errShared says that another server writes to the state file.
var errShared = errors.New(
	"another server uses it, and would overwrite what this one counts: give each its own by --rate-limit-state, or let " +
		"them share a Redis by --rate-limit-store")

// A stateFile keeps counters over a restart, for one server at a time.
type stateFile struct {
	path    string
	lock    *os.File // held from the first look at the file on; nil while it cannot be
	unsaved []byte   // the text of a secret of its own that could not be written yet
}

// secretName is the file of a secret that a server has made for itself, beside its state file.
const secretName = "ratelimit.secret"

// secret returns the secret beside the file and makes it when there is none. One that cannot be written is in
// force nevertheless, and write tries again. A file that cannot be read, or holds no secret, is an error.
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

// acquire takes the lock beside the file, unless it is held. The file itself is replaced at every save.
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

// parseState returns the counters of maxClients clients at most. The error says why they are none or not all.
func parseState(b []byte, secret *Secret, now time.Time) (map[name][]counter, error) {
	clients := map[name][]counter{}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return clients, errors.New("expected a JSON object")
	}
	for d.More() {
		if len(clients) == maxClients {
			return clients, fmt.Errorf("it has more than %d clients", maxClients)
		}
		client, counters, err := readClient(d)
		if err != nil {
			return map[name][]counter{}, err
		}
		id, named := parseName(client)
		if !named {
			id = secret.name(client)
		}
		// A window of which more than a whole one lies ahead was begun by a clock that was wrong. It goes alone:
		// what the others have counted is right.
		clients[id] = slices.DeleteFunc(counters, func(c counter) bool { return c.Start-c.Span > now.Unix() })
	}
	if _, err := d.Token(); err != nil {
		return map[name][]counter{}, err
	}
	return clients, nil
}

func readClient(d *json.Decoder) (client string, counters []counter, err error) {
	key, err := d.Token()
	if err != nil {
		return "", nil, err
	}
	client, _ = key.(string) // the decoder has no other keys
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return "", nil, err
	}
	if len(raw) > maxCountersSize {
		return "", nil, fmt.Errorf("client %.100q has %d bytes of counters, at most %d were expected", client, len(raw),
			maxCountersSize)
	}
	if err := json.Unmarshal(raw, &counters); err != nil {
		return "", nil, err
	}
	for _, c := range counters {
		if c.Span < 1 || c.Start < 0 || c.N < 0 {
			return "", nil, fmt.Errorf("client %.100q has a counter %+v that cannot be", client, c)
		}
	}
	return client, counters, nil
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
