package fleet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// maxRedirects is the maximum number of redirects for one object.
const maxRedirects = 10

// A webSource reads from a web server, such as a static host or a CDN, with GET requests. It sends the user
// and the password in its address as basic authentication. It sends the query, which may be a signature, with
// every request. Error messages contain none of them.
//
// The tag of an object is its ETag. If an object has no ETag, it is downloaded at each poll.
type webSource struct {
	base   *url.URL
	user   *url.Userinfo // nil if the address contains none
	client *http.Client
}

func newWebSource(u *url.URL, o Options) (*webSource, error) {
	if err := checkWebAddress(u, o); err != nil {
		return nil, err
	}
	base := *u
	base.User = nil
	return &webSource{base: &base, user: u.User, client: &http.Client{
		Transport:     newTransport(o.stall, refuseLocal(&base)),
		CheckRedirect: func(to *http.Request, before []*http.Request) error { return checkRedirect(to, before, o) },
	}}, nil
}

// checkRedirect returns an error if a redirect leads from https to http, to a local address other than the
// store's, or to an address that checkWebAddress refuses. It removes the credentials if the scheme, the host
// or the port changes.
func checkRedirect(to *http.Request, before []*http.Request, o Options) error {
	to.Header.Del("Referer") // the Referer header contains the query
	store, last := before[0].URL, before[len(before)-1].URL
	sameHost := hostPort(to.URL) == hostPort(store)
	if to.URL.Scheme != store.Scheme || !sameHost {
		to.Header.Del("Authorization")
	}
	ip, err := netip.ParseAddr(to.URL.Hostname())
	switch {
	case len(before) == maxRedirects:
		return fmt.Errorf("redirected %d times", maxRedirects)
	case last.Scheme == "https" && to.URL.Scheme == "http":
		return fmt.Errorf("redirected from https to http://%s, which is not encrypted", to.URL.Host)
	case !sameHost && (isLocalName(to.URL.Hostname()) || err == nil && isLocal(ip)):
		return fmt.Errorf("redirected to %s: %w", to.URL.Host, errLocal)
	}
	return checkWebAddress(to.URL, o)
}

func (s *webSource) String() string { return strings.TrimRight(redacted(s.base), "/") }

func (s *webSource) Open(ctx context.Context, name string, r ReadOptions) (*Object, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(url.PathEscape(name)).String(), nil)
	if err != nil {
		return nil, err
	}
	if s.user != nil {
		password, _ := s.user.Password()
		request.SetBasicAuth(s.user.Username(), password)
	}
	request.Header.Set("Accept-Encoding", "identity")
	if r.Tag != "" {
		request.Header.Set("If-None-Match", r.Tag)
	}
	if r.At > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", r.At))
	}
	response, err := s.client.Do(request)
	if detail := (*url.Error)(nil); errors.As(err, &detail) {
		err = detail.Err // does not contain the address, whose query may be secret
	}
	if err != nil {
		return nil, err
	}
	if err = checkStatus(response.StatusCode, r); err == nil {
		err = skipTo(response.Body, response.Header, r.At)
	}
	if err != nil {
		_ = response.Body.Close()
		if !errors.Is(err, ErrUnchanged) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return nil, err
	}
	return &Object{response.Body, response.Header.Get("ETag")}, nil
}

func checkStatus(status int, r ReadOptions) error {
	switch {
	case status == http.StatusOK, status == http.StatusPartialContent && r.At > 0:
		return nil
	case status == http.StatusNotModified && r.Tag != "":
		return ErrUnchanged
	case status == http.StatusNotFound, status == http.StatusGone:
		return ErrNotFound
	case status == http.StatusRequestedRangeNotSatisfiable && r.At > 0:
		return errPastEnd
	}
	return fmt.Errorf("the server responded with status %d %s", status, http.StatusText(status))
}
