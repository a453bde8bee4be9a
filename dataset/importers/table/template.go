package table

import (
	_ "embed"
	"io"
)

// template is a table to fill in: what most people know of a product, and two set-ups of one.
//
// It has semicolons and a byte-order mark: German Excel needs them to open it in columns and to keep umlauts
// when it saves. LibreOffice takes both in every language. No cell has a comma, and no number a point, which
// would be a separator, a thousands' sign or a date somewhere. The coefficients are percentages with a sign
// in their cells, so that 0.25 and 0,25 may be typed below them.
//
//go:embed template.csv
var template []byte

// WriteTemplate writes a CSV table to fill in, which imports as it is.
func WriteTemplate(w io.Writer) error {
	_, err := w.Write(template)
	return err
}
