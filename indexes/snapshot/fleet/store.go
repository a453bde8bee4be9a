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
	// ErrNotFound says that a store has no object of that name.
	ErrNotFound = errors.New("not found")
	// ErrUnchanged says that an object is still the one that the caller has.
	ErrUnchanged = errors.New("unchanged")
	// ErrChanged says that an object is no longer the one that the caller has read: somebody else has replaced
	// it.
	ErrChanged = errors.New("replaced by somebody else meanwhile")
)

// A Source is where generations are read from: objects by name, under one prefix. All methods are safe for
// concurrent use, and none waits longer for a silent server than its context or stallTimeout allows.
type Source interface {
	// Open opens an object. It returns ErrNotFound when there is none, and ErrUnchanged as Range says. Errors do
	// not repeat the address, which callers add.
	Open(ctx context.Context, name string, r Range) (*Object, error)
	// String is the address, without anything secret.
	String() string
}

// A Range says what is wanted of an object. The zero value wants all of it.
type Range struct {
	Tag string // that of a version which the caller has: ErrUnchanged when it is still the one; "": none
	At  int64  // the first byte that is wanted; an object that ends there or before is empty, or errEnded
}

// An Object is one that was opened. Its Body is to be closed.
type Object struct {
	Body io.ReadCloser
	Tag  string // of this version; another version has another
}

// A Store is a Source that can be written to.
type Store interface {
	Source
	// Probe returns an error when the store cannot be written to, or does not hold what Swap promises.
	Probe(ctx context.Context) error
	// Size returns the length of an object, ErrNotFound when there is none.
	Size(ctx context.Context, name string) (int64, error)
	// Put stores a file, whole or not at all, and tells of bytes that it has sent, several parts at a time,
	// and of a part that is sent again once more.
	Put(ctx context.Context, name string, file *os.File, size int64, told func(n int)) error
	// Swap replaces a small object as long as it is the version of that tag, "" for none, and returns the new
	// tag, or ErrChanged when it is not. Of several at a time one succeeds.
	Swap(ctx context.Context, name string, b []byte, tag string) (string, error)
	// Names returns the names of all objects under the prefix, in order.
	Names(ctx context.Context) ([]Named, error)
	// Remove removes an object. That there is none is no error.
	Remove(ctx context.Context, name string) error
}

// A Named is an object of a store.
type Named struct {
	Name string
	Age  time.Duration // by the store's own clock
}

// Options of an address.
type Options struct {
	Insecure bool // allow http:// to other machines too

	// Of tests.
	stall time.Duration            // instead of the constant stallTimeout
	creds *credentials.Credentials // instead of the usual ones
}

// OpenSource returns the source at an address: s3://bucket/prefix?endpoint=https://host, https://host/prefix,
// or file:///folder. It connects to nothing yet. The error is about the address, and repeats nothing of it
// that may be secret.
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
	return nil, fmt.Errorf("%q: expected an address that begins with s3://, https:// or file://", shown(u))
}

// OpenStore is OpenSource for an address that is to be written to.
func OpenStore(address string, o Options) (Store, error) {
	from, err := OpenSource(address, o)
	if err != nil {
		return nil, err
	}
	to, ok := from.(Store)
	if !ok {
		return nil, fmt.Errorf("%s can be read, but not written to: publish to the s3:// or file:// address behind it", from)
	}
	return to, nil
}

// OpenObject returns the source that an object lies in, and its name there.
func OpenObject(address string, o Options) (from Source, name string, err error) {
	u, err := parseAddress(address)
	if err != nil {
		return nil, "", err
	}
	dir, name := path.Split(u.Path)
	if name == "" {
		return nil, "", fmt.Errorf("%s: expected the address of a file", shown(u))
	}
	u.Path, u.RawPath = dir, ""
	from, err = openSource(u, o)
	return from, name, err
}

// IsAddress reports whether a text is meant as the address of a store, and not as the path of a folder.
func IsAddress(text string) bool { return strings.Contains(text, "://") }

func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil { // what url.Parse says repeats the address, which may hold a password
		return nil, errors.New("expected an address such as s3://bucket/prefix, https://host/prefix or file:///folder")
	}
	if u.Fragment != "" {
		return nil, fmt.Errorf("%q: expected no # in an address; %%23 stands for one in a name", shown(u))
	}
	return u, nil
}

// shown returns an address without what may be secret in it: user, password and query.
func shown(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// allowPlain refuses an address that is none of a web server, and http to another machine unless that is
// allowed.
func allowPlain(u *url.URL, o Options) error {
	host := strings.ToLower(u.Hostname())
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%q: expected https:// and a host", shown(u))
	case u.Scheme == "https", o.Insecure, isLocalName(host), err == nil && ip.IsLoopback():
		return nil
	}
	return fmt.Errorf("http://%s is not encrypted: expected https://, or that it is allowed by --insecure", u.Host)
}
