package table

import (
	"io"
	"strings"
)

// template is a table to fill in: what most people have to say of a product, and two set-ups of one.
//
// It has semicolons and a byte-order mark: German Excel needs them to open it in columns and to keep umlauts
// when it saves. LibreOffice takes both in every language. No cell has a comma, and no number a point, which
// would be a separator, a thousands' sign or a date somewhere. The coefficients are percentages, and say so
// in their cells, so that 0.25 and 0,25 may be typed below them.
const template = `article_number;label;manufacturer;description;material_category;absorption_character;installation_types;fire_class;url;` +
	`mounting;thickness_mm;air_gap_mm;source_kind;laboratory;test_date;` +
	`alpha_s_octave 125 Hz;alpha_s_octave 250 Hz;alpha_s_octave 500 Hz;alpha_s_octave 1000 Hz;alpha_s_octave 2000 Hz;alpha_s_octave 4000 Hz
BS-600;Deckensegel 600;Beispiel Akustik;Segel aus Polyestervlies;textil;breitband;ceiling;B;https://example.org/deckensegel-600;` +
	`E-200;40;160;measured;Beispiel Prüfstelle;2026-01-31;25%;55%;85%;95%;95%;90%
BS-600;Deckensegel 600;Beispiel Akustik;Segel aus Polyestervlies;textil;breitband;ceiling;B;https://example.org/deckensegel-600;` +
	`E-400;40;360;measured;Beispiel Prüfstelle;2026-01-31;40%;65%;80%;95%;95%;90%
`

// WriteTemplate writes a CSV table to fill in, which imports as it is.
func WriteTemplate(w io.Writer) error {
	_, err := io.WriteString(w, "\uFEFF"+strings.ReplaceAll(template, "\n", "\r\n"))
	return err
}
