package fleet_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"sabine/indexes/snapshot"
	"sabine/indexes/snapshot/fleet"
)

// One machine publishes a snapshot to a store, and another machine mirrors it into a folder.
func ExampleMirror() {
	dir, err := os.MkdirTemp("", "sabine")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	store, err := fleet.OpenStore("file://"+filepath.Join(dir, "store"), fleet.Options{})
	if err != nil {
		log.Fatal(err)
	}

	from := snapshot.Folder{Dir: filepath.Join(dir, "built")}
	if err := build(from); err != nil {
		log.Fatal(err)
	}
	p := fleet.Publisher{Store: store}
	if _, err := p.Publish(context.Background(), from); err != nil {
		log.Fatal(err)
	}

	m := fleet.Mirror{Follower: fleet.Follower{Source: store}, Folder: snapshot.Folder{Dir: filepath.Join(dir, "cache")}}
	if _, err := m.Once(context.Background()); err != nil { // servers call Run
		log.Fatal(err)
	}
	name, err := m.Folder.Current()
	fmt.Println(name[:16], m.State().Status, err)
	// Output: 7930538bb3698576 ok <nil>
}

// build writes a snapshot with one section into a folder and makes it the current one.
func build(folder snapshot.Folder) error {
	unlock, err := folder.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	w, err := snapshot.Create(folder.Dir)
	if err != nil {
		return err
	}
	defer w.Abort()
	section, err := w.Section(7, 8)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(section, "wool felt"); err != nil {
		return err
	}
	info, err := w.Commit()
	if err != nil {
		return err
	}
	return folder.Switch(filepath.Base(info.Path))
}
