package snapshot_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"sabine/indexes/snapshot"
)

// A build writes a snapshot section by section and makes it current. A reader opens the current snapshot.
func Example() {
	dir, err := os.MkdirTemp("", "sabine")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	folder := snapshot.Folder{Dir: dir}

	unlock, err := folder.Lock()
	if err != nil {
		log.Fatal(err)
	}
	defer unlock()
	w, err := snapshot.Create(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	section, err := w.Section(7, 8)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.WriteString(section, "wool felt"); err != nil {
		log.Fatal(err)
	}
	info, err := w.Commit()
	if err != nil {
		log.Fatal(err)
	}
	if err := folder.Switch(filepath.Base(info.Path)); err != nil {
		log.Fatal(err)
	}

	name, err := folder.Current()
	if err != nil {
		log.Fatal(err)
	}
	f, err := snapshot.Open(folder.Path(name))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := f.VerifyChecksums(context.Background()); err != nil {
		log.Fatal(err)
	}
	b, _ := f.Section(7)
	fmt.Printf("%s of %d bytes contains %q\n", f.Hash()[:16], f.Size(), b)
	// Output: 7930538bb3698576 of 2057 bytes contains "wool felt"
}
