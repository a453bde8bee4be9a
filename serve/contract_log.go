package serve

import (
	"context"
	"log/slog"
	"time"
)

// log writes the request's line. It holds neither the query, nor the key, nor the
// address. It goes to the handler itself: a logger would look up where in the code it comes from.
func (x *exchange) log(ended time.Time) {
	handler := x.server.options.Log.Handler()
	if !handler.Enabled(context.Background(), slog.LevelInfo) {
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
