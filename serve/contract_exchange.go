package serve

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/google/uuid"

	"sabine/dataset/jsonwriter"
	"sabine/runtime"
)

const (
	shownHashDigits = 16      // number of digits of the snapshot's hash in X-Snapshot
	maxPooledBuffer = 1 << 20 // size in bytes of the largest buffer that the pool retains
	usualValues     = 4       // number of header values that a response usually sets
)

// ServeHTTP answers a request for the API or for a page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := s.exchanges.Get().(*exchange)
	x.begin(s, w, r)
	defer x.end()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a fault in the mapping ends only this request
	defer x.rescue()
	if err := x.stopReason(); err != nil { // no work for streams that are reset immediately
		x.abort(err)
	}
	if p := x.run(); p != nil {
		x.refuse(p)
	}
}

// begin acquires the generation for the duration of the request and sets the common header fields.
func (x *exchange) begin(s *Server, w http.ResponseWriter, r *http.Request) {
	x.ResponseWriter, x.server, x.request, x.began = w, s, r, time.Now()
	s.metrics.inFlight.Inc()
	if x.generation = s.options.Current.Acquire(); x.generation != nil {
		hash := x.generation.Hash() // not mapped memory: the header and the log line may outlive the mapping
		x.snapshot = hash[:min(len(hash), shownHashDigits)]
	}
	x.id = s.requestID(r)
	x.values = make([]string, 0, usualValues)
	x.setCommonHeader()
}

// setCommonHeader sets the header fields of every response.
func (x *exchange) setCommonHeader() {
	h := x.Header()
	x.set("X-Request-Id", x.id)
	h["Link"] = x.server.link
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposedFields
}

// requestID returns the UUID that a trusted proxy sent, with or without hyphens, or otherwise a new UUID.
func (s *Server) requestID(r *http.Request) string {
	trusted := proxies(s.options.TrustedProxies)
	if sent := r.Header["X-Request-Id"]; len(sent) == 1 && trusted.trust(peerAddress(r.RemoteAddr)) {
		if isUUID(sent[0]) {
			return sent[0]
		}
		if id, err := uuid.Parse(sent[0]); err == nil && len(sent[0]) == 32 {
			return id.String()
		}
	}
	// The id must be unique, but need not be secret. A generator without system calls is sufficient.
	var id uuid.UUID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // version 4
	return id.String()
}

// A passedPanic is a panic from another goroutine for which the exchange was waiting.
type passedPanic struct {
	reason any
	stack  []byte
}

// rescue converts a panic into a 500. If the header was already sent, it breaks the connection instead, so
// that the client does not mistake a partial response for a complete one.
func (x *exchange) rescue() {
	reason := recover()
	if reason == nil {
		return
	}
	stack := debug.Stack()
	if passed, ok := reason.(*passedPanic); ok {
		reason, stack = passed.reason, passed.stack
	}
	if err, ok := reason.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(reason)
	}
	cut := cutByPanic
	if isDamage(reason) {
		cut = cutByDamage
		x.server.options.Current.Recheck()
	}
	x.server.metrics.panics.Inc()
	x.server.options.Log.Error("panic while handling a request",
		requestAttr(x.id), "route", x.route(), "panic", reason, "stack", string(stack))
	if x.status != 0 {
		x.cut = cut
		panic(http.ErrAbortHandler)
	}
	clear(x.Header())
	x.setCommonHeader()
	x.refuse(errPanic)
}

// isDamage reports whether a panic means that a snapshot file was modified: a body does not match its
// checksum, or reading the mapping failed.
func isDamage(reason any) bool {
	_, damaged := reason.(*runtime.DamagedBody)
	_, unreadable := reason.(interface{ Addr() uintptr }) // a fault of the mapping, see debug.SetPanicOnFault
	return damaged || unreadable
}

// end logs and counts the exchange, releases its generations and returns it to the pool.
func (x *exchange) end() {
	ended := time.Now()
	x.server.metrics.inFlight.Dec()
	x.server.metrics.observe(x.route(), x.request.Method, x.status, x.cut, ended.Sub(x.began))
	x.log(ended)
	for _, g := range []*runtime.Generation{x.generation, x.earlier} {
		if g != nil {
			g.Release()
		}
	}
	s := x.server
	*x = exchange{
		params: params{pairs: x.params.pairs[:0], faults: x.params.faults[:0]},
		body:   recycled(x.body),
		coded:  recycled(x.coded),
	}
	clear(x.params.pairs[:cap(x.params.pairs)]) // the pool must not retain query strings
	s.exchanges.Put(x)
}

// recycled returns an empty buffer for the next request, or nil if the buffer is too large for the pool.
func recycled(buffer []byte) []byte {
	if cap(buffer) > maxPooledBuffer {
		return nil
	}
	return buffer[:0]
}

// log writes the log line of the request, without query, key or address. It appends JSON directly, because
// slog would take a fifteenth of the time of a small response.
func (x *exchange) log(ended time.Time) {
	ms := float64(ended.Sub(x.began).Microseconds()) / 1000
	client := "address" // whether the client has an account or is known only by its address
	if x.account != "" {
		client = "account"
	}
	if requests := x.server.options.Requests; requests != nil {
		x.body = x.appendLine(x.body[:0], ended, ms, client)
		_, _ = requests.Write(x.body)
		return
	}
	line := slog.NewRecord(ended, slog.LevelInfo, "request", 0)
	line.AddAttrs(
		requestAttr(x.id),
		slog.String("method", methodLabel(x.request.Method)),
		slog.String("route", x.route()),
		slog.Int("status", x.status),
		slog.Float64("duration_ms", ms),
		slog.Int("bytes", x.sent),
		slog.String("client", client),
		slog.String("generation", x.snapshot),
	)
	if x.caller != nil {
		line.AddAttrs(slog.String("account", x.caller.Account), slog.String("key", x.caller.Key))
	}
	if x.cut != "" {
		line.AddAttrs(slog.Bool("cut_short", true))
	}
	_ = x.server.options.Log.Handler().Handle(context.Background(), line)
}

// appendLine appends the line that slog's JSONHandler would write.
func (x *exchange) appendLine(dst []byte, ended time.Time, ms float64, client string) []byte {
	dst = ended.AppendFormat(append(dst, `{"time":"`...), time.RFC3339Nano)
	dst = append(append(dst, `","level":"INFO","msg":"request","request_id":"`...), x.id...)
	dst = append(append(dst, `","method":"`...), methodLabel(x.request.Method)...)
	dst = append(append(dst, `","route":"`...), x.route()...)
	dst = strconv.AppendInt(append(dst, `","status":`...), int64(x.status), 10)
	dst = strconv.AppendFloat(append(dst, `,"duration_ms":`...), ms, 'f', -1, 64)
	dst = strconv.AppendInt(append(dst, `,"bytes":`...), int64(x.sent), 10)
	dst = append(append(dst, `,"client":"`...), client...)
	dst = append(append(append(dst, `","generation":"`...), x.snapshot...), '"')
	if x.caller != nil {
		dst = jsonwriter.AppendString(append(dst, `,"account":`...), x.caller.Account)
		dst = jsonwriter.AppendString(append(dst, `,"key":`...), x.caller.Key)
	}
	if x.cut != "" {
		dst = append(dst, `,"cut_short":true`...)
	}
	return append(dst, "}\n"...)
}

func requestAttr(id string) slog.Attr { return slog.String("request_id", id) }
