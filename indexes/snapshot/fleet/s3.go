package fleet

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	amazon   = "https://s3.amazonaws.com" // minio-go finds the region's own
	putTries = 3                          // of one part of an upload

	roleTimeout = 2 * time.Second // of one request to the platform
	noRoleFor   = time.Minute
)

// An s3Store is a bucket, or what is under a prefix in it, at AWS or at a server of its kind. Reads are tried
// once, since who follows a store asks again, and so is a Swap: one that is repeated after a lost answer
// would find its own work, and call it somebody else's.
type s3Store struct {
	address string // for people
	bucket  string
	prefix  string // of the names, "" or with a slash at its end
	once    *minio.Core
	again   *minio.Client // for what may be repeated
	creds   *credentials.Credentials
}

func newS3Store(u *url.URL, o Options) (*s3Store, error) {
	if u.User != nil {
		return nil, fmt.Errorf("%s: expected no user or password: credentials of S3 come from the environment, such as "+
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, from ~/.aws or from the machine's role", shown(u))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("%s: what follows the ? is malformed", shown(u))
	}
	for name, values := range query {
		if name != "endpoint" && name != "region" || len(values) > 1 {
			return nil, fmt.Errorf("%s: expected endpoint and region behind the ?, each once, got %.40q", shown(u), name)
		}
	}
	s := &s3Store{bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	s.address = strings.TrimRight(shown(&url.URL{Scheme: u.Scheme, Host: s.bucket, Path: "/" + s.prefix}), "/")
	if s.prefix != "" {
		s.prefix += "/"
	}
	endpoint, err := url.Parse(cmp.Or(query.Get("endpoint"), amazon))
	switch {
	case s.bucket == "":
		return nil, errors.New("s3://: expected a bucket, as in s3://bucket/prefix")
	case err != nil || endpoint.Host == "" || endpoint.User != nil || strings.Trim(endpoint.Path, "/") != "" ||
		endpoint.RawQuery != "":
		return nil, fmt.Errorf("%s: expected an endpoint such as https://host:9000", s.address)
	}
	endpoint.Path, endpoint.RawPath = "", ""
	if err := allowPlain(endpoint, o); err != nil {
		return nil, fmt.Errorf("%s: %w", s.address, err)
	}
	if query.Has("endpoint") {
		s.address += "?endpoint=" + shown(endpoint)
	}
	s.creds = cmp.Or(o.creds, usualCredentials())
	options := minio.Options{
		Creds: s.creds, Secure: endpoint.Scheme == "https", Region: query.Get("region"),
		Transport: newTransport(o.stall, nil), MaxRetries: putTries,
	}
	if s.again, err = minio.New(endpoint.Host, &options); err != nil {
		return nil, fmt.Errorf("%s: %w", s.address, err)
	}
	options.MaxRetries = 1
	s.once, err = minio.NewCore(endpoint.Host, &options)
	return s, err
}

func (s *s3Store) String() string { return s.address }

func (s *s3Store) Open(ctx context.Context, name string, r Range) (*Object, error) {
	var options minio.GetObjectOptions
	_ = options.SetMatchETagExcept(r.Tag) // fails for no tag, and sets nothing
	if r.At > 0 {
		_ = options.SetRange(r.At, 0) // fails for negative numbers alone
	}
	body, info, header, err := s.once.GetObject(ctx, s.bucket, s.prefix+name, options)
	if err != nil {
		return nil, s.explain(name, err)
	}
	if err := begin(body, header, r.At); err != nil {
		_ = body.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Object{body, info.ETag}, nil
}

func (s *s3Store) Size(ctx context.Context, name string) (int64, error) {
	info, err := s.again.StatObject(ctx, s.bucket, s.prefix+name, minio.StatObjectOptions{})
	return info.Size, s.explain(name, err)
}

// Put sends a larger file in parts, several at a time, straight from the file: it holds none of it in memory.
func (s *s3Store) Put(ctx context.Context, name string, file *os.File, size int64, told func(int)) error {
	options := headers(name)
	options.Progress = progress(told)
	_, err := s.again.PutObject(ctx, s.bucket, s.prefix+name, io.NewSectionReader(file, 0, size), size, options)
	return s.explain(name, err)
}

// progress is told what minio-go sends, by reads of as many bytes, of several parts at a time.
type progress func(n int)

func (p progress) Read(b []byte) (int, error) {
	p(len(b))
	return len(b), nil
}

// headers returns what an object is stored with: caches may keep what is named after its content for good,
// and nothing else.
func headers(name string) minio.PutObjectOptions {
	options := minio.PutObjectOptions{ContentType: "application/json", CacheControl: "no-cache"}
	if strings.HasSuffix(name, ".snapshot") || strings.HasSuffix(name, ".patch") {
		options.ContentType, options.CacheControl = "application/octet-stream", "public, max-age=31536000, immutable"
	}
	return options
}

func (s *s3Store) Swap(ctx context.Context, name string, b []byte, tag string) (string, error) {
	options := headers(name)
	if tag == "" {
		options.SetMatchETagExcept("*")
	} else {
		options.SetMatchETag(tag)
	}
	info, err := s.once.Client.PutObject(ctx, s.bucket, s.prefix+name, bytes.NewReader(b), int64(len(b)), options)
	if said := (minio.ErrorResponse{}); errors.As(err, &said) && said.StatusCode == http.StatusNotImplemented {
		return "", errUnconditional
	}
	err = s.explain(name, err)
	if tag != "" && errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrChanged, err)
	}
	return info.ETag, err
}

// probePrefix begins the names of the objects that Probe writes, which a publisher that died leaves behind.
const probePrefix = ".probe-"

// errUnconditional is what Probe is for.
var errUnconditional = errors.New("the server does not hold conditional writes, " +
	"so two publishers could overwrite each other: use AWS, MinIO, R2 or another that does")

// Probe writes an object of its own under conditions that hold and under others that do not.
func (s *s3Store) Probe(ctx context.Context) error {
	name := probePrefix + rand.Text()
	tag, err := s.Swap(ctx, name, []byte("1"), "")
	if err != nil {
		return err
	}
	for _, condition := range []string{"", strings.Repeat("0", len(tag)), tag} {
		_, err = s.Swap(ctx, name, []byte("2"), condition)
		if held := err == nil; held || errors.Is(err, ErrChanged) {
			err = nil
			if held != (condition == tag) {
				err = errUnconditional
			}
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, s.Remove(ctx, name))
}

// Names leaves out what lies deeper than the prefix. Ages are by this machine's clock: a store refuses a
// request of one whose clock is a quarter of an hour off.
func (s *s3Store) Names(ctx context.Context) ([]Named, error) {
	var names []Named
	for info := range s.again.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix}) {
		if info.Err != nil {
			return nil, s.explain("the list of objects", info.Err)
		}
		if name := strings.TrimPrefix(info.Key, s.prefix); name != "" && !strings.HasSuffix(name, "/") {
			names = append(names, Named{name, time.Since(info.LastModified)})
		}
	}
	return names, nil
}

