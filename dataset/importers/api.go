package importers

import (
	"errors"
	"io"

	"sabine/dataset"
	"sabine/dataset/product"
)

// API reads MaterialDetail objects as the API returns them: a single object, an array, the response of a
// batch request, or NDJSON. These objects are already source records. API drops the fields that a build
// ignores, such as nrc and saa, and all data outside the records, including a vocabulary.
func API(w io.Writer, r io.Reader, o Options) error {
	im, err := newImporting(w, o)
	if err != nil {
		return err
	}
	input := dataset.Input{Name: im.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	reader := dataset.NewReader([]dataset.Input{input})
	for raw, err := range reader.Records() {
		var fault *dataset.Fault
		switch {
		case errors.As(err, &fault):
			im.problem(fault)
		case err != nil:
			return err
		default:
			im.record(raw)
		}
		if im.writeErr != nil {
			break
		}
	}
	for name, times := range reader.Unknown() {
		im.leftOut[name] += times
	}
	if reader.Vocabulary() != nil {
		im.warn("the vocabulary is ignored: to use it, save it as vocabulary.json next to the records")
	}
	return im.end("no records found")
}

// record writes the fields of a record that a build reads.
func (im *importing) record(raw dataset.Raw) {
	parsed := dataset.Parse(raw)
	for i := range parsed.Faults {
		im.problem(&parsed.Faults[i])
	}
	if parsed.Product == nil {
		return
	}
	for _, name := range parsed.Unknown {
		im.leftOut[name]++
	}
	im.writeLine(product.AppendSource(nil, parsed.Product))
}
