package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"
)

// Limits on how long a client can occupy a generation. Without them, the server's writeTimeout for complete
// responses would end any export after 30 s, independent of its size.
const (
	// pieceBytes is the maximum size of a write: a large part of the bytes that a connection accepts
	// immediately, and small compared with the program's other memory.
	pieceBytes = 128 << 10
	// minPace is the minimum number of bytes per second, averaged over the stream: half a megabit, which is
	// less than any usable connection has, but enough for 400 MB in two hours.
	minPace = 64 << 10
	// paceGrace is the time by which a client can lag behind minPace, and the maximum time for a single
	// write, so that a client that was fast until then cannot stop for long either.
	paceGrace = 30 * time.Second
)

// A pacedWriter writes to a client that reads at minPace or faster.
type pacedWriter struct {
	to         io.Writer
	controller *http.ResponseController
	began      time.Time // start of the stream
	sent       int       // number of bytes of the stream sent so far
}

// Write sends bytes in pieces.
func (w *pacedWriter) Write(b []byte) (n int, err error) {
	for piece := range slices.Chunk(b, pieceBytes) {
		w.extend(len(piece))
		sent, err := w.to.Write(piece)
		w.sent += sent
		n += sent
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// flush sends the bytes that net/http has buffered.
func (w *pacedWriter) flush() error {
	w.extend(0)
	if err := w.controller.Flush(); !errors.Is(err, http.ErrNotSupported) { // unsupported without a connection
		return err
	}
	return nil
}

// extend sets the deadline for the next bytes. It fails if there is no connection or the connection was
// closed; the next write then returns the error.
func (w *pacedWriter) extend(next int) {
	_ = w.controller.SetWriteDeadline(deadline(w.began, time.Now(), w.sent+next))
}

// deadline returns the time by which a client must have read the given number of bytes of a stream.
func deadline(began, now time.Time, bytes int) time.Time {
	const perByte = time.Second / minPace // multiplying a second by the size of a large catalogue would overflow
	paced := began.Add(time.Duration(bytes) * perByte)
	if paced.After(now) {
		paced = now
	}
	return paced.Add(paceGrace)
}

// A counter counts bytes until its context ends.
type counter struct {
	ctx context.Context
	n   int64
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), context.Cause(c.ctx)
}
