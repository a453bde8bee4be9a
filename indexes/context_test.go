package indexes

import (
	"context"
	"errors"
	"testing"

	"sabine/indexes/snapshot"
)

// A lookingContext ends after a given number of calls to Err.
type lookingContext struct {
	context.Context
	looks, end int
}

func (c *lookingContext) Err() error {
	if c.looks++; c.looks > c.end {
		return context.Canceled
	}
	return nil
}

func TestWriteStopsWithItsContext(t *testing.T) {
	documents := testDocuments(50)
	for end := 0; ; end += 5 {
		builder := NewBuilder(Meta{}, fireClasses)
		for i := range documents {
			builder.Add(&documents[i])
		}
		w, err := snapshot.Create(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		ctx := &lookingContext{Context: t.Context(), end: end}
		w.Context = ctx
		err = builder.Write(w)
		w.Abort()
		if ctx.looks <= end {
			if err != nil || end < 100 {
				t.Errorf("written to the end at %d looks, %v", ctx.looks, err)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("ended at look %d: %v", end, err)
		}
	}
}
