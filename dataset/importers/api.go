package importers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"

	"github.com/tidwall/gjson"

	"sabine/dataset"
)

// derivedFields are members of a MaterialDetail that a build always computes, and would report as unknown.
var derivedFields = map[string]bool{"nrc": true, "saa": true}

// API reads MaterialDetail objects as the API returns them: one, an array of them, the answer of a batch fetch, or
// NDJSON. They are source records already; what a build derives is left out, and so is everything beside the records, even
// a vocabulary.
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
			im.copyRecord(raw)
		}
		if im.cancelled != nil {
			break
		}
	}
	maps.Copy(im.leftOut, reader.Unknown())
	if reader.Vocabulary() != nil {
		im.warn("the vocabulary is left out: it takes effect as a file vocabulary.json beside the records")
	}
	return im.end("no record in it")
}

// copyRecord writes a record in one line.
func (im *importing) copyRecord(raw dataset.Raw) {
	parsed := dataset.Parse(raw)
	for i := range parsed.Faults {
		im.problem(&parsed.Faults[i])
	}
	if parsed.Product == nil {
		return
	}
	var compact bytes.Buffer
	j := &im.text
	j.Reset()
	j.Object(func() {
		for key, value := range gjson.ParseBytes(raw.JSON).ForEach {
			if derivedFields[key.Str] {
				im.leftOut[key.Str]++
				continue
			}
			compact.Reset()
			_ = json.Compact(&compact, []byte(value.Raw)) // the text is valid
			j.Key(key.Str).Raw(compact.Bytes())
		}
	})
	im.writeLine()
}
