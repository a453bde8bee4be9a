package docset

import (
	"encoding/binary"
	"slices"
	"sort"

	"sabine/indexes/column"
)

// A Bitmap is a set of documents (or of names, in the trigram index) in the frozen format, which is specified by CRoaring and written by package
// roaring. Documents are divided into chunks of 65,536. Each chunk that contains documents is stored in a
// container. The containers are in the order of the chunks:
//
//	bitset data  8,192 bytes for each bitset container: 1,024 words of 64 bits
//	run data     4 bytes for each run: its first document within the chunk, and its number of documents minus one
//	array data   2 bytes for each document of an array container: its number within the chunk
//	keys         2 bytes for each container: the number of the chunk
//	counts       2 bytes for each container: number of documents minus one; for a run container, number of runs
//	types        1 byte for each container: 1 bitset, 2 array, 3 runs. A bitset can have far fewer documents
//	             than a bitset written by roaring: see bitsetMin
//	header       4 bytes at the end: 13766 in the low 15 bits, number of containers in the other bits
//
// This package does not use roaring's FrozenView. A view allocates for each set of a query, and its
// operations need bitmaps as operands, while queries use dense sets for results.
type Bitmap []byte

const (
	frozenCookie     = 13766
	frozenCookieBits = 15
	frozenHeader     = 4 // size of the header in bytes
	frozenContainer  = 5 // size of key, count and type in bytes

	chunkBits    = 16
	chunkDocs    = 1 << chunkBits
	chunkWords   = chunkDocs / WordBits
	bitsetBytes  = chunkDocs / 8
	frozenBitset = 1
	frozenArray  = 2
	frozenRuns   = 3
)

// A containers value is an iteration over the containers of a stored bitmap. next removes each container that
// it returns, so methods with a value receiver do not change the value of the caller.
type containers struct {
	keys, counts []uint16
	types        []byte
	words        []uint64 // data of the bitset containers
	runs         []uint16 // data of the run containers, two numbers for each run
	values       []uint16 // data of the array containers
}

// A container is a chunk of documents in one of three forms.
type container struct {
	chunk  int
	words  []uint64 // 1,024 words of a bitset, or nil
	runs   []uint16 // two numbers for each run, or nil
	values []uint16 // documents of an array, by their number within the chunk
}

// OrInto adds the documents of the bitmap to dst.
func (b Bitmap) OrInto(dst Dense) { b.open().orInto(dst) }

// open begins an iteration. A bitmap with inconsistent counts is empty.
func (b Bitmap) open() (f containers) {
	if len(b) < frozenHeader {
		return containers{}
	}
	header := binary.LittleEndian.Uint32(b[len(b)-frozenHeader:])
	n := int(header >> frozenCookieBits)
	b = b[:len(b)-frozenHeader]
	if header&(1<<frozenCookieBits-1) != frozenCookie || n > chunkDocs || len(b) < n*frozenContainer {
		return containers{}
	}
	b, f.types = b[:len(b)-n], b[len(b)-n:]
	b, f.counts = b[:len(b)-2*n], column.Of[uint16](b[len(b)-2*n:])
	b, f.keys = b[:len(b)-2*n], column.Of[uint16](b[len(b)-2*n:])
	if len(f.keys) != n || len(f.counts) != n { // the bitmap is not aligned
		return containers{}
	}
	bitsets, runs, values := 0, 0, 0
	for i, t := range f.types {
		switch t {
		case frozenBitset:
			bitsets++
		case frozenRuns:
			runs += int(f.counts[i])
		case frozenArray:
			values += int(f.counts[i]) + 1
		default:
			return containers{}
		}
	}
	bitsets *= bitsetBytes
	if len(b) != bitsets+4*runs+2*values {
		return containers{}
	}
	f.words = column.Of[uint64](b[:bitsets])
	f.runs = column.Of[uint16](b[bitsets:][:4*runs])
	f.values = column.Of[uint16](b[bitsets+4*runs:])
	if len(f.words) != bitsets/8 || len(f.runs) != 2*runs || len(f.values) != values { // the data is not aligned
		return containers{}
	}
	return f
}

// next removes the first of the remaining containers and returns it. ok is false if there is none.
func (f *containers) next() (c container, ok bool) {
	if len(f.types) == 0 {
		return container{}, false
	}
	c.chunk = int(f.keys[0])
	count := int(f.counts[0])
	switch f.types[0] {
	case frozenBitset:
		c.words, f.words = f.words[:chunkWords], f.words[chunkWords:]
	case frozenRuns:
		c.runs, f.runs = f.runs[:2*count], f.runs[2*count:]
	default:
		c.values, f.values = f.values[:count+1], f.values[count+1:]
	}
	f.keys, f.counts, f.types = f.keys[1:], f.counts[1:], f.types[1:]
	return c, true
}

