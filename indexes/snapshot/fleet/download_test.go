package fleet

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"sabine/indexes/snapshot"
)

// TestStatusOfAnInterruptedDownload checks that a write error is never reported as a failure of the source.
func TestStatusOfAnInterruptedDownload(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule   string
		closed bool // whether writes to the folder fail
		status string
	}{
		{"the body is interrupted", false, StatusAway},
		{"the body is interrupted, and a write fails", true, StatusRefused},
	} {
		store := newMemStore()
		store.spoiled("", func(context.Context, []byte) (io.Reader, error) {
			return iotest.DataErrReader(io.MultiReader(strings.NewReader("felt"), iotest.ErrReader(io.ErrUnexpectedEOF))), nil
		})
		m := &Mirror{Follower: Follower{Source: store}, Folder: snapshot.Folder{Dir: t.TempDir()}}
		in, err := m.Folder.Receive()
		if err != nil {
			t.Fatal(err)
		}
		if tt.closed {
			in.Abort()
		}
		if err := m.receive(t.Context(), in, &Generation{Bytes: 100}); statusOf(err) != tt.status {
			t.Errorf("%s: got %s of %v, want %s", tt.rule, statusOf(err), err, tt.status)
		}
		in.Abort()
	}
}
