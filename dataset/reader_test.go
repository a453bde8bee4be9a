package dataset

import (
	"io"
	"strings"
)

// textInput is an input with the given name and text.
func textInput(name, text string) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}
