package fleet

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"sabine/internal/s3test"
)

func TestAMissingBucketIsNotAMissingObject(t *testing.T) {
	t.Parallel()
	at := s3test.Start(t)
	s := openTestStore(t, strings.Replace(at.URL(""), s3test.Bucket, "another", 1), Options{})
	_, err := s.Open(t.Context(), "object", ReadOptions{})
	if err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), `the bucket "another" does not exist`) {
		t.Errorf("Open: got %v", err)
	}
	if err := s.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), `the bucket "another" does not exist`) {
		t.Errorf("Probe: got %v", err)
	}
	if err := s.Remove(t.Context(), "object"); err == nil {
		t.Error("Remove: got no error")
	}
}

func TestHeadersOfObjects(t *testing.T) {
	t.Parallel()
	at := s3test.Start(t)
	proxied := s3test.StartProxy(t, at.Endpoint)
	heads := make(map[string]http.Header)
	proxied.Inject(func(r *http.Request) s3test.Fault {
		heads[filepath.Base(r.URL.Path)] = r.Header
		return s3test.Fault{}
	})
	s := openTestStore(t, s3test.URL(proxied.URL, ""), Options{})
	putContent(t, s, "1.snapshot", []byte("x"), nil)
	putContent(t, s, "1.from-0.patch", []byte("x"), nil)
	putContent(t, s, "1.report.json", []byte("x"), nil)
	if _, err := s.Swap(t.Context(), "CURRENT", []byte("x"), ""); err != nil {
		t.Fatal(err)
	}
	const text, forGood = "application/json", "public, max-age=31536000, immutable"
	for name, want := range map[string][2]string{
		"1.snapshot": {"application/octet-stream", forGood}, "1.from-0.patch": {"application/octet-stream", forGood},
		"1.report.json": {text, "no-cache"},
		"CURRENT":       {text, "no-cache"},
	} {
		if got := [2]string{heads[name].Get("Content-Type"), heads[name].Get("Cache-Control")}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestALostResponseToASwapIsNotAConflict(t *testing.T) {
	t.Parallel()
	proxy := s3test.StartProxy(t, s3test.Start(t).Endpoint)
	s := openTestStore(t, s3test.URL(proxy.URL, ""), Options{})
	var swaps atomic.Int64
	proxy.Inject(func(r *http.Request) s3test.Fault {
		if r.Method != http.MethodPut {
			return s3test.Fault{}
		}
		swaps.Add(1)
		return s3test.Fault{Lost: true}
	})
	_, err := s.Swap(t.Context(), "pointer", []byte("x"), "")
	if err == nil || errors.Is(err, ErrChanged) || swaps.Load() != 1 {
		t.Errorf("got %v after %d tries", err, swaps.Load())
	}
	proxy.Inject(nil)
	if b, _, err := readObject(t.Context(), s, "pointer", ReadOptions{}); string(b) != "x" {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestAFailedPartIsSentAgain(t *testing.T) {
	t.Parallel()
	proxy := s3test.StartProxy(t, s3test.Start(t).Endpoint)
	s := openTestStore(t, s3test.URL(proxy.URL, ""), Options{}) // default timeout, which slow parts do not exceed
	faults := []s3test.Fault{{Status: 503}, {Lost: true}}
	var parts atomic.Int64
	proxy.Inject(func(r *http.Request) s3test.Fault {
		if !r.URL.Query().Has("partNumber") {
			return s3test.Fault{}
		}
		if i := int(parts.Add(1)) - 1; i < len(faults) {
			return faults[i]
		}
		return s3test.Fault{}
	})
	large := content(17 << 20)
	var done int64
	putContent(t, s, "large", large, func(n int64) { done = n })
	if n, err := s.Size(t.Context(), "large"); err != nil || n != int64(len(large)) || done != n || parts.Load() != 4 {
		t.Errorf("got size %d and progress %d after %d tries of two parts, %v", n, done, parts.Load(), err)
	}
}

func TestAnUploadThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	at := s3test.Start(t)
	proxy := s3test.StartProxy(t, at.Endpoint)
	s := openTestStore(t, s3test.URL(proxy.URL, ""), Options{stall: shortStall})
	file, err := os.Create(filepath.Join(t.TempDir(), "large"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(17 << 20); err != nil {
		t.Fatal(err)
	}
	proxy.Inject(func(r *http.Request) s3test.Fault {
		return s3test.Fault{Silent: r.URL.Query().Get("partNumber") == "2"}
	})
	if err := s.Put(t.Context(), "large", file, 17<<20, func(int) {}); err == nil {
		t.Error("Put succeeded although a part was never received")
	}
	proxy.Inject(nil)
	if _, err := s.Size(t.Context(), "large"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	for upload := range s.(*s3Store).retrying.ListIncompleteUploads(t.Context(), s3test.Bucket, "", true) {
		t.Errorf("an upload was left: %+v", upload)
	}
}

func TestProbeRefusesServersWithoutConditionalWrites(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule   string
		status func(r *http.Request, exists bool) int // returns the response status; 200 stores the object
	}{
		{"conditions are ignored", func(*http.Request, bool) int { return 200 }},
		{"If-Match is ignored", func(r *http.Request, exists bool) int {
			if exists && r.Header.Get("If-None-Match") != "" {
				return 412
			}
			return 200
		}},
		{"If-None-Match is ignored", func(r *http.Request, _ bool) int {
			if r.Header.Get("If-Match") != "" {
				return 412
			}
			return 200
		}},
		{"If-Match is never true", func(_ *http.Request, exists bool) int {
			if exists {
				return 412
			}
			return 200
		}},
		{"conditions are unknown", func(*http.Request, bool) int { return 501 }},
	}
	for _, test := range tests {
		objects := map[string]bool{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"202cb962ac59075b964b07152d234b70"`)
			switch r.Method {
			case http.MethodPut:
				_, _ = io.Copy(io.Discard, r.Body)
				status := test.status(r, objects[r.URL.Path])
				if status == http.StatusOK {
					objects[r.URL.Path] = true
				}
				w.WriteHeader(status)
			case http.MethodDelete:
				delete(objects, r.URL.Path)
				w.WriteHeader(http.StatusNoContent)
			}
		}))
		s := openTestStore(t, s3test.URL(server.URL, "p")+"&region=here", Options{})
		if err := s.Probe(t.Context()); !errors.Is(err, errUnconditional) {
			t.Errorf("%s: got %v", test.rule, err)
		}
		if len(objects) > 0 {
			t.Errorf("%s: left %v", test.rule, objects)
		}
		server.Close()
	}
}

func TestAPublicBucketWithoutCredentials(t *testing.T) {
	t.Parallel()
	at := s3test.Start(t)
	to := openTestStore(t, at.URL("p"), Options{})
	putContent(t, to, "object", []byte("x"), nil)
	asked := atomic.Int64{}
	nobody := s3test.StartProxy(t, at.Endpoint)
	nobody.Inject(func(*http.Request) s3test.Fault {
		asked.Add(1)
		return s3test.Fault{Silent: true}
	})
	none := &role{IAM: credentials.IAM{Endpoint: nobody.URL, Client: &http.Client{Timeout: 100 * time.Millisecond}}}
	from := openTestStore(t, at.URL("p"), Options{creds: credentials.NewChainCredentials([]credentials.Provider{none})})
	_, err := from.Open(t.Context(), "object", ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "no credentials") || !strings.Contains(err.Error(), "403") {
		t.Errorf("a private bucket: got %v", err)
	}
	err = to.(*s3Store).retrying.SetBucketPolicy(t.Context(), s3test.Bucket, `{"Version": "2012-10-17", "Statement": [
		{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::`+s3test.Bucket+`/*"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if b, _, err := readObject(t.Context(), from, "object", ReadOptions{}); string(b) != "x" {
		t.Errorf("a public bucket: got %q, %v", b, err)
	}
	if n := asked.Load(); n < 1 || n > 2 {
		t.Errorf("%d requests to a platform that does not respond, want one", n)
	}
	if _, err := from.Swap(t.Context(), "object", nil, ""); err == nil || errors.Is(err, ErrChanged) {
		t.Errorf("a write: got %v", err)
	}
}
