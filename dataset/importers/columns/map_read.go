package columns

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset"
	"sabine/dataset/product"
)

// The limits for a map.
const (
	maxMapBytes  = 1 << 20 // size of a map with about 10,000 columns
	maxMapTables = 1000
	maxMapRows   = 100 // maximum number of header rows in a table
	maxMapName   = 4 << 10
	maxMapFaults = 100     // maximum number of reported faults
	maxRowNumber = 1 << 20 // last row in Excel
)

// ReadMap reads a map from a file. The error joins all faults in the map, each a *dataset.Fault.
func ReadMap(file string) (*Map, error) {
	f, err := dataset.OpenRegular(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxMapBytes+1))
	if err != nil {
		return nil, err
	}
	return parseMap(file, text)
}

func parseMap(file string, text []byte) (*Map, error) {
	place := dataset.Place{Input: file, Index: -1, Offset: -1}
	r, m := mapReader{place: place, text: bytes.TrimPrefix(text, []byte("\uFEFF"))}, &Map{}
	in := dataset.Inspect(r.text)
	for _, f := range in.Faults {
		r.fault(-1, f.Path, f.Problem)
	}
	switch {
	case len(text) > maxMapBytes: // ReadMap reads only one byte more than the limit
		r.fault(0, "", "the map exceeds the limit of "+strconv.Itoa(maxMapBytes>>20)+" MiB")
	case in.Expected != "":
		r.fault(in.End, "", "invalid JSON: expected "+in.Expected)
	case len(r.faults) == 0:
		addTable := func(v gjson.Result, at string) { m.Tables = append(m.Tables, r.table(v, at)) }
		tables := r.elements("an array of at least one table", maxMapTables, addTable)
		r.object(gjson.ParseBytes(r.text), "", map[string]reading{"tables": tables}, "tables")
	}
	if r.more > 0 {
		r.faults = append(r.faults, &dataset.Fault{Place: r.place, Problem: strconv.Itoa(r.more) + " more faults"})
	}
	return m, errors.Join(r.faults...)
}

// A mapReader reads a map's text and collects its faults.
type mapReader struct {
	place  dataset.Place // place of the file
	text   []byte
	faults []error
	more   int // number of faults beyond maxMapFaults
}

// fault adds a fault to the value at a path. offset is its byte offset in the text, or -1 if it is unknown.
func (r *mapReader) fault(offset int, at, problem string) {
	if len(r.faults) == maxMapFaults {
		r.more++
		return
	}
	place := r.place
	if offset >= 0 {
		place.Line = 1 + bytes.Count(r.text[:offset], []byte("\n"))
	}
	r.faults = append(r.faults, &dataset.Fault{Place: place, Path: at, Problem: problem})
}

// expected adds the fault for an unexpected value.
func (r *mapReader) expected(v gjson.Result, at, what string) {
	r.fault(v.Index, at, "expected "+what+", got "+dataset.Quoted(cmp.Or(v.Str, v.Raw)))
}

// A reading reads a value in a map. at is the path of the value.
type reading func(v gjson.Result, at string)

// object reads an object, which must contain the required members. A member that is null counts as missing.
func (r *mapReader) object(v gjson.Result, at string, members map[string]reading, required ...string) {
	if !v.IsObject() {
		r.expected(v, at, "an object")
		return
	}
	found := map[string]bool{}
	for key, value := range v.ForEach {
		switch read, ok := members[key.Str]; {
		case !ok:
			names := slices.Sorted(maps.Keys(members))
			near := orNearest(key.Str, names, "; known members: "+strings.Join(names, ", "))
			r.fault(key.Index, at, "unknown member "+dataset.Quoted(key.Str)+near)
		case value.Type != gjson.Null:
			read(value, strings.TrimPrefix(at+"."+key.Str, "."))
			found[key.Str] = true
		}
	}
	for _, name := range required {
		if !found[name] {
			r.fault(v.Index, at, "missing member "+strconv.Quote(name))
		}
	}
}

// elements returns a reading for an array of 1 to limit elements.
func (r *mapReader) elements(what string, limit int, read reading) reading {
	return func(v gjson.Result, at string) {
		list := v.Array()
		switch {
		case !v.IsArray() || len(list) == 0:
			r.expected(v, at, what)
		case len(list) > limit:
			r.fault(v.Index, at, fmt.Sprintf("expected at most %d elements, got %d", limit, len(list)))
		default:
			for i, element := range list {
				read(element, at+"["+strconv.Itoa(i)+"]")
			}
		}
	}
}

