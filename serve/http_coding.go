package serve

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A coding is a content coding of a body.
type coding uint8

const (
	identity coding = iota
	gzipped
	zstandard
	numCodings
	anyCoding = numCodings // * in Accept-Encoding, for chooseCoding
)

// A contentCoding is the name of a coding in Content-Encoding, and the suffix of its ETags.
type contentCoding struct {
	name   []string
	suffix string
}

var contentCodings = [numCodings]contentCoding{
	gzipped:   {[]string{"gzip"}, "-gzip"},
	zstandard: {[]string{"zstd"}, "-zstd"},
}

// chooseCoding returns the coding with the highest weight in the Accept-Encoding fields of a request. For
// equal weights, it prefers any coding to identity, and zstd, which is smaller and faster, to gzip unless
// gzipOnTie is set. "*" means gzip, because few clients that send it can read zstd. If there is no field or
// no match, the result is identity, because the contract has no 406. Invalid elements are skipped.
func chooseCoding(fields []string, gzipOnTie bool) coding {
	const unset = -1
	weights := [anyCoding + 1]int{unset, unset, unset, unset} // in thousandths
	for _, field := range fields {
		for element := range strings.SplitSeq(field, ",") {
			if c, weight, ok := parseAcceptedCoding(element); ok {
				weights[c] = weight
			}
		}
	}
	if weights[gzipped] == unset {
		weights[gzipped] = weights[anyCoding]
	}
	best, second := zstandard, gzipped
	if gzipOnTie {
		best, second = second, best
	}
	if weights[second] > weights[best] {
		best = second
	}
	if weights[best] <= 0 || weights[best] < weights[identity] {
		return identity // always acceptable, used if nothing else is
	}
	return best
}

// acceptedCodings maps names in Accept-Encoding to codings.
var acceptedCodings = map[string]coding{
	"identity": identity, "gzip": gzipped, "x-gzip": gzipped, "zstd": zstandard, "*": anyCoding,
}

// parseAcceptedCoding reads one element of Accept-Encoding: a name and its weight in thousandths.
func parseAcceptedCoding(element string) (c coding, weight int, ok bool) {
	name, parameter, weighted := strings.Cut(element, ";")
	c, ok = acceptedCodings[strings.ToLower(strings.Trim(name, " \t"))]
	if !weighted {
		return c, 1000, ok
	}
	key, value, _ := strings.Cut(strings.Trim(parameter, " \t"), "=")
	q, err := strconv.ParseFloat(value, 64)
	if !strings.EqualFold(key, "q") || len(value) > len("0.123") || err != nil || !(q >= 0 && q <= 1) {
		return c, 0, false
	}
	return c, int(q*1000 + 0.5), ok
}

// streamWindow is the window size in bytes of the zstd encoder for a stream. Products are similar, so the
// default of 4 MB would improve the compression little and occupy 4 MB per stream.
const streamWindow = 512 << 10

// Encoders for bodies that are built for each request. A complete gzip body uses an encoder for streams.
var (
	bodyEncoder    = newZstd() // for complete bodies; safe for concurrent use
	streamEncoders = [numCodings]sync.Pool{
		gzipped: {New: func() any { return must(gzip.NewWriterLevel(nil, gzip.BestSpeed)) }},
		zstandard: {New: func() any { // write zero frames, so that an empty body is a valid frame
			return newZstd(zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(streamWindow), zstd.WithZeroFrames(true))
		}},
	}
	pieceWriters = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, pieceBytes) }}
)

func newZstd(options ...zstd.EOption) *zstd.Encoder {
	first := []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true)}
	return must(zstd.NewWriter(nil, append(first, options...)...))
}

// must returns v. An error causes a panic: the data is from the program itself, so an error is a bug.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// appendCoded appends a complete body in a coding other than identity.
func appendCoded(dst []byte, to coding, body []byte) []byte {
	if to == zstandard {
		return bodyEncoder.EncodeAll(body, dst)
	}
	buffer := bytes.NewBuffer(dst)
	err := encode(buffer, to, func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	})
	return must(buffer.Bytes(), err) // a bytes.Buffer never returns an error
}

// writeCoded writes a stream to w in a coding, in pieces. After an error, it does not end the coding.
func writeCoded(w io.Writer, to coding, write func(io.Writer) error) error {
	pieces := pieceWriters.Get().(*bufio.Writer)
	pieces.Reset(w)
	defer func() {
		pieces.Reset(nil)
		pieceWriters.Put(pieces)
	}()
	if err := encode(pieces, to, write); err != nil {
		return err
	}
	return pieces.Flush()
}

// encode writes a body in a coding to w, with write, which writes the body in the identity coding.
func encode(w io.Writer, to coding, write func(io.Writer) error) error {
	if to == identity {
		return write(w)
	}
	encoder := streamEncoders[to].Get().(interface {
		io.WriteCloser
		Reset(io.Writer)
	})
	encoder.Reset(w)
	defer func() {
		encoder.Reset(nil)
		streamEncoders[to].Put(encoder)
	}()
	if err := write(encoder); err != nil {
		return err
	}
	return encoder.Close()
}
