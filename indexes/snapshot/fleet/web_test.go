package fleet

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sabine/internal/s3test"
)

// newWeb returns a source for a new test server.
func newWeb(t *testing.T, o Options, answer http.HandlerFunc) Source {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	from, err := OpenSource(strings.Replace(server.URL, "://", "://user:pass@", 1)+"/p?sig=hidden", o)
	if err != nil {
		t.Fatal(err)
	}
	return from
}

func TestResponsesOfAWebServer(t *testing.T) {
	t.Parallel()
	at := ReadOptions{At: 2}
	tests := []struct {
		rule   string
		ask    ReadOptions
		answer func(http.ResponseWriter)
		body   string
		err    error  // expected error, or nil
		words  string // part of the message of the expected error
	}{
		{"200 is the object", ReadOptions{}, func(w http.ResponseWriter) { _, _ = io.WriteString(w, "abc") }, "abc", nil, ""},
		{"206 continues", at, func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 2-2/3")
			w.WriteHeader(206)
			_, _ = io.WriteString(w, "c")
		}, "c", nil, ""},
		{"206 may begin earlier", at, func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 1-2/3")
			w.WriteHeader(206)
			_, _ = io.WriteString(w, "bc")
		}, "c", nil, ""},
		{"206 may not begin later", ReadOptions{At: 1}, func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 2-2/3")
			w.WriteHeader(206)
		}, "", nil, `range "bytes 2-2/3", expected a range from byte 1`},
		{"206 without a range is an error", ReadOptions{}, func(w http.ResponseWriter) { w.WriteHeader(206) }, "", nil, "status 206"},
		{"200 to a range skips bytes", at, func(w http.ResponseWriter) { _, _ = io.WriteString(w, "abc") }, "c", nil, ""},
		{"200 to a range, too short", at, func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, "a")
		}, "", nil, "got 1 bytes"},
		{"304 is unchanged", ReadOptions{Tag: `"1"`}, func(w http.ResponseWriter) { w.WriteHeader(304) }, "", ErrUnchanged, ""},
		{"304 without a tag is an error", ReadOptions{}, func(w http.ResponseWriter) { w.WriteHeader(304) }, "", nil, "status 304"},
		{"404 is not found", ReadOptions{}, func(w http.ResponseWriter) { w.WriteHeader(404) }, "", ErrNotFound, ""},
		{"410 is not found", ReadOptions{}, func(w http.ResponseWriter) { w.WriteHeader(410) }, "", ErrNotFound, ""},
		{"401 is an error", ReadOptions{}, func(w http.ResponseWriter) { w.WriteHeader(401) }, "", nil, "status 401 Unauthorized"},
		{"an encoded body is an error", ReadOptions{}, func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
		}, "", nil, `content encoding "gzip"`},
		{"a redirect to another machine needs https", ReadOptions{}, func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://192.0.2.1/x?sig=hidden")
			w.WriteHeader(302)
		}, "", nil, "http://192.0.2.1 is not encrypted"},
		{"a redirect must lead to a web server", ReadOptions{}, func(w http.ResponseWriter) {
			w.Header().Set("Location", "file:///etc/hosts")
			w.WriteHeader(302)
		}, "", nil, "expected https://"},
		{"redirects end", ReadOptions{}, func(w http.ResponseWriter) {
			w.Header().Set("Location", "/")
			w.WriteHeader(302)
		}, "", nil, "redirected 10 times"},
		{"heads end", ReadOptions{}, func(w http.ResponseWriter) {
			w.Header().Set("X", strings.Repeat("x", maxHeaderBytes))
		}, "", nil, "headers exceeded"},
	}
	for _, test := range tests {
		from := newWeb(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			if r.URL.Path == "/p/object" && (user != "user" || password != "pass" || r.URL.RawQuery != "sig=hidden") ||
				r.Header.Get("Accept-Encoding") != "identity" || r.Referer() != "" {
				t.Errorf("%s: requested %s %s with %v", test.rule, r.Method, r.URL, r.Header)
			}
			test.answer(w)
		})
		b, _, err := readObject(t.Context(), from, "object", test.ask)
		switch {
		case test.err != nil && !errors.Is(err, test.err), test.words != "" &&
			(err == nil || !strings.Contains(err.Error(), test.words)),
			test.err == nil && test.words == "" && err != nil, string(b) != test.body:
			t.Errorf("%s: got %q, %v", test.rule, b, err)
		case err != nil && (strings.Contains(err.Error(), "pass") || strings.Contains(err.Error(), "hidden")):
			t.Errorf("%s: a secret in %q", test.rule, err)
		}
	}
}

