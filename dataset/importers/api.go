package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"

	"github.com/tidwall/gjson"
)

// derivedFields are members of a MaterialDetail that a build always computes by itself, and would count as unknown.
var derivedFields = map[string]bool{"nrc": true, "saa": true, "absorption_octave": true}

// ImportAPI reads MaterialDetail objects as the API returns them: one, an array of them, the answer of a batch fetch, or
// NDJSON. They are source records already; what a build derives by itself is left out, and so is what stands beside them,
// a vocabulary included.
func ImportAPI(w io.Writer, r io.Reader, o ImportOptions) error {
	im, err := newImporting(w, o)
	if err != nil {
		return err
	}
	input := Input{Name: im.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	reader := NewReader([]Input{input}, nil)
	for raw, err := range reader.Records() {
		var fault *Fault
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
func (im *importing) copyRecord(raw Raw) {
	parsed := Parse(raw)
	for i := range parsed.Faults {
		im.problem(&parsed.Faults[i])
	}
	if parsed.Product == nil {
		return
	}
	j := &im.text
	j.reset()
	j.object(func() {
		gjson.ParseBytes(raw.JSON).ForEach(func(key, value gjson.Result) bool {
			if derivedFields[key.Str] {
				im.leftOut[key.Str]++
				return true
			}
			j.key(key.Str)
			j.next()
			j.b = appendCompact(j.b, value.Raw)
			return true
		})
	})
	im.writeLine()
}

// appendCompact appends a valid JSON text without its white space.
func appendCompact(b []byte, text string) []byte {
	compact := bytes.NewBuffer(b)
	_ = json.Compact(compact, []byte(text)) // the text is valid
	return compact.Bytes()
}
