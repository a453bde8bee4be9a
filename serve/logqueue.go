package serve

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// A LogQueue stands between a server and whoever reads its log. Writing to it never waits: when the reader stalls, lines
// are kept up to a bound and then dropped, and when the reader has gone they are dropped at once. It tells how many were
// as soon as lines arrive again.
type LogQueue struct {
	to      io.Writer
	own     *slog.Logger // writes to it what the queue itself has to say
	dropped atomic.Int64 // lines

	mu      sync.Mutex
	waiting []byte // whole lines
	untold  int64  // lines that were dropped since it was last told
	closed  bool
	more    chan struct{} // holds a value when lines wait
	done    chan struct{} // closed when the last line was written
}

const (
	// maxQueuedBytes is the bytes of lines that a log's reader may be behind.
	maxQueuedBytes = 1 << 20
	// lastLinesTimeout is how long a log's reader has for what is left when the server ends.
	lastLinesTimeout = time.Second
)

// NewLogQueue returns a queue of lines that a handler has formatted.
func NewLogQueue(to io.Writer, handler func(io.Writer) slog.Handler) *LogQueue {
	q := &LogQueue{to: to, own: slog.New(handler(to)), more: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// Write takes whole lines.
func (q *LogQueue) Write(lines []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.waiting)+len(lines) > maxQueuedBytes {
		q.drop(lines)
		return len(lines), nil
	}
	q.waiting = append(q.waiting, lines...)
	select {
	case q.more <- struct{}{}:
	default: // it is told already
	}
	return len(lines), nil
}

// drop counts lines that nobody will read.
func (q *LogQueue) drop(lines []byte) {
	n := int64(bytes.Count(lines, []byte("\n")))
	q.dropped.Add(n)
	q.untold += n
}

// run writes the lines until the queue is closed.
func (q *LogQueue) run() {
	defer close(q.done)
	var lines []byte
	for range q.more {
		q.mu.Lock()
		lines, q.waiting = q.waiting, lines[:0]
		q.mu.Unlock()
		_, err := q.to.Write(lines)
		q.mu.Lock()
		if err != nil {
			q.drop(lines)
			q.mu.Unlock()
			continue
		}
		untold := q.untold
		q.untold = 0
		q.mu.Unlock()
		if untold > 0 {
			q.own.Warn("log lines were dropped while nobody read them", "lines", untold)
		}
	}
}

// Dropped returns how many lines were dropped.
func (q *LogQueue) Dropped() int64 { return q.dropped.Load() }

// Close waits until the lines are written, but not for a reader that has stalled.
func (q *LogQueue) Close() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.more)
	}
	q.mu.Unlock()
	select {
	case <-q.done:
	case <-time.After(lastLinesTimeout):
	}
}
