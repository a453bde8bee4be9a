package serve

import (
	"bufio"
	"bytes"
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
)

// contentCodings are the codings' names in Content-Encoding, and what their ETags end with.
var contentCodings = [numCodings]struct{ name, suffix string }{
	gzipped:   {"gzip", "-gzip"},
	zstandard: {"zstd", "-zstd"},
}

// chooseCoding reads the Accept-Encoding fields of a request and returns the coding with the highest weight. Of equal
// weights zstd wins, which is smaller and quicker than gzip, unless gzipOnTie is set; any coding wins over identity. "*"
// means gzip, since few clients that send it can read zstd. Without the field, and when nothing that is offered is accepted, the answer is
// identity: the contract has no 406. What is not in the grammar is passed over.
func chooseCoding(fields []string, gzipOnTie bool) coding {
	const unset = -1
	weights := [numCodings + 1]int{unset, unset, unset, unset} // in thousandths; the last is that of *
	for _, field := range fields {
		for element := range strings.SplitSeq(field, ",") {
			if c, weight, ok := parseAcceptedCoding(element); ok {
				weights[c] = weight
			}
		}
	}
	weights[identity] = max(weights[identity], 0) // always accepted, and worth less than whatever is named
	if weights[gzipped] == unset {
		weights[gzipped] = weights[numCodings]
	}
	ascending := [...]coding{gzipped, zstandard}
	if gzipOnTie {
		ascending = [...]coding{zstandard, gzipped}
	}
	best := identity
	for _, c := range ascending {
		if weights[c] > 0 && weights[c] >= weights[best] {
			best = c
		}
	}
	return best
}

// acceptedCodings are the names of Accept-Encoding.
var acceptedCodings = map[string]coding{"identity": identity, "gzip": gzipped, "x-gzip": gzipped, "zstd": zstandard, "*": numCodings}

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

// A compressor codes bodies that are made per request. It is safe for concurrent use.
type compressor struct {
	zstd    *zstd.Encoder
	gzips   sync.Pool             // of *gzip.Writer
	streams [numCodings]sync.Pool // of streamEncoder
	pieces  sync.Pool             // of *bufio.Writer, of streams
}

// streamWindow is how far the zstd encoder of a stream looks back: products resemble each other, so that the 4 MB of its
// default would save little and cost each stream as much.
const streamWindow = 512 << 10

func newCompressor() (*compressor, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	c := &compressor{zstd: encoder}
	c.gzips.New = func() any {
		w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // the level is a constant of the package
		}
		return w
	}
	c.pieces.New = func() any { return bufio.NewWriterSize(nil, pieceBytes) }
	c.streams[gzipped].New = c.gzips.New
	c.streams[zstandard].New = func() any {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
			zstd.WithWindowSize(streamWindow), zstd.WithZeroFrames(true)) // an empty body has an end too
		if err != nil {
			panic(err) // the options are constants
		}
		return w
	}
	return c, nil
}

// encode appends a body in a coding other than identity.
func (c *compressor) encode(dst []byte, to coding, body []byte) []byte {
	if to == zstandard {
		return c.zstd.EncodeAll(body, dst)
	}
	buffer := bytes.NewBuffer(dst)
	w := c.gzips.Get().(*gzip.Writer)
	defer c.gzips.Put(w)
	w.Reset(buffer)
	_, err := w.Write(body)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	return buffer.Bytes()
}
