package importers

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/identity"
	"sabine/dataset/product"
)

// defaultManufacturer is used for materials that are known only from books and tables.
const defaultManufacturer = "Literaturwerte (pyroomacoustics)"

// maxTableBytes is the maximum size of the file, which is read completely into memory.
const maxTableBytes = 64 << 20

// Pyroomacoustics reads the materials of pyroomacoustics, which are an object
//
//	{"center_freqs": [125, 250, …], "absorption": {SECTION: {KEY: ENTRY, …}, …}, "scattering": {the same}}
//
// where an ENTRY is {"description": text, "coeffs": [0.02, …]}, with the center_freqs of the entry or of the
// file. If there are fewer coefficients than frequencies, the highest frequencies have none. An entry's
// description becomes the product label, and its section and key go to structured_meta. All other members are
// ignored.
func Pyroomacoustics(w io.Writer, r io.Reader, o Options) error {
	o.Manufacturer = cmp.Or(strings.TrimSpace(o.Manufacturer), defaultManufacturer)
	im, err := newImporting(w, o)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxTableBytes+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", im.Name, err)
	case len(text) > maxTableBytes:
		return fmt.Errorf("%s: the file is larger than the limit of %d bytes", im.Name, maxTableBytes)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	t := materialsTable{importing: im, text: text, names: map[string]bool{}}
	inspected := dataset.Inspect(text)
	if inspected.Expected != "" {
		t.problemAtOffset(inspected.End, "invalid JSON: expected "+inspected.Expected)
	}
	for _, f := range inspected.Faults {
		im.problemAt(0, 0, f.Path+": "+f.Problem)
	}
	if im.found == 0 {
		t.read()
	}
	return im.end("no materials found")
}

// A materialsTable is a pyroomacoustics file that is being read.
type materialsTable struct {
	*importing
	text  []byte
	names map[string]bool // product names so far
}

// problemAtOffset records a problem at a byte offset in the text.
func (t *materialsTable) problemAtOffset(offset int, problem string) {
	before := t.text[:min(offset, len(t.text))]
	t.problemAt(1+bytes.Count(before, []byte{'\n'}), len(before)-bytes.LastIndexByte(before, '\n'), problem)
}

func (t *materialsTable) expected(v gjson.Result, what string) {
	t.problemAtOffset(v.Index, "expected "+what+", got "+dataset.KindOf(v))
}

func (t *materialsTable) read() {
	root := gjson.ParseBytes(t.text)
	if !root.IsObject() {
		t.expected(root, "an object with absorption or scattering")
		return
	}
	frequencies := root.Get("center_freqs")
	tables := 0
	for key, sections := range root.ForEach {
		switch key.Str {
		case "absorption", "scattering":
			tables++
			t.sections(sections, frequencies, key.Str == "scattering")
		case "center_freqs":
		default:
			t.leftOut[key.Str]++
		}
	}
	if tables == 0 {
		t.problemAtOffset(root.Index, "expected an object with absorption or scattering")
	}
}

func (t *materialsTable) sections(sections, frequencies gjson.Result, scattering bool) {
	if !sections.IsObject() {
		t.expected(sections, "an object with sections")
		return
	}
	for section, entries := range sections.ForEach {
		if !entries.IsObject() {
			t.expected(entries, "an object with materials")
			continue
		}
		for key, entry := range entries.ForEach {
			t.entry(section.Str, key.Str, entry, frequencies, scattering)
		}
	}
}

// A material is the content of an entry.
type material struct {
	section, key, name string
	scattering         bool // whether they are scattering and not absorption coefficients
	points             acoustics.Curve
}

// entry reads a material and writes its record.
func (t *materialsTable) entry(section, key string, entry, frequencies gjson.Result, scattering bool) {
	m := material{section: section, key: key, name: key, scattering: scattering}
	if own := entry.Get("center_freqs"); own.Exists() {
		frequencies = own
	}
	if !entry.IsObject() {
		t.expected(entry, "a material with a coeffs array")
		return
	}
	for member, value := range entry.ForEach {
		switch {
		case member.Str == "description" && value.Type == gjson.String && !isBlank(value.Str):
			m.name = value.Str
		case member.Str != "coeffs" && member.Str != "center_freqs":
			t.leftOut[member.Str]++
		}
	}
	coefficients := entry.Get("coeffs")
	switch {
	case !coefficients.IsArray():
		t.expected(entry, "a material with a coeffs array")
		return
	case !frequencies.IsArray():
		t.expected(entry, "center_freqs in the table or in the material")
		return
	case isBlank(m.name):
		t.problemAtOffset(entry.Index, "expected a non-empty description or key")
		return
	}
	if t.readPoints(&m, frequencies.Array(), coefficients) {
		t.write(&m, entry.Index)
	}
}

