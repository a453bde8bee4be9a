package table

// A Map says where tables lie and what their columns are, so that a guess that was right once is right each night.
type Map struct {
	Tables []TableMap `json:"tables"`
}

// A TableMap is the map of one table.
type TableMap struct {
	Sheet    string   `json:"sheet,omitempty"`    // "": of any sheet that no other map names, and of CSV
	Layout   Layout   `json:"layout"`             // which way the table lies
	Header   []int    `json:"header_rows"`        // the 1-based rows that name the columns; with Transposed, columns
	Quantity Quantity `json:"quantity,omitempty"` // of coefficients whose columns do not say
	// Columns has what each column is, by its name: what Column.String gives, MapMeta or MapIgnored.
	Columns map[string]string `json:"columns"`
}

// What a column may be in a map besides a field or a band.
const (
	MapMeta    = "structured_meta"
	MapIgnored = "-"
)

// of returns the map of a sheet, nil when there is none.
func (m *Map) of(sheet string) *TableMap {
	if m == nil {
		return nil
	}
	for _, name := range []string{sheet, ""} {
		for i := range m.Tables {
			if m.Tables[i].Sheet == name {
				return &m.Tables[i]
			}
		}
	}
	return nil
}

// A Layout is which way a table lies.
type Layout string

// The layouts.
const (
	Across     Layout = "across"     // a row a set-up, bands across
	Transposed Layout = "transposed" // a column a set-up, bands downwards
	Long       Layout = "long"       // a row a band
)

// An Account tells what was made of tables.
type Account struct {
	Tables            []TableAccount `json:"tables"`
	Products, Entries int
}

// A TableAccount tells what was made of one table.
type TableAccount struct {
	Input    string          `json:"input"`
	Sheet    string          `json:"sheet,omitempty"`
	Layout   Layout          `json:"layout"`
	Header   []int           `json:"header_rows"`
	Quantity Quantity        `json:"quantity"`
	Rows     int             `json:"rows"` // below the header
	Columns  []ColumnAccount `json:"columns"`
	Unused   []string        `json:"unused"` // what is used for nothing, each with its cells: titles, notes, sheets without a table
}

// A ColumnAccount tells what a column became.
type ColumnAccount struct {
	Header  string `json:"header"`
	Cell    string `json:"cell"`    // where its name stands
	Became  string `json:"became"`  // as in a map
	Example string `json:"example"` // its first value as it stands there, "" for none
	Value   string `json:"value"`   // what that became: "0.85" of "85 %"
}
