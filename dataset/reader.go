package dataset

import (
	"io"
	"iter"
)

// Limits on what a record may be.
const (
	MaxRecordBytes = 16 << 20
	MaxDepth       = 100
)

// An Input is one source of records or vocabulary.
type Input struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Inputs finds the inputs that the arguments name: files, folders (every file of a known form in it, in name order,
// with its subfolders) and "-" for standard input. A vocabulary.json in a folder, or beside a named file, is one of
// them.
func Inputs(args []string, stdin io.Reader) ([]Input, error) { panic("unwritten") }

// Raw is the text of one record, a valid JSON object in UTF-8 with no key twice, and where it stood.
type Raw struct {
	Place Place
	JSON  []byte
}

// A Reader reads the records of several inputs, one after the other, and gathers their vocabularies.
type Reader struct{ unexported int }

// NewReader returns a reader of the inputs. progress, when not nil, is called now and then with the number of source
// bytes read so far.
func NewReader(inputs []Input, progress func(bytes int64)) *Reader { panic("unwritten") }

// Records yields every record in order. What cannot be read is yielded as a *Fault in the error's place, and reading
// goes on behind it where that is possible (the next line of NDJSON, the next input otherwise); an error of any other
// type ends the sequence.
func (r *Reader) Records() iter.Seq2[Raw, error] { panic("unwritten") }

// Vocabulary returns what the inputs declared, complete once Records has ended. It is nil when nothing was declared.
func (r *Reader) Vocabulary() *Vocabulary { panic("unwritten") }
