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

// ScopeRead is the scope for reading materials.
const ScopeRead = "materials:read"

// A key is a prefix, which secret scanners recognise, plus 256 random bits in base64url without padding.
const (
	secretPrefix = "sab_"
	secretBytes  = 32
)

// maxFileSize is the maximum size of a key file, enough for about 50,000 keys.
const maxFileSize = 16 << 20

// File is the content of a key file. Accounts and keys are in order of creation.
type File struct {
	Store    string    `json:"store,omitempty"` // name of the store from which servers download the file, or ""
	Accounts []Account `json:"accounts"`
	Keys     []Key     `json:"keys"`
}

// Account is an owner of keys. The rate limits count requests by account.
type Account struct {
	ID     string `json:"id"` // UUID
	Name   string `json:"name"`
	Active bool   `json:"active"`
}

// Key describes an API key. It does not contain the secret.
type Key struct {
	ID        string     `json:"id"`      // short public name of the key, for the command line
	Account   string     `json:"account"` // id of the account
	Hash      string     `json:"hash"`    // SHA-256 of the key, 64 hex digits
	Scopes    []string   `json:"scopes"`
	Status    Status     `json:"status"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"` // first moment at which the key is expired; null: never
}

// Status is the status of a key.
type Status string

// States of a key. Revoked is final.
const (
	Active  Status = "active"
	Paused  Status = "paused"
	Revoked Status = "revoked"
)

// Read reads and checks a key file. If the file is missing, the error wraps fs.ErrNotExist.
func Read(path string) (*File, error) {
	b, err := statefile.Read(path, maxFileSize)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	return Parse(path, b)
}

// Parse parses and checks the content of a key file. The path is only for error messages.
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
		return nil, fmt.Errorf("key file %s: text after the JSON object", path)
	}
	if name := duplicate(gjson.ParseBytes(b)); name != "" {
		return nil, fmt.Errorf("key file %s: duplicate member %q in an object", path, name)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	return f, nil
}

// duplicate returns the name of a member that occurs twice in an object, or "". The second member would
// replace the first one, which may have been added to revoke a key.
func duplicate(v gjson.Result) (name string) {
	var names []string
	v.ForEach(func(key, value gjson.Result) bool {
		if member := key.String(); v.IsObject() {
			// encoding/json ignores case too
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, member) }) {
				name = member
				return false
			}
			names = append(names, member)
		}
		if value.Type == gjson.JSON {
			name = duplicate(value)
		}
		return name == ""
	})
	return name
}

func (f *File) check() error {
	// null, or an object without these arrays, is probably another file, which must not revoke all keys
	if f.Accounts == nil || f.Keys == nil {
		return errors.New("missing array accounts or keys (an array can be empty)")
	}
	var faults []error
	want := func(valid bool, format string, args ...any) {
		if !valid {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	type values map[string]bool
	isUnique := func(seen values, v string) bool { // false for "", and it adds v to seen
		known := seen[v]
		seen[v] = true
		return v != "" && !known
	}
	accounts, names, ids, hashes := values{}, values{}, values{}, values{}
	for i, a := range f.Accounts {
		want(isUnique(accounts, a.ID), "accounts[%d].id: expected a unique id, got %q", i, a.ID)
		want(isUnique(names, a.Name), "accounts[%d].name: expected a unique name, got %q", i, a.Name)
	}
	for i, k := range f.Keys {
		want(isUnique(ids, k.ID), "keys[%d].id: expected a unique id, got %q", i, k.ID)
		want(accounts[k.Account], "keys[%d].account: unknown account %q", i, k.Account)
		b, err := hex.DecodeString(k.Hash)
		isHash := err == nil && len(b) == sha256.Size
		want(isHash, "keys[%d].hash: expected %d hex digits", i, 2*sha256.Size)
		// If a key could occur twice, revoking one of the entries would not revoke the other.
		want(!isHash || isUnique(hashes, string(b)), "keys[%d].hash: duplicate key", i)
		want(k.Status == Active || k.Status == Paused || k.Status == Revoked,
			"keys[%d].status: expected active, paused or revoked, got %q", i, k.Status)
	}
	return errors.Join(faults...)
}

// CheckScopes refuses unknown scopes: no operation would accept a key that has only unknown scopes.
func CheckScopes(scopes []string) error {
	for _, scope := range scopes {
		if scope != ScopeRead {
			return fmt.Errorf("unknown scope %q: the only scope is %s", scope, ScopeRead)
		}
	}
	return nil
}

// Create adds a key for the account with the given name. If there is no such account, Create adds it. The new
// key is the last one in Keys. Create returns the secret of the key, which is not stored.
func (f *File) Create(account string, scopes []string, expires *time.Time, now time.Time) (secret string, err error) {
	if strings.TrimSpace(account) == "" {
		return "", errors.New("missing name of the account")
	}
	owner := f.account(account)
	if owner < 0 {
		owner = len(f.Accounts)
		f.Accounts = append(f.Accounts, Account{ID: uuid.NewString(), Name: account, Active: true})
	}
	random := make([]byte, secretBytes)
	rand.Read(random) // never fails: without random numbers, crypto/rand ends the process
	secret = secretPrefix + base64.RawURLEncoding.EncodeToString(random)
	hash := sha256.Sum256([]byte(secret))
	f.Keys = append(f.Keys, Key{
		ID:        f.freeID(),
		Account:   f.Accounts[owner].ID,
		Hash:      hex.EncodeToString(hash[:]),
		Scopes:    slices.Clone(scopes),
		Status:    Active,
		CreatedAt: now.UTC().Truncate(time.Second),
		ExpiresAt: expires,
	})
	return secret, nil
}

func (f *File) freeID() string {
	for {
		random := make([]byte, 4)
		rand.Read(random)
		id := "key-" + hex.EncodeToString(random)
		if f.key(id) < 0 {
			return id
		}
	}
}

// key returns the index of a key, or -1.
func (f *File) key(id string) int {
	return slices.IndexFunc(f.Keys, func(k Key) bool { return k.ID == id })
}

// account returns the index of an account, or -1.
func (f *File) account(name string) int {
	return slices.IndexFunc(f.Accounts, func(a Account) bool { return a.Name == name })
}

// SetStatus pauses, resumes or revokes a key. It returns an error if a revoked key would change its status.
func (f *File) SetStatus(id string, s Status) error {
	i := f.key(id)
	if i < 0 {
		return fmt.Errorf("unknown key %q", id)
	}
	if f.Keys[i].Status == Revoked && s != Revoked {
		return fmt.Errorf("key %s is revoked permanently: create a new key", id)
	}
	f.Keys[i].Status = s
	return nil
}

// SetActive enables or disables the account with the given name.
func (f *File) SetActive(account string, active bool) error {
	i := f.account(account)
	if i < 0 {
		return fmt.Errorf("unknown account %q", account)
	}
	f.Accounts[i].Active = active
	return nil
}

// ParseExpiry parses the expiry of a key: a date, which includes the entire day in UTC, or an RFC 3339
// date-time. It returns the first moment at which the key is expired, in UTC, or an error if that moment is
// in the past.
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
