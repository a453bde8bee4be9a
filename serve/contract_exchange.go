package serve

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"sabine/runtime"
)

const (
	// shownHashDigits is how much of the snapshot's content hash X-Snapshot shows.
	shownHashDigits = 16
	// maxKeptBuffer is the size beyond which a buffer is not kept for the next request.
	maxKeptBuffer = 1 << 20
	// usualValues is how many fields of a response's header have a value of their own.
	usualValues = 4
)

// ServeHTTP answers a request of the API or for a page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := s.exchanges.Get().(*exchange)
	x.begin(s, w, r)
	defer x.end()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a fault in the mapping costs this request only
	defer x.rescue()
	if err := x.nobodyWaits(); err != nil { // streams that are reset at once would cause work at no cost
		x.breakOff(err)
	}
	if p := x.check(); p != nil {
		x.refuse(p)
	}
}

// begin takes the generation, once for the whole request, and sets the header fields that every response carries.
func (x *exchange) begin(s *Server, w http.ResponseWriter, r *http.Request) {
	x.ResponseWriter, x.server, x.request, x.began = w, s, r, time.Now()
	s.metrics.inFlight.Inc()
	if x.generation = s.options.Current.Acquire(); x.generation != nil {
		hash := x.generation.Hash() // of the file's name: it outlives the mapping, as header and log do
		x.snapshot = hash[:min(len(hash), shownHashDigits)]
	}
	x.id = s.requestID(r)
	x.values = make([]string, 0, usualValues)
	x.sign()
}

// sign sets the header fields that every response carries.
func (x *exchange) sign() {
	h := x.Header()
	x.set("X-Request-Id", x.id)
	h["Link"] = x.server.link
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposedFields
	h["X-Content-Type-Options"] = noSniffing
}

// requestID returns the UUID that a trusted proxy sent, with hyphens or without, or a fresh one.
func (s *Server) requestID(r *http.Request) string {
	if sent := r.Header["X-Request-Id"]; len(sent) == 1 && s.proxies().trust(peerAddress(r.RemoteAddr)) {
		if isUUID(sent[0]) {
			return sent[0]
		}
		if id, err := uuid.Parse(sent[0]); err == nil && len(sent[0]) == 32 {
			return id.String()
		}
	}
	// It has to be unique and protects nothing, so it needs no system call.
	var id uuid.UUID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // version 4
	return id.String()
}

func (s *Server) proxies() proxies { return s.options.TrustedProxies }

// nobodyWaits returns why nobody waits for the answer any more: long work asks it. Over HTTP/1.1 a client may have ended
// its half.
func (x *exchange) nobodyWaits() error {
	if x.server.cutting.Load() {
		return net.ErrClosed
	}
	if x.request.ProtoMajor > 1 {
		return x.request.Context().Err()
	}
	return nil
}

// Why a response ended before it was whole: labels of the metric.
const (
	cutByClient   = "client"   // it went away
	cutAsSlow     = "slow"     // it did not read
	cutByShutdown = "shutdown" // the time to drain was over
	cutByDamage   = "damage"   // of the snapshot
	cutByPanic    = "panic"
)

// cutReason says why a response could not be written.
func (x *exchange) cutReason(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return cutAsSlow
	case errors.Is(err, net.ErrClosed), x.server.cutting.Load(): // by the server itself
		return cutByShutdown
	case errors.Is(err, runtime.ErrUnreadable): // an earlier generation; that of the one in force is a panic
		return cutByDamage
	}
	return cutByClient
}

// breakOff ends the answer where it is, and with it the connection, or the stream over HTTP/2. It does not return.
func (x *exchange) breakOff(err error) {
	x.cut = x.cutReason(err)
	panic(http.ErrAbortHandler)
}

// A passedPanic is a panic of another goroutine, which the exchange waited for.
type passedPanic struct {
	reason any
	stack  []byte
}

// rescue turns a panic into a 500, or into a broken connection when the header is gone already: the client must not
// take half an answer for a whole one.
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
	x.cut = cutByPanic
	if isDamage(reason) {
		x.cut = cutByDamage
		x.server.options.Current.Doubt()
	}
	x.server.metrics.panics.Inc()
	x.server.options.Log.Error("panic while answering",
		requestAttr(x.id), "route", x.route(), "panic", reason, "stack", string(stack))
	if x.status != 0 {
		panic(http.ErrAbortHandler)
	}
	x.cut = ""
	clear(x.Header())
	x.sign()
	x.refuse(errPanic)
}

// isDamage reports whether a panic tells of a snapshot that was written to where it lies: a body that does not fit, or a
// fault in the mapping.
func isDamage(reason any) bool {
	switch reason.(type) {
	case *runtime.DamagedBody, interface{ Addr() uintptr }:
		return true
	}
	return false
}

// end logs and counts the exchange, gives up its generations and returns it to the pool.
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
		body:   kept(x.body),
		coded:  kept(x.coded),
	}
	clear(x.params.pairs[:cap(x.params.pairs)]) // the pool must not keep query strings alive
	s.exchanges.Put(x)
}

// kept empties a buffer for the next request, or drops it when it is large.
func kept(buffer []byte) []byte {
	if cap(buffer) > maxKeptBuffer {
		return nil
	}
	return buffer[:0]
}
