package table

import (
	"bytes"
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
	"sabine/dataset/nearest"
	"sabine/dataset/product"
)

// The limits of a map.
const (
	maxMapBytes  = 1 << 20 // some 10,000 columns
	maxMapTables = 1000
	maxMapRows   = 100 // of a header
	maxMapName   = 4 << 10
	maxMapFaults = 100 // that are reported
)

// ReadMap reads a map from a file. The error joins all that is wrong with the map, each a *dataset.Fault.
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
	r := mapReader{file: file, text: bytes.TrimPrefix(text, []byte("\uFEFF"))}
	m := &Map{}
	if r.isJSON() {
		root := gjson.ParseBytes(r.text)
		r.object(root, "", members{"tables": func(v gjson.Result, at string) {
			r.elements(v, at, "the tables of the map, one at least", maxMapTables, func(v gjson.Result, at string) { m.Tables = append(m.Tables, r.table(v, at)) })
		}}, "tables")
	}
	if r.more > 0 {
		place := dataset.Place{Input: file, Index: -1, Offset: -1}
		r.faults = append(r.faults, &dataset.Fault{Place: place, Problem: strconv.Itoa(r.more) + " more faults"})
	}
	return m, errors.Join(r.faults...)
}

// A mapReader reads the text of a map, and notes what is wrong with it.
type mapReader struct {
	file   string
	text   []byte
	faults []error
	more   int // faults beyond maxMapFaults
}

// fault notes what is wrong at a byte of the text, -1 where that is not known.
func (r *mapReader) fault(offset int, at, problem string) {
	if len(r.faults) == maxMapFaults {
		r.more++
		return
	}
	place := dataset.Place{Input: r.file, Index: -1, Offset: -1}
	if offset >= 0 {
		place.Line = 1 + bytes.Count(r.text[:offset], []byte("\n"))
	}
	r.faults = append(r.faults, &dataset.Fault{Place: place, Path: at, Problem: problem})
}

// expected notes a value that is something else than expected.
func (r *mapReader) expected(v gjson.Result, at, what string) {
	got := v.Raw
	if v.Type == gjson.String {
		got = v.Str
	}
	r.fault(v.Index, at, "expected "+what+", got "+dataset.Quoted(got))
}

// isJSON reports whether the text is JSON that can be read, with each key of an object once.
func (r *mapReader) isJSON() bool {
	if len(r.text) > maxMapBytes {
		r.fault(0, "", "expected a map of at most "+strconv.Itoa(maxMapBytes>>20)+" MiB")
		return false
	}
	in := dataset.Inspect(r.text)
	for _, f := range in.Faults {
		r.fault(-1, f.Path, f.Problem)
	}
	if in.Expected != "" {
		r.fault(in.End, "", "not JSON: expected "+in.Expected)
	}
	return len(r.faults) == 0
}

// members are what reads the members of an object.
type members map[string]func(v gjson.Result, at string)

// object reads an object, which must have the required members. A null is as good as nothing.
func (r *mapReader) object(v gjson.Result, at string, known members, required ...string) {
	if !v.IsObject() {
		r.expected(v, at, "an object")
		return
	}
	v.ForEach(func(key, value gjson.Result) bool {
		in := strings.TrimPrefix(at+"."+key.Str, ".")
		switch read, ok := known[key.Str]; {
		case !ok:
			r.fault(key.Index, at, "there is no member "+dataset.Quoted(key.Str)+orNearest(key.Str, slices.Sorted(maps.Keys(known))))
		case value.Type != gjson.Null:
			read(value, in)
			required = slices.DeleteFunc(required, func(name string) bool { return name == key.Str })
		}
		return true
	})
	for _, name := range required {
		r.fault(v.Index, at, "expected a member "+strconv.Quote(name))
	}
}

// orNearest says which of the known names may have been meant, or all of them.
func orNearest(name string, known []string) string {
	if near := nearest.Name(name, known); near != "" {
		return ", the nearest is " + strconv.Quote(near)
	}
	return "; there are " + strings.Join(known, ", ")
}

// elements reads the elements of an array, which must have one at least and limit at most.
func (r *mapReader) elements(v gjson.Result, at, what string, limit int, read func(v gjson.Result, at string)) {
	list := v.Array()
	if !v.IsArray() || len(list) == 0 {
		r.expected(v, at, what)
		return
	}
	if len(list) > limit {
		r.fault(v.Index, at, fmt.Sprintf("expected at most %d elements, got %d", limit, len(list)))
		return
	}
	for i, element := range list {
		read(element, at+"["+strconv.Itoa(i)+"]")
	}
}

