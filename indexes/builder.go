package indexes

import "sabine/indexes/snapshot"

// A Builder gathers documents in the order of their numbers and writes every section of a snapshot but the bodies,
// which BodyWriter streams. It is for one goroutine.
type Builder struct{ unexported int }

// NewBuilder returns a builder for a catalogue with the given vocabulary.
func NewBuilder(meta Meta) *Builder { panic("unwritten") }

// Add takes the next document; its number is how many came before it. The document may be used again by the caller.
func (b *Builder) Add(d *Document) { panic("unwritten") }

// Write writes the sections. The same documents give the same bytes.
func (b *Builder) Write(w *snapshot.Writer) error { panic("unwritten") }

// A BodyWriter streams body records into the sections KindBodies and KindBodyOffsets.
type BodyWriter struct{ unexported int }

// NewBodyWriter begins the section of bodies.
func NewBodyWriter(w *snapshot.Writer) (*BodyWriter, error) { panic("unwritten") }

// Add writes the next document's record, as AppendBody made it.
func (b *BodyWriter) Add(record []byte) error { panic("unwritten") }

// Close writes the section of offsets.
func (b *BodyWriter) Close() error { panic("unwritten") }
