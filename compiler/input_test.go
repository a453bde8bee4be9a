package compiler

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"testing/synctest"

	"sabine/dataset"
)

// TestASpillThatFailsEndsTheWaitForInput checks that a build ends if the spill fails, without waiting for
// more input. The synctest bubble fails if there is a deadlock.
func TestASpillThatFailsEndsTheWaitForInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := newCollector(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		c.spill.close()
		c.spill.out = bufio.NewWriterSize(c.spill.file, 16) // writes immediately
		pr, pw := io.Pipe()
		o := Options{Inputs: []dataset.Input{{Name: "a.ndjson", Open: func() (io.ReadCloser, error) { return pr, nil }}}}
		b := &build{o: o, report: newReport(&o)}
		ended := make(chan error)
		go func() {
			_, err := b.read(t.Context(), c)
			ended <- err
		}()
		for i := range batchItems {
			if _, err := fmt.Fprintf(pw, `{"id":"00000000-0000-4000-8000-%012d","label":"Panel %d","manufacturer":"ACME"}`+"\n",
				i, i); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-ended; !errors.Is(err, os.ErrClosed) {
			t.Errorf("got %v, want %v", err, os.ErrClosed)
		}
		_ = pw.Close() // ends the goroutine that reads the pipe
	})
}
