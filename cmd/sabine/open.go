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

// onSnapshot returns the action of a command about a snapshot, its argument or else the current one. It opens
// the snapshot and guards the reads of the work: the file may be truncated meanwhile.
func onSnapshot(work func(c *cli.Context, s streams, path string, file *snapshot.File) error) action {
	return func(c *cli.Context, s streams) (err error) {
		path := c.Args().First()
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return usagef("%s is a folder, want a snapshot; --snapshots %s is about the current one in it", path, path)
		}
		if !c.Args().Present() {
			if path, err = currentPath(c.String("snapshots")); err != nil {
				return err
			}
		}
		file, err := snapshot.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return file.Guard(func() error { return work(c, s, path, file) })
	}
}

// onCurrent returns the action of a command about the current snapshot, likewise opened and guarded.
func onCurrent(work func(*cli.Context, streams, *runtime.Generation) error) action {
	return func(c *cli.Context, s streams) error {
		path, err := currentPath(c.String("snapshots"))
		if err != nil {
			return err
		}
		g, err := runtime.Open(c.Context, path)
		if err != nil {
			return err
		}
		defer g.Close()
		return g.Guard(func() error { return work(c, s, g) })
	}
}

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
