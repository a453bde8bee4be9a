package compiler

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sabine/indexes"
)

// minCoded is the size in bytes from which a body is worth compressing; the server sends smaller ones as they are.
const minCoded = 512

// gzipLevel and zstdLevel were chosen on 1,461 records of 2.2 kB with the curves of real materials (share of the size
// that is left, MB/s on one core of the machine that this was written on):
//
//	gzip 1  0.390  105      zstd fastest  0.384  130
//	gzip 3  0.373   94      zstd default  0.371  102
//	gzip 6  0.366   80      zstd better   0.370   74
//	gzip 9  0.362   36      zstd best     0.365   16
//
// Bodies are so small that a harder search finds little more.
const (
	gzipLevel = 3
	zstdLevel = zstd.SpeedFastest
)

// zstdWindow bounds the memory of an encoder. A body that is longer loses a little.
const zstdWindow = 64 << 10

// etagBytes is how much of the SHA-256 of a body is its tag.
const etagBytes = 16

// A codec makes the stored compressed forms of detail bodies and their tags. The same body gives the same bytes,
// whatever was coded before it. It is for one goroutine, and keeps its buffers.
type codec struct {
	gzip         *gzip.Writer
	zstd         *zstd.Encoder
	withGeometry []byte // a detail body with its geometry
	plain, with  codedBuffers
}

type codedBuffers struct {
	gzip bytes.Buffer
	zstd []byte
}

func newCodec() (*codec, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstdLevel), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(zstdWindow), zstd.WithEncoderCRC(false)) // HTTP has its own ways to notice damage
	if err != nil {
		return nil, err
	}
	g, err := gzip.NewWriterLevel(nil, gzipLevel)
	if err != nil {
		return nil, err
	}
	return &codec{gzip: g, zstd: z}, nil
}

// code returns the tag and the compressed forms of a detail body, without and with its geometry. They are valid until
// the next call.
func (c *codec) code(detail, geometry []byte) (plain, with indexes.Coded) {
	b := append(c.withGeometry[:0], detail[:len(detail)-1]...)
	b = append(b, `,"geometry":`...)
	b = append(b, geometry...)
	b = append(b, '}')
	c.withGeometry = b
	return c.plain.fill(c, detail), c.with.fill(c, b)
}

func (f *codedBuffers) fill(c *codec, body []byte) indexes.Coded {
	coded := indexes.Coded{ETag: etag(body)}
	if len(body) < minCoded {
		return coded
	}
	f.gzip.Reset()
	c.gzip.Reset(&f.gzip)
	_, _ = c.gzip.Write(body) // a buffer takes everything
	_ = c.gzip.Close()
	f.zstd = c.zstd.EncodeAll(body, f.zstd[:0])
	coded.Gzip, coded.Zstd = f.gzip.Bytes(), f.zstd
	return coded
}

// etag returns the tag of an identity body: 32 hex digits.
func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:etagBytes])
}
