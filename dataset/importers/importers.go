package importers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// Options say what a foreign table does not. The zero value is for a table that says everything.
type Options struct {
	Name         string // of the input, for messages; "" is "-"
	Manufacturer string // of entries that name none
	SourceKind   string // one of dataset.SourceKinds; "" is DefaultSourceKind

	// Warn, if not nil, is called with a line for what goes into no field of its own, or into no record at all.
	Warn func(note string)
}

// DefaultSourceKind is the source kind of a table that does not say: most tables are copied from books.
const DefaultSourceKind = "literature"

// An Importer reads a foreign table and writes source records as NDJSON. An entry that makes no record is left out and
// reported; the error joins all that was found, each an *Error or *dataset.Fault. A table without entries is an error.
type Importer func(w io.Writer, r io.Reader, o Options) error

// Formats are the formats of sabine import.
var Formats = map[string]Importer{
	"csv":             CSV,
	"pyroomacoustics": Pyroomacoustics,
	"api":             API,
}

// An Error is something in a foreign table from which no record can be made.
type Error struct {
	Input        string
	Line, Column int // 1-based, the column in bytes; 0 for the table as a whole
	Problem      string
}

func (e *Error) Error() string {
	place := e.Input
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.Input, e.Line, e.Column)
	}
	return place + ": " + e.Problem
}

// maxErrors is how many errors an import reports one by one.
const maxErrors = 100

// An importing is one import in progress.
type importing struct {
	Options
	w             io.Writer
	text          recordText
	names         map[string]bool   // manufacturer and name of the entries so far, as identity writes them
	manufacturers map[string]string // a manufacturer's slug to its name as it was first spelt
	written       int               // records
	leftOut       map[string]int    // names of what goes into no record, and how often they stood there
	found         int               // problems
	problems      []error           // the first of them
	cancelled     error             // of w
}

func newImporting(w io.Writer, o Options) (*importing, error) {
	o.Name = cmp.Or(o.Name, "-")
	o.SourceKind = cmp.Or(o.SourceKind, DefaultSourceKind)
	o.Manufacturer = strings.TrimSpace(o.Manufacturer)
	switch {
	case !slices.Contains(dataset.SourceKinds, o.SourceKind):
		return nil, fmt.Errorf("source kind %q: expected %s", o.SourceKind, dataset.OrList(dataset.SourceKinds))
	case !utf8.ValidString(o.Manufacturer):
		return nil, fmt.Errorf("manufacturer %q: not valid UTF-8", o.Manufacturer)
	}
	return &importing{Options: o, w: w, names: map[string]bool{}, manufacturers: map[string]string{}, leftOut: map[string]int{}}, nil
}

// problem notes why an entry makes no record.
func (im *importing) problem(err error) {
	im.found++
	if im.found <= maxErrors {
		im.problems = append(im.problems, err)
	}
}

// problemAt notes a problem at a place of the table.
func (im *importing) problemAt(line, column int, problem string) {
	im.problem(&Error{im.Name, line, column, problem})
}

// warn passes on a note about the table that is no error.
func (im *importing) warn(note string) {
	if im.Warn != nil {
		im.Warn(im.Name + ": " + note)
	}
}

// end returns all problems, joined. noEntry is the problem of a table without entries.
func (im *importing) end(noEntry string) error {
	if im.cancelled != nil {
		return im.cancelled
	}
	if len(im.leftOut) > 0 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(im.leftOut)) {
			names = append(names, dataset.Quoted(name)+" ("+strconv.Itoa(im.leftOut[name])+")")
		}
		im.warn("left out, with how often they stand there: " + strings.Join(names, ", "))
	}
	if im.written == 0 && im.found == 0 {
		im.problemAt(0, 0, noEntry)
	}
	if untold := im.found - len(im.problems); untold > 0 {
		im.problems = append(im.problems, fmt.Errorf("and %d more", untold))
	}
	return errors.Join(im.problems...)
}

// An imported is what a table's entry says of a product.
type imported struct {
	text              map[role]string // of the roles whose cells are taken as they are
	installationTypes []string
	thicknessMM       *float64
	gapMM             *float64
	octave, third     acoustics.Curve
	scattering        bool // the curves are scattering coefficients, not absorption
	meta              []dataset.MetaEntry
}

// importSpace is the namespace of the ids of imported products, as UUIDv5 of manufacturer and name. It never changes, or
// a table that is imported again would give new products.
var importSpace = uuid.MustParse("a2c3d1de-0b57-5f0e-8f6c-51d7a86e3b94")

