package keys

import "time"

// ScopeRead allows reading materials.
const ScopeRead = "materials:read"

// File is the content of a key file.
type File struct {
	Accounts []Account `json:"accounts"`
	Keys     []Key     `json:"keys"`
}

// Account is who owns keys, and whom the rate limits count.
type Account struct {
	ID     string `json:"id"` // UUID
	Name   string `json:"name"`
	Active bool   `json:"active"`
}

// Key is one API key without its secret.
type Key struct {
	ID        string     `json:"id"`      // short public name of the key, for the command line
	Account   string     `json:"account"` // the account's id
	Hash      string     `json:"hash"`    // SHA-256 of the key, hex
	Scopes    []string   `json:"scopes"`
	Status    Status     `json:"status"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"` // the first moment at which the key is expired
}

// Status of a key.
type Status string

// The states of a key. Revoked is final.
const (
	Active  Status = "active"
	Paused  Status = "paused"
	Revoked Status = "revoked"
)

// Update reads the key file, lets change alter it and writes it back atomically with mode 0600, under a lock that
// keeps other updates out. A file that is not there counts as empty.
func Update(path string, change func(*File) error) error { panic("unwritten") }

// Read reads the key file.
func Read(path string) (*File, error) { panic("unwritten") }

// Create adds a key for the account of that name, which is made when it is not there, and returns the key, which is
// stored nowhere.
func (f *File) Create(account string, scopes []string, expires *time.Time, now time.Time) (secret string, k Key, err error) {
	panic("unwritten")
}

// SetStatus pauses, resumes or revokes a key.
func (f *File) SetStatus(id string, s Status) error { panic("unwritten") }

// SetActive enables or disables the account of a name.
func (f *File) SetActive(account string, active bool) error { panic("unwritten") }

// ParseExpiry reads a date, which means its end in UTC, or an RFC 3339 date-time, not in the past.
func ParseExpiry(text string, now time.Time) (time.Time, error) { panic("unwritten") }
