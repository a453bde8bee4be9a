package keys

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// What Authorize answers when it refuses, in the order in which it asks.
var (
	// ErrInvalid: no header, another scheme than Bearer, an empty key, or one that the file does not have.
	ErrInvalid = errors.New("the API key is missing, malformed or unknown")
	// ErrRevoked: the key was revoked.
	ErrRevoked = errors.New("the API key is revoked")
	// ErrExpired: the key's time is over.
	ErrExpired = errors.New("the API key has expired")
	// ErrPaused: the key is paused and may come back.
	ErrPaused = errors.New("the API key is paused")
	// ErrInactive: the account is disabled.
	ErrInactive = errors.New("the account that owns the API key is disabled")
	// ErrNotAllowed: the key is good for something else.
	ErrNotAllowed = errors.New("the API key does not have the scope " + ScopeRead)
)

// pollInterval is how often the file is looked at. File events would be quicker, but network file systems and
// container volumes do not send them; a stat every half second keeps the promise of one second everywhere.
const pollInterval = 500 * time.Millisecond

// A Store holds the keys of a file in memory and follows the file.
type Store struct {
	path     string
	log      *slog.Logger
	entries  atomic.Pointer[map[[sha256.Size]byte]entry]
	seen     stamp // of the file as it was last read; zero while it was not there
	failures atomic.Int64
}

// An entry is what Authorize asks of a key.
type entry struct {
	account string
	status  Status
	expires *time.Time
	active  bool // the account
	allowed bool // the scope
}

// OpenStore reads the key file. A file that is not there means no keys yet; one that does not parse is an error.
func OpenStore(path string, log *slog.Logger) (*Store, error) {
	s := &Store{path: path, log: log}
	s.entries.Store(&map[[sha256.Size]byte]entry{})
	if err := s.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// load reads the file and puts it in force. What the file looked like is noted before it is read: a change in between
// is noticed by the next look.
func (s *Store) load() error {
	seen, err := stampOf(s.path)
	s.seen = seen
	if err != nil {
		return err
	}
	f, err := Read(s.path)
	if err != nil {
		return err
	}
	active := map[string]bool{}
	for _, a := range f.Accounts {
		active[a.ID] = a.Active
	}
	entries := make(map[[sha256.Size]byte]entry, len(f.Keys))
	for _, k := range f.Keys {
		var hash [sha256.Size]byte
		if _, err := hex.Decode(hash[:], []byte(k.Hash)); err != nil {
			return err
		}
		entries[hash] = entry{
			account: k.Account,
			status:  k.Status,
			expires: k.ExpiresAt,
			active:  active[k.Account],
			allowed: slices.Contains(k.Scopes, ScopeRead),
		}
	}
	s.entries.Store(&entries)
	return nil
}

// Watch reloads the file when it changes, within a second, until the context ends. A file that does not parse, or that
// vanishes, leaves the last good state in force.
func (s *Store) Watch(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.poll()
		}
	}
}

// poll looks at the file once and reloads it when it is another than the one that was read.
func (s *Store) poll() {
	if now, _ := stampOf(s.path); now == s.seen {
		return // the same file, or still none
	}
	if err := s.load(); err != nil {
		s.failures.Add(1)
		s.log.Error("the key file cannot be read; the keys read before stay in force", "error", err)
		return
	}
	s.log.Info("key file read", "keys", len(*s.entries.Load()))
}

// A stamp tells whether the file is the one it was. Its time is that of the last change of content, mode or name: the
// time of modification can be set back by copying tools, and does not move when a mode is mended.
type stamp struct {
	device, inode uint64
	size          int64
	seconds       int64
	nanoseconds   int64
}

// stampOf returns the stamp of the file at a path, links followed, and the zero stamp with the error when there is none.
func stampOf(path string) (stamp, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return stamp{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	// The types of these fields differ between systems.
	return stamp{uint64(st.Dev), uint64(st.Ino), st.Size, int64(st.Ctim.Sec), int64(st.Ctim.Nsec)}, nil //nolint:unconvert
}

// Authorize returns the id of the account that the Authorization header's key belongs to, or why it is refused: one
// of the errors above. The key is looked up by its hash, so the time that takes tells nothing about the key.
func (s *Store) Authorize(header string, now time.Time) (account string, err error) {
	scheme, key, _ := strings.Cut(header, " ")
	key = strings.TrimLeft(key, " ")
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return "", ErrInvalid
	}
	e, ok := (*s.entries.Load())[sha256.Sum256([]byte(key))]
	switch {
	case !ok:
		return "", ErrInvalid
	case e.status == Revoked:
		return "", ErrRevoked
	case e.expires != nil && !now.Before(*e.expires):
		return "", ErrExpired
	case e.status == Paused:
		return "", ErrPaused
	case !e.active:
		return "", ErrInactive
	case !e.allowed:
		return "", ErrNotAllowed
	}
	return e.account, nil
}

// ReloadFailures counts the times that the file could not be read again.
func (s *Store) ReloadFailures() int64 { return s.failures.Load() }
