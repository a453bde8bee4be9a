package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// snapshotPath returns the path of the snapshot that a command is about: its argument, else the current one.
func snapshotPath(c *cli.Context) (string, error) {
	args, err := needArgs(c, 0, 1)
	if err != nil {
		return "", err
	}
	if len(args) == 1 {
		return args[0], nil
	}
	return currentPath(c.String("snapshots"))
}

// currentPath returns the path of a folder's current snapshot.
func currentPath(dir string) (string, error) {
	folder := snapshot.Folder{Dir: dir}
	name, err := folder.Current()
	if err != nil {
		return "", fmt.Errorf("%w (sabine build makes one)", err)
	}
	return folder.Path(name), nil
}

// openCurrent opens a folder's current snapshot for reading.
func openCurrent(ctx context.Context, dir string) (*runtime.Generation, error) {
	path, err := currentPath(dir)
	if err != nil {
		return nil, err
	}
	return runtime.Open(ctx, path)
}
