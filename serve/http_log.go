package serve

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// A LogQueue decouples the server from the reader of its log. Writing to it never blocks: the queue collects
// lines for a short time and writes them together. If the reader stalls, the queue retains lines up to a
// limit and drops later ones. If writing fails, it drops the lines. When it can write again, it logs the
// number of dropped lines. A program that ends without Close, by an uncaught panic, SIGKILL or os.Exit, loses
// the lines of the last ten milliseconds.
type LogQueue struct {
	to      io.Writer
	logger  *slog.Logger // logs the queue's own messages
	dropped atomic.Int64 // number of dropped lines

	mu      sync.Mutex
	waiting []byte // complete lines to be written
	closed  bool   // whether later lines are dropped, because the program ends

	writing  sync.Mutex // must be locked before mu
	written  []byte     // buffer of the lines written last, for reuse
	reported int64      // part of dropped that was already logged
}

const (
	// maxLineDelay is the maximum time that a line waits for other lines. With separate writes, a server with
	// small responses would answer a tenth fewer requests.
	maxLineDelay = 10 * time.Millisecond
	// maxQueuedBytes is the maximum total size of the queued lines.
	maxQueuedBytes = 1 << 20
	// lastLinesTimeout is the maximum time for writing the last lines when the program ends.
	lastLinesTimeout = time.Second
)

// NewLogQueue returns a queue and the logger that writes to it. handler formats the lines.
func NewLogQueue(to io.Writer, handler func(io.Writer) slog.Handler) (*LogQueue, *slog.Logger) {
	q := &LogQueue{to: to, logger: slog.New(handler(to))}
	return q, slog.New(handler(q))
}

// Write queues complete lines.
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

// drop counts dropped lines.
func (q *LogQueue) drop(lines []byte) { q.dropped.Add(int64(bytes.Count(lines, []byte("\n")))) }

// flush writes the queued lines.
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
	if unreported := q.dropped.Load() - q.reported; unreported > 0 {
		q.reported += unreported
		q.logger.Warn("log lines were dropped because the log was not read", "lines", unreported)
	}
}

// Dropped returns the number of dropped lines.
func (q *LogQueue) Dropped() int64 { return q.dropped.Load() }

// Close waits until the lines are written, but at most lastLinesTimeout.
func (q *LogQueue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	done := make(chan struct{})
	go func() { q.flush(); close(done) }()
	select {
	case <-done:
	case <-time.After(lastLinesTimeout):
	}
}
