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

// Errors from Authorize, in the order of its checks.
var (
	// ErrInvalid is returned for a missing header, a scheme other than Bearer, or an empty or unknown key.
	ErrInvalid = errors.New("the API key is missing, malformed or unknown")
	ErrRevoked = errors.New("the API key is revoked")
	ErrExpired = errors.New("the API key has expired")
	// ErrPaused is returned for a paused key, which can be resumed.
	ErrPaused   = errors.New("the API key is paused")
	ErrInactive = errors.New("the account that owns the API key is disabled")
	// ErrNotAllowed is returned for a valid key without ScopeRead.
	ErrNotAllowed = errors.New("the API key does not have the scope " + ScopeRead)
)

// A Store contains the keys of a file in memory, and reloads them when the file changes.
type Store struct {
	path    string
	log     *slog.Logger
	entries atomic.Pointer[map[[sha256.Size]byte]*entry] // by the hash of the key

	seen    files.Stamp // stamp of the last valid file; zero if there was none yet
	refused files.Stamp // stamp of an invalid file whose reading took long
	retry   time.Time   // earliest time to read the refused file again

	Faults statefile.Faults // reasons why the current keys may differ from the file
}

// An entry contains the data of a key that Authorize checks.
type entry struct {
	caller  Caller
	status  Status
	expires *time.Time // as Key.ExpiresAt
	active  bool       // whether the account is active
	allowed bool       // whether the key has ScopeRead
}

// A Caller is the account and the key of a request.
type Caller struct {
	AccountID string
	Account   string // name of the account
	Key       string // id of the key
	use       *use
}

// OpenStore reads the key file. If the file is missing, there are no keys yet. An invalid file is an error.
func OpenStore(path string, log *slog.Logger) (*Store, error) {
	s := &Store{path: path, log: log}
	s.entries.Store(&map[[sha256.Size]byte]*entry{})
	if err := s.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// load reads the file and replaces the current keys. It reads the stamp before the file, so that the next
// poll detects a change during the read. It stores the stamp only on success, so that later polls read an
// invalid file again.
func (s *Store) load() error {
	stamp, err := files.StampOf(s.path)
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
	uses := map[string]*use{} // uses by key id
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
	s.seen = stamp
	return nil
}

// pollInterval is the time between two polls of the file. A change must become effective within a second, and
// reading the largest file takes about 0.3 s, or twice as long on a busy machine.
const pollInterval = files.PollInterval / 2

// longRead is the reading time above which an invalid file is not read again on every poll.
const longRead = pollInterval / 10

// Watch reloads the file within a second after a change, and saves the last uses of its keys, until the
// context ends. If the file is missing or invalid, the last valid keys remain current.
func (s *Store) Watch(ctx context.Context) {
	var saving sync.WaitGroup
	defer saving.Wait()
	saving.Go(func() { // concurrently, because a slow disk must not delay the revocation of a key
		saver := statefile.Saver{Interval: saveInterval, Save: s.saveUses, LogError: func(err error) {
			s.log.Warn("writing the last uses of keys failed", "error", err)
		}}
		saver.Run(ctx)
		saver.Record(s.saveUses())
	})
	for range statefile.Ticks(ctx, pollInterval) {
		s.poll()
	}
}

// poll reloads the file if it has changed, or if the last attempt failed.
func (s *Store) poll() {
	now, err := files.StampOf(s.path) // zero if there is no file
	unchanged := now == s.seen && (err == nil || errors.Is(err, fs.ErrNotExist))
	if unchanged {
		err = nil // a file that is still missing is not a fault
	} else {
		began := time.Now()
		if now == s.refused && began.Before(s.retry) {
			return
		}
		err = s.load()
		if took := time.Since(began); err != nil && took > longRead {
			s.refused, s.retry = now, began.Add(10*took)
		}
	}
	changed := s.Faults.Record(err, time.Now())
	switch {
	case err != nil:
		if changed {
			s.log.Error("the key file cannot be read; the previous keys remain in use", "error", err)
		}
	case changed:
		s.log.Info("the key file is readable again", "keys", len(*s.entries.Load()))
	case !unchanged:
		s.log.Info("key file loaded", "keys", len(*s.entries.Load()))
	}
}

// Authorize returns the caller that an Authorization header identifies, and one of the errors above if it
// refuses the key. With ErrInvalid, the caller is nil; the other errors also have a caller. It looks up keys
// by their hash, so that the time of a lookup reveals nothing about the keys.
func (s *Store) Authorize(header string, now time.Time) (*Caller, error) {
	scheme, key, _ := strings.Cut(header, " ")
	key = strings.TrimLeft(key, " ")
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return nil, ErrInvalid
	}
	var onStack [64]byte // large enough for a key that Create returns
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
	e.caller.use.record(now)
	return &e.caller, nil
}

// EachKey calls yield with every current key and the number of requests made with it.
func (s *Store) EachKey(yield func(c *Caller, requests int64)) {
	for _, e := range *s.entries.Load() {
		yield(&e.caller, e.caller.use.requests.Load())
	}
}
