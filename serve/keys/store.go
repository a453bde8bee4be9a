package keys

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// What Authorize answers when it refuses, in the order in which it asks.
var (
	ErrInvalid    = errors.New("the API key is missing, malformed or unknown")
	ErrRevoked    = errors.New("the API key is revoked")
	ErrExpired    = errors.New("the API key has expired")
	ErrPaused     = errors.New("the API key is paused")
	ErrInactive   = errors.New("the account that owns the API key is disabled")
	ErrNotAllowed = errors.New("the API key does not have the scope materials:read")
)

// A Store holds the keys of a file in memory and follows the file.
type Store struct{ unexported int }

// OpenStore reads the key file. A file that is not there means no keys yet; one that does not parse is an error.
func OpenStore(path string, log *slog.Logger) (*Store, error) { panic("unwritten") }

// Watch reloads the file when it changes, within a second, until the context ends. A file that does not parse leaves
// the last good state in force.
func (s *Store) Watch(ctx context.Context) { panic("unwritten") }

// Authorize returns the id of the account that the Authorization header's key belongs to.
func (s *Store) Authorize(header string, now time.Time) (account string, err error) {
	panic("unwritten")
}

// ReloadFailures counts the times that the file could not be read again.
func (s *Store) ReloadFailures() int64 { panic("unwritten") }
