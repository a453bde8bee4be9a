package compiler

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"sabine/indexes"
)

// A detail body has two forms: by itself, which ends with }, and with its geometry, which has ,"geometry": and so on in
// place of that }. Everything before is common to both, and is most of both. It is compressed once, as the beginning of
// both compressed forms, in such a way that either end can follow it:
//
//	gzip  the header of 10 bytes, the deflate blocks of the common text, an empty stored block up to the next byte
//	      (a sync flush); then the deflate blocks of the end, which refer to nothing before them, CRC-32, length
//	zstd  the frame header of 6 bytes, with a window and no content size, the blocks of the common text, none of
//	      them marked as the last; then the end in raw blocks
//
// Each is an ordinary gzip member or zstd frame. This costs some 15 bytes, and saves compressing and storing the common
// text again: a fifth of the file and of the work on a record, for a synthetic catalogue.

// deflateLevel and zstdLevel were chosen on 1,461 records of 2.2 kB with the curves of real materials (share of the
// size that is left, MB/s on one core of the machine that this was written on):
//
//	gzip 1  0.390  105      zstd fastest  0.384  130
//	gzip 3  0.373   94      zstd default  0.371  102
//	gzip 6  0.366   80      zstd better   0.370   74
//	gzip 9  0.362   36      zstd best     0.365   16
//
// Bodies are so small that a harder search finds little more.
const (
	deflateLevel = 3
	zstdLevel    = zstd.SpeedFastest
)

// gzipHeader names deflate, and no time, file name or system (RFC 1952).
const gzipHeader = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// zstdWindow is how far back a zstd frame refers, which is also the most that a block of it holds; it bounds the
// memory of an encoder and of a client.
const zstdWindow = 64 << 10

// zstdHeader is the magic number, a descriptor without content size, checksum and dictionary, and the window as 6
// powers of two over 1 KiB (RFC 8878).
const zstdHeader = "\x28\xb5\x2f\xfd\x00\x30"

// A codec makes the stored compressed forms of detail bodies and their tags. The same body gives the same bytes,
// whatever was coded before it. It is for one goroutine, and keeps its buffers.
type codec struct {
	deflate         *flate.Writer
	zstd            *zstd.Encoder
	body, end       []byte // with geometry: all of it; its end
	gzipped         bytes.Buffer
	zstandard       []byte
	gzippedWith     bytes.Buffer
	zstandardWith   []byte
	zstandardCommon []byte
}

func newCodec() *codec {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstdLevel), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(zstdWindow), zstd.WithEncoderCRC(false)) // HTTP has its own ways to notice damage
	d, deflateErr := flate.NewWriter(nil, deflateLevel)
	if err := errors.Join(err, deflateErr); err != nil {
		panic("compiler: an encoder refuses its settings: " + err.Error())
	}
	return &codec{deflate: d, zstd: z}
}

// code returns the tag and the compressed forms of a detail body, without and with its geometry. They are valid until
// the next call.
func (c *codec) code(detail, geometry []byte) (plain, with indexes.Coded) {
	common, plainEnd := detail[:len(detail)-1], detail[len(detail)-1:]
	c.end = append(append(append(c.end[:0], indexes.GeometryKey...), geometry...), '}')
	c.body = append(append(c.body[:0], common...), c.end...)
	plain.ETag, with.ETag = indexes.ETag(detail), indexes.ETag(c.body)
	if len(c.body) < indexes.MinCoded {
		return plain, with
	}
	c.codeGzip(common, plainEnd, &plain, &with)
	c.codeZstd(common, plainEnd, &plain, &with)
	if len(detail) < indexes.MinCoded { // the form with geometry is worth it, but has nothing to share
		with.Gzip = append(plain.Gzip[:with.SharedGzip:with.SharedGzip], with.Gzip...)
		with.Zstd = append(plain.Zstd[:with.SharedZstd:with.SharedZstd], with.Zstd...)
		with.SharedGzip, with.SharedZstd = 0, 0
		plain.Gzip, plain.Zstd = nil, nil
	}
	return plain, with
}

func (c *codec) codeGzip(common, plainEnd []byte, plain, with *indexes.Coded) {
	c.gzipped.Reset()
	c.gzipped.WriteString(gzipHeader)
	c.deflate.Reset(&c.gzipped)
	_, _ = c.deflate.Write(common) // a buffer takes everything
	_ = c.deflate.Flush()
	with.SharedGzip = c.gzipped.Len()
	crc := crc32.ChecksumIEEE(common)
	c.endGzip(&c.gzipped, plainEnd, crc, len(common))
	c.gzippedWith.Reset()
	c.endGzip(&c.gzippedWith, c.end, crc, len(common))
	plain.Gzip, with.Gzip = c.gzipped.Bytes(), c.gzippedWith.Bytes()
}

// endGzip ends a gzip member whose text so far has the given CRC-32 and length.
func (c *codec) endGzip(b *bytes.Buffer, end []byte, crc uint32, length int) {
	c.deflate.Reset(b)
	_, _ = c.deflate.Write(end)
	_ = c.deflate.Close()
	crc = crc32.Update(crc, crc32.IEEETable, end)
	b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), crc))
	b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), uint32(length+len(end))))
}

func (c *codec) codeZstd(common, plainEnd []byte, plain, with *indexes.Coded) {
	c.zstandardCommon = c.zstd.EncodeAll(common, c.zstandardCommon[:0])
	b := append(c.zstandard[:0], zstdHeader...)
	b = append(b, unendedBlocks(c.zstandardCommon)...)
	with.SharedZstd = len(b)
	c.zstandard = appendRawBlocks(b, plainEnd)
	c.zstandardWith = appendRawBlocks(c.zstandardWith[:0], c.end)
	plain.Zstd, with.Zstd = c.zstandard, c.zstandardWith
}

// A zstd block has a header of three bytes, little-endian: bit 0 marks the last block, bits 1 and 2 are the type, the
// others the size (RFC 8878, 3.1.1.2).
const (
	blockHeader = 3
	blockLast   = 1
	blockRLE    = 1 // the type of a block of one byte, repeated size times
)

// unendedBlocks returns the blocks of a frame that an encoder has made, none of them marked as the last any more.
func unendedBlocks(frame []byte) []byte {
	var header zstd.Header
	if err := header.Decode(frame); err != nil {
		panic("compiler: the zstd encoder has made no frame: " + err.Error())
	}
	blocks := frame[header.HeaderSize:]
	for at := 0; at < len(blocks); {
		h := uint32(blocks[at]) | uint32(blocks[at+1])<<8 | uint32(blocks[at+2])<<16
		blocks[at] &^= blockLast
		size := int(h >> 3)
		if h>>1&3 == blockRLE {
			size = 1
		}
		at += blockHeader + size
	}
	return blocks
}

// appendRawBlocks appends text in blocks that are not compressed, the last one marked so.
func appendRawBlocks(dst, text []byte) []byte {
	for len(text) > 0 {
		n := min(len(text), zstdWindow)
		h := uint32(n) << 3
		if n == len(text) {
			h |= blockLast
		}
		dst = append(dst, byte(h), byte(h>>8), byte(h>>16))
		dst = append(dst, text[:n]...)
		text = text[n:]
	}
	return dst
}
