package assets

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

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
	Hash      string // of the content, for an entity tag: 32 hex digits
	Size      int    // of the plain bytes
	Gzip      []byte
	Zstd      []byte // of the same bytes

	plain func() []byte // Zstd decompressed, once
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

// Read returns the files of a tree that Pack has packed, by their paths without the codings' suffixes.
// Nothing is decompressed, which would be megabytes at every start of a server: that both codings are whole
// and of the same bytes, embedded_test.go shows of what is embedded. The error names a file that is not
// packed, or of a kind that pages do not have.
func Read(tree fs.FS) (map[string]*File, error) {
	files := map[string]*File{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		plain := strings.TrimSuffix(strings.TrimSuffix(name, zstdSuffix), gzipSuffix)
		if plain == name {
			return fmt.Errorf("%s is not packed", name)
		}
		if files[plain] == nil {
			files[plain], err = read(tree, plain)
		}
		return err
	})
	return files, err
}

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
	const sizeBytes = 4 // of the plain size, little-endian, at the end of the format
	if len(f.Gzip) < sizeBytes {
		return nil, fmt.Errorf("%s%s: expected the size of what is packed at the end, got %d bytes", name, gzipSuffix,
			len(f.Gzip))
	}
	f.Size = int(binary.LittleEndian.Uint32(f.Gzip[len(f.Gzip)-sizeBytes:]))
	sum := xxh3.Hash128(f.Gzip).Bytes()
	f.Hash = hex.EncodeToString(sum[:])
	f.plain = sync.OnceValue(func() []byte { return decompress(f.Zstd) })
	return f, nil
}

// Plain returns the file's bytes, never to be written to. They are made when the first client asks that reads
// neither coding, and kept: else a hundred bytes of a request would hold megabytes until its client has taken
// them.
func (f *File) Plain() []byte { return f.plain() }

// decompress returns what is embedded as zstd.
func decompress(packed []byte) []byte {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // the option is a constant
	}
	defer r.Close()
	plain, err := r.DecodeAll(packed, nil)
	if err != nil {
		panic(err) // embedded_test.go has read what is embedded
	}
	return plain
}
