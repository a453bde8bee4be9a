package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/tidwall/gjson"
)

// derivedFields are members of a MaterialDetail that a build always computes by itself, and would count as unknown.
var derivedFields = map[string]bool{"nrc": true, "saa": true, "absorption_octave": true}

// ImportAPI reads MaterialDetail objects as the API returns them: one, an array of them, the answer of a batch fetch, or
// NDJSON. They are source records already; what a build derives by itself is left out.
func ImportAPI(w io.Writer, r io.Reader, o ImportOptions) error {
	im, err := newImporting(w, o)
	if err != nil {
		return err
	}
	input := Input{Name: im.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	for raw, err := range NewReader([]Input{input}, nil).Records() {
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			im.problem(fault)
		case err != nil:
			return err
		default:
			if err := im.copyRecord(raw); err != nil {
				return err
			}
		}
	}
	return im.end()
}

// copyRecord writes a record in one line.
func (im *importing) copyRecord(raw Raw) error {
	parsed := Parse(raw)
	for i := range parsed.Faults {
		im.problem(&parsed.Faults[i])
	}
	if parsed.Product == nil {
		return nil
	}
	j := &im.text
	j.reset()
	j.object(func() {
		gjson.ParseBytes(raw.JSON).ForEach(func(key, value gjson.Result) bool {
			if !derivedFields[key.Str] {
				j.key(key.Str)
				j.next()
				j.b = appendCompact(j.b, value.Raw)
			}
			return true
		})
	})
	_, err := im.w.Write(j.line())
	return err
}

// appendCompact appends a valid JSON text without its white space.
func appendCompact(b []byte, text string) []byte {
	compact := bytes.NewBuffer(b)
	_ = json.Compact(compact, []byte(text)) // the text is valid
	return compact.Bytes()
}
