package table

// A slab keeps many short lists in few allocations, each of which stays as long as one of its lists. The zero value is empty.
type slab[T any] struct{ last []T }

// The bounds of how many values an allocation is for.
const (
	leastSlab = 32
	mostSlab  = 1024
)

// keep returns a copy of a list.
func (s *slab[T]) keep(list ...T) []T {
	if len(list) > cap(s.last)-len(s.last) {
		s.last = make([]T, 0, max(len(list), leastSlab, min(2*cap(s.last), mostSlab)))
	}
	from := len(s.last)
	s.last = append(s.last, list...)
	return s.last[from:len(s.last):len(s.last)]
}
