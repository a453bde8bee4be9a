package table

import _ "embed"

// Template is a CSV table to fill in, which can be imported unchanged: the product fields that most people
// know, and two set-ups.
//
// It contains semicolons and a byte-order mark, because German Excel needs them to open the file in columns
// and to preserve umlauts when it saves the file. LibreOffice accepts both in every language. No cell
// contains a comma, and no number contains a point, because some locales read them as separators or dates.
// The coefficients are percentages with % in their cells, so that users can type 0.25 and 0,25 below them.
//
//go:embed template.csv
var Template string
