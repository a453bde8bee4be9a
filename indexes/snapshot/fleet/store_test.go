package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sabine/internal/s3test"
)

func openTestStore(t *testing.T, address string, o Options) Store {
	t.Helper()
	s, err := OpenStore(address, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// content returns size random bytes.
func content(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

func putContent(t *testing.T, s Store, name string, b []byte, progress func(int64)) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "content"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(b); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	done := int64(0)
	err = s.Put(t.Context(), name, file, int64(len(b)), func(n int) {
		mu.Lock()
		defer mu.Unlock()
		if done = min(done+int64(n), int64(len(b))); progress != nil { // bytes that are sent again are counted again
			progress(done)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readObject returns the bytes of an object, starting at r.At, and the tag of the object.
func readObject(ctx context.Context, s Source, name string, r ReadOptions) ([]byte, string, error) {
	object, err := s.Open(ctx, name, r)
	if err != nil {
		return nil, "", err
	}
	b, err := io.ReadAll(object.Body)
	return b, object.Tag, errors.Join(err, object.Body.Close())
}

func TestEveryStore(t *testing.T) {
	t.Parallel()
	stores := map[string]func(*testing.T) Store{
		"file": func(t *testing.T) Store {
			return openTestStore(t, "file://"+filepath.Join(t.TempDir(), "made", "by probe"), Options{})
		},
		"s3": func(t *testing.T) Store { return openTestStore(t, s3test.Start(t).URL("a prefix/of two"), Options{}) },
	}
	for kind, start := range stores {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			if err := s.Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
			checkMissing(t, s)
			checkSwap(t, s)
			checkPut(t, s)
			checkRace(t, s)
		})
	}
}

func checkMissing(t *testing.T, s Store) {
	t.Helper()
	ctx := t.Context()
	if names, err := s.Names(ctx); err != nil || len(names) > 0 {
		t.Errorf("objects in an empty store after Probe: %v, %v", names, err)
	}
	if _, err := s.Open(ctx, "missing", ReadOptions{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("Open of a missing object: got %v", err)
	}
	if _, err := s.Size(ctx, "missing"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Size of a missing object: got %v", err)
	}
	if err := s.Remove(ctx, "missing"); err != nil {
		t.Errorf("Remove of a missing object: got %v", err)
	}
}

func checkSwap(t *testing.T, s Store) {
	t.Helper()
	ctx := t.Context()
	if _, err := s.Swap(ctx, "pointer", []byte("1"), "0123456789"); !errors.Is(err, ErrChanged) {
		t.Errorf("Swap of a missing version: got %v", err)
	}
	if _, err := s.Swap(ctx, "pointer", []byte("1"), ""); err != nil {
		t.Fatal(err)
	}
	b, first, err := readObject(ctx, s, "pointer", ReadOptions{})
	if err != nil || string(b) != "1" || first == "" {
		t.Fatalf("got %q with tag %q, %v", b, first, err)
	}
	if _, err := s.Open(ctx, "pointer", ReadOptions{Tag: first}); !errors.Is(err, ErrUnchanged) {
		t.Errorf("Open of a known version: got %v", err)
	}
	if _, err := s.Swap(ctx, "pointer", []byte("2"), ""); !errors.Is(err, ErrChanged) {
		t.Errorf("Swap without a tag, although there is an object: got %v", err)
	}
	if _, err := s.Swap(ctx, "pointer", []byte("2"), first); err != nil {
		t.Errorf("Swap of the version that was read: %v", err)
	}
	if _, err := s.Swap(ctx, "pointer", []byte("3"), first); !errors.Is(err, ErrChanged) {
		t.Errorf("Swap of the previous version: got %v", err)
	}
	b, second, err := readObject(ctx, s, "pointer", ReadOptions{Tag: first})
	if err != nil || string(b) != "2" || second == first {
		t.Errorf("got %q with tag %q after %q, %v", b, second, first, err)
	}
	if err := s.Remove(ctx, "pointer"); err != nil {
		t.Error(err)
	}
	if _, err := s.Open(ctx, "pointer", ReadOptions{Tag: second}); !errors.Is(err, ErrNotFound) {
		t.Errorf("Open of a removed object: got %v", err)
	}
}

func checkPut(t *testing.T, s Store) {
	t.Helper()
	ctx := t.Context()
	large := content(16<<20 + 1) // needs more than one part when it is uploaded to S3
	var done []int64
	putContent(t, s, "large", large, func(n int64) { done = append(done, n) })
	if !slices.IsSorted(done) || len(done) == 0 || done[len(done)-1] != int64(len(large)) {
		t.Errorf("progress: got %d steps up to %d, want growing numbers up to %d", len(done), slices.Max(append(done, 0)),
			len(large))
	}
	if n, err := s.Size(ctx, "large"); err != nil || n != int64(len(large)) {
		t.Errorf("got size %d, %v", n, err)
	}
	for _, at := range []int64{0, 1, int64(len(large)) - 3} {
		if b, _, err := readObject(ctx, s, "large", ReadOptions{At: at}); err != nil || !bytes.Equal(b, large[at:]) {
			t.Errorf("from byte %d: got %d bytes, which differ from the stored ones, %v", at, len(b), err)
		}
	}
	putContent(t, s, "large", []byte("small"), nil)
	if b, _, err := readObject(ctx, s, "large", ReadOptions{}); string(b) != "small" || err != nil {
		t.Errorf("after another Put: got %d bytes, %v", len(b), err)
	}
	names, err := s.Names(ctx)
	if err != nil || len(names) != 1 || names[0].Name != "large" || names[0].Age.Abs() > time.Hour {
		t.Errorf("got names %v, %v", names, err)
	}
}

func checkRace(t *testing.T, s Store) {
	t.Helper()
	tag := ""
	for round := range 5 {
		var racers sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			racers.Go(func() { _, errs[i] = s.Swap(t.Context(), "raced", fmt.Appendf(nil, "%d by %d", round, i), tag) })
		}
		racers.Wait()
		winner := slices.Index(errs, nil)
		for i, err := range errs {
			if i != winner && !errors.Is(err, ErrChanged) {
				t.Errorf("round %d: %d wins, and %d has the error %v", round, winner, i, err)
			}
		}
		b, next, err := readObject(t.Context(), s, "raced", ReadOptions{})
		if want := fmt.Sprintf("%d by %d", round, winner); err != nil || string(b) != want {
			t.Fatalf("got %q, want %q, %v", b, want, err)
		}
		tag = next
	}
}

// trust makes a source accept the certificate of a test server.
func trust(s Source, server *httptest.Server) {
	to := s.(*webSource).client.Transport.(*stallWatch)
	to.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
}

func TestEverySourceReadsTheSame(t *testing.T) {
	t.Parallel()
	at := s3test.Start(t)
	to := openTestStore(t, at.URL("p"), Options{})
	data := content(100_000)
	putContent(t, to, "object", data, nil)
	dir := filepath.Join(at.Dir, "p")
	files := http.StripPrefix("/a b", http.FileServer(http.Dir(dir)))
	plain, safe := httptest.NewServer(files),
		httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor != 1 {
				t.Errorf("got a request by %s, which is not HTTP/1.1", r.Proto)
			}
			files.ServeHTTP(w, r)
		}))
	safe.EnableHTTP2 = true
	safe.StartTLS()
	// This server supports neither ranges nor conditional requests.
	deaf := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/a b/object" {
			w.WriteHeader(http.StatusGone)
			return
		}
		w.Header().Set("ETag", `W/"1"`)
		_, _ = w.Write(data)
	}))
	for _, server := range []*httptest.Server{plain, safe, deaf} {
		t.Cleanup(server.Close)
	}
	for _, address := range []string{"file://" + dir, at.URL("p"), plain.URL + "/a%20b", safe.URL + "/a%20b/?key=x",
		deaf.URL + "/a%20b"} {
		from, err := OpenSource(address, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(address, safe.URL) {
			trust(from, safe)
		}
		for _, start := range []int64{0, 1, int64(len(data)) - 1} {
			if b, _, err := readObject(t.Context(), from, "object", ReadOptions{At: start}); err != nil ||
				!bytes.Equal(b, data[start:]) {
				t.Errorf("%s: from byte %d got %d bytes, %v", from, start, len(b), err)
			}
		}
		if _, err := from.Open(t.Context(), "missing", ReadOptions{}); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: Open of a missing object: got %v", from, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	tests := []struct{ address, want string }{ // want is the result of String, or a part of the error
		{"file:///data/a%20b/", "file:///data/a%20b"},
		{"file://localhost/data", "file:///data"},
		{"file://host/data", "expected file:/// and the path"},
		{"file:data", "expected file:/// and the path"},
		{"file:///data?x", "expected file:/// and the path"},
		{"file:///data#x", "must not contain #"},
		{"https://user:secret@host:8443/p?sig=secret", "https://host:8443/p"},
		{"https:///p", "expected https:// and a host"},
		{"http://127.0.0.1:1/p", "http://127.0.0.1:1/p"},
		{"http://[::1]/p", "http://[::1]/p"},
		{"http://LOCALHOST/p", "http://LOCALHOST/p"},
		{"http://cdn.localhost/p", "http://cdn.localhost/p"},
		{"http://host/p", "http://host is not encrypted"},
		{"http://[2001:db8::1]:80/p", "http://[2001:db8::1]:80 is not encrypted"},
		{"http://127.0.0.1.example.org/p", "is not encrypted"},
		{"s3://bucket", "s3://bucket"},
		{"s3://bucket//a/b/", "s3://bucket/a/b"},
		{"s3://bucket/a?region=eu-central-1", "s3://bucket/a"},
		{"s3://bucket/a?endpoint=http%3A%2F%2F127.0.0.1:9000/", "s3://bucket/a?endpoint=http://127.0.0.1:9000"},
		{"s3://bucket/a?endpoint=http://host:9000", "http://host:9000 is not encrypted"},
		{"s3://bucket/a?endpoint=host:9000", "expected an endpoint"},
		{"s3://bucket/a?endpoint=ftp://host", "expected https:// and a host"},
		{"s3://bucket/a?endpoint=https://u:secret@host", "expected an endpoint"},
		{"s3://bucket/a?endpoint=https://host/path", "expected an endpoint"},
		{"s3://bucket/a?endpiont=https://host", `got "endpiont"`},
		{"s3://bucket/a?region=a&region=b", `got "region"`},
		{"s3://bucket/a?region=%zz", "invalid query"},
		{"s3://key:secret@bucket/a", "AWS_ACCESS_KEY_ID"},
		{"s3:///a", "missing bucket"},
		{"sftp://user:secret@host/p", `"sftp://host/p": expected an address`},
		{"https://user:secret@host/%zz", "expected an address such as"},
		{"data", "expected an address that begins"},
	}
	for _, test := range tests {
		got := ""
		from, err := OpenSource(test.address, Options{})
		if err != nil {
			got = err.Error()
		} else {
			got = from.String()
		}
		if err == nil && got != test.want || !strings.Contains(got, test.want) || strings.Contains(got, "secret") {
			t.Errorf("%s: got %q, want %q", test.address, got, test.want)
		}
	}
	if _, err := OpenSource("http://host/p", Options{Insecure: true}); err != nil {
		t.Error(err)
	}
	if _, err := OpenStore("https://host/p", Options{}); err == nil {
		t.Error("a web server can be written to")
	}
}

