package keys

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"sabine/serve/statefile"
)

// ScopeRead is the scope that reading materials needs.
const ScopeRead = "materials:read"

// A key is the prefix, by which secret scanners know it, and 256 random bits in base64url without padding.
const (
	secretPrefix = "sab_"
	secretBytes  = 32
)

// maxFileSize is the most that is read of a key file: some 50,000 keys.
const maxFileSize = 16 << 20

// File is the content of a key file. Accounts and keys stand in the order in which they were made.
type File struct {
	Store    string    `json:"store,omitempty"` // name of the store that servers fetch the file from; "" for none
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
	Hash      string     `json:"hash"`    // SHA-256 of the key, 64 hex digits
	Scopes    []string   `json:"scopes"`
	Status    Status     `json:"status"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"` // the first moment at which the key is expired; null: never
}

// Status of a key.
type Status string

// The states of a key. Revoked is final.
const (
	Active  Status = "active"
	Paused  Status = "paused"
	Revoked Status = "revoked"
)

// Read reads and checks the key file. A file that is not there is an error that is fs.ErrNotExist.
func Read(path string) (*File, error) {
	b, err := statefile.Read(path, maxFileSize)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	return Parse(path, b)
}

// Parse reads and checks the content of a key file. The path is for errors.
func Parse(path string, b []byte) (*File, error) {
	if !utf8.Valid(b) {
		return nil, fmt.Errorf("key file %s: not UTF-8", path)
	}
	f := new(File)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("key file %s: not a JSON object of accounts and keys: %w", path, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("key file %s: text behind the JSON object", path)
	}
	if name := doubled(gjson.ParseBytes(b)); name != "" {
		return nil, fmt.Errorf("key file %s: %q stands twice in an object", path, name)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	return f, nil
}

// doubled returns the name of a member that stands twice in an object, "" when there is none. Only the second
// would count: whoever has written the first, to revoke a key, would wait in vain.
func doubled(v gjson.Result) (name string) {
	var names []string
	v.ForEach(func(key, value gjson.Result) bool {
		if member := key.String(); v.IsObject() {
			// as encoding/json reads it
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, member) }) {
				name = member
				return false
			}
			names = append(names, member)
		}
		if value.Type == gjson.JSON {
			name = doubled(value)
		}
		return name == ""
	})
	return name
}

func (f *File) check() error {
	// an object without them, or null, is some other file: no reason to lock everybody out
	if f.Accounts == nil || f.Keys == nil {
		return errors.New("expected the arrays accounts and keys, which may be empty")
	}
	var faults []error
	want := func(right bool, format string, args ...any) {
		if !right {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	type values map[string]bool
	isNew := func(seen values, v string) bool {
		before := seen[v]
		seen[v] = true
		return v != "" && !before
	}
	accounts, names, ids, hashes := values{}, values{}, values{}, values{}
	for i, a := range f.Accounts {
		want(isNew(accounts, a.ID), "accounts[%d].id: expected an id of its own, got %q", i, a.ID)
		want(isNew(names, a.Name), "accounts[%d].name: expected a name of its own, got %q", i, a.Name)
	}
	for i, k := range f.Keys {
		want(isNew(ids, k.ID), "keys[%d].id: expected an id of its own, got %q", i, k.ID)
		want(accounts[k.Account], "keys[%d].account: there is no account %q", i, k.Account)
		b, err := hex.DecodeString(k.Hash)
		isHash := err == nil && len(b) == sha256.Size
		want(isHash, "keys[%d].hash: expected %d hex digits", i, 2*sha256.Size)
		// One of the two could be revoked.
		want(!isHash || isNew(hashes, string(b)), "keys[%d].hash: the same key stands twice", i)
		want(k.Status == Active || k.Status == Paused || k.Status == Revoked,
			"keys[%d].status: expected active, paused or revoked, got %q", i, k.Status)
	}
	return errors.Join(faults...)
}

// CheckScopes refuses scopes that no operation needs: a key that has only those would open nothing.
func CheckScopes(scopes []string) error {
	for _, scope := range scopes {
		if scope != ScopeRead {
			return fmt.Errorf("there is no scope %q; the only one is %s", scope, ScopeRead)
		}
	}
	return nil
}

// Create adds a key for the account of that name, which is made when it is not there, and returns the key
// itself, which is stored nowhere.
func (f *File) Create(account string, scopes []string, expires *time.Time, now time.Time) (secret string, k Key,
	err error) {
	if strings.TrimSpace(account) == "" {
		return "", Key{}, errors.New("an account needs a name")
	}
	owner := f.account(account)
	if owner == nil {
		f.Accounts = append(f.Accounts, Account{ID: uuid.NewString(), Name: account, Active: true})
		owner = &f.Accounts[len(f.Accounts)-1]
	}
	random := make([]byte, secretBytes)
	rand.Read(random) // never fails: crypto/rand ends the process when the system has no randomness
	secret = secretPrefix + base64.RawURLEncoding.EncodeToString(random)
	hash := sha256.Sum256([]byte(secret))
	k = Key{
		ID:        f.freeID(),
		Account:   owner.ID,
		Hash:      hex.EncodeToString(hash[:]),
		Scopes:    slices.Clone(scopes),
		Status:    Active,
		CreatedAt: now.UTC().Truncate(time.Second),
		ExpiresAt: expires,
	}
	f.Keys = append(f.Keys, k)
	return secret, k, nil
}

func (f *File) freeID() string {
	for {
		random := make([]byte, 4)
		rand.Read(random)
		id := "key-" + hex.EncodeToString(random)
		if f.key(id) == nil {
			return id
		}
	}
}

func (f *File) key(id string) *Key { return find(f.Keys, func(k *Key) bool { return k.ID == id }) }

func (f *File) account(name string) *Account {
	return find(f.Accounts, func(a *Account) bool { return a.Name == name })
}

func find[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// SetStatus pauses, resumes or revokes a key. A revoked key stays revoked: any other status is an error.
func (f *File) SetStatus(id string, s Status) error {
	k := f.key(id)
	if k == nil {
		return fmt.Errorf("there is no key %q", id)
	}
	if k.Status == Revoked && s != Revoked {
		return fmt.Errorf("key %s is revoked, and revoking is final: create a new key", id)
	}
	k.Status = s
	return nil
}

// SetActive enables or disables the account of a name.
func (f *File) SetActive(account string, active bool) error {
	a := f.account(account)
	if a == nil {
		return fmt.Errorf("there is no account %q", account)
	}
	a.Active = active
	return nil
}

// ParseExpiry reads a date, which means its end in UTC, or an RFC 3339 date-time, not in the past. It returns
// the first moment at which the key is expired, in UTC.
func ParseExpiry(text string, now time.Time) (time.Time, error) {
	expires, err := time.Parse(time.DateOnly, text)
	if err == nil {
		expires = expires.AddDate(0, 0, 1)
	} else if expires, err = time.Parse(time.RFC3339, text); err != nil {
		return time.Time{}, fmt.Errorf("%q is neither a date (2027-01-31) nor an RFC 3339 date-time (2027-01-31T12:00:00Z)",
			text)
	}
	if !expires.After(now) {
		return time.Time{}, fmt.Errorf("%q is in the past", text)
	}
	return expires.UTC(), nil
}
