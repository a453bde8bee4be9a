package keys

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sabine/indexes/files"
	"sabine/serve/statefile"
)

// What Authorize answers when it refuses, in the order in which it asks.
var (
	// ErrInvalid: no header, another scheme than Bearer, an empty key, or one that the file does not have.
	ErrInvalid = errors.New("the API key is missing, malformed or unknown")
	ErrRevoked = errors.New("the API key is revoked")
	ErrExpired = errors.New("the API key has expired")
	// ErrPaused: the key is paused and may come back.
	ErrPaused   = errors.New("the API key is paused")
	ErrInactive = errors.New("the account that owns the API key is disabled")
	// ErrNotAllowed: the key is good for something else.
	ErrNotAllowed = errors.New("the API key does not have the scope " + ScopeRead)
)

// A Store holds the keys of a file in memory and follows the file.
type Store struct {
	path    string
	log     *slog.Logger
	entries atomic.Pointer[map[[sha256.Size]byte]*entry]
	seen    files.Stamp // of the file whose keys are in force; zero while there is none
	refused files.Stamp // of a file that took long to refuse, which is
	again   time.Time   // not tried again before this time, unless it changes

	Faults statefile.Faults // why the keys in force may not be those of the file
}

// An entry is what Authorize asks of a key.
type entry struct {
	caller  Caller
	status  Status
	expires *time.Time
	active  bool // the account
	allowed bool // the scope
}

// A Caller is whose key a request carries.
type Caller struct {
	AccountID string
	Account   string // its name
	Key       string // id of the key
	use       *use
}

// OpenStore reads the key file. A file that is not there means no keys yet; one that does not parse is an
// error.
func OpenStore(path string, log *slog.Logger) (*Store, error) {
	s := &Store{path: path, log: log}
	s.entries.Store(&map[[sha256.Size]byte]*entry{})
	if err := s.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// load reads the file and puts it in force. What the file looked like is taken before it is read, so that a
// change in between is noticed by the next look, and noted only when it is in force, so that a file that
// cannot be read is tried again: at every look, or later when that takes long.
func (s *Store) load() error {
	looked, err := files.StampOf(s.path)
	if err != nil {
		return err
	}
	f, err := Read(s.path)
	if err != nil {
		return err
	}
	accounts := map[string]Account{}
	for _, a := range f.Accounts {
		accounts[a.ID] = a
	}
	entries := make(map[[sha256.Size]byte]*entry, len(f.Keys))
	uses := map[string]*use{} // by the key's id
	for _, e := range *s.entries.Load() {
		uses[e.caller.Key] = e.caller.use
	}
	for _, k := range f.Keys {
		var hash [sha256.Size]byte
		if _, err := hex.Decode(hash[:], []byte(k.Hash)); err != nil {
			return err
		}
		owner := accounts[k.Account]
		entries[hash] = &entry{
			caller:  Caller{AccountID: owner.ID, Account: owner.Name, Key: k.ID, use: cmp.Or(uses[k.ID], new(use))},
			status:  k.Status,
			expires: k.ExpiresAt,
			active:  owner.Active,
			allowed: slices.Contains(k.Scopes, ScopeRead),
		}
	}
	s.entries.Store(&entries)
	s.seen = looked
	return nil
}

// lookInterval is how often the file is looked at. To read the largest one takes some 0.3 s, on a busy
// machine twice that, and within a second of a change it has to be in force.
const lookInterval = files.PollInterval / 2

// longRead is how long a file that is refused may take before it is tried again at every look.
const longRead = lookInterval / 10

// Watch reloads the file when it changes, within a second, until the context ends, and keeps the last use of
// its keys. A file that cannot be read, or that vanishes, leaves the last good state in force.
func (s *Store) Watch(ctx context.Context) {
	var saving sync.WaitGroup
	defer saving.Wait()
	saving.Go(func() { // apart: a disk that stalls must not keep a revoked key in force
		saver := statefile.Saver{Save: s.saveUses, Tell: func(err error) {
			s.log.Warn("the last use of keys cannot be written", "error", err)
		}}
		saver.Run(ctx)
		saver.Note(s.saveUses())
	})
	for range statefile.Ticks(ctx, lookInterval) {
		s.poll()
	}
}

// poll looks at the file once and reloads it when it is another than the one that was read.
func (s *Store) poll() {
	now, err := files.StampOf(s.path)
	unchanged := now == s.seen && (err == nil || errors.Is(err, fs.ErrNotExist)) // the same file, or still none
	if unchanged {
		err = nil
	} else {
		began := time.Now()
		if now == s.refused && began.Before(s.again) {
			return
		}
		err = s.load()
		if took := time.Since(began); err != nil && took > longRead {
			s.refused, s.again = now, began.Add(10*took)
		}
	}
	another := s.Faults.Note(err, time.Now())
	switch {
	case err != nil:
		if another {
			s.log.Error("the key file cannot be read; the keys read before stay in force", "error", err)
		}
	case another:
		s.log.Info("the key file can be read again", "keys", len(*s.entries.Load()))
	case !unchanged:
		s.log.Info("key file read", "keys", len(*s.entries.Load()))
	}
}

// Authorize returns whose key the Authorization header carries, nil when the file does not have it, and why
// it is refused: one of the errors above. The key is looked up by its hash, so the time that takes tells
// nothing about the key.
func (s *Store) Authorize(header string, now time.Time) (*Caller, error) {
	scheme, key, _ := strings.Cut(header, " ")
	key = strings.TrimLeft(key, " ")
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return nil, ErrInvalid
	}
	var onStack [64]byte // holds a key of ours
	e, ok := (*s.entries.Load())[sha256.Sum256(append(onStack[:0], key...))]
	if !ok {
		return nil, ErrInvalid
	}
	e.caller.use.requests.Add(1)
	switch {
	case e.status == Revoked:
		return &e.caller, ErrRevoked
	case e.expires != nil && !now.Before(*e.expires):
		return &e.caller, ErrExpired
	case e.status == Paused:
		return &e.caller, ErrPaused
	case !e.active:
		return &e.caller, ErrInactive
	case !e.allowed:
		return &e.caller, ErrNotAllowed
	}
	e.caller.use.note(now)
	return &e.caller, nil
}

// EachKey calls yield with every key in force and the number of requests that have carried it.
func (s *Store) EachKey(yield func(c *Caller, requests int64)) {
	for _, e := range *s.entries.Load() {
		yield(&e.caller, e.caller.use.requests.Load())
	}
}
