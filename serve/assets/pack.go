package assets

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Pack replaces every file below a folder by NAME.gz and NAME.zst with the best compression. The output
// depends only on the files. Pack does not change files that are already packed.
func Pack(dir string) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, gzipSuffix) || strings.HasSuffix(name, zstdSuffix) {
			return err
		}
		return pack(name)
	})
}

func pack(name string) error {
	plain, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	gzipped, err := packGzip(plain)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(webWindow), zstd.WithZeroFrames(true))
	if err != nil {
		return err
	}
	zstandard := encoder.EncodeAll(plain, nil)
	if err := encoder.Close(); err != nil {
		return err
	}
	const readable = 0o644
	if err := os.WriteFile(name+gzipSuffix, gzipped, readable); err != nil {
		return err
	}
	if err := os.WriteFile(name+zstdSuffix, zstandard, readable); err != nil {
		return err
	}
	return os.Remove(name)
}

// webWindow is the zstd window that every browser must support (RFC 9659).
const webWindow = 8 << 20

func packGzip(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
