package column

import (
	"cmp"
	"io"

	"sabine/indexes/snapshot"
)

// A Writer writes a section. It records its first error. Call Err once after all writes.
type Writer struct {
	section io.Writer
	at      uint64 // number of bytes written
	err     error
}

// Begin begins the next section of a snapshot.
func Begin(w *snapshot.Writer, kind snapshot.Kind) *Writer { return BeginAligned(w, kind, Align) }

// BeginAligned is like Begin, but with an alignment of 8 or 32 bytes.
func BeginAligned(w *snapshot.Writer, kind snapshot.Kind, align int) *Writer {
	section, err := w.Section(kind, align)
	return &Writer{section: section, err: err}
}

// Put writes a column and its padding.
func Put[T Number](w *Writer, values []T) {
	w.Write(Bytes(values))
	w.Pad(Align)
}

// Write writes bytes unchanged.
func (w *Writer) Write(b []byte) {
	if w.err == nil {
		_, w.err = w.section.Write(b)
		w.at += uint64(len(b))
	}
}

// Pad writes zeros up to the next multiple of n, which must be a power of two.
func (w *Writer) Pad(n uint64) { w.Write(make([]byte, AlignUp(w.at, n)-w.at)) }

// Fail records an error of the caller unless there is an earlier error.
func (w *Writer) Fail(err error) { w.err = cmp.Or(w.err, err) }

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

// RunSteps calls steps in order until one of them returns an error or the context of w ends.
func RunSteps(w *snapshot.Writer, steps ...func() error) error {
	for _, step := range steps {
		if err := ContextErr(w); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// ContextErr returns the error of the context of w if the context has ended. Steps that can take longer than
// a second must call it repeatedly.
func ContextErr(w *snapshot.Writer) error {
	if w.Context == nil {
		return nil
	}
	return w.Context.Err()
}
