package snapshot

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ReadReport returns the report that lies beside the snapshot at a path.
func ReadReport(path string) ([]byte, error) {
	file, _, err := openRegular(filepath.Join(filepath.Dir(path), ReportOf(filepath.Base(path))))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// openRegular opens a file for reading and refuses what is none: a FIFO would keep whoever opens it waiting for a
// writer, and a device may do anything.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // without O_NONBLOCK a FIFO is never even open
	if errors.Is(err, unix.ENXIO) {
		return nil, nil, notRegular(path) // a socket, or a device that nothing stands behind
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(path)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func notRegular(path string) error { return fmt.Errorf("%s: not a regular file", path) }
