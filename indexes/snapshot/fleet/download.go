package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"sabine/indexes/snapshot"
)

const (
	// stallTimeout is how long a request may transfer no data. The total time is not limited.
	stallTimeout = 30 * time.Second
	// retryPause is the time before an interrupted download is resumed. It doubles until data arrives.
	retryPause = 500 * time.Millisecond
)

// errPastEnd is returned by a Source if an object is shorter than the requested offset.
var errPastEnd = errors.New("the object ends before the requested byte")

// readSmall returns the content and the tag of an object of at most limit bytes. It returns an awayError if
// the source fails.
func readSmall(ctx context.Context, from Source, name string, r ReadOptions, limit int64) (b []byte, tag string,
	err error) {
	object, err := from.Open(ctx, name, r)
	if err != nil {
		return nil, "", awayError{err}
	}
	defer object.Body.Close()
	b, err = io.ReadAll(io.LimitReader(&countingReader{ctx: ctx, r: object.Body}, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s: larger than the limit of %d bytes", name, limit)
	}
	return b, object.Tag, err
}

// A countingReader reports the number of bytes read. It fails when its context ends, with an awayError.
type countingReader struct {
	ctx      context.Context
	r        io.Reader
	progress func(n int) // called after each read with the number of bytes; may be nil
}

func (c *countingReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, awayError{err}
	}
	n, err := c.r.Read(p)
	if c.progress != nil {
		c.progress(n)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = awayError{err}
	}
	return n, err
}

// download downloads a generation into the folder. It uses a patch if the store has one for the current
// generation. If there is no patch or it cannot be used, download downloads the entire file.
func (m *Mirror) download(ctx context.Context, g *Generation) error {
	if patchErr := m.downloadPatch(ctx, g); patchErr != nil {
		if err := m.downloadWhole(ctx, g); err != nil {
			return err
		}
		if !errors.Is(patchErr, ErrNotFound) && !errors.Is(patchErr, snapshot.ErrNoCurrent) { // there was a patch
			m.logger().Warn("the patch could not be used; the complete generation was downloaded", "generation", g.Hash,
				"error", patchErr)
		}
	}
	m.update(func(s *State) { s.Fetched++ })
	// A file with the expected hash may still not be a snapshot.
	f, err := snapshot.Open(m.Folder.Path(g.snapshotName()))
	if err != nil {
		return err
	}
	return f.Close()
}

// downloadWhole downloads the entire file of a generation. If a resumed download has the wrong content, it
// starts a new download, since the parts may come from different versions of the object.
func (m *Mirror) downloadWhole(ctx context.Context, g *Generation) error {
	resumed, err := m.tryDownload(ctx, g)
	if wrong := (*snapshot.CorruptError)(nil); resumed && errors.As(err, &wrong) {
		_, err = m.tryDownload(ctx, g)
	}
	return err
}

// tryDownload downloads the entire file of a generation. It resumes an interrupted download as long as data
// arrives within stallTimeout. If no data arrives at all, it returns the error. The download is then
// attempted again at the next poll of the store.
func (m *Mirror) tryDownload(ctx context.Context, g *Generation) (resumed bool, err error) {
	in, err := m.Folder.Receive()
	if err != nil {
		return false, err
	}
	defer in.Abort()
	wait, last := retryPause, time.Now()
	for {
		at := in.Bytes()
		err := m.receive(ctx, in, g)
		switch came := in.Bytes() > at; {
		case in.Bytes() == g.Bytes:
			return resumed, in.Commit(g.Hash)
		case err == nil && !came, errors.Is(err, errPastEnd): // the object is shorter than the pointer states
			return resumed, &snapshot.CorruptError{Path: m.Source.String() + "/" + g.snapshotName(), Offset: at,
				Want: fmt.Sprintf("%d bytes, as stated in the pointer", g.Bytes)}
		case ctx.Err() != nil:
			return resumed, ctx.Err()
		case err != nil && (statusOf(err) != StatusAway || errors.Is(err, ErrNotFound) || in.Bytes() == 0):
			return resumed, err // another request would not help, or nothing has arrived at all
		case came:
			wait, last = retryPause, time.Now()
		case time.Since(last) >= stallTimeout:
			return resumed, err
		}
		pause(ctx, wait)
		wait, resumed = 2*wait, resumed || err != nil // a short body without an error is a short object
	}
}

// receive downloads the remaining bytes with one request. It returns an awayError if the source fails.
func (m *Mirror) receive(ctx context.Context, in *snapshot.Incoming, g *Generation) error {
	object, err := m.Source.Open(ctx, g.snapshotName(), ReadOptions{At: in.Bytes()})
	if err != nil {
		return awayError{err}
	}
	defer object.Body.Close()
	from := &countingReader{ctx, io.LimitReader(object.Body, g.Bytes-in.Bytes()), func(n int) {
		if m.Progress != nil {
			m.Progress(in.Bytes()+int64(n), g.Bytes)
		}
	}}
	n, err := io.Copy(in, from)
	m.update(func(s *State) { s.Bytes += n })
	return err
}

// pause waits for the duration d or until the context ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
