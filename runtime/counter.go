package runtime

import "sabine/indexes"

// A counter counts for every document at once, in how many of the sets added to it the document lies. The counts stand
// upright: plane i holds bit i of each document's count, so that adding a set is the carry of a binary addition, 64
// documents at a time, and the documents with the highest counts, or with any one count, are an intersection of planes.
type counter struct {
	planes []indexes.Dense
}

// newCounter returns a counter for up to n sets. Its planes are lent from the work.
func (w *work) newCounter(n int) counter {
	var c counter
	for ; n > 0; n >>= 1 {
		c.planes = append(c.planes, w.take())
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

// keepHighest takes from a set all documents but those whose count is the highest in it.
func (c *counter) keepHighest(w *work, set indexes.Dense) {
	high := w.takeDirty()
	for p := len(c.planes) - 1; p >= 0; p-- {
		high.Copy(set)
		high.And(c.planes[p])
		if !high.Empty() {
			set.Copy(high)
		}
	}
	w.give(high)
}

// ascend calls visit with the documents of a set that have the lowest count, the next, and so on, until visit returns
// false. The set that visit gets is its own until it returns. It reports whether all were visited.
func (c *counter) ascend(w *work, set indexes.Dense, visit func(indexes.Dense) bool) bool {
	return ascendPlanes(w, c.planes, set, visit)
}

func ascendPlanes(w *work, planes []indexes.Dense, set indexes.Dense, visit func(indexes.Dense) bool) bool {
	if set.Empty() {
		return true
	}
	half := w.takeCopy(set)
	defer w.give(half)
	if len(planes) == 0 {
		return visit(half)
	}
	top := planes[len(planes)-1]
	half.AndNot(top)
	if !ascendPlanes(w, planes[:len(planes)-1], half, visit) {
		return false
	}
	half.Copy(set)
	half.And(top)
	return ascendPlanes(w, planes[:len(planes)-1], half, visit)
}
