package files

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// OpenRegular opens a file for reading and refuses what is none, by a NotRegularError: a FIFO would keep
// whoever opens it waiting for a writer, and a device may do anything.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	if info, err := os.Stat(path); err == nil { // else opening says why
		if err := CheckRegular(path, info); err != nil {
			return nil, nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // what stands at the path may be another by now
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

// Read returns at most limit bytes of a regular file, and waits for nothing else that may stand at a path.
func Read(path string, limit int64) ([]byte, error) {
	file, _, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}

// A NotRegularError says that there is something else than a regular file at a path.
type NotRegularError struct{ Path, Kind string } // Kind: such as "a folder"

func (e *NotRegularError) Error() string { return e.Path + ": not a regular file" }

// CheckRegular returns a NotRegularError unless what stands at a path is a regular file.
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
