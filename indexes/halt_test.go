package indexes

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// What takes long in a large catalogue and does not write ends with the context too.
func TestLongWorkEndsWithTheContext(t *testing.T) {
	words := make([]string, 5000)
	for i := range words {
		words[i] = fmt.Sprintf("w%04d", (i*7919)%len(words))
	}
	texts := textBuilder{numbers: map[string]uint32{}}
	for range 3 {
		texts.forward.begin()
		texts.addStream("akustik panel")
		texts.addStream("acme")
		texts.addStream("")
		texts.forward.end()
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for what, work := range map[string]func(h *halt){
		"sorting words":              func(h *halt) { sortWords(words, h) },
		"sorting documents by a key": func(h *halt) { sortByKey(words, h) },
		"finding stems":              func(h *halt) { stemsOf(words, h) },
		"finding parts":              func(h *halt) { partsOf(words, h) },
		"sorting groups": func(h *halt) {
			b := groupBuilder{halt: h}
			for i, word := range words {
				b.add(word, uint32(i))
			}
			b.groups()
		},
		"walking the forward index":     func(h *halt) { texts.forward.halt = h; texts.forward.each(FieldName, func(column.Doc, []byte) {}) },
		"renumbering the forward index": func(h *halt) { texts.forward.halt = h; texts.forward.renumber([]uint32{0, 1, 2}) },
		"storing a set":                 func(h *halt) { b := docset.NewBuilder(3); b.Adding = h.look; b.Add([]column.Doc{1, 2}) },
	} {
		t.Run(what, func(t *testing.T) {
			run := func(h *halt) (err error) {
				defer caught(&err)
				work(h)
				return nil
			}
			if err := run(&halt{ctx: ended}); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the end of the context", err)
			}
			if err := run(&halt{ctx: t.Context()}); err != nil {
				t.Errorf("with a context that goes on: %v", err)
			}
		})
	}
}

// A lookingContext has ended when it was looked at a number of times.
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

func TestWriteEndsWhereverItsContextDoes(t *testing.T) {
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
