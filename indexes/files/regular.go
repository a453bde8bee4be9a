package files

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// OpenRegular opens a file for reading and refuses what is none: a FIFO would keep whoever opens it waiting for a
// writer, and a device may do anything.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // without O_NONBLOCK a FIFO is never even open
	if errors.Is(err, unix.ENXIO) {
		return nil, nil, NotRegular(path) // a socket, or a device that nothing stands behind
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = NotRegular(path)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// NotRegular is the error of a path at which there is something else than a regular file.
func NotRegular(path string) error { return fmt.Errorf("%s: not a regular file", path) }