func TestTheAddressOfAnObject(t *testing.T) {
	t.Parallel()
	tests := []struct{ address, from, name string }{ // from is "" if an error is expected
		{"https://host/a/keys.json?sig=secret", "https://host/a", "keys.json"},
		{"https://host/keys.json", "https://host", "keys.json"},
		{"s3://bucket/keys.json?endpoint=https://host", "s3://bucket?endpoint=https://host", "keys.json"},
		{"file:///a/b/keys.json", "file:///a/b", "keys.json"},
		{"https://host/a/", "", ""},
		{"https://host", "", ""},
		{"s3://bucket", "", ""},
	}
	for _, test := range tests {
		from, name, err := OpenObject(test.address, Options{})
		got := ""
		if err == nil {
			got = from.String()
		}
		if got != test.from || err == nil && name != test.name {
			t.Errorf("%s: got %q in %q, %v", test.address, name, got, err)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{
		"s3://bucket/p?endpoint=http://127.0.0.1:9000&region=x", "https://user:password@host/p?sig=x", "http://[::1%25eth0]/",
		"file:///a%20b", "s3://%zz",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		from, err := OpenSource(address, Options{})
		if _, isFile := from.(*fileStore); err != nil || isFile { // String of a fileStore is a path
			return
		}
		again, err := OpenSource(from.String(), Options{})
		if err != nil || again.String() != from.String() {
			t.Errorf("the String of %q is %q, and that as %v, %v", address, from, again, err)
		}
		if u, err := url.Parse(from.String()); err != nil || u.User != nil {
			t.Errorf("the String of %q is %q, %v", address, from, err)
		}
	})
}
