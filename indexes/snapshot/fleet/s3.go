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
	defaultEndpoint = "https://s3.amazonaws.com" // minio-go replaces it with the endpoint of the region
	maxPutTries     = 3                          // maximum number of attempts for each part of an upload

	roleTimeout    = 2 * time.Second // limit for each request to the platform
	roleRetryAfter = time.Minute
)

// An s3Store is an S3 bucket, or a prefix in it, on AWS or a compatible server. Reads are not retried, since
// a Follower polls again. A Swap is not retried either. If the response to a successful Swap were lost, the
// second attempt would report a change by another process.
type s3Store struct {
	address  string // address of the store in messages
	bucket   string
	prefix   string // prefix of the object names, either "" or ending in a slash
	core     *minio.Core
	retrying *minio.Client // client for requests that may be repeated
	creds    *credentials.Credentials
}

func newS3Store(u *url.URL, o Options) (*s3Store, error) {
	if u.User != nil {
		return nil, fmt.Errorf("%s: remove the user and password from the address; set S3 credentials in the environment, such as "+
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in ~/.aws or through a role of the machine", redacted(u))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("%s: invalid query after the ?", redacted(u))
	}
	for name, values := range query {
		if name != "endpoint" && name != "region" || len(values) > 1 {
			return nil, fmt.Errorf("%s: expected endpoint and region after the ?, each once, got %.40q", redacted(u), name)
		}
	}
	s := &s3Store{bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	s.address = strings.TrimRight(redacted(&url.URL{Scheme: u.Scheme, Host: s.bucket, Path: "/" + s.prefix}), "/")
	if s.prefix != "" {
		s.prefix += "/"
	}
	endpoint, err := url.Parse(cmp.Or(query.Get("endpoint"), defaultEndpoint))
	switch {
	case s.bucket == "":
		return nil, errors.New("s3://: missing bucket: expected an address such as s3://bucket/prefix")
	case err != nil || endpoint.Host == "" || endpoint.User != nil || strings.Trim(endpoint.Path, "/") != "" ||
		endpoint.RawQuery != "":
		return nil, fmt.Errorf("%s: expected an endpoint such as https://host:9000", s.address)
	}
	endpoint.Path, endpoint.RawPath = "", ""
	if err := checkWebAddress(endpoint, o); err != nil {
		return nil, fmt.Errorf("%s: %w", s.address, err)
	}
	if query.Has("endpoint") {
		s.address += "?endpoint=" + redacted(endpoint)
	}
	s.creds = cmp.Or(o.creds, defaultCredentials())
	options := minio.Options{
		Creds: s.creds, Secure: endpoint.Scheme == "https", Region: query.Get("region"),
		Transport: newTransport(o.stall, nil), MaxRetries: maxPutTries,
	}
	if s.retrying, err = minio.New(endpoint.Host, &options); err != nil {
		return nil, fmt.Errorf("%s: %w", s.address, err)
	}
	options.MaxRetries = 1
	s.core, err = minio.NewCore(endpoint.Host, &options)
	return s, err
}

func (s *s3Store) String() string { return s.address }

func (s *s3Store) Open(ctx context.Context, name string, r ReadOptions) (*Object, error) {
	var options minio.GetObjectOptions
	_ = options.SetMatchETagExcept(r.Tag) // has no effect if the tag is empty
	if r.At > 0 {
		_ = options.SetRange(r.At, 0) // fails only if r.At is negative
	}
	body, info, header, err := s.core.GetObject(ctx, s.bucket, s.prefix+name, options)
	if err != nil {
		return nil, s.explain(name, err)
	}
	if err := skipTo(body, header, r.At); err != nil {
		_ = body.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Object{body, info.ETag}, nil
}

func (s *s3Store) Size(ctx context.Context, name string) (int64, error) {
	info, err := s.retrying.StatObject(ctx, s.bucket, s.prefix+name, minio.StatObjectOptions{})
	return info.Size, s.explain(name, err)
}

// Put uploads a large file in several parts concurrently, without buffering them in memory.
func (s *s3Store) Put(ctx context.Context, name string, file *os.File, size int64, progress func(int)) error {
	options := uploadOptions(name)
	options.Progress = progressReader(progress)
	_, err := s.retrying.PutObject(ctx, s.bucket, s.prefix+name, io.NewSectionReader(file, 0, size), size, options)
	return s.explain(name, err)
}

// A progressReader reports upload progress. minio-go reads as many bytes from it as it has sent.
type progressReader func(n int)

func (p progressReader) Read(b []byte) (int, error) {
	p(len(b))
	return len(b), nil
}

// uploadOptions returns the content type and the cache rule of an object. Caches may store an object forever
// if its name contains a hash of its content. They must revalidate other objects.
func uploadOptions(name string) minio.PutObjectOptions {
	options := minio.PutObjectOptions{ContentType: "application/json", CacheControl: "no-cache"}
	if strings.HasSuffix(name, ".snapshot") || strings.HasSuffix(name, ".patch") {
		options.ContentType, options.CacheControl = "application/octet-stream", "public, max-age=31536000, immutable"
	}
	return options
}

func (s *s3Store) Swap(ctx context.Context, name string, b []byte, tag string) (string, error) {
	options := uploadOptions(name)
	if tag == "" {
		options.SetMatchETagExcept("*")
	} else {
		options.SetMatchETag(tag)
	}
	info, err := s.core.Client.PutObject(ctx, s.bucket, s.prefix+name, bytes.NewReader(b), int64(len(b)), options)
	if response := (minio.ErrorResponse{}); errors.As(err, &response) && response.StatusCode == http.StatusNotImplemented {
		return "", errUnconditional
	}
	err = s.explain(name, err)
	if tag != "" && errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrChanged, err)
	}
	return info.ETag, err
}

// probePrefix is the prefix of the objects that Probe writes. A crashed publisher can leave such an object.
const probePrefix = ".probe-"

// errUnconditional is returned by Probe for an unsuitable server.
var errUnconditional = errors.New("the server does not support conditional writes, " +
	"so two publishers could overwrite each other: use AWS, MinIO, R2 or another server that does")

// Probe writes a temporary object with conditions that are met and with conditions that are not met.
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

// Names omits objects whose names contain a slash after the prefix. It computes ages with the clock of this
// machine, since a store refuses requests from a machine whose clock is wrong by 15 minutes or more.
func (s *s3Store) Names(ctx context.Context) ([]Named, error) {
	var names []Named
	for info := range s.retrying.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix}) {
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
	err := s.explain(name, s.retrying.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// explain converts an error from minio-go to an error of this package.
func (s *s3Store) explain(name string, err error) error {
	if detail := (*url.Error)(nil); errors.As(err, &detail) {
		return detail.Err // does not contain the address, which callers add
	}
	var response minio.ErrorResponse
	if !errors.As(err, &response) {
		return err
	}
	switch {
	case response.StatusCode == http.StatusNotModified:
		return ErrUnchanged
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return errPastEnd
	case response.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s: the bucket %q does not exist", name, s.bucket)
	case response.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: object %w", name, ErrNotFound)
	case response.StatusCode == http.StatusPreconditionFailed, response.StatusCode == http.StatusConflict:
		return fmt.Errorf("%s: %w", name, ErrChanged)
	}
	hint := ""
	if who, fault := s.creds.GetWithContext(nil); fault == nil && who.SignerType == credentials.SignatureAnonymous {
		hint = " (no credentials were sent, because none are set in the environment, in ~/.aws or through a role of this machine)"
	}
	return fmt.Errorf("%s: the server responded with status %d: %.300q%s", name, response.StatusCode, response.Error(), hint)
}

// defaultCredentials returns S3 credentials from the environment, from ~/.aws, or from a role of the machine,
// the task or the pod. If there are none, requests are anonymous, which a public bucket allows.
func defaultCredentials() *credentials.Credentials {
	client := &http.Client{Timeout: roleTimeout, Transport: newTransport(roleTimeout, nil)}
	role := &role{IAM: credentials.IAM{Client: client}}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, role,
	})
}

// A role provides the credentials that the platform assigns to a machine, a task or a pod. If there are none,
// it caches this result for roleRetryAfter, since each request can take seconds where there is no platform.
type role struct {
	credentials.IAM
	found  bool
	missed time.Time
	err    error
}

// RetrieveWithCredContext must not be called concurrently.
func (r *role) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	if !r.found && time.Since(r.missed) < roleRetryAfter {
		return credentials.Value{}, r.err
	}
	value, err := r.IAM.RetrieveWithCredContext(c)
	r.found, r.missed, r.err = r.found || err == nil, time.Now(), err
	return value, err
}

func (r *role) Retrieve() (credentials.Value, error) { return r.RetrieveWithCredContext(nil) }
