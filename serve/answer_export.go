package serve

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"sabine/dataset/acoustics"
	"sabine/runtime"
	"sabine/serve/export"
)

var exportMaterials = &operation{
	name: "exportMaterials", access: authenticated, exports: true, cache: cachePrivate, answer: answerExport,
	singles: slices.Concat(filterSingles, needSingles, []string{"format", "separator", "fill"}),
	lists:   slices.Concat(filterLists, needLists, []string{"bands"}),
}

// An exportFormat is a format with its media type and what the names of its files end with.
type exportFormat struct {
	export.Format
	mediaType []string
	extension string
}

var exportFormats = []exportFormat{
	{export.NDJSON, []string{"application/x-ndjson"}, "ndjson"},
	{export.CSV, []string{"text/csv; charset=utf-8; header=present"}, "csv"},
	{export.Pyroomacoustics, []string{"application/json"}, "json"},
	{export.CATT, []string{"text/plain; charset=utf-8"}, "txt"},
}

// ExportFormats lists what the parameter format may name.
func ExportFormats() []string {
	var names []string
	for _, f := range exportFormats {
		names = append(names, string(f.Format))
	}
	return names
}

// exposedOfExports is exposedFields with those that exports alone have.
var exposedOfExports = []string{exposedFields[0] + ", Content-Disposition, X-Export-Notes"}

// exportOptions reads how products are written.
func (p *params) exportOptions() (o export.Options) {
	o.Format = single(p, "format", export.NDJSON, func(text string) (export.Format, error) {
		if names := ExportFormats(); !slices.Contains(names, text) {
			return "", errors.New("is not a format" + alternatives(text, names))
		}
		return export.Format(text), nil
	})
	o.Semicolon = p.oneOf("separator", "comma", "semicolon") == "semicolon"
	o.Hold = p.oneOf("fill", "hold") != ""
	o.Bands = p.bands()
	p.onlyWith("separator", o.Format, export.CSV)
	p.onlyWith("fill", o.Format, export.Pyroomacoustics, export.CATT)
	p.onlyWith("bands", o.Format, export.Pyroomacoustics) // CATT's are six always
	return o
}

// oneOf reads a parameter that has one of a few values, "" when it is absent.
func (p *params) oneOf(name string, values ...string) string {
	return single(p, name, "", func(text string) (string, error) {
		if !slices.Contains(values, text) {
			return "", errors.New("is not known" + alternatives(text, values))
		}
		return text, nil
	})
}

// bands reads octaves, ascending and each once; nil when they are those that a format has anyway.
func (p *params) bands() []int {
	var bands []int
	for _, item := range p.items("bands") {
		hz, err := strconv.Atoi(item)
		if err != nil || strconv.Itoa(hz) != item || !slices.Contains(octaves.hz, hz) {
			p.fault("bands", "%s is not an octave from %d to %d Hz", quote(item), octaves.hz[0], octaves.hz[len(octaves.hz)-1])
			return nil
		}
		bands = append(bands, hz)
	}
	slices.Sort(bands)
	if bands = slices.Compact(bands); slices.Equal(bands, acoustics.RoomBands) {
		return nil
	}
	return bands
}

// onlyWith notes a parameter that is given with a format for which it means nothing.
func (p *params) onlyWith(name string, given export.Format, formats ...export.Format) {
	if !p.has(name) || slices.Contains(formats, given) {
		return
	}
	names := string(formats[0])
	for _, f := range formats[1:] {
		names += " or " + string(f)
	}
	p.fault(name, "is only for the format %s", names)
}

// answerExport answers with a stream from the generation. Its tag is the version of the data with a hash of
// the products and of how they are written: parameters that mean the same have the same.
func answerExport(x *exchange) (r representation, p *problem) {
	e := x.params.readExport(x.generation, &x.query)
	if p = x.params.problem(); p != nil {
		return r, p
	}
	e.products = x.generation.Select(&x.query)
	f := exportFormats[slices.Index(ExportFormats(), string(e.options.Format))]
	r.mediaType, r.stream = f.mediaType, e.write
	r.describe = func(h http.Header) {
		h["Access-Control-Expose-Headers"] = exposedOfExports
		x.set("Content-Disposition", fmt.Sprintf(`attachment; filename="sabine-%s.%s"`, x.snapshot, f.extension))
		if x.request.Method == http.MethodHead {
			return // to count takes nearly as long as to write, and HEAD costs no export
		}
		notes, err := e.takeNotes(x.nobodyWaits)
		if err != nil {
			x.breakOff(err)
		}
		if notes != "" {
			x.set("X-Export-Notes", notes)
		}
	}
	if x.snapshot != "" { // else nobody knows what version it is
		r.hash = x.snapshot + e.hash()
	}
	return r, nil
}

// exporting is products that are about to be written.
type exporting struct {
	products *runtime.Selection
	options  export.Options
	notes    export.Notes
}

// readExport reads the parameters of an export: which products, and how they are written.
func (p *params) readExport(g *runtime.Generation, q *runtime.Query) *exporting {
	q.Text = p.text()
	p.filters(g, &q.Filters)
	return &exporting{options: p.exportOptions()}
}

// takeNotes returns what there is to report before the first byte, "" for a format that takes everything, or
// an error of stop.
func (e *exporting) takeNotes(stop func() error) (notes string, err error) {
	if e.options.Format != export.Pyroomacoustics && e.options.Format != export.CATT {
		return "", nil
	}
	e.notes, err = export.NotesOf(e.products, &e.options, stop)
	return e.notes.String(), err
}

func (e *exporting) write(w io.Writer) error {
	return export.Write(w, e.products, &e.options, e.notes)
}

// hash returns 16 hex digits of the products and of how they are written.
func (e *exporting) hash() string {
	h := xxh3.New()
	fmt.Fprintf(h, "%+v", e.options)
	var number [4]byte
	for d := range e.products.ByID() {
		binary.LittleEndian.PutUint32(number[:], uint32(d))
		_, _ = h.Write(number[:]) // a hash takes everything
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, h.Sum64()))
}

// Export answers a query string of an export from a generation, for the command line: what writes the bytes
// that the server would send, and the notes, "" for a format without; or what is wrong with the parameters,
// as Search does, or that the context has ended.
func Export(ctx context.Context, g *runtime.Generation, rawQuery string, spell func(parameter string) string) (
	write func(io.Writer) error, notes string, err error) {
	var e *exporting
	q := new(runtime.Query)
	if err := readQuery(exportMaterials, rawQuery, spell, func(p *params) { e = p.readExport(g, q) }); err != nil {
		return nil, "", err
	}
	e.products = g.Select(q)
	notes, err = e.takeNotes(ctx.Err)
	return e.write, notes, err
}
