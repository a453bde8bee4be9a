package compiler

import (
	"time"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// bodyText is the JSON of a body in the making, with the members that may be null.
type bodyText struct{ jsonwriter.Text }

func newBodyText() bodyText { return bodyText{jsonwriter.Text{ShortEscapes: true}} }

// has writes the key of a member, and null when there is no value: the value is the caller's to write when has is true.
func (t *bodyText) has(key string, value bool) bool {
	t.Key(key)
	if !value {
		t.Null()
	}
	return value
}

func (t *bodyText) stringOrNull(key string, value *string) {
	if t.has(key, value != nil) {
		t.String(*value)
	}
}

func (t *bodyText) numberOrNull(key string, value *float64) {
	if t.has(key, value != nil) {
		t.Number(*value)
	}
}

func (t *bodyText) integerOrNull(key string, value *int64) {
	if t.has(key, value != nil) {
		t.Int(*value)
	}
}

func (t *bodyText) ratingOrNull(key string, value *acoustics.Hundredths) {
	if t.has(key, value != nil) {
		t.Number(value.Float())
	}
}

// timeOrNull writes a moment as RFC 3339 in UTC, with as many decimals of the second as it has.
func (t *bodyText) timeOrNull(key string, at *time.Time) {
	if t.has(key, at != nil) {
		t.String(at.UTC().Format(time.RFC3339Nano))
	}
}

// textOrNull writes a text in German.
func (t *bodyText) textOrNull(key string, text dataset.Text) {
	if t.has(key, len(text) > 0) {
		t.String(text.In("de"))
	}
}

// curveOrNull writes a frequency map, its bands in the ascending order in which a curve has them.
func (t *bodyText) curveOrNull(key string, c acoustics.Curve) {
	if t.has(key, c != nil) {
		t.Object(func() {
			for _, p := range c {
				t.KeyInt(p.BandHz).Number(p.Value)
			}
		})
	}
}

// objects writes an array of n objects, the members of each as members writes them.
func (t *bodyText) objects(n int, members func(i int)) {
	t.Array(func() {
		for i := range n {
			t.Object(func() { members(i) })
		}
	})
}
