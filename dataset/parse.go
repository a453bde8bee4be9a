package dataset

// Parsed is what Parse made of a record.
type Parsed struct {
	Product  *Product // nil when there are faults
	Faults   []Fault  // every fault of the record by itself, in the order of the fields
	Warnings []Fault  // doubtful but legal values
	Unknown  []string // fields that the record format does not list, as dotted paths without indexes, once per record
}

// Parse validates a record by itself and derives what the compiler needs of it. It is safe for concurrent use.
func Parse(raw Raw) Parsed { panic("unwritten") }