// identity decides the name and id of an entry's product. A name that the manufacturer has used before gets a number. Of
// several spellings of a manufacturer with the same slug, the first one is kept.
func (im *importing) identity(e *imported) uuid.UUID {
	manufacturer := cmp.Or(e.text[roleManufacturer], im.Manufacturer)
	slug := dataset.SlugOf(manufacturer)
	if first, known := im.manufacturers[slug]; known {
		manufacturer = first
	}
	im.manufacturers[slug] = manufacturer
	number := ""
	for n := 2; im.names[manufacturer+"\x00"+e.text[roleName]+number]; n++ {
		number = " (" + strconv.Itoa(n) + ")"
	}
	e.text[roleManufacturer] = manufacturer
	e.text[roleName] += number
	if e.text[roleNameEN] != "" {
		e.text[roleNameEN] += number
	}
	identity := manufacturer + "\x00" + e.text[roleName]
	im.names[identity] = true
	return uuid.NewSHA1(importSpace, []byte(identity))
}

// write writes an entry as a source record. A record that a build would refuse, such as one whose name is too long, is left
// out, and problem is called with the reason.
func (im *importing) write(e *imported, problem func(string)) {
	id := im.identity(e)
	j := &im.text
	j.Reset()
	j.Object(func() {
		j.Key("id").String(id.String())
		j.Key("label").Object(func() {
			j.Key(dataset.German).String(e.text[roleName])
			j.optional(dataset.English, e.text[roleNameEN])
		})
		for _, r := range []role{roleCommercialName, roleDescription, roleManufacturer, roleCategory, roleCharacter} {
			j.optional(string(r), e.text[r])
		}
		if len(e.installationTypes) > 0 {
			j.Key(dataset.FamilyInstallation).Strings(e.installationTypes)
		}
		j.optional("fire_class", e.text[roleFireClass])
		j.optional("url", e.text[roleURL])
		if len(e.meta) > 0 {
			j.Key("structured_meta").Object(func() {
				for _, m := range e.meta {
					j.Key(m.Key).String(m.Value)
				}
			})
		}
		j.Key("measurements").Object(func() { im.writeMeasurement(e) })
	})
	faults := dataset.Parse(dataset.Raw{JSON: j.Bytes()}).Faults
	for i := range faults {
		problem(strings.TrimPrefix(faults[i].Path+": ", ": ") + faults[i].Problem)
	}
	if len(faults) == 0 {
		im.writeLine()
	}
}

// writeLine writes the record in text.
func (im *importing) writeLine() {
	if im.cancelled == nil {
		_, im.cancelled = im.w.Write(im.text.Line())
		im.written++
	}
}

func (im *importing) writeMeasurement(e *imported) {
	j := &im.text
	array, octave, third := "absorption_iso_354", "alpha_s_octave", "alpha_s_third_octave"
	if e.scattering {
		array, octave, third = "scatter_iso_17497_1", "scatter_octave", "scatter_third_octave"
	}
	j.Key(array).Array(func() {
		j.Object(func() {
			j.Key("source_kind").String(cmp.Or(e.text[roleSourceKind], im.SourceKind))
			j.optional("mounting", e.text[roleMounting])
			j.optionalNumber("thickness_mm", e.thicknessMM)
			j.optionalNumber("air_gap_mm", e.gapMM)
			j.curve(octave, e.octave)
			j.curve(third, e.third)
		})
	})
}

// recordText is the JSON of a record in the making, with the members that it may lack.
type recordText struct{ jsonwriter.Text }

// optional adds a member that is a string, unless it is "".
func (j *recordText) optional(name, value string) {
	if value != "" {
		j.Key(name).String(value)
	}
}

func (j *recordText) optionalNumber(name string, value *float64) {
	if value != nil {
		j.Key(name).Number(*value)
	}
}

// curve adds a frequency map, unless it has no band.
func (j *recordText) curve(name string, c acoustics.Curve) {
	if len(c) > 0 {
		j.Key(name)
		dataset.WriteCurve(&j.Text, c)
	}
}

// split makes an octave curve of the points if every band is an octave band, else a third-octave curve.
func (e *imported) split(points acoustics.Curve) {
	slices.SortFunc(points, func(a, b acoustics.Point) int { return cmp.Compare(a.BandHz, b.BandHz) })
	for _, p := range points {
		if !slices.Contains(acoustics.OctaveBands, p.BandHz) {
			e.third = points
			return
		}
	}
	e.octave = points
}

// coefficientProblem returns why a number is no coefficient of the entry, "" when it is one.
func (e *imported) coefficientProblem(v float64) string {
	limit := dataset.AbsorptionLimit
	if e.scattering {
		limit = dataset.ScatteringLimit
	}
	if v >= dataset.LeastCoefficient && v <= limit {
		return ""
	}
	return formatNumber(v) + " is no coefficient: expected " + formatNumber(dataset.LeastCoefficient) + " to " + formatNumber(limit)
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
