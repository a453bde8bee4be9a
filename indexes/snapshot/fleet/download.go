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
	// stallTimeout is how long a request goes on without a single byte. How long it takes in all is not bounded.
	stallTimeout = 30 * time.Second
	// retryPause is the time before a download that broke off is taken up again; it doubles until something
	// comes.
	retryPause = 500 * time.Millisecond
)

// errEnded is what a Source returns when an object ends before the byte that was asked for.
var errEnded = errors.New("it ends before the byte that was asked for")

// readSmall returns an object of at most limit bytes, with its tag. What the source does wrong is an
// awayError.
func readSmall(ctx context.Context, from Source, name string, r Range, limit int64) (b []byte, tag string, err error) {
	object, err := from.Open(ctx, name, r)
	if err != nil {
		return nil, "", awayError{err}
	}
	defer object.Body.Close()
	b, err = io.ReadAll(io.LimitReader(&counted{ctx: ctx, r: object.Body}, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s: it is larger than the %d bytes that are read at most", name, limit)
	}
	return b, object.Tag, err
}

// download brings the file of a generation into the folder: by a patch if the store has one from the current
// generation, else, or if anything is wrong with the patch, as a whole.
func (m *Mirror) download(ctx context.Context, g *Generation) error {
	unpatched := m.patch(ctx, g)
	if unpatched != nil {
		if err := m.downloadWhole(ctx, g); err != nil {
			return err
		}
		if m.Log != nil && !errors.Is(unpatched, ErrNotFound) && !errors.Is(unpatched, snapshot.ErrNoCurrent) {
			m.Log.Warn("a generation was downloaded as a whole, since its patch could not be used", "generation", g.Hash,
				"error", unpatched)
		}
	}
	m.update(func(s *State) { s.Fetched++ })
	// what no program of this format could open does not come into force
	f, err := snapshot.Open(m.Folder.Path(g.snapshotName()))
	if err != nil {
		return err
	}
	return f.Close()
}

// downloadWhole downloads a generation as a whole. A download that was taken up again and turns out wrong is
// begun anew, once: two answers of a store may have been of two minds.
func (m *Mirror) downloadWhole(ctx context.Context, g *Generation) error {
	resumed, err := m.attempt(ctx, g)
	if wrong := (*snapshot.CorruptError)(nil); resumed && errors.As(err, &wrong) {
		_, err = m.attempt(ctx, g)
	}
	return err
}

// attempt downloads a generation. A body that breaks off is taken up where it ended, as long as something
// comes every stallTimeout; a download that has not begun is for the next look.
func (m *Mirror) attempt(ctx context.Context, g *Generation) (resumed bool, err error) {
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
		case err == nil && !came, errors.Is(err, errEnded):
			return resumed, &snapshot.CorruptError{Path: m.Source.String() + "/" + g.snapshotName(), Offset: at,
				Want: fmt.Sprintf("%d bytes, as the pointer states", g.Bytes)}
		case ctx.Err() != nil:
			return resumed, ctx.Err()
		case err != nil && (statusOf(err) != StatusAway || errors.Is(err, ErrNotFound) || in.Bytes() == 0):
			return resumed, err
		case came:
			wait, last = retryPause, time.Now()
		case time.Since(last) >= stallTimeout:
			return resumed, err
		}
		pause(ctx, wait)
		wait, resumed = 2*wait, resumed || err != nil
	}
}

// receive takes what is still missing of a generation, from one answer of the store. What the source does
// wrong is an awayError.
func (m *Mirror) receive(ctx context.Context, in *snapshot.Incoming, g *Generation) error {
	object, err := m.Source.Open(ctx, g.snapshotName(), Range{At: in.Bytes()})
	if err != nil {
		return awayError{err}
	}
	defer object.Body.Close()
	from := &counted{ctx, io.LimitReader(object.Body, g.Bytes-in.Bytes()), func(n int) {
		if m.Progress != nil {
			m.Progress(in.Bytes()+int64(n), g.Bytes)
		}
	}}
	n, err := io.Copy(in, from)
	m.update(func(s *State) { s.Bytes += n })
	return err
}

// pause waits, unless the context ends before.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
