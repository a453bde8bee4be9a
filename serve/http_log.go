package serve

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// A LogQueue stands between a server and whoever reads its log. Writing to it never waits: lines are kept for
// a moment and written together, when the reader stalls they are kept up to a bound and then dropped, and
// when the reader has gone they are dropped at once. It tells how many were as soon as lines arrive again. A
// program that ends without Close, by a panic that nobody catches, SIGKILL or os.Exit, loses the lines of its
// last ten milliseconds.
type LogQueue struct {
	to      io.Writer
	own     *slog.Logger // writes to it what the queue itself has to say
	dropped atomic.Int64 // lines

	mu      sync.Mutex
	waiting []byte // whole lines
	closed  bool

	writing sync.Mutex // comes before mu
	written []byte     // the lines that were written last, for their memory
	told    int64      // of the dropped lines
}

const (
	// maxLineDelay is how long a line waits for others: a write for every line costs a server of small answers a
	// tenth of its requests.
	maxLineDelay = 10 * time.Millisecond
	// maxQueuedBytes is the bytes of lines that a log's reader may be behind.
	maxQueuedBytes = 1 << 20
	// lastLinesTimeout is how long a log's reader has for what is left when the server ends.
	lastLinesTimeout = time.Second
)

// NewLogQueue returns a queue and the logger that writes to it; handler formats the lines.
func NewLogQueue(to io.Writer, handler func(io.Writer) slog.Handler) (*LogQueue, *slog.Logger) {
	q := &LogQueue{to: to, own: slog.New(handler(to))}
	return q, slog.New(handler(q))
}

// Write takes whole lines.
func (q *LogQueue) Write(lines []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.waiting)+len(lines) > maxQueuedBytes {
		q.drop(lines)
		return len(lines), nil
	}
	if len(q.waiting) == 0 {
		time.AfterFunc(maxLineDelay, q.flush)
	}
	q.waiting = append(q.waiting, lines...)
	return len(lines), nil
}

// drop counts lines that nobody will read.
func (q *LogQueue) drop(lines []byte) { q.dropped.Add(int64(bytes.Count(lines, []byte("\n")))) }

// flush writes the lines that wait.
func (q *LogQueue) flush() {
	q.writing.Lock()
	defer q.writing.Unlock()
	q.mu.Lock()
	q.waiting, q.written = q.written[:0], q.waiting
	q.mu.Unlock()
	if len(q.written) == 0 {
		return
	}
	if _, err := q.to.Write(q.written); err != nil {
		q.drop(q.written)
		return
	}
	if untold := q.dropped.Load() - q.told; untold > 0 {
		q.told += untold
		q.own.Warn("log lines were dropped while nobody read them", "lines", untold)
	}
}

// Dropped returns how many lines were dropped.
func (q *LogQueue) Dropped() int64 { return q.dropped.Load() }

// Close waits until the lines are written, but not for a reader that has stalled.
func (q *LogQueue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		q.flush()
	}()
	select {
	case <-done:
	case <-time.After(lastLinesTimeout):
	}
}
