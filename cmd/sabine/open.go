package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// withSnapshot opens the snapshot that a command is about, its argument or else the current one, for as long as work lasts.
func withSnapshot(c *cli.Context, work func(path string, file *snapshot.File) error) error {
	path := c.Args().First()
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("%s is a folder, want a snapshot; --snapshots %s is about the current one in it", path, path)
	}
	if !c.Args().Present() {
		var err error
		if path, err = currentPath(c.String("snapshots")); err != nil {
			return err
		}
	}
	file, err := snapshot.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return work(path, file)
}

// withCurrent opens the current snapshot for as long as work lasts, and guards its reads.
func withCurrent(c *cli.Context, work func(*runtime.Generation) error) error {
	path, err := currentPath(c.String("snapshots"))
	if err != nil {
		return err
	}
	g, err := runtime.Open(c.Context, path)
	if err != nil {
		return err
	}
	defer g.Close()
	return g.Guard(func() error { return work(g) })
}

// currentPath returns the path of a folder's current snapshot.
func currentPath(dir string) (string, error) {
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no folder %s of snapshots: --snapshots names it, sabine build makes it", dir)
	case err == nil && !info.IsDir():
		return "", fmt.Errorf("%s is no folder: --snapshots names the folder of snapshots, which sabine build makes", dir)
	}
	folder := snapshot.Folder{Dir: dir}
	name, err := folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return "", fmt.Errorf("%w (sabine build makes one)", err)
	}
	if err != nil {
		return "", err
	}
	return folder.Path(name), nil
}
