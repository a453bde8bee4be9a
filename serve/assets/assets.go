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

// The suffixes that Pack appends to the name of a file.
const (
	gzipSuffix = ".gz"
	zstdSuffix = ".zst"
)

// A File is a file of a page.
type File struct {
	MediaType string // value of Content-Type
	Hash      string // hash of the content for an entity tag, 32 hex digits
	Size      int    // size of the uncompressed file in bytes
	Gzip      []byte // file compressed with gzip
	Zstd      []byte // file compressed with zstd

	plain func() []byte // decompresses Zstd on the first call
}

// mediaTypes contains the media types of files by file name extension.
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

// Read returns the files of a tree that Pack has packed, by their paths without the suffixes. It returns an
// error for a file that is not packed or has an unknown extension. It does not decompress them, because this
// would take megabytes of memory at every start of a server. Instead, embedded_test.go verifies that both
// codings of each embedded file have the same content.
func Read(tree fs.FS) (map[string]*File, error) {
	files := map[string]*File{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		plain := strings.TrimSuffix(strings.TrimSuffix(name, zstdSuffix), gzipSuffix)
		if plain == name {
			return fmt.Errorf("%s is not packed: run serve/assets/pack on its folder", name)
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
		return nil, fmt.Errorf("%s: unknown extension %q", name, path.Ext(name))
	}
	var err error
	if f.Zstd, err = fs.ReadFile(tree, name+zstdSuffix); err != nil {
		return nil, err
	}
	if f.Gzip, err = fs.ReadFile(tree, name+gzipSuffix); err != nil {
		return nil, err
	}
	const sizeBytes = 4 // gzip data ends with the uncompressed size, little-endian
	if len(f.Gzip) < sizeBytes {
		return nil, fmt.Errorf("%s%s: expected at least %d bytes, got %d", name, gzipSuffix, sizeBytes, len(f.Gzip))
	}
	f.Size = int(binary.LittleEndian.Uint32(f.Gzip[len(f.Gzip)-sizeBytes:]))
	sum := xxh3.Hash128(f.Gzip).Bytes()
	f.Hash = hex.EncodeToString(sum[:])
	f.plain = sync.OnceValue(func() []byte { return decompress(f.Zstd) })
	return f, nil
}

// Plain returns the uncompressed bytes of the file, which must not be modified. The first call decompresses
// them; later calls return the same bytes. Without this, a small request from a client that supports neither
// coding would occupy megabytes of memory until the client has read the response.
func (f *File) Plain() []byte { return f.plain() }

func decompress(packed []byte) []byte {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // the option is a constant
	}
	defer r.Close()
	plain, err := r.DecodeAll(packed, nil)
	if err != nil {
		panic(err) // embedded_test.go verifies that all embedded files can be decompressed
	}
	return plain
}
