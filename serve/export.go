package serve

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"sabine/runtime"
	"sabine/serve/export"
)

type exportFormat struct {
	export.Format
	mediaType []string
	extension string
}

// exportFormats are the formats with the media types and the ends of file names that they have.
var exportFormats = []exportFormat{
	{export.NDJSON, []string{"application/x-ndjson"}, "ndjson"},
	{export.CSV, []string{"text/csv; charset=utf-8; header=present"}, "csv"},
	{export.Pyroomacoustics, []string{"application/json"}, "json"},
	{export.CATT, []string{"text/plain; charset=utf-8"}, "txt"},
}

// forSimulator reports whether a format is a simulator's, which takes octaves and has notes.
func forSimulator(f export.Format) bool { return f == export.Pyroomacoustics || f == export.CATT }

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

// The other parameters' values.
const (
	separatorComma     = "comma"
	separatorSemicolon = "semicolon"
	fillHold           = "hold"
)

// exportBands are the octaves that a simulator's format may have, and those that it has when none are named.
var (
	exportBands  = []int{63, 125, 250, 500, 1000, 2000, 4000, 8000}
	defaultBands = exportBands[1:7]
)

func readExport(x *exchange) *problem {
	x.search.Text = x.params.text("q")
	x.search.Filters = x.params.filters(x.generation)
	x.export = x.params.export()
	return x.params.problem()
}

// export reads how products are written.
func (p *params) export() (o export.Options) {
	o.Format = single(p, "format", export.NDJSON, func(text string) (export.Format, error) {
		if names := ExportFormats(); !slices.Contains(names, text) {
			return "", errors.New("is not a format" + alternatives(text, names))
		}
		return export.Format(text), nil
	})
	o.Semicolon = p.oneOf("separator", separatorComma, separatorSemicolon) == separatorSemicolon
	o.Hold = p.oneOf("fill", fillHold) != ""
	o.Bands = p.bands()
	simulator := forSimulator(o.Format)
	p.onlyWith("separator", o.Format == export.CSV, export.CSV)
	p.onlyWith("fill", simulator, export.Pyroomacoustics, export.CATT)
	p.onlyWith("bands", simulator, export.Pyroomacoustics, export.CATT)
	if o.Format == export.CATT && o.Bands != nil {
		p.fault("bands", "the format catt has the octaves 125 to 4000 always")
	}
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
		if err != nil || !slices.Contains(exportBands, hz) {
			p.fault("bands", "%s is not an octave from %d to %d Hz", quote(item), exportBands[0], exportBands[len(exportBands)-1])
			return nil
		}
		bands = append(bands, hz)
	}
	slices.Sort(bands)
	if bands = slices.Compact(bands); slices.Equal(bands, defaultBands) {
		return nil
	}
	return bands
}

// onlyWith notes a parameter that is given where it means nothing.
func (p *params) onlyWith(name string, meant bool, formats ...export.Format) {
	given := slices.ContainsFunc(p.pairs, func(given pair) bool { return given.name == name })
	if given && !meant {
		p.fault(name, "is only for %s", formats)
	}
}

// answerExport answers with a stream from the generation. Its tag is the version of the data with a hash of the products and
// of how they are written: parameters that mean the same have the same.
func answerExport(x *exchange) representation {
	products := x.generation.Select(&x.search.Query)
	form := exportFormats[slices.IndexFunc(exportFormats, func(f exportFormat) bool { return f.Format == x.export.Format })]
	var notes export.Notes
	r := representation{
		mediaType: form.mediaType,
		describe: func(h http.Header) {
			h["Access-Control-Expose-Headers"] = exposedOfExports
			h["Content-Disposition"] = []string{fmt.Sprintf(`attachment; filename="sabine-%s.%s"`, x.snapshot, form.extension)}
			if forSimulator(x.export.Format) {
				notes = export.NotesOf(products, &x.export)
				h["X-Export-Notes"] = []string{notes.String()}
			}
		},
		stream: func(w io.Writer) error { return export.Write(w, x.generation, products, &x.export, notes) },
	}
	if x.snapshot != "" {
		r.hash = x.snapshot + hashOfProducts(products, &x.export)
	}
	return r
}

// hashOfProducts returns 16 hex digits of products and of how they are written.
func hashOfProducts(products *runtime.Selection, o *export.Options) string {
	h := xxh3.New()
	fmt.Fprintf(h, "%+v", *o)
	var number [4]byte
	for d := range products.ByID() {
		binary.LittleEndian.PutUint32(number[:], uint32(d))
		_, _ = h.Write(number[:]) // a hash takes everything
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, h.Sum64()))
}