func TestTagsOfAWebServer(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{`"1"`, `W/"1"`, ""} {
		var sent string
		from := newWeb(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			sent = r.Header.Get("If-None-Match")
			w.Header().Set("ETag", tag)
			w.Header().Set("Last-Modified", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		})
		_, got, err := readObject(t.Context(), from, "object", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = readObject(t.Context(), from, "object", ReadOptions{Tag: got}); err != nil || sent != tag {
			t.Errorf("%s: sent %q, %v", tag, sent, err)
		}
	}
}

// shortStall keeps tests of silent servers short. Processes on a busy machine are not delayed as long.
const shortStall = time.Second

func TestFaultsOfTheNetworkEndAnOpen(t *testing.T) {
	t.Parallel()
	at := s3test.Start(t)
	putContent(t, openTestStore(t, at.URL("p"), Options{}), "object", content(1_000_000), nil)
	web := httptest.NewServer(http.FileServer(http.Dir(at.Dir)))
	t.Cleanup(web.Close)
	tests := []struct {
		rule  string
		fault s3test.Fault
		words string
		err   error
	}{
		{"silence", s3test.Fault{Silent: true}, "no data received for 1s", nil},
		{"a body that stalls", s3test.Fault{Stall: 1000}, "no data received for 1s", nil},
		{"a truncated body", s3test.Fault{Cut: 1000}, "", io.ErrUnexpectedEOF},
		{"a lost response", s3test.Fault{Lost: true}, "", nil},
		{"503", s3test.Fault{Status: 503}, "503", nil},
	}
	for _, front := range []struct{ kind, target string }{{"s3", at.Endpoint}, {"web", web.URL}} {
		proxy := s3test.StartProxy(t, front.target)
		address := proxy.URL + "/p"
		if front.kind == "s3" {
			address = s3test.URL(proxy.URL, "p")
		}
		from, err := OpenSource(address, Options{stall: shortStall})
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			var asked atomic.Int64
			proxy.Inject(func(r *http.Request) s3test.Fault {
				if !strings.HasSuffix(r.URL.Path, "/object") {
					return s3test.Fault{}
				}
				asked.Add(1)
				return test.fault
			})
			_, _, err := readObject(t.Context(), from, "object", ReadOptions{})
			if err == nil || !strings.Contains(err.Error(), test.words) || test.err != nil && !errors.Is(err, test.err) ||
				errors.Is(err, ErrNotFound) || errors.Is(err, ErrUnchanged) {
				t.Errorf("%s of %s: got %v", test.rule, front.kind, err)
			}
			if asked.Load() > 1 && !test.fault.Lost { // net/http may repeat the request on a reused connection
				t.Errorf("%s of %s: %d requests", test.rule, front.kind, asked.Load())
			}
			proxy.Inject(s3test.Always(s3test.Fault{Delay: shortStall / 50})) // a slow network is not an error
			if b, _, err := readObject(t.Context(), from, "object", ReadOptions{}); err != nil || len(b) != 1_000_000 {
				t.Errorf("after %s of %s: got %d bytes, %v", test.rule, front.kind, len(b), err)
			}
		}
	}
}

// A webOfHosts responds to requests to any host. It returns a redirect if redirects contains the URL, and
// otherwise the body "object".
type webOfHosts struct {
	redirects map[string]string // redirect targets by URL
	asked     []string          // requested URLs in order; " +credentials" is appended if they were sent
}

func (w *webOfHosts) RoundTrip(r *http.Request) (*http.Response, error) {
	asked, at := r.URL.String(), r.URL.String()
	if r.Header.Get("Authorization") != "" {
		asked += " +credentials"
	}
	w.asked = append(w.asked, asked)
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader("object")), Request: r}
	if to := w.redirects[at]; to != "" {
		answer.StatusCode = http.StatusFound
		answer.Header.Set("Location", to)
	}
	return answer, nil
}