func (r *mapReader) table(v gjson.Result, at string) (t TableMap) {
	r.object(v, at, map[string]reading{
		"file":         textTo(r, &t.File, anyName, isPattern),
		"sheet":        textTo(r, &t.Sheet, anyName, isPattern),
		"layout":       oneOfTo(r, &t.Layout, Across, Transposed, Long),
		"header_rows":  r.rowsTo(&t.Header),
		"quantity":     oneOfTo(r, &t.Quantity, Quantities...),
		"label":        textTo(r, &t.Label, anyText, isFilled),
		"manufacturer": textTo(r, &t.Manufacturer, anyText, isFilled),
		"source_kind":  oneOfTo(r, &t.SourceKind, product.SourceKinds...),
		"columns":      func(v gjson.Result, at string) { r.columns(v, at, &t) },
	}, "layout", "header_rows", "columns")
	return t
}

const (
	anyText = "a non-empty string"
	anyName = "a name pattern (* for any characters, ? for one character, " +
		`\ before a literal *, ? or [)`
)

func isFilled(text string) bool  { return text != "" }
func isPattern(text string) bool { _, err := path.Match(text, ""); return text != "" && err == nil }

// textTo returns a reading for a string that meets a condition.
func textTo[T ~string](r *mapReader, to *T, what string, isExpected func(string) bool) reading {
	return func(v gjson.Result, at string) {
		*to = T(v.Str)
		if v.Type != gjson.String || !isExpected(v.Str) {
			r.expected(v, at, what)
		}
	}
}

// oneOfTo returns a reading for one of the given words.
func oneOfTo[T ~string](r *mapReader, to *T, words ...T) reading {
	var list []string
	for _, word := range words {
		list = append(list, string(word))
	}
	return textTo(r, to, dataset.OrList(list), func(text string) bool { return slices.Contains(list, text) })
}

// rowsTo returns a reading for the row numbers of a header.
func (r *mapReader) rowsTo(to *[]int) reading {
	const what = "ascending 1-based numbers of the rows that name the columns"
	last := 0
	return r.elements(what, maxMapRows, func(v gjson.Result, at string) {
		if row := int(v.Num); v.Type == gjson.Number && float64(row) == v.Num && row > last && row <= maxRowNumber {
			last = row
		} else {
			r.expected(v, at, what)
		}
		*to = append(*to, last)
	})
}

// A mapEntry is a column in a map with a field or a band.
type mapEntry struct {
	content    Column // column without header, unit and percent sign
	header, at string
	offset     int
}

// columns reads the columns of a table. Unlike a member, a column that is null is a fault.
func (r *mapReader) columns(v gjson.Result, at string, t *TableMap) {
	if !v.IsObject() || strings.Trim(v.Raw, "{} \t\r\n") == "" {
		r.expected(v, at, "an object that maps column names to fields or bands")
		return
	}
	t.byHeader = map[string]Column{}
	var entries []mapEntry
	for key, value := range v.ForEach {
		if len(key.Str) > maxMapName {
			r.expected(key, at, fmt.Sprintf("a column name of at most %d bytes", maxMapName))
			continue
		}
		var meaning string
		in := at + "[" + dataset.Quoted(key.Str) + "]"
		textTo(r, &meaning, anyText, isFilled)(value, in)
		c, err := parseName(meaning)
		if err != nil && meaning != "" { // textTo has reported an empty string
			r.fault(value.Index, in, err.Error())
		}
		if c.Field == Meta { // in a map: publish under the name of the column; see TableMap.Column
			c = Column{}
		}
		t.Columns, t.byHeader[key.Str] = append(t.Columns, MapColumn{key.Str, meaning}), c
		if c.Known() {
			content := Column{Field: c.Field, BandHz: c.BandHz, Quantity: c.Quantity, Resolution: c.Resolution}
			entries = append(entries, mapEntry{content, key.Str, in, value.Index})
		}
	}
	r.checkDuplicates(entries)
}

// checkDuplicates adds faults for columns with the same field or band. Set-ups side by side repeat all bands
// of a curve equally often, so no band can occur more often than the rarest band in its curve.
func (r *mapReader) checkDuplicates(entries []mapEntry) {
	uses, setups := map[Column]int{}, map[Column]int{} // number of columns by content, of set-ups by curve
	curveOf := func(c Column) Column { c.BandHz = 0; return c }
	for _, e := range entries {
		uses[e.content]++
	}
	for c, n := range uses {
		curve := curveOf(c)
		setups[curve] = min(cmp.Or(setups[curve], n), n)
	}
	seen := map[Column][]string{} // headers by content
	for _, e := range entries {
		before, most := seen[e.content], 1 // of a field
		if e.content.BandHz > 0 {
			most = setups[curveOf(e.content)]
		}
		if len(before) >= most {
			content := strconv.Quote(e.content.String())
			r.fault(e.offset, e.at, dataset.Quoted(before[0])+" is already mapped to "+content+": expected each field and band only once")
		}
		seen[e.content] = append(before, e.header)
	}
}
