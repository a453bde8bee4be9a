package assets

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// What Pack appends to a file's name for each coding.
const (
	gzipSuffix = ".gz"
	zstdSuffix = ".zst"
)

// A File is a file of a page.
type File struct {
	MediaType string // Content-Type
	Hash      string // of the plain bytes, for an entity tag: 32 hex digits
	Size      int    // of the plain bytes
	Gzip      []byte
	Zstd      []byte
}

// mediaTypes are those of the files that pages have, by the end of their names.
var mediaTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".map":   "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// Read returns the files of a tree that Pack has packed, by their paths without the codings' suffixes. The compressed bytes
// lie where the tree has them. The error names a file that is not packed, or not whole, or of a kind that pages do not have.
func Read(tree fs.FS) (map[string]*File, error) {
	files := map[string]*File{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		plain, packed := strings.CutSuffix(name, zstdSuffix)
		switch {
		case packed:
			files[plain], err = read(tree, plain)
		case !strings.HasSuffix(name, gzipSuffix):
			err = fmt.Errorf("%s is not packed", name)
		}
		return err
	})
	return files, err
}

// read reads both codings of a file, which have to be of the same bytes.
func read(tree fs.FS, name string) (*File, error) {
	f := &File{MediaType: mediaTypes[path.Ext(name)]}
	if f.MediaType == "" {
		return nil, fmt.Errorf("%s: no media type is known for %q", name, path.Ext(name))
	}
	var err error
	if f.Zstd, err = fs.ReadFile(tree, name+zstdSuffix); err != nil {
		return nil, err
	}
	if f.Gzip, err = fs.ReadFile(tree, name+gzipSuffix); err != nil {
		return nil, err
	}
	plain, err := unzstd(f.Zstd)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", name, zstdSuffix, err)
	}
	same, err := gunzip(f.Gzip)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", name, gzipSuffix, err)
	}
	if !bytes.Equal(same, plain) {
		return nil, fmt.Errorf("%s: %s and %s are not of the same bytes", name, gzipSuffix, zstdSuffix)
	}
	f.Hash, f.Size = HashOf(plain), len(plain)
	return f, nil
}

// Plain returns the file's bytes. They are kept nowhere: few clients read neither coding.
func (f *File) Plain() []byte {
	plain, err := unzstd(f.Zstd)
	if err != nil {
		panic(err) // Read has read the same bytes
	}
	return plain
}

// HashOf returns the hash of bytes as File has it: XXH3, 128 bits, 32 hex digits.
func HashOf(b []byte) string {
	sum := xxh3.Hash128(b).Bytes()
	return hex.EncodeToString(sum[:])
}

func unzstd(coded []byte) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(coded, nil)
}

func gunzip(coded []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(coded))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
