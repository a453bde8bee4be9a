package bench

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// BenchmarkExport sends everything to a reader in a process of its own, over loopback, with one processor for this one; and
// in turn the same bytes by a bare handler, from a mapping, in pieces of the same size. It reports what a second brings, what
// a second of processor time brings, and the largest heap meanwhile.
func BenchmarkExport(b *testing.B) {
	eachSubject(b, func(b *testing.B, s *subject) {
		defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(1))
		export, key := exportHandler(b, s)
		header := http.Header{"Authorization": {"Bearer " + key}}
		body := filepath.Join(b.TempDir(), "body")
		b.Run("sabine", func(b *testing.B) { measureDownload(b, export, header, body) })
		b.Run("bare handler", func(b *testing.B) { measureDownload(b, bareHandler(b, body), nil, "") })
	})
}

// exportHandler returns a server of a subject and a key to ask it with.
func exportHandler(b *testing.B, s *subject) (h http.Handler, key string) {
	b.Helper()
	none := slog.New(slog.DiscardHandler)
	file := filepath.Join(b.TempDir(), "keys.json")
	err := keys.Update(file, func(f *keys.File) (err error) {
		key, _, err = f.Create("bench", []string{keys.ScopeRead}, nil, time.Now())
		return err
	})
	fatal(b, err)
	store, err := keys.OpenStore(file, none)
	fatal(b, err)
	counters, err := ratelimit.NewMemory("", none)
	fatal(b, err)
	current := runtime.NewCurrent(snapshot.Folder{Dir: filepath.Dir(s.path)}, none)
	b.Cleanup(func() { _ = current.Close() })
	fatal(b, current.Load(b.Context()))
	unlimited := func(n int) ratelimit.Policy { return ratelimit.Policy{{Limit: n, Span: time.Hour}} }
	h, err = serve.New(serve.Options{
		Current: current, Keys: store, Limits: ratelimit.NewLimiter(counters, unlimited(1_000_000), unlimited(2_000_000), unlimited(3_000_000)),
	})
	fatal(b, err)
	return h, key
}

// bareHandler writes the bytes of a file.
func bareHandler(b *testing.B, file string) http.Handler {
	b.Helper()
	f, err := os.Open(file)
	fatal(b, err)
	defer f.Close()
	info, err := f.Stat()
	fatal(b, err)
	body, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	fatal(b, err)
	b.Cleanup(func() { _ = unix.Munmap(body) })
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		const piece = 128 << 10
		for at := 0; at < len(body); at += piece {
			if _, err := w.Write(body[at:min(at+piece, len(body))]); err != nil {
				return
			}
		}
	})
}

// measureDownload has a reader fetch what a handler sends, and keep it in a file unless that is "".
func measureDownload(b *testing.B, h http.Handler, header http.Header, file string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal(b, err)
	server := &http.Server{Handler: h}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	if file != "" {
		download(b, l.Addr().String(), header, file)
	}
	bytes := download(b, l.Addr().String(), header, "") // warm, as a server is
	heap := watchHeap()
	before := cpuTime()
	for b.Loop() {
		download(b, l.Addr().String(), header, "")
	}
	cpu := cpuTime() - before
	b.SetBytes(bytes)
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/cpu.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(heap())/(1<<20), "heap-MiB")
}

// readerVariable has the program of the tests be a reader, for the address and the header that follow it.
const readerVariable = "SABINE_BENCH_READ"

// download runs a reader and returns how many bytes it got.
func download(b *testing.B, address string, header http.Header, file string) (bytes int64) {
	reader := exec.CommandContext(b.Context(), os.Args[0])
	reader.Env = append(os.Environ(), readerVariable+"="+address, "AUTHORIZATION="+header.Get("Authorization"), "FILE="+file)
	reader.Stderr = os.Stderr
	out, err := reader.Output()
	fatal(b, err)
	_, err = fmt.Sscan(string(out), &bytes)
	fatal(b, err)
	return bytes
}

// beReader fetches an export and prints how many bytes it has.
func beReader(address string) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(conn, "GET /api/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\n\r\n", os.Getenv("AUTHORIZATION")); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 1<<20), nil)
	if err != nil {
		return err
	}
	var to io.Writer = struct{ io.Writer }{io.Discard} // without ReadFrom, whose pieces are of 8 KiB
	if file := os.Getenv("FILE"); file != "" {
		f, err := os.Create(file)
		if err != nil {
			return err
		}
		defer f.Close()
		to = f
	}
	n, err := io.CopyBuffer(to, resp.Body, make([]byte, 1<<20))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	fmt.Println(n)
	return err
}

// watchHeap looks at the heap every few milliseconds, and returns the largest of what it saw when it is asked.
func watchHeap() (largest func() uint64) {
	stop, seen := make(chan struct{}), make(chan uint64)
	go func() {
		most, tick := uint64(0), time.NewTicker(5*time.Millisecond)
		defer tick.Stop()
		var m goruntime.MemStats
		for {
			select {
			case <-stop:
				seen <- most
				return
			case <-tick.C:
				goruntime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-seen
	}
}

func fatal(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
