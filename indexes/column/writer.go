package column

import (
	"io"

	"sabine/indexes/snapshot"
)

// A Writer writes one section and keeps its first fault: write all of it, then ask Err once.
type Writer struct {
	section io.Writer
	at      uint64 // bytes written
	err     error
}

// Begin begins the next section of a snapshot.
func Begin(w *snapshot.Writer, kind snapshot.Kind) *Writer { return BeginAligned(w, kind, Align) }

// BeginAligned is Begin for a section whose offset is a multiple of align, which is 8 or 32.
func BeginAligned(w *snapshot.Writer, kind snapshot.Kind, align int) *Writer {
	section, err := w.Section(kind, align)
	return &Writer{section: section, err: err}
}

// Put writes a column and the padding behind it.
func Put[T Number](w *Writer, values []T) {
	w.Write(Bytes(values))
	w.Pad(Align)
}

// Write writes bytes as they are.
func (w *Writer) Write(b []byte) {
	if w.err == nil {
		_, w.err = w.section.Write(b)
		w.at += uint64(len(b))
	}
}

// Pad writes zero up to the next multiple of n, a power of two.
func (w *Writer) Pad(n uint64) { w.Write(make([]byte, AlignUp(w.at, n)-w.at)) }

// Fail notes a fault that the caller found itself, unless there was one before.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Err returns the first fault.
func (w *Writer) Err() error { return w.err }

// InTurn takes one step after the other, up to the first error or the end of the writer's context.
func InTurn(w *snapshot.Writer, steps ...func() error) error {
	for _, step := range steps {
		if err := Ended(w); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Ended returns the error of the writer's context once that has ended. A step that takes longer than a second
// in a large catalogue asks for it as it goes.
func Ended(w *snapshot.Writer) error {
	if w.Context == nil {
		return nil
	}
	return w.Context.Err()
}
