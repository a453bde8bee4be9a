package indexes

import "sabine/indexes/column"

// pieces keep many byte strings of a build in few large pieces of memory, each whole in one of them.
type pieces [][]byte

const pieceSize = 1 << 20

// add keeps a copy of some bytes and returns it.
func (p *pieces) add(b []byte) string {
	all := *p
	n := len(all)
	if n == 0 || cap(all[n-1])-len(all[n-1]) < len(b) {
		all = append(all, make([]byte, 0, max(pieceSize, len(b))))
		n++
	}
	last := &all[n-1]
	start := len(*last)
	*last = append(*last, b...)
	*p = all
	return column.String((*last)[start:])
}
