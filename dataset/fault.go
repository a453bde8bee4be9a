package dataset

// A Place says where in the inputs a record stands.
type Place struct {
	Input   string // the input's name as given, or the file's path inside a folder; "-" for standard input
	Line    int    // 1-based line, for NDJSON; 0 in an array or object
	Index   int    // 0-based index, in an array
	Offset  int64  // byte offset of the record in the (decompressed) input
	Ordinal int    // 0-based number of the record over all inputs
}

// A Fault is something in the source that the record format does not allow, or, as a warning, something doubtful.
type Fault struct {
	Place   Place
	Record  string // the record's id as it stands there, "" when it has none
	Path    string // the field, such as measurements.absorption_iso_354[2].alpha_s_octave["300"]; "" for the record as a whole
	Problem string // what is wrong and what was expected
}

// Error gives the fault in one line: where, which product, which field, what was expected.
func (f *Fault) Error() string { panic("unwritten") }