func (r *mapReader) table(v gjson.Result, at string) (t MappedTable) {
	r.object(v, at, members{
		"file":         func(v gjson.Result, at string) { t.File = r.pattern(v, at) },
		"sheet":        func(v gjson.Result, at string) { t.Sheet = r.pattern(v, at) },
		"layout":       func(v gjson.Result, at string) { t.Layout = oneOf(r, v, at, layouts) },
		"header_rows":  func(v gjson.Result, at string) { t.Header = r.rows(v, at) },
		"quantity":     func(v gjson.Result, at string) { t.Quantity = oneOf(r, v, at, quantities) },
		"manufacturer": func(v gjson.Result, at string) { t.Manufacturer = r.str(v, at) },
		"source_kind":  func(v gjson.Result, at string) { t.SourceKind = oneOf(r, v, at, product.SourceKinds) },
		"columns":      func(v gjson.Result, at string) { t.Columns = r.columns(v, at) },
	}, "layout", "header_rows", "columns")
	return t
}

var layouts = []Layout{Across, Transposed, Long}

// str reads a text that is not empty.
func (r *mapReader) str(v gjson.Result, at string) string {
	if v.Type != gjson.String || v.Str == "" {
		r.expected(v, at, "a text that is not empty")
	}
	return v.Str
}

// pattern reads a pattern of names.
func (r *mapReader) pattern(v gjson.Result, at string) string {
	pattern := r.str(v, at)
	if _, err := path.Match(pattern, ""); err != nil {
		r.expected(v, at, "a name, with * for any characters and ? for any one; "+`a \ stands before a *, ? or [ of the name itself`)
	}
	return pattern
}

// oneOf reads one of some words.
func oneOf[T ~string](r *mapReader, v gjson.Result, at string, words []T) T {
	if v.Type == gjson.String && slices.Contains(words, T(v.Str)) {
		return T(v.Str)
	}
	var known []string
	for _, w := range words {
		known = append(known, string(w))
	}
	r.expected(v, at, dataset.OrList(known))
	return ""
}

// maxRowNumber bounds the rows of a header: Excel has as many.
const maxRowNumber = 1 << 20

// rows reads the numbers of the rows of a header.
func (r *mapReader) rows(v gjson.Result, at string) (rows []int) {
	const what = "the 1-based numbers of the rows that name the columns, ascending"
	r.elements(v, at, what, maxMapRows, func(v gjson.Result, at string) {
		row := int(v.Num)
		if v.Type != gjson.Number || float64(row) != v.Num || row < 1 || row > maxRowNumber || len(rows) > 0 && row <= rows[len(rows)-1] {
			r.expected(v, at, what)
		}
		rows = append(rows, row)
	})
	return rows
}

// A mappedColumn is one that a map gives a field or a band, and where it does.
type mappedColumn struct {
	content    Column // without its name, unit and percent sign
	header, at string
	offset     int
}

// columns reads what the columns of a table are.
func (r *mapReader) columns(v gjson.Result, at string) (columns MapColumns) {
	if !v.IsObject() {
		r.expected(v, at, "an object")
		return nil
	}
	var list []mappedColumn
	v.ForEach(func(key, value gjson.Result) bool {
		if len(key.Str) > maxMapName {
			r.fault(key.Index, at, "expected the name of a column of at most "+strconv.Itoa(maxMapName)+" bytes, got "+dataset.Quoted(key.Str))
			return true
		}
		at, is := at+"["+dataset.Quoted(key.Str)+"]", r.str(value, at+"["+dataset.Quoted(key.Str)+"]")
		columns = append(columns, MapColumn{key.Str, is})
		if is == "" || is == MapIgnored || is == MapMeta {
			return true
		}
		c, err := parseColumn(is)
		if err != nil {
			r.fault(value.Index, at, err.Error())
			return true
		}
		content := Column{Field: c.Field, BandHz: c.BandHz, Quantity: c.Quantity, Resolution: c.Resolution}
		list = append(list, mappedColumn{content, key.Str, at, value.Index})
		return true
	})
	r.once(list)
	if len(columns) == 0 {
		r.expected(v, at, "the columns of the table, an object of each one's name to what it is")
	}
	return columns
}

// once notes columns of one field, and of one band: set-ups side by side have each band of a curve equally often, no band more often.
func (r *mapReader) once(list []mappedColumn) {
	uses, most := map[Column]int{}, map[Column]int{}
	for i := range list {
		uses[list[i].content]++
	}
	curveOf := func(c Column) Column { c.BandHz = 0; return c }
	for c, n := range uses {
		if least := most[curveOf(c)]; c.BandHz > 0 && (least == 0 || n < least) {
			most[curveOf(c)] = n
		}
	}
	seen := map[Column][]string{}
	for _, c := range list {
		before := seen[c.content]
		if len(before) >= max(1, most[curveOf(c.content)]) {
			what := c.content.String()
			r.fault(c.offset, c.at, fmt.Sprintf("%s is %s already, expected each once", dataset.Quoted(before[0]), strconv.Quote(what)))
		}
		seen[c.content] = append(before, c.header)
	}
}
