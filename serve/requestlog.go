package serve

import (
	"io"
	"strconv"
	"sync"
	"time"

	"sabine/dataset/jsonwriter"
)

// A requestLog writes a line of JSON for each request, the one that slog would write, many lines at a time: a write for
// every line costs a server of small answers a tenth of its requests.
type requestLog struct {
	to io.Writer

	mu    sync.Mutex
	lines []byte      // not yet written
	timer *time.Timer // writes them
}

const (
	// maxLineDelay is how long a line waits for others.
	maxLineDelay = 10 * time.Millisecond
	// maxWaitingLines is the bytes of lines that are written without waiting.
	maxWaitingLines = 32 << 10
)

func newRequestLog(to io.Writer) *requestLog {
	l := &requestLog{to: to}
	l.timer = time.AfterFunc(maxLineDelay, l.flush)
	return l
}

// add takes the line of an exchange that has ended.
func (l *requestLog) add(x *exchange, ended time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 0 {
		l.timer.Reset(maxLineDelay)
	}
	l.lines = x.appendLine(l.lines, ended)
	if len(l.lines) >= maxWaitingLines {
		l.write()
	}
}

// flush writes the lines that wait.
func (l *requestLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
}

// write writes the lines that wait. Like slog, it has nobody to tell of an error.
func (l *requestLog) write() {
	if len(l.lines) > 0 {
		_, _ = l.to.Write(l.lines)
		l.lines = l.lines[:0]
	}
}

// appendLine appends the exchange's line, as slog writes the attributes of logAttrs.
func (x *exchange) appendLine(dst []byte, ended time.Time) []byte {
	dst = ended.AppendFormat(append(dst, `{"time":"`...), time.RFC3339Nano)
	dst = jsonwriter.AppendString(append(dst, `","level":"INFO","msg":"request","request_id":`...), x.id)
	dst = append(append(dst, `,"method":"`...), methodLabel(x.request.Method)...)
	dst = append(append(dst, `","route":"`...), x.route()...)
	dst = appendInt(dst, `","status":`, x.status)
	dst = strconv.AppendFloat(append(dst, `,"duration_ms":`...), milliseconds(ended.Sub(x.began)), 'f', -1, 64)
	dst = appendInt(dst, `,"bytes":`, x.sent)
	dst = append(append(dst, `,"client":"`...), x.budgetOwner()...)
	dst = jsonwriter.AppendString(append(dst, `","generation":`...), x.snapshot)
	if x.caller != nil {
		dst = jsonwriter.AppendString(append(dst, `,"account":`...), x.caller.Account)
		dst = jsonwriter.AppendString(append(dst, `,"key":`...), x.caller.Key)
	}
	if x.cutShort {
		dst = append(dst, `,"cut_short":true`...)
	}
	return append(dst, "}\n"...)
}