func (s *s3Store) Remove(ctx context.Context, name string) error {
	err := s.explain(name, s.again.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// explain says what an answer that is an error means for an object.
func (s *s3Store) explain(name string, err error) error {
	if detail := (*url.Error)(nil); errors.As(err, &detail) {
		return detail.Err // without the address, which callers put before it
	}
	var said minio.ErrorResponse
	if !errors.As(err, &said) {
		return err
	}
	switch {
	case said.StatusCode == http.StatusNotModified:
		return ErrUnchanged
	case said.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return errEnded
	case said.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s: there is no bucket %q", name, s.bucket)
	case said.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: %w: there is no such object", name, ErrNotFound)
	case said.StatusCode == http.StatusPreconditionFailed, said.StatusCode == http.StatusConflict:
		return fmt.Errorf("%s: %w", name, ErrChanged)
	}
	hint := ""
	if who, fault := s.creds.GetWithContext(nil); fault == nil && who.SignerType == credentials.SignatureAnonymous {
		hint = " (asked without credentials: none are in the environment, in ~/.aws or in a role of this machine)"
	}
	return fmt.Errorf("%s: the server answers %d: %.300q%s", name, said.StatusCode, said.Error(), hint)
}

// usualCredentials are those of S3, where its users keep them: in the environment, in ~/.aws, or a role of
// the machine, the task or the pod. Who has none asks without, which a public bucket allows.
func usualCredentials() *credentials.Credentials {
	client := &http.Client{Timeout: roleTimeout, Transport: newTransport(roleTimeout, nil)}
	role := &role{IAM: credentials.IAM{Client: client}}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, role,
	})
}

// A role is what the platform allows a machine, a task or a pod. That there is none is remembered for a
// while, since asking takes seconds where nobody answers.
type role struct {
	credentials.IAM
	found  bool
	missed time.Time
	err    error
}

// RetrieveWithCredContext is never called twice at a time.
func (r *role) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	if !r.found && time.Since(r.missed) < noRoleFor {
		return credentials.Value{}, r.err
	}
	value, err := r.IAM.RetrieveWithCredContext(c)
	r.found, r.missed, r.err = r.found || err == nil, time.Now(), err
	return value, err
}

func (r *role) Retrieve() (credentials.Value, error) { return r.RetrieveWithCredContext(nil) }
