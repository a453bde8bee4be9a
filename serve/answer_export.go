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

// An exportFormat is a format with its media type and file name extension.
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

// ExportFormats returns the allowed values of the parameter format.
func ExportFormats() []string {
	var names []string
	for _, f := range exportFormats {
		names = append(names, string(f.Format))
	}
	return names
}

// exposedByExports contains exposedFields and the header fields that only exports have.
var exposedByExports = []string{exposedFields[0] + ", Content-Disposition, X-Export-Notes"}

// exportOptions reads the options of the exported file.
func (p *params) exportOptions() (o export.Options) {
	o.Format = single(p, "format", export.NDJSON, func(text string) (export.Format, error) {
		if names := ExportFormats(); !slices.Contains(names, text) {
			return "", errors.New("is not a format" + alternatives(text, names))
		}
		return export.Format(text), nil
	})
	o.Semicolon = p.oneOf("separator", "comma", "semicolon") == "semicolon"
	o.Hold = p.oneOf("fill", "hold") != ""
	o.Bands = p.exportBands()
	p.onlyWith("separator", o.Format, export.CSV)
	p.onlyWith("fill", o.Format, export.Pyroomacoustics, export.CATT)
	p.onlyWith("bands", o.Format, export.Pyroomacoustics) // CATT always has six bands
	return o
}

// exportBands reads octaves and sorts them. It returns nil if the parameter is absent or names just the six
// octaves that are the default, so that equivalent parameters produce the same tag.
func (p *params) exportBands() []int {
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

// onlyWith adds a fault if a parameter does not apply to the given format.
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

// answerExport answers with a stream from the generation. The tag consists of the snapshot's hash and a hash
// of the products and options. Equivalent parameters produce the same tag.
func answerExport(x *exchange) (r representation, p *problem) {
	e := x.params.readExport(x.generation, &x.query)
	if p = x.params.problem(); p != nil {
		return r, p
	}
	e.products = x.generation.Select(&x.query)
	f := exportFormats[slices.Index(ExportFormats(), string(e.options.Format))]
	r.mediaType, r.stream = f.mediaType, e.write
	r.describe = func(h http.Header) {
		h["Access-Control-Expose-Headers"] = exposedByExports
		x.set("Content-Disposition", fmt.Sprintf(`attachment; filename="sabine-%s.%s"`, x.snapshot, f.extension))
		if x.request.Method == http.MethodHead {
			return // collecting notes takes almost as long as the export, and HEAD is not charged as an export
		}
		notes, err := e.collectNotes(x.stopReason)
		if err != nil {
			x.abort(err)
		}
		if notes != "" {
			x.set("X-Export-Notes", notes)
		}
	}
	if x.snapshot != "" { // otherwise the hash is unknown, and a tag could not name the data
		r.hash = x.snapshot + e.hash()
	}
	return r, nil
}

// An exporting is an export in progress. readExport sets only the options. The products are selected after
// the parameters were found valid, and collectNotes sets the notes, before write.
type exporting struct {
	products *runtime.Selection
	options  export.Options
	notes    export.Notes
}

// readExport reads the parameters of an export: the filters into q, and the options.
func (p *params) readExport(g *runtime.Generation, q *runtime.Query) *exporting {
	q.Text = p.text()
	p.filters(g, &q.Filters)
	return &exporting{options: p.exportOptions()}
}

// collectNotes sets the notes and returns them as text for the response header, or "" if the format supports
// all products. It ends with the first error from stop.
func (e *exporting) collectNotes(stop func() error) (notes string, err error) {
	if e.options.Format != export.Pyroomacoustics && e.options.Format != export.CATT {
		return "", nil
	}
	e.notes, err = export.NotesOf(e.products, &e.options, stop)
	return e.notes.String(), err
}

func (e *exporting) write(w io.Writer) error {
	return export.Write(w, e.products, &e.options, e.notes)
}

// hash returns 16 hex digits that identify the products and options.
func (e *exporting) hash() string {
	h := xxh3.New()
	fmt.Fprintf(h, "%+v", e.options)
	var number [4]byte
	for d := range e.products.ByID() {
		binary.LittleEndian.PutUint32(number[:], uint32(d))
		_, _ = h.Write(number[:]) // writing to a hash never returns an error
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, h.Sum64()))
}

// Export runs an export with an API query string on a generation, for the command line. It returns a function
// that writes the bytes of the response, and the notes if the format has any. The error reports invalid
// parameters, as from Search, or is the context's error.
func Export(ctx context.Context, g *runtime.Generation, rawQuery string, nameOf func(parameter string) string) (
	write func(io.Writer) error, notes string, err error) {
	var e *exporting
	q := new(runtime.Query)
	if err := readQuery(exportMaterials, rawQuery, nameOf, func(p *params) { e = p.readExport(g, q) }); err != nil {
		return nil, "", err
	}
	e.products = g.Select(q)
	notes, err = e.collectNotes(ctx.Err)
	return e.write, notes, err
}