func TestRedirectsOfAStore(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule    string
		store   string // address of the store, to which a user and a password are added
		hops    []string
		refused string // part of the expected error; "" if there is none
		bare    int    // number of the first request without credentials, counted from 1; 0 if there is none
	}{
		{"the same host keeps the credentials", "https://cdn.example", []string{"https://cdn.example/b"}, "", 0},
		{"the default port is the same port", "https://cdn.example", []string{"https://cdn.example:443/b"}, "", 0},
		{"another host gets none", "https://cdn.example", []string{"https://other.example/b"}, "", 1},
		{"a host below it gets none", "https://example", []string{"https://cdn.example/b"}, "", 1},
		{"another port gets none", "https://cdn.example", []string{"https://cdn.example:8443/b"}, "", 1},
		{"from http to https: another scheme and port get none", "http://127.0.0.1:1", []string{"https://cdn.example/b"}, "",
			1},
		{"from http to https on one port: another scheme gets none", "insecure http://cdn.example:8443",
			[]string{"https://cdn.example:8443/b"}, "", 1},
		{"from https to http", "https://cdn.example", []string{"http://cdn.example/b"}, "from https to http://cdn.example",
			0},
		{"from https to http, although http is allowed", "insecure https://cdn.example", []string{"http://cdn.example/b"},
			"from https to http", 0},
		{"from https to http by way of https", "insecure https://cdn.example",
			[]string{"https://b.example/b", "http://b.example/c"}, "from https to http", 1},
		{"from http to https and back", "insecure http://cdn.example", []string{"https://cdn.example/b",
			"http://cdn.example/c"}, "from https to http", 1},
		{"from https to http on this machine", "https://cdn.example", []string{"http://127.0.0.1/b"}, "from https to http",
			0},
		{"to this machine", "https://cdn.example", []string{"https://127.0.0.1/b"}, "loopback or link-local", 0},
		{"to this machine by name", "https://cdn.example", []string{"https://localhost/b"}, "loopback or link-local", 0},
		{"to this machine by a longer name", "https://cdn.example", []string{"https://a.LOCALHOST./b"},
			"loopback or link-local", 0},
		{"to this machine by IPv6", "https://cdn.example", []string{"https://[::1]/b"}, "loopback or link-local", 0},
		{"to this machine by IPv4 in IPv6", "https://cdn.example", []string{"https://[::ffff:127.0.0.1]/b"},
			"loopback or link-local", 0},
		{"to the unspecified address, which is this machine", "https://cdn.example", []string{"https://0.0.0.0/b"},
			"loopback or link-local", 0},
		{"to the metadata service of a cloud", "insecure http://cdn.example", []string{"http://169.254.169.254/b"},
			"loopback or link-local", 0},
		{"to the link by IPv6", "insecure http://cdn.example", []string{"http://[fe80::1%25eth0]/b"},
			"loopback or link-local", 0},
		{"to another port of this machine", "http://127.0.0.1:1", []string{"http://127.0.0.1:2/b"}, "loopback or link-local",
			0},
		{"a store on this machine redirects to itself", "http://127.0.0.1:1", []string{"http://127.0.0.1:1/b"}, "", 0},
	}
	for _, test := range tests {
		store, insecure := strings.CutPrefix(test.store, "insecure ")
		from, err := OpenSource(strings.Replace(store, "://", "://user:pass@", 1), Options{Insecure: insecure})
		if err != nil {
			t.Fatal(err)
		}
		web, at := &webOfHosts{redirects: map[string]string{}}, store+"/object"
		want := []string{at + " +credentials"}
		for i, hop := range test.hops {
			web.redirects[at], at = hop, hop
			if i+1 == test.bare {
				test.bare = -1
			}
			if test.bare == 0 {
				hop += " +credentials"
			}
			if test.refused == "" || i < len(test.hops)-1 {
				want = append(want, hop)
			}
		}
		from.(*webSource).client.Transport = web
		_, _, err = readObject(t.Context(), from, "object", ReadOptions{})
		if test.refused == "" && err != nil || test.refused != "" &&
			(err == nil || !strings.Contains(err.Error(), test.refused)) {
			t.Errorf("%s: got %v, want %q", test.rule, err, test.refused)
		}
		if !slices.Equal(web.asked, want) {
			t.Errorf("%s: requested %q, want %q", test.rule, web.asked, want)
		}
	}
}

func TestANameThatResolvesToThisMachine(t *testing.T) {
	t.Parallel()
	store, err := url.Parse("http://store.example:8080")
	if err != nil {
		t.Fatal(err)
	}
	guard := refuseLocal(store)
	for _, tt := range []struct {
		name, address string // host name, and an address to which it resolves
		refused       bool
	}{
		{"store.example:8080", "127.0.0.1:8080", false},
		{"Store.Example:8080", "[::1]:8080", false},
		{"store.example:9090", "127.0.0.1:9090", true},
		{"other.example:8080", "127.0.0.1:8080", true},
		{"other.example:443", "[::1]:443", true},
		{"other.example:80", "169.254.169.254:80", true},
		{"other.example:80", "[fe80::1%eth0]:80", true},
		{"other.example:80", "0.0.0.0:80", true},
		{"other.example:80", "[::ffff:0.0.0.0]:80", true},
		{"other.example:443", "192.0.2.1:443", false},
	} {
		if err := guard(tt.name, tt.address); (err != nil) != tt.refused {
			t.Errorf("%s at %s: %v", tt.name, tt.address, err)
		}
	}
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	from, err := OpenSource(store.String(), Options{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := from.(*webSource).client.Get(other.URL); err == nil {
		_ = answer.Body.Close()
		t.Error("a connection to this machine was made")
	}
	if asked {
		t.Error("a server on this machine received a request")
	}
}

func TestHostAndPortOfAProxy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ proxy, dialled string }{
		{"http://localhost", "localhost:80"},
		{"https://LOCALHOST", "localhost:443"},
		{"http://127.0.0.1:3128", "127.0.0.1:3128"},
		{"socks5://localhost", "localhost:1080"},
		{"socks5h://[::1]", "[::1]:1080"},
	} {
		u, err := url.Parse(tt.proxy)
		if err != nil {
			t.Fatal(err)
		}
		if got := hostPort(u); got != tt.dialled {
			t.Errorf("%s: got %s, want %s", tt.proxy, got, tt.dialled)
		}
	}
}