// readPoints pairs frequencies with coefficients. It reports whether all are valid.
func (t *materialsTable) readPoints(m *material, frequencies []gjson.Result, coefficients gjson.Result) bool {
	before := t.found
	for i, v := range coefficients.Array() {
		if i == len(frequencies) {
			t.problemAtOffset(v.Index, fmt.Sprintf("more coefficients than the %d center_freqs", len(frequencies)))
			break
		}
		hz := frequencies[i]
		switch {
		case v.Type != gjson.Number:
			t.expected(v, "a coefficient")
		case m.problemOf(v.Num) != "":
			t.problemAtOffset(v.Index, m.problemOf(v.Num))
		case !slices.Contains(acoustics.ThirdBands, int(hz.Num)) || float64(int(hz.Num)) != hz.Num:
			t.expected(hz, "the centre of an octave or third-octave band from 50 to 10000 Hz")
		case slices.ContainsFunc(m.points, func(p acoustics.Point) bool { return p.BandHz == int(hz.Num) }):
			t.expected(hz, "each band once")
		default:
			m.points = append(m.points, acoustics.Point{BandHz: int(hz.Num), Value: v.Num})
		}
	}
	if len(m.points) == 0 && t.found == before {
		t.expected(coefficients, "at least one coefficient")
	}
	slices.SortFunc(m.points, func(a, b acoustics.Point) int { return cmp.Compare(a.BandHz, b.BandHz) })
	return t.found == before
}

// problemOf returns the reason why a number is invalid as a coefficient for the material, or "".
func (m *material) problemOf(v float64) string {
	limit := product.AbsorptionLimit
	if m.scattering {
		limit = product.ScatteringLimit
	}
	if v >= product.MinCoefficient && v <= limit {
		return ""
	}
	return "coefficient " + formatNumber(v) + " is out of range: expected " +
		formatNumber(product.MinCoefficient) + " to " + formatNumber(limit)
}

// write writes the record for a material that begins at an offset. A repeated name gets a number. A record
// that a build would refuse, such as one with a name that is too long, is reported and skipped.
func (t *materialsTable) write(m *material, offset int) {
	name := m.name
	for n := 2; t.names[name]; n++ {
		name = m.name + " (" + strconv.Itoa(n) + ")"
	}
	t.names[name] = true
	p := &product.Product{
		ID: uuid.NewSHA1(identity.Space, []byte(t.Manufacturer+"\x00"+name)), Published: true, Purchasable: true,
		Label: product.Text{{Locale: product.German, Text: name}}, Manufacturer: product.Manufacturer{Name: t.Manufacturer},
		StructuredMeta: []product.MetaEntry{{Key: "key", Value: m.key}, {Key: "section", Value: m.section}},
		Measurements:   m.measurements(t.SourceKind),
	}
	p.StructuredMeta = slices.DeleteFunc(p.StructuredMeta, func(e product.MetaEntry) bool { return e.Value == "" })
	record := product.AppendSource(nil, p)
	faults := dataset.Parse(dataset.Raw{JSON: record}).Faults
	for i := range faults {
		t.problemAtOffset(offset, strings.TrimPrefix(faults[i].Path+": ", ": ")+faults[i].Problem)
	}
	if len(faults) == 0 {
		t.writeLine(record)
	}
}

// measurements returns the coefficients as a measurement. A curve is an octave curve if all its bands are
// octaves.
func (m *material) measurements(sourceKind string) product.Measurements {
	shared, octave, third := product.Measurement{SourceKind: sourceKind}, m.points, acoustics.Curve(nil)
	if slices.ContainsFunc(m.points, func(p acoustics.Point) bool {
		return !slices.Contains(acoustics.OctaveBands, p.BandHz)
	}) {
		octave, third = nil, m.points
	}
	if m.scattering {
		return product.Measurements{Scatter: []product.Scatter{{Measurement: shared, ScatterOctave: octave,
			ScatterThirdOctave: third}}}
	}
	return product.Measurements{Absorption: []product.Absorption{{Measurement: shared, AlphaSOctave: octave,
		AlphaSThirdOctave: third}}}
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
