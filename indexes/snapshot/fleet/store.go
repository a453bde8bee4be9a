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
	// ErrNotFound is returned when a store does not have an object.
	ErrNotFound = errors.New("not found")
	// ErrUnchanged is returned when the caller already has the current version of an object.
	ErrUnchanged = errors.New("unchanged")
	// ErrChanged is returned when another process has replaced an object since the caller read it.
	ErrChanged = errors.New("another process has replaced the object in the meantime")
)

// A Source provides generations. It contains named objects under one prefix. All methods are safe for
// concurrent use. They wait for a silent server at most until the context ends or stallTimeout has passed.
type Source interface {
	// Open opens an object. It returns ErrNotFound when there is none, and ErrUnchanged as described for
	// Range. Errors do not contain the address, which callers add.
	Open(ctx context.Context, name string, r Range) (*Object, error)
	// String returns the address without secrets.
	String() string
}

// A Range is the requested part of an object. The zero value requests the whole object.
type Range struct {
	Tag string // tag of the version that the caller has, for which Open returns ErrUnchanged; "" for none
	At  int64  // first requested byte; after the end of the object, the body is empty or Open returns errPastEnd
}

// An Object is an open object. The caller must close its Body.
type Object struct {
	Body io.ReadCloser
	Tag  string // identifies the version of the object
}

// A Store is a Source that can be written to.
type Store interface {
	Source
	// Probe returns an error when the store cannot be written to, or does not support the conditions of Swap.
	Probe(ctx context.Context) error
	// Size returns the size of an object in bytes. It returns ErrNotFound when there is none.
	Size(ctx context.Context, name string) (int64, error)
	// Put stores a file, completely or not at all. It calls progress with numbers of sent bytes, from several
	// goroutines. A part that is sent again is reported again.
	Put(ctx context.Context, name string, file *os.File, size int64, progress func(n int)) error
	// Swap replaces a small object if its current version has the tag, and returns the new tag. The tag ""
	// means that there must be no object. Otherwise Swap returns ErrChanged. One of several concurrent calls
	// succeeds.
	Swap(ctx context.Context, name string, b []byte, tag string) (string, error)
	// Names returns the names of all objects under the prefix, sorted.
	Names(ctx context.Context) ([]Named, error)
	// Remove removes an object. It returns nil when there is none.
	Remove(ctx context.Context, name string) error
}

// A Named is an object of a store.
type Named struct {
	Name string
	Age  time.Duration // according to the clock of the store
}

// Options for an address.
type Options struct {
	Insecure bool // allow http:// to other machines

	// For tests.
	stall time.Duration            // replaces stallTimeout
	creds *credentials.Credentials // replaces defaultCredentials
}

// OpenSource returns the source at an address: s3://bucket/prefix?endpoint=https://host, https://host/prefix,
// or file:///folder. It does not connect to it. Its error reports an invalid address, without secrets.
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

// OpenStore returns the store at an address, as OpenSource does, or an error if it cannot be written to.
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

// OpenObject returns the source and the name of the object at an address.
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

// IsAddress reports whether text is the address of a store, and not the path of a folder.
func IsAddress(text string) bool { return strings.Contains(text, "://") }

func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil { // its text contains the address, which may contain a password
		return nil, errors.New("expected an address such as s3://bucket/prefix, https://host/prefix or file:///folder")
	}
	if u.Fragment != "" {
		return nil, fmt.Errorf("%q: an address must not contain #: write %%23 for a # in a name", redacted(u))
	}
	return u, nil
}

// redacted returns an address without the parts that may be secret: user, password and query.
func redacted(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// checkWebAddress returns an error unless u is an address of a web server. It refuses http to another machine
// unless that is allowed.
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
