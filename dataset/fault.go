package dataset

import "strconv"

// A Place says where in the inputs a record stands.
type Place struct {
	Input   string // the input's name as given, or the file's path inside a folder; "-" for standard input
	Line    int    // 1-based line, for NDJSON and CSV; 0 in an array, an object or a workbook
	Cell    string // in a table, as people call it: "D7", "Absorber!D7"; "" elsewhere
	Index   int    // 0-based index in an array; -1 for what stands in none
	Offset  int64  // byte offset of the record in the (decompressed) input; -1 for the input as a whole
	Ordinal int    // 0-based number over all inputs, of the record or of what is yielded in its place
}

// inInput returns the place at an offset of an input, or the input as a whole with -1.
func inInput(name string, offset int64) Place { return Place{Input: name, Index: -1, Offset: offset} }

// String gives the place as messages begin with it: "a.ndjson:41" for a line, "a.json[40] (byte 81234)" for
// an element of an array, "a.xlsx[Absorber!D7]" and "a.csv:7[D7]" for a cell, "a.json (byte 0)" for what
// stands in none of these, "a.json" for the input as a whole.
func (p Place) String() string {
	text := p.Input
	if p.Line > 0 {
		text += ":" + strconv.Itoa(p.Line)
	}
	if p.Cell != "" {
		text += "[" + p.Cell + "]"
	}
	if p.Line > 0 || p.Cell != "" {
		return text
	}
	if p.Index >= 0 {
		text += "[" + strconv.Itoa(p.Index) + "]"
	}
	if p.Offset >= 0 {
		text += " (byte " + strconv.FormatInt(p.Offset, 10) + ")"
	}
	return text
}

// A Fault is something in the source that the record format does not allow, or, as a warning, something
// doubtful.
type Fault struct {
	Place  Place
	Record string // the record's id as it stands there, "" when it has none
	// the field, such as measurements.absorption_iso_354[2].alpha_s_octave["300"]; "" for the record as a whole
	Path    string
	Problem string // what is wrong and what was expected

	// Whole says that the fault is in an input or a vocabulary, not in one record: nobody can tell how many
	// records, or which values, are lost by it.
	Whole bool
}

// Error gives the fault in one line: where, which product, which field, what was expected.
func (f *Fault) Error() string {
	text := f.Place.String() + ": "
	if f.Record != "" {
		text += "product " + inOneLine(f.Record) + ": "
	}
	if f.Path != "" {
		text += f.Path + ": "
	}
	return text + f.Problem
}

// maxQuoted is how many bytes of a value of the source a message shows.
const maxQuoted = 100

// inOneLine returns a text of the source for use in a message: quoted if it contains blanks or characters
// that are not printable, and cut if it is long.
func inOneLine(s string) string {
	for _, r := range s {
		if r <= ' ' || r == '"' || r == 0xFFFD || !strconv.IsPrint(r) {
			return Quoted(s)
		}
	}
	return shortened(s)
}

// Quoted returns a text of the source as messages show it: in quotes, and cut if it is long.
func Quoted(s string) string { return strconv.Quote(shortened(s)) }

// shortened cuts a long text between two characters.
func shortened(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	end := maxQuoted
	for end > maxQuoted-4 && s[end]&0xC0 == 0x80 { // inside a letter of several bytes
		end--
	}
	return s[:end] + "…"
}