// at skips to the container of a chunk. ok is false if there is none. The chunk must be greater than in the
// previous call.
func (f *containers) at(chunk int) (c container, ok bool) {
	for len(f.keys) > 0 && int(f.keys[0]) < chunk {
		f.next()
	}
	if len(f.keys) == 0 || int(f.keys[0]) > chunk {
		return container{}, false
	}
	return f.next()
}

func (f containers) orInto(dst Dense) {
	for c, ok := f.next(); ok; c, ok = f.next() {
		c.orInto(dst.chunk(c.chunk))
	}
}

// orInto adds the container's documents to part, the words of its chunk.
func (c *container) orInto(part Dense) {
	switch {
	case c.words != nil:
		part.Or(c.words)
	case c.runs != nil:
		for i := 0; i+1 < len(c.runs); i += 2 {
			lo, more := int(c.runs[i]), int(c.runs[i+1])
			if at := lo & wordMask; at+more < WordBits && lo>>wordShift < len(part) { // true for most runs
				part[lo>>wordShift] |= (2<<more - 1) << at
			} else {
				part.fillRange(lo, lo+more+1)
			}
		}
	case len(part) == chunkWords:
		orValues((*[chunkWords]uint64)(part), c.values)
	default:
		for _, v := range c.values {
			part.Add(column.Doc(v))
		}
	}
}

// orValues adds the documents of an array container to the words of its chunk, which have one bit for each
// 16-bit number. It always adds four documents from four different parts of the array, because neighbours are
// often in the same word and would wait for each other. This takes 0.6 ns for each document. Adding the
// documents in order takes 0.7 to 1.3 ns.
func orValues(words *[chunkWords]uint64, values []uint16) {
	n := len(values) / 4
	a, b, c, d := values[:n], values[n:][:n], values[2*n:][:n], values[3*n:]
	for i := range a {
		u, v, w, x := a[i], b[i], c[i], d[i]
		words[u>>wordShift] |= 1 << (u & wordMask)
		words[v>>wordShift] |= 1 << (v & wordMask)
		words[w>>wordShift] |= 1 << (w & wordMask)
		words[x>>wordShift] |= 1 << (x & wordMask)
	}
	for _, v := range d[n:] {
		words[v>>wordShift] |= 1 << (v & wordMask)
	}
}

func (f containers) andLen(d Dense) int {
	n := 0
	for c, ok := f.next(); ok; c, ok = f.next() {
		part := d.chunk(c.chunk)
		switch {
		case c.words != nil:
			n += part.AndLen(c.words)
		case c.runs != nil:
			for i := 0; i+1 < len(c.runs); i += 2 {
				n += part.countRange(int(c.runs[i]), int(c.runs[i])+int(c.runs[i+1])+1)
			}
		default:
			for _, v := range c.values {
				n += part.bit(column.Doc(v))
			}
		}
	}
	return n
}

func (f containers) contains(d column.Doc) bool {
	c, ok := f.at(int(d >> chunkBits))
	return ok && c.contains(uint16(d))
}

// contains reports whether the container has a document, given by its number within the chunk.
func (c *container) contains(low uint16) bool {
	switch {
	case c.words != nil:
		return Dense(c.words).Has(column.Doc(low))
	case c.runs != nil:
		return inFirstRun(dropRuns(c.runs, low, 0), low) // 0: binary search, since there can be 2,000 runs
	}
	_, found := slices.BinarySearch(c.values, low)
	return found
}

// inFirstRun reports whether a document is in the first of the runs.
func inFirstRun(runs []uint16, low uint16) bool {
	return len(runs) > 1 && runs[0] <= low && low-runs[0] <= runs[1]
}

// dropRuns removes the runs before the last run that begins at or below low. Like dropBelow, it scans the
// runs, or uses a binary search if there are many more runs than lookups, the number of documents to look up.
func dropRuns(runs []uint16, low uint16, lookups int) []uint16 {
	if n := len(runs) / 2; n > skipRatio*lookups {
		above := sort.Search(n, func(i int) bool { return runs[2*i] > low })
		return runs[2*max(above-1, 0):]
	}
	for len(runs) > 2 && runs[2] <= low {
		runs = runs[2:]
	}
	return runs
}

// docs appends the documents in ascending order, but at most limit, since a damaged bitmap can contain more
// documents than the catalogue.
func (f containers) docs(dst []column.Doc, limit int) []column.Doc {
	end := len(dst) + limit
	var words [chunkWords]uint64
	for c, ok := f.next(); ok && len(dst) < end; c, ok = f.next() {
		base := column.Doc(c.chunk) << chunkBits
		if c.values != nil {
			for _, v := range c.values {
				dst = append(dst, base+column.Doc(v))
			}
			continue
		}
		clear(words[:])
		c.orInto(words[:])
		dst = Dense(words[:]).appendTo(dst, base)
	}
	return dst[:min(len(dst), end)]
}
