package runtime

import "sabine/indexes"

// A counter is a bit-sliced counter (O'Neil and Quass 1997): it counts for every document at once, in how many of the sets added
// to it the document lies. Plane i holds bit i of each document's count, so that adding a set is the carry of a binary
// addition, 64 documents at a time, and the documents with the highest counts, or with any one count, are an intersection
// of planes.
type counter struct {
	planes []indexes.Dense
}

// newCounter returns a counter for up to n sets. Its planes are the arena's.
func (a *arena) newCounter(n int) counter {
	var c counter
	for ; n > 0; n >>= 1 {
		c.planes = append(c.planes, a.take())
	}
	return c
}

// add counts the documents of a set.
func (c *counter) add(set indexes.Dense) {
	for i, carry := range set {
		for p := 0; carry != 0 && p < len(c.planes); p++ {
			plane := c.planes[p]
			plane[i], carry = plane[i]^carry, plane[i]&carry
		}
	}
}

// keepHighest takes from a set all documents but those whose count is the highest in it, and returns that count.
func (c *counter) keepHighest(a *arena, set indexes.Dense) (count int) {
	high := a.takeDirty()
	for p := len(c.planes) - 1; p >= 0; p-- {
		high.Copy(set)
		high.And(c.planes[p])
		if !high.Empty() {
			set.Copy(high)
			count |= 1 << p
		}
	}
	a.give(high)
	return count
}

// ascend calls visit with the documents of a set that have the lowest count, the next, and so on, until visit returns
// false. The set that visit gets is its own until it returns. It reports whether all were visited.
func (c *counter) ascend(a *arena, set indexes.Dense, visit func(count int, docs indexes.Dense) bool) bool {
	return ascendPlanes(a, c.planes, 0, set, visit)
}

// ascendPlanes is ascend by the lower planes of documents that have the same bits in all higher ones.
func ascendPlanes(a *arena, planes []indexes.Dense, higher int, set indexes.Dense, visit func(int, indexes.Dense) bool) bool {
	if set.Empty() {
		return true
	}
	half := a.takeCopy(set)
	defer a.give(half)
	top := len(planes) - 1
	if top < 0 {
		return visit(higher, half)
	}
	half.AndNot(planes[top])
	if !ascendPlanes(a, planes[:top], higher, half, visit) {
		return false
	}
	half.Copy(set)
	half.And(planes[top])
	return ascendPlanes(a, planes[:top], higher|1<<top, half, visit)
}
