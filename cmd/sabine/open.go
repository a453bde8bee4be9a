package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

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
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return "", usagef("%s is a folder, want a snapshot; --snapshots %s is about the current one in it", args[0], args[0])
		}
		return args[0], nil
	}
	return currentPath(c.String("snapshots"))
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

// openCurrent opens a folder's current snapshot for reading.
func openCurrent(ctx context.Context, dir string) (*runtime.Generation, error) {
	path, err := currentPath(dir)
	if err != nil {
		return nil, err
	}
	return runtime.Open(ctx, path)
}
