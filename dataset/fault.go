package dataset

import "strconv"

// A Place is the position of a record in the inputs.
type Place struct {
	Input   string // name of the input as given, or path of a file in a given folder; "-" for standard input
	Line    int    // 1-based line of NDJSON and CSV; 0 in an array, an object or a workbook
	Cell    string // cell of a table in the usual notation, such as "D7" or "Absorber!D7"; otherwise ""
	Index   int    // 0-based index in an array; otherwise -1
	Offset  int64  // byte offset of the record in the decompressed input; -1 for the whole input
	Ordinal int    // 0-based number of the record, or of the fault that replaces it, in all inputs
}

// inInput returns the place at an offset of an input. Offset -1 is the whole input.
func inInput(name string, offset int64) Place { return Place{Input: name, Index: -1, Offset: offset} }

// String returns the place for the beginning of a message: "a.ndjson:41" for a line, "a.json[40] (byte
// 81234)" for an element of an array, "a.xlsx[Absorber!D7]" and "a.csv:7[D7]" for a cell, "a.json (byte 0)"
// for another position, "a.json" for the whole input.
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

// A Fault describes a violation of the record format or, as a warning, a valid but doubtful value.
type Fault struct {
	Place  Place
	Record string // id of the record as written in the source; "" if the record has none
	// Path is the field, such as measurements.absorption_iso_354[2].alpha_s_octave["300"]; "" for the record.
	Path    string
	Problem string // description of the problem and of the expected value

	// Whole is true if a fault in an input or a vocabulary affects an unknown number of records or values.
	Whole bool
}

// Error returns the fault as one line: place, product, field and problem.
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

// maxQuoted is the maximum length in bytes of a source value in a message.
const maxQuoted = 100

// inOneLine formats a source string for a message. It quotes a string with spaces or unprintable characters
// and shortens a long string.
func inOneLine(s string) string {
	for _, r := range s {
		if r <= ' ' || r == '"' || r == 0xFFFD || !strconv.IsPrint(r) {
			return Quoted(s)
		}
	}
	return shortened(s)
}

// Quoted formats a source string for a message. It quotes the string and shortens a long one.
func Quoted(s string) string { return strconv.Quote(shortened(s)) }

// formatNumber formats a number for a message.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// shortened truncates a long string after a whole character.
func shortened(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	end := maxQuoted
	for end > maxQuoted-4 && s[end]&0xC0 == 0x80 { // inside a UTF-8 sequence
		end--
	}
	return s[:end] + "…"
}
