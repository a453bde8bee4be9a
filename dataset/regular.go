package dataset

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// OpenRegular opens a regular file for reading. It returns an error for anything else, because opening a
// named pipe can wait forever for a writer, and a device can have no end.
func OpenRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // the file may have been replaced since Stat
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		_ = f.Close() // report the first error
		return nil, err
	}
	return f, nil
}

// regular returns an error unless info describes a regular file.
func regular(path string, info fs.FileInfo) error {
	var kind string
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder, but a regular file is required", path)
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "a special file"
	}
	return fmt.Errorf("%s is %s, but a regular file is required; "+
		"standard input (-) is accepted only as an INPUT argument", path, kind)
}
