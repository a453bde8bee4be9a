package importers

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/tidwall/gjson"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// defaultManufacturer stands for the manufacturer of materials that are only in books and tables.
const defaultManufacturer = "Literaturwerte (pyroomacoustics)"

// maxTableBytes is the largest size of a table that is read as a whole.
const maxTableBytes = 64 << 20

// Pyroomacoustics reads the materials of pyroomacoustics, an object
//
//	{"center_freqs": [125, 250, …], "absorption": {SECTION: {KEY: ENTRY, …}, …}, "scattering": {the same}}
//
// in which an ENTRY is {"description": text, "coeffs": [0.02, …]}, with its own center_freqs or those of the table. If there
// are fewer coefficients than frequencies, those of the highest frequencies are missing. An entry's description becomes the
// product's label, its section and key go to structured_meta; any other member is left out.
func Pyroomacoustics(w io.Writer, r io.Reader, o Options) error {
	if o.Manufacturer == "" {
		o.Manufacturer = defaultManufacturer
	}
	im, err := newImporting(w, o)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxTableBytes+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", im.Name, err)
	case len(text) > maxTableBytes:
		return fmt.Errorf("%s: more than %d bytes", im.Name, maxTableBytes)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	t := materialsTable{importing: im, text: text}
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
	return im.end("no material in it")
}

// A materialsTable is a table of pyroomacoustics being read.
type materialsTable struct {
	*importing
	text []byte
}

// problemAtOffset notes a problem at an offset of the text.
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
		t.expected(sections, "an object of sections")
		return
	}
	for section, entries := range sections.ForEach {
		if !entries.IsObject() {
			t.expected(entries, "an object of materials")
			continue
		}
		for key, entry := range entries.ForEach {
			t.entry(section.Str, key.Str, entry, frequencies, scattering)
		}
	}
}

// entry reads one material.
func (t *materialsTable) entry(section, key string, entry, frequencies gjson.Result, scattering bool) {
	e := imported{scattering: scattering, meta: []dataset.MetaEntry{{Key: "section", Value: section}, {Key: "key", Value: key}}, text: map[role]string{roleName: key}}
	e.meta = slices.DeleteFunc(e.meta, func(m dataset.MetaEntry) bool { return m.Value == "" })
	if own := entry.Get("center_freqs"); own.Exists() {
		frequencies = own
	}
	if !entry.IsObject() {
		t.expected(entry, "a material with an array coeffs")
		return
	}
	for member, value := range entry.ForEach {
		switch {
		case member.Str == "description" && value.Type == gjson.String && !isBlank(value.Str):
			e.text[roleName] = value.Str
		case member.Str != "coeffs" && member.Str != "center_freqs":
			t.leftOut[member.Str]++
		}
	}
	coefficients := entry.Get("coeffs")
	switch {
	case !coefficients.IsArray():
		t.expected(entry, "a material with an array coeffs")
		return
	case !frequencies.IsArray():
		t.expected(entry, "center_freqs in the table or in the material")
		return
	case isBlank(e.text[roleName]):
		t.problemAtOffset(entry.Index, "expected a description or a key that is not empty")
		return
	}
	if points, ok := t.points(&e, frequencies.Array(), coefficients); ok {
		e.split(points)
		t.write(&e, func(problem string) { t.problemAtOffset(entry.Index, problem) })
	}
}

// points pairs frequencies and coefficients.
func (t *materialsTable) points(e *imported, frequencies []gjson.Result, coefficients gjson.Result) (points acoustics.Curve, ok bool) {
	before := t.found
	index := 0
	for _, v := range coefficients.ForEach {
		if index == len(frequencies) {
			t.problemAtOffset(v.Index, fmt.Sprintf("more coefficients than the %d center_freqs", len(frequencies)))
			break
		}
		hz := frequencies[index]
		index++
		switch {
		case v.Type != gjson.Number:
			t.expected(v, "a coefficient")
		case e.coefficientProblem(v.Num) != "":
			t.problemAtOffset(v.Index, e.coefficientProblem(v.Num))
		case !slices.Contains(acoustics.ThirdBands, int(hz.Num)) || float64(int(hz.Num)) != hz.Num:
			t.expected(hz, "the centre of an octave or third-octave band from 50 to 10000 Hz")
		case slices.ContainsFunc(points, func(p acoustics.Point) bool { return p.BandHz == int(hz.Num) }):
			t.expected(hz, "each band once")
		default:
			points = append(points, acoustics.Point{BandHz: int(hz.Num), Value: v.Num})
		}
	}
	if len(points) == 0 && t.found == before {
		t.expected(coefficients, "at least one coefficient")
	}
	return points, t.found == before
}
