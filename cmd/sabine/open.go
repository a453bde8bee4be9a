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

// withSnapshot returns the action of a command that reads the snapshot in its argument, or by default the
// current one. It opens the file and guards work, because the file can be truncated during reads.
func withSnapshot(work func(c *cli.Context, s streams, path string, file *snapshot.File) error) action {
	return func(c *cli.Context, s streams) (err error) {
		path := c.Args().First()
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return usagef("%s is a folder: expected a snapshot file; to use its current snapshot, add --snapshots %[1]s", path)
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

// withCurrent is like withSnapshot, for a command that always reads the current snapshot.
func withCurrent(work func(*cli.Context, streams, *runtime.Generation) error) action {
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
		return "", fmt.Errorf("snapshot folder %s does not exist: run sabine build, or name another with --snapshots", dir)
	case err == nil && !info.IsDir():
		return "", fmt.Errorf("%s is not a folder: use --snapshots to name the folder that sabine build writes to", dir)
	}
	folder := snapshot.Folder{Dir: dir}
	name, err := folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return "", fmt.Errorf("%w: run sabine build", err)
	}
	if err != nil {
		return "", err
	}
	return folder.Path(name), nil
}
