package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"sabine/bench/queries"
	"sabine/runtime"
)

// A subject is a compiled and opened catalogue with questions.
type subject struct {
	*runtime.Generation
	path    string // path of the snapshot
	classes []queries.Class
}

var (
	folder       string // folder of the snapshots
	subjectsLock sync.Mutex
	subjects     = map[int]*subject{}
)

func TestMain(m *testing.M) {
	if file := os.Getenv(exportServer); file != "" {
		if err := serveExports(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if task := os.Getenv(importer); task != "" {
		if err := importFile(task); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	var err error
	if folder, err = os.MkdirTemp("", "sabine-bench"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// eachSize runs a benchmark for each catalogue size. The size is BENCH_PRODUCTS; if that is not set, the
// sizes are 10,000 and 100,000, and also a million if BENCH_LARGE is set.
func eachSize(b *testing.B, run func(b *testing.B, products int)) {
	sizes := []int{10_000, 100_000}
	if os.Getenv("BENCH_PRODUCTS") != "" {
		n, err := Products()
		if err != nil {
			b.Fatal(err)
		}
		sizes = []int{n}
	} else if os.Getenv("BENCH_LARGE") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(sizeName(n), func(b *testing.B) { run(b, n) })
	}
}

// eachSubject runs a benchmark for each catalogue size. It builds each catalogue once.
func eachSubject(b *testing.B, run func(b *testing.B, s *subject)) {
	eachSize(b, func(b *testing.B, n int) {
		s, err := subjectOf(n)
		if err != nil {
			b.Fatal(err)
		}
		run(b, s)
	})
}

// sizeName returns the name of a catalogue size in benchmark names.
func sizeName(n int) string { return fmt.Sprintf("%dk", n/1000) }

func subjectOf(n int) (*subject, error) {
	subjectsLock.Lock()
	defer subjectsLock.Unlock()
	if s := subjects[n]; s != nil {
		return s, nil
	}
	c, err := NewCatalogue(n)
	if err != nil {
		return nil, err
	}
	path, err := c.Build(filepath.Join(folder, sizeName(n)))
	if err != nil {
		return nil, err
	}
	g, err := runtime.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	_, classes, err := c.Questions()
	if err != nil {
		return nil, err
	}
	subjects[n] = &subject{g, path, classes}
	return subjects[n], nil
}

// measure repeatedly runs an operation on n inputs. In addition to the mean, it reports the 50th and 99th
// percentiles, the worst time, and the processor time, which other work on the machine hardly affects.
func measure(b *testing.B, n int, do func(i int)) {
	b.Helper()
	if n == 0 {
		b.Skip("this catalogue gives no questions of the class")
	}
	for i := range n { // warms the caches
		do(i)
	}
	h := hdrhistogram.New(1, int64(time.Minute), 3)
	b.ReportAllocs()
	before := cpuTime()
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		do(i % n)
		if err := h.RecordValue(int64(time.Since(start))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(h.ValueAtQuantile(50)), "p50-ns")
	b.ReportMetric(float64(h.ValueAtQuantile(99)), "p99-ns")
	b.ReportMetric(float64(h.Max()), "worst-ns")
}

// peakMemory returns the peak memory of this process in KiB. It does not use getrusage, whose maximum
// includes the process that started this one.
func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	_, _ = fmt.Sscan(rest, &kib)
	return kib
}

// cpuTime returns the processor time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
