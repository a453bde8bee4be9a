package serve

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// log writes the request's line, unless an address causes too many. It holds neither the query, nor the key, nor the
// address. It goes to the handler itself: a logger would look up where in the code it comes from.
func (x *exchange) log(ended time.Time) {
	handler := x.server.log.Handler()
	if !handler.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	if x.status/100 == 4 && !x.server.refused.takes(x.client(), ended, x.server.log) {
		return
	}
	budget := "address" // whose it is
	if x.account != "" {
		budget = "account"
	}
	attrs := append(make([]slog.Attr, 0, 11),
		requestAttr(x.id),
		slog.String("method", methodLabel(x.request.Method)),
		slog.String("route", x.route()),
		slog.Int("status", x.status),
		slog.Float64("duration_ms", float64(ended.Sub(x.began).Microseconds())/1000),
		slog.Int("bytes", x.sent),
		slog.String("client", budget),
		slog.String("generation", x.snapshot),
	)
	if x.caller != nil {
		attrs = append(attrs, slog.String("account", x.caller.Account), slog.String("key", x.caller.Key))
	}
	if x.cut != "" {
		attrs = append(attrs, slog.Bool("cut_short", true))
	}
	line := slog.NewRecord(ended, slog.LevelInfo, "request", 0)
	line.AddAttrs(attrs...)
	_ = handler.Handle(context.Background(), line) // there is nobody to tell of an error
}

func requestAttr(id string) slog.Attr { return slog.String("request_id", id) }

// A thinner leaves out lines of refused requests when one address causes too many, so that nobody can fill a disk with
// them. The zero value is ready.
type thinner struct {
	mu      sync.Mutex
	second  int64          // Unix time
	refused map[string]int // requests in that second, by address
	left    int            // lines that were left out and not yet told of
}

const (
	// maxRefusedLines is how many refused requests of an address have their lines in each second.
	maxRefusedLines = 20
	// maxThinnedAddresses is how many addresses are told apart within a second. The others share one count.
	maxThinnedAddresses = 4096
)

// takes reports whether a refused request has its line. Of those that have none, the log is told once the second is over.
func (t *thinner) takes(address string, now time.Time, log *slog.Logger) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if second := now.Unix(); second != t.second || t.refused == nil {
		t.second, t.refused = second, map[string]int{}
	}
	if _, known := t.refused[address]; !known && len(t.refused) >= maxThinnedAddresses {
		address = ""
	}
	t.refused[address]++
	if t.refused[address] <= maxRefusedLines {
		return true
	}
	if t.left == 0 {
		time.AfterFunc(time.Second-time.Duration(now.Nanosecond()), func() { t.tell(log) })
	}
	t.left++
	return false
}

// tell says how many lines were left out.
func (t *thinner) tell(log *slog.Logger) {
	t.mu.Lock()
	left := t.left
	t.left = 0
	t.mu.Unlock()
	if left > 0 {
		log.Warn("lines of refused requests were left out", "lines", left)
	}
}
