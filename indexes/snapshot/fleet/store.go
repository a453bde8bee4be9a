package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

var (
	// ErrNotFound is returned when an object does not exist.
	ErrNotFound = errors.New("not found")
	// ErrUnchanged is returned when the caller already has the current version of an object.
	ErrUnchanged = errors.New("unchanged")
	// ErrChanged is returned when another process has replaced an object after the caller read it.
	ErrChanged = errors.New("another process has replaced the object in the meantime")
)

// A Source provides named objects under one prefix, such as generations. All methods are safe for concurrent
// use. If a server does not respond, they return when the context ends or stallTimeout has passed.
type Source interface {
	// Open opens an object. It returns ErrNotFound if the object does not exist, and ErrUnchanged if it still
	// has the tag in r. Errors do not contain the address, which callers add.
	Open(ctx context.Context, name string, r ReadOptions) (*Object, error)
	// String returns the address of the source without secrets.
	String() string
}

// ReadOptions select what Open reads. The zero value means the entire object, in any version.
type ReadOptions struct {
	Tag string // tag of the caller's version, for which Open returns ErrUnchanged; "" if the caller has none
	At  int64  // offset of the first byte; beyond the end, the body is empty or Open returns errPastEnd
}

// An Object is an open object. The caller must close its Body.
type Object struct {
	Body io.ReadCloser
	Tag  string // identifier of the object's version; "" if the source has none
}

// A Store is a Source that can also be written to.
type Store interface {
	Source
	// Probe returns an error if the store is not writable or does not support the conditions of Swap.
	Probe(ctx context.Context) error
	// Size returns the size of an object in bytes. It returns ErrNotFound if the object does not exist.
	Size(ctx context.Context, name string) (int64, error)
	// Put stores a file, completely or not at all. It calls progress, possibly from several goroutines, with
	// the number of bytes sent since the previous call. Bytes that are sent again are also counted again.
	Put(ctx context.Context, name string, file *os.File, size int64, progress func(n int)) error
	// Swap replaces a small object if the object's current tag equals tag, and returns the new tag. If tag is
	// "", the object must not exist. If the condition is not met, Swap returns ErrChanged. If several calls
	// with one tag run concurrently, only one succeeds.
	Swap(ctx context.Context, name string, b []byte, tag string) (string, error)
	// Names returns the names of all objects under the prefix, sorted.
	Names(ctx context.Context) ([]Named, error)
	// Remove removes an object. It returns nil if the object does not exist.
	Remove(ctx context.Context, name string) error
}

// A Named is the name and the age of an object in a store.
type Named struct {
	Name string
	Age  time.Duration // time since the object was written, according to the clock of this machine
}

// Options configure how an address is opened.
type Options struct {
	Insecure bool // whether http:// is allowed for other machines

	// The following fields are set by tests.
	stall time.Duration            // overrides stallTimeout
	creds *credentials.Credentials // overrides defaultCredentials
}

// OpenSource returns the source at an address: s3://bucket/prefix?endpoint=https://host, https://host/prefix,
// or file:///folder. It does not connect to it. It returns an error, without secrets, for an invalid address.
func OpenSource(address string, o Options) (Source, error) {
	u, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	return openSource(u, o)
}

func openSource(u *url.URL, o Options) (Source, error) {
	switch u.Scheme {
	case "file":
		return newFileStore(u)
	case "s3":
		return newS3Store(u, o)
	case "https", "http":
		return newWebSource(u, o)
	}
	return nil, fmt.Errorf("%q: expected an address that begins with s3://, https:// or file://", redacted(u))
}

// OpenStore is like OpenSource, but returns an error if the source is read-only.
func OpenStore(address string, o Options) (Store, error) {
	from, err := OpenSource(address, o)
	if err != nil {
		return nil, err
	}
	to, ok := from.(Store)
	if !ok {
		return nil, fmt.Errorf("%s is read-only: publish to the s3:// or file:// address that it serves", from)
	}
	return to, nil
}

// OpenObject splits the address of an object. It returns the source and the name of the object in the source.
func OpenObject(address string, o Options) (from Source, name string, err error) {
	u, err := parseAddress(address)
	if err != nil {
		return nil, "", err
	}
	dir, name := path.Split(u.Path)
	if name == "" {
		return nil, "", fmt.Errorf("%s: expected the address of a file", redacted(u))
	}
	u.Path, u.RawPath = dir, ""
	from, err = openSource(u, o)
	return from, name, err
}

// IsAddress reports whether text is the address of a store rather than the path of a folder.
func IsAddress(text string) bool { return strings.Contains(text, "://") }

func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil { // the message of err contains the address, which may contain a password
		return nil, errors.New("expected an address such as s3://bucket/prefix, https://host/prefix or file:///folder")
	}
	if u.Fragment != "" {
		return nil, fmt.Errorf("%q: an address must not contain #: write %%23 for a # in a name", redacted(u))
	}
	return u, nil
}

// redacted returns an address without the parts that may contain secrets: user, password and query.
func redacted(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// checkWebAddress returns an error unless u is a valid address of a web server. It refuses http addresses of
// other machines unless the options allow them.
func checkWebAddress(u *url.URL, o Options) error {
	host := strings.ToLower(u.Hostname())
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%q: expected https:// and a host", redacted(u))
	case u.Scheme == "https", o.Insecure, isLocalName(host), err == nil && ip.IsLoopback():
		return nil
	}
	return fmt.Errorf("http://%s is not encrypted: use https://, or allow http:// with --insecure", u.Host)
}
