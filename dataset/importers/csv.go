package importers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// CSV reads a table whose first row names the columns: one for the name, some for absorption coefficients at frequencies
// ("125", "250 Hz", "1k", "f_2000"), others as columns.csv has them. The cells of any other column go to structured_meta, with a
// warning; a table of scattering or diffusion coefficients is refused. Columns are separated by commas, semicolons or tabs,
// whichever makes most of the names known. Numbers have a decimal comma or point; a coefficient is a percentage only if its
// cell or the name of its column has a "%".
//
// A product's name is in the column of names or, if that is empty or missing, in those of material, trade name or
// description. A row whose coefficients are all at octave centres gives an octave curve, any other a third-octave curve.
func CSV(w io.Writer, r io.Reader, o Options) error {
	im, err := newImporting(w, o)
	if err != nil {
		return err
	}
	buffered := bufio.NewReaderSize(r, maxHeaderBytes)
	if bom, _ := buffered.Peek(3); string(bom) == "\uFEFF" {
		_, _ = buffered.Discard(3)
	}
	head, err := buffered.Peek(maxHeaderBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", im.Name, err)
	}
	t := csvTable{importing: im, rows: csv.NewReader(buffered)}
	t.rows.Comma = separatorOf(head)
	t.rows.FieldsPerRecord = -1 // checked row by row, with a message of ours
	t.rows.ReuseRecord = true
	if err := t.header(); err != nil {
		return err
	}
	for im.cancelled == nil {
		cells, err := t.rows.Read()
		if err == io.EOF {
			break
		}
		if err := t.row(cells, err); err != nil {
			return err
		}
	}
	return im.end("no row below the first, which names the columns")
}

// maxHeaderBytes is how much of a table is looked at to find what separates its columns.
const maxHeaderBytes = 64 << 10

// separatorOf finds what separates the columns of a table: what makes most names of the first row known.
func separatorOf(head []byte) rune {
	best, most := ',', -1
	for _, separator := range []rune{',', ';', '\t'} {
		rows := csv.NewReader(bytes.NewReader(head))
		rows.Comma = separator
		cells, err := rows.Read()
		if err != nil && len(cells) == 0 {
			continue
		}
		understood := 0
		for _, cell := range cells {
			if c := columnOf(cell); c.bandHz > 0 || c.role != roleOther {
				understood++
			}
		}
		if understood > most {
			best, most = separator, understood
		}
	}
	return best
}

// A csvTable is a CSV table being read.
type csvTable struct {
	*importing
	rows    *csv.Reader
	columns []column
	places  map[role]int // the column of each role
}

// failed returns an error of the table as a whole.
func (t *csvTable) failed(line, column int, problem string) error {
	return &Error{t.Name, line, column, problem}
}

// header reads the first row.
func (t *csvTable) header() error {
	cells, err := t.rows.Read()
	if err == io.EOF {
		return t.failed(1, 1, "nothing in it, expected a row that names the columns")
	}
	if err != nil {
		return t.rowError(err)
	}
	t.places = map[role]int{}
	bands := map[int]bool{}
	var stray []string // columns that nothing is known of
	for i, cell := range cells {
		line, at := t.rows.FieldPos(i)
		if !utf8.ValidString(cell) {
			return t.failed(line, at, "not valid UTF-8: save the table as CSV UTF-8")
		}
		c := columnOf(cell)
		reason := c.strayReason()
		if first, taken := t.places[c.role]; taken {
			c = column{header: c.header} // the first one speaks, the other is kept in structured_meta
			reason = " (" + dataset.Quoted(t.columns[first].header) + " says the same already)"
		}
		if c.role == roleOther && c.bandHz == 0 && c.header != "" {
			stray = append(stray, dataset.Quoted(c.header)+reason)
		}
		if bands[c.bandHz] {
			return t.failed(line, at, "a second column for "+strconv.Itoa(c.bandHz)+" Hz")
		}
		if c.bandHz > 0 {
			bands[c.bandHz] = true
		}
		t.columns = append(t.columns, c)
		if c.role != roleOther {
			t.places[c.role] = i
		}
	}
	hasName := slices.ContainsFunc(nameRoles, func(r role) bool { _, ok := t.places[r]; return ok })
	_, hasManufacturer := t.places[roleManufacturer]
	switch problem := t.otherQuantity(); {
	case problem != "":
		return t.failed(1, 1, problem)
	case !hasName:
		return t.failed(1, 1, `no column of names: expected one called "name", "label", "product", "Bezeichnung", "Produkt" or "Material"`)
	case len(bands) == 0:
		return t.failed(1, 1, `no column of coefficients: expected columns called "125", "125 Hz", "1k" or so`)
	case !hasManufacturer && t.Manufacturer == "":
		return t.failed(1, 1, `no column of manufacturers: expected one called "manufacturer" or "Hersteller", or the manufacturer as an option`)
	}
	if len(stray) > 0 {
		t.warn("kept as text in structured_meta, and used for nothing else: " + strings.Join(stray, ", "))
	}
	return nil
}

