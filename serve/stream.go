package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"sabine/runtime"
)

// A stream is a body that is sent while it is made, so that memory does not grow with it. Its status goes with the first
// piece: what goes wrong behind that can only break the connection, which no client takes for the end of a body, since it
// comes in chunks or has a length. Over HTTP/2 the stream alone is reset.

// How long a client may hold the generation that it reads from. The server's writeTimeout, which is for a whole answer,
// would end a good export at 30 s, whatever its size.
const (
	// pieceBytes is how much is written at a time: a good part of what a connection takes at once, and little beside what
	// the program needs anyway.
	pieceBytes = 128 << 10
	// leastPace is how many bytes a second a client has to take, seen over the whole stream: half a megabit, less than any
	// line that somebody would fetch a catalogue over, and 400 MB within two hours.
	leastPace = 64 << 10
	// paceGrace is what a client may be behind leastPace, and how long a single piece may take: who read fast before cannot
	// stand still for long either.
	paceGrace = 30 * time.Second
)

// sendStream sends a stream. It does not return when the stream breaks off.
func (x *exchange) sendStream(r *representation, c coding) {
	h := x.Header()
	h["Content-Type"] = r.mediaType
	if c != identity {
		h["Content-Encoding"] = []string{contentCodings[c].name}
	}
	if x.request.Method == http.MethodHead {
		x.finish(http.StatusOK, nil)
		return
	}
	if err := x.writeStream(r, c); err != nil {
		x.cut = x.cutReason(err)
		panic(http.ErrAbortHandler)
	}
}

// writeStream writes a stream to the client, behind its header.
func (x *exchange) writeStream(r *representation, c coding) error {
	if !x.request.ProtoAtLeast(1, 1) { // which has no chunks, so the length has to be known: the body is made twice
		length := counter{ctx: x.request.Context()}
		if err := x.server.compressor.stream(&length, c, r.stream); err != nil {
			return err
		}
		x.Header()["Content-Length"] = []string{strconv.FormatInt(length.n, 10)}
	}
	defer func() { x.server.metrics.streamed.WithLabelValues(x.route()).Add(float64(x.sent)) }()
	w := &pacedWriter{x: x, controller: http.NewResponseController(x.ResponseWriter), began: time.Now()}
	if err := x.server.compressor.stream(w, c, r.stream); err != nil {
		return err
	}
	return w.end()
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

// A pacedWriter writes to the client as long as it keeps up the least pace.
type pacedWriter struct {
	x          *exchange
	controller *http.ResponseController
	began      time.Time
}

// Write sends bytes, piece by piece, and the header before the first.
func (w *pacedWriter) Write(b []byte) (n int, err error) {
	if w.x.status == 0 {
		w.x.finish(http.StatusOK, nil)
	}
	for n < len(b) {
		piece := b[n:min(n+pieceBytes, len(b))]
		if err := w.extend(len(piece)); err != nil {
			return n, err
		}
		sent, err := w.x.Write(piece)
		w.x.sent += sent
		n += sent
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// end sends what is left: the header of a body without bytes, and what net/http has kept.
func (w *pacedWriter) end() error {
	if _, err := w.Write(nil); err != nil {
		return err
	}
	if err := w.extend(0); err != nil {
		return err
	}
	return unlessUnsupported(w.controller.Flush())
}

// extend gives the client time for its next bytes.
func (w *pacedWriter) extend(next int) error {
	return unlessUnsupported(w.controller.SetWriteDeadline(deadline(w.began, time.Now(), w.x.sent+next)))
}

// unlessUnsupported returns an error but for that of a response without a connection.
func unlessUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// deadline returns by when a client has to have taken so many bytes of a stream.
func deadline(began, now time.Time, bytes int) time.Time {
	const perByte = time.Second / leastPace // times the bytes, since a second times those of a large catalogue overflows
	paced := began.Add(time.Duration(bytes) * perByte)
	if paced.After(now) {
		paced = now
	}
	return paced.Add(paceGrace)
}

// A counter counts bytes, as long as somebody waits for them.
type counter struct {
	ctx context.Context
	n   int64
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), context.Cause(c.ctx)
}

// stream writes a stream to w in a coding, in pieces. After an error its end is not written.
func (c *compressor) stream(w io.Writer, to coding, write func(io.Writer) error) error {
	pieces := c.pieces.Get().(*bufio.Writer)
	pieces.Reset(w)
	defer func() {
		pieces.Reset(nil)
		c.pieces.Put(pieces)
	}()
	if err := c.encodeStream(pieces, to, write); err != nil {
		return err
	}
	return pieces.Flush()
}

// encodeStream writes a stream in a coding.
func (c *compressor) encodeStream(w io.Writer, to coding, write func(io.Writer) error) error {
	if to == identity {
		return write(w)
	}
	pool := &c.streams[to]
	encoder := pool.Get().(streamEncoder)
	encoder.Reset(w)
	defer func() {
		encoder.Reset(nil)
		pool.Put(encoder)
	}()
	if err := write(encoder); err != nil {
		return err
	}
	return encoder.Close()
}

// A streamEncoder is an encoder of gzip or zstd. Closing it writes the end.
type streamEncoder interface {
	io.WriteCloser
	Reset(io.Writer)
}
