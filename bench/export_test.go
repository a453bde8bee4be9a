package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// BenchmarkExport downloads an export over loopback from a server process with one processor, and the same
// bytes from a bare handler, which maps them and writes pieces of the same size. It reports bytes per second,
// bytes per second of the server's processor time, and the server's largest heap.
func BenchmarkExport(b *testing.B) {
	eachSubject(b, func(b *testing.B, s *subject) {
		body := filepath.Join(b.TempDir(), "body")
		b.Run("sabine", func(b *testing.B) { measureDownload(b, s.path, body) })
		b.Run("bare handler", func(b *testing.B) { measureDownload(b, body, "") })
	})
}

// exportServer is the environment variable that makes the test program serve a file, a snapshot or a body,
// until standard input ends. The program first prints its address and its key. For each line that it reads,
// it prints its processor time in seconds and its largest heap in bytes.
const exportServer = "SABINE_BENCH_SERVE"

// serveExports serves a file; see exportServer.
func serveExports(file string) error {
	goruntime.GOMAXPROCS(1)
	open := openBareHandler
	if strings.HasSuffix(file, ".snapshot") {
		open = openExportHandler
	}
	h, key, err := open(file)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(l, h) }() //nolint:gosec // only this benchmark is its client
	fmt.Println(l.Addr(), key)
	heap := watchHeap()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(cpuTime().Seconds(), heap.Load())
	}
	return nil
}

// openExportHandler returns a handler for a snapshot, and an API key.
func openExportHandler(path string) (h http.Handler, key string, err error) {
	none := slog.New(slog.DiscardHandler)
	folder := filepath.Dir(path)
	file := filepath.Join(folder, "keys.json")
	if err := keys.Update(file, func(f *keys.File) (err error) {
		key, err = f.Create("bench", []string{keys.ScopeRead}, nil, time.Now())
		return err
	}); err != nil {
		return nil, "", err
	}
	store, err := keys.OpenStore(file, none)
	if err != nil {
		return nil, "", err
	}
	counters, err := ratelimit.NewMemory("", nil, none)
	if err != nil {
		return nil, "", err
	}
	current := runtime.NewCurrent(snapshot.Folder{Dir: folder}, none)
	if err := current.Load(context.Background()); err != nil {
		return nil, "", err
	}
	unlimited := func(n int) ratelimit.Policy { return ratelimit.Policy{{Limit: n, Span: time.Hour}} }
	h, err = serve.New(serve.Options{
		Current: current, Keys: store, Limits: ratelimit.NewLimiter(counters, unlimited(1_000_000), unlimited(2_000_000),
			unlimited(3_000_000)),
	})
	return h, key, err
}

// openBareHandler returns a handler that writes the content of a file.
func openBareHandler(path string) (http.Handler, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	body, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		const piece = 128 << 10
		for at := 0; at < len(body); at += piece {
			if _, err := w.Write(body[at:min(at+piece, len(body))]); err != nil {
				return
			}
		}
	}), "none", err
}

// watchHeap measures the heap every few milliseconds and records its largest size.
func watchHeap() *atomic.Uint64 {
	most := new(atomic.Uint64)
	go func() {
		var m goruntime.MemStats
		for range time.Tick(5 * time.Millisecond) {
			goruntime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse))
		}
	}()
	return most
}

// measureDownload downloads from a server for file. It writes the bytes to the file keep unless keep is "".
func measureDownload(b *testing.B, file, keep string) {
	server := exec.CommandContext(b.Context(), os.Args[0])
	server.Env = append(os.Environ(), exportServer+"="+file)
	server.Stderr = os.Stderr
	questions, err := server.StdinPipe()
	fatal(b, err)
	answers, err := server.StdoutPipe()
	fatal(b, err)
	fatal(b, server.Start())
	defer func() {
		questions.Close()
		_ = server.Wait()
	}()
	said := bufio.NewReader(answers)
	var address, key string
	_, err = fmt.Fscanln(said, &address, &key)
	fatal(b, err)
	used := func() (cpuSeconds, heap float64) {
		_, err := fmt.Fprintln(questions)
		fatal(b, err)
		_, err = fmt.Fscanln(said, &cpuSeconds, &heap)
		fatal(b, err)
		return cpuSeconds, heap
	}
	to := io.Discard
	if keep != "" {
		f, err := os.Create(keep)
		fatal(b, err)
		defer f.Close()
		to = f
	}
	bytes := download(b, address, key, to) // warms the server's caches
	before, _ := used()
	for b.Loop() {
		download(b, address, key, io.Discard)
	}
	after, heap := used()
	b.SetBytes(bytes)
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/(after-before), "MB/cpu-s")
	b.ReportMetric(heap/(1<<20), "heap-MiB")
}

// download downloads an export and returns the number of bytes.
func download(b *testing.B, address, key string, to io.Writer) int64 {
	conn, err := net.Dial("tcp", address)
	fatal(b, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET /api/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", key)
	fatal(b, err)
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 1<<20), nil)
	fatal(b, err)
	// The struct hides ReadFrom, which copies small pieces.
	n, err := io.CopyBuffer(struct{ io.Writer }{to}, resp.Body, make([]byte, 1<<20))
	fatal(b, err)
	if resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status)
	}
	return n
}

func fatal(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