// nameRoles are the columns that can give a product its name, the best first.
var nameRoles = []role{roleName, roleMaterial, roleCommercialName, roleDescription}

// rowError says where the table stops being CSV.
func (t *csvTable) rowError(err error) error {
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return t.failed(broken.Line, broken.Column, "not CSV: "+broken.Err.Error())
	}
	return fmt.Errorf("%s: %w", t.Name, err)
}

// row reads one row. An error ends the import.
func (t *csvTable) row(cells []string, err error) error {
	var broken *csv.ParseError
	switch {
	case err != nil && errors.As(err, &broken):
		t.problem(t.rowError(err)) // csv reads on at the next line
		return nil
	case err != nil:
		return t.rowError(err)
	case !slices.ContainsFunc(cells, func(cell string) bool { return !isBlank(cell) }):
		return nil
	}
	before := t.found
	e, points := t.entry(cells)
	for _, r := range nameRoles {
		e.text[roleName] = cmp.Or(e.text[roleName], e.text[r])
	}
	quantity := e.otherQuantity()
	name, material := e.text[roleName], e.text[roleMaterial]
	if material != "" && material != name {
		e.addMeta(t.columns[t.places[roleMaterial]].header, material)
	}
	line, _ := t.rows.FieldPos(0)
	switch {
	case t.found > before:
	case name == "":
		t.problemAt(line, 1, "no name in this row")
	case e.text[roleManufacturer] == "" && t.Manufacturer == "":
		t.problemAt(line, 1, "no manufacturer in this row, and none as an option")
	case len(points) == 0:
		t.problemAt(line, 1, "no coefficient in this row")
	case quantity != "" && !t.saysAlpha():
		t.problemAt(line, 1, dataset.Quoted(quantity)+" says that the coefficients are of scattering or diffusion"+onlyAbsorption)
	default:
		e.split(points)
		t.write(&e, func(problem string) { t.problemAt(line, 1, problem) })
	}
	return nil
}

// entry reads the cells of a row.
func (t *csvTable) entry(cells []string) (e imported, points acoustics.Curve) {
	e.text = map[role]string{}
	for i, cell := range cells {
		line, at := t.rows.FieldPos(i)
		cell = strings.TrimSpace(cell)
		if cell == "" {
			continue
		}
		if i >= len(t.columns) {
			t.problemAt(line, at, "more cells than the first row has columns: "+dataset.Quoted(cell))
			continue
		}
		c := &t.columns[i]
		problem := ""
		switch {
		case !utf8.ValidString(cell):
			problem = "not valid UTF-8: save the table as CSV UTF-8"
		case c.bandHz > 0:
			var v *float64
			if v, problem = coefficientOf(cell, c.percent); v != nil {
				if problem = e.coefficientProblem(*v); problem != "" && !c.percent && !strings.Contains(cell, "%") {
					problem += "; a percentage needs a % in its cell or in its column's name"
				}
				points = append(points, acoustics.Point{BandHz: c.bandHz, Value: *v})
			}
		default:
			if c.header == "" && !c.told {
				c.told = true
				t.warn("kept as text in structured_meta under " + dataset.Quoted(namelessKey) + ", and used for nothing else: column " + strconv.Itoa(i+1) + ", which has no name")
			}
			problem = e.set(c, cell)
		}
		if problem != "" {
			t.problemAt(line, at, c.header+": "+problem)
		}
	}
	return e, points
}

// set stores a cell where its column's role says, or in structured_meta if it is more than the role can hold, such as a range
// of lengths; problem says why it cannot.
func (e *imported) set(c *column, cell string) (problem string) {
	fits := true
	switch c.role {
	case roleOther:
		fits = false
	case roleInstallation:
		e.installationTypes = listOf(cell)
	case roleThickness:
		e.thicknessMM, fits = lengthOf(cell, c.unit)
	case roleAirGap:
		e.gapMM, fits = lengthOf(cell, c.unit)
	case roleSourceKind:
		if !slices.Contains(dataset.SourceKinds, strings.ToLower(cell)) {
			return "expected " + dataset.OrList(dataset.SourceKinds) + ", got " + dataset.Quoted(cell)
		}
		cell = strings.ToLower(cell)
	case roleFireClass:
		_, fits = dataset.ParseFireClass(cell)
	case roleURL:
		fits = dataset.IsWebAddress(cell)
	}
	if fits {
		e.text[c.role] = cell
	} else {
		e.addMeta(c.header, cell)
	}
	return ""
}

// namelessKey is where a cell is kept whose column has no name.
const namelessKey = "remark"

// addMeta keeps a cell in structured_meta; columns with the same name share an entry.
func (e *imported) addMeta(key, value string) {
	key = cmp.Or(key, namelessKey)
	for i := range e.meta {
		if e.meta[i].Key == key {
			e.meta[i].Value += "; " + value
			return
		}
	}
	e.meta = append(e.meta, dataset.MetaEntry{Key: key, Value: value})
}

// listOf splits a cell of several values.
func listOf(cell string) (values []string) {
	for _, value := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;|/", r) }) {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}
