package files

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// OpenRegular opens a regular file for reading. For other files it returns a NotRegularError, since opening a
// FIFO would wait for a writer, and opening a device can have any effect.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	if info, err := os.Stat(path); err == nil { // if Stat fails, OpenFile returns the error
		if err := CheckRegular(path, info); err != nil {
			return nil, nil, err
		}
	}
	// The file may have been replaced: do not block, and check again.
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = CheckRegular(path, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// Read returns the content of a regular file, cut off after limit bytes. It does not block on other kinds of
// files. To find out that a file is too large, the caller passes its maximum size plus one.
func Read(path string, limit int64) ([]byte, error) {
	file, _, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}

// A NotRegularError reports that a path is not a regular file.
type NotRegularError struct{ Path, Kind string } // Kind is a phrase such as "a folder"

func (e *NotRegularError) Error() string { return e.Path + ": not a regular file" }

// CheckRegular returns a *NotRegularError unless info describes a regular file.
func CheckRegular(path string, info fs.FileInfo) error {
	kind := "neither a file nor a folder"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return &NotRegularError{path, kind}
}
