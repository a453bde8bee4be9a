package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"
)

// How long a client may hold the generation that it reads from. The server's writeTimeout, which is for a
// whole answer, would end a good export at 30 s, whatever its size.
const (
	// pieceBytes is how much is written at a time: a good part of what a connection takes at once, and little
	// beside what the program needs anyway.
	pieceBytes = 128 << 10
	// leastPace is how many bytes a second a client has to take, seen over the whole stream: half a megabit,
	// less than any line that somebody would fetch a catalogue over, and 400 MB within two hours.
	leastPace = 64 << 10
	// paceGrace is what a client may be behind leastPace, and how long a single piece may take: who read fast
	// before cannot stand still for long either.
	paceGrace = 30 * time.Second
)

// A pacedWriter writes to a client as long as it keeps up the least pace.
type pacedWriter struct {
	to         io.Writer
	controller *http.ResponseController
	began      time.Time
	sent       int
}

// Write sends bytes, piece by piece.
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

// flush sends what net/http has kept.
func (w *pacedWriter) flush() error {
	w.extend(0)
	if err := w.controller.Flush(); !errors.Is(err, http.ErrNotSupported) { // of a response without a connection
		return err
	}
	return nil
}

// extend gives the client time for its next bytes. It fails where there is no connection, and where one has
// ended, which the next write says.
func (w *pacedWriter) extend(next int) {
	_ = w.controller.SetWriteDeadline(deadline(w.began, time.Now(), w.sent+next))
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
