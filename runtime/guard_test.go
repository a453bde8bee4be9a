package runtime_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// Guard returns damage as an error, for use outside a server. In a server, the response has status 500.
func TestGuardMakesDamageAnError(t *testing.T) {
	path := numbered(3).write(t, t.TempDir())
	g, err := runtime.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	read := func() (size int, err error) {
		err = g.Guard(func() error {
			size = len(g.AppendDetail(nil, 0, false))
			return nil
		})
		return size, err
	}
	if size, err := read(); err != nil || size == 0 {
		t.Fatalf("a valid file: %d bytes, %v", size, err)
	}
	for _, damage := range []struct {
		rule string
		do   func(f *os.File, size int64) error
		is   func(error) bool
	}{
		{"written over", func(f *os.File, size int64) error {
			const head = 2048 // size of the beginning, which is not overwritten so that products can be found
			_, err := f.WriteAt(make([]byte, size-head), head)
			return err
		}, func(err error) bool { return errors.As(err, new(*runtime.DamagedBody)) }},
		{"cut off", func(f *os.File, _ int64) error {
			return f.Truncate(0)
		}, func(err error) bool { return errors.As(err, new(*snapshot.CorruptError)) }},
	} {
		t.Run(damage.rule, func(t *testing.T) {
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			if err := damage.do(f, info.Size()); err != nil {
				t.Fatal(err)
			}
			if _, err := read(); !damage.is(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}
