package indexes

// Streams are each document's words in order, text by text, for the fields that have texts of their own: name,
// manufacturer, description.
type Streams struct{ unexported int }

// Phrase reports whether the terms stand next to each other, in order, in one text of a field of the document.
func (s *Streams) Phrase(d Doc, f Field, terms []Term) bool { panic("unwritten") }
