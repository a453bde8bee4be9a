package importers

import (
	"errors"
	"io"

	"sabine/dataset"
	"sabine/dataset/product"
)

// API reads MaterialDetail objects as the API returns them: one, an array of them, the answer of a batch
// fetch, or NDJSON. They are source records already; what a build takes no notice of, such as nrc and saa, is
// left out, and so is everything beside the records, even a vocabulary.
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
		if im.cancelled != nil {
			break
		}
	}
	for name, times := range reader.Unknown() {
		im.leftOut[name] += times
	}
	if reader.Vocabulary() != nil {
		im.warn("the vocabulary is left out: it takes effect as a file vocabulary.json beside the records")
	}
	return im.end("no record in it")
}

// record writes what a build reads of a record.
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
