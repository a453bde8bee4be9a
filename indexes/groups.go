package indexes

// Groups is a sorted table of keys, each with a list of numbers in ascending order.
type Groups struct{ unexported int }

func (g *Groups) Len() int                         { panic("unwritten") }
func (g *Groups) Key(i int) string                 { panic("unwritten") }
func (g *Groups) Find(key string) (int, bool)      { panic("unwritten") }
func (g *Groups) Range(prefix string) (lo, hi int) { panic("unwritten") }
func (g *Groups) Numbers(i int) []uint32           { panic("unwritten") } // where they lie
func (g *Groups) NumbersOf(lo, hi int) []uint32    { panic("unwritten") } // of neighbouring keys, one after the other

// Stem keys carry their language as the first byte.
const (
	StemGerman  = "d"
	StemEnglish = "e"
)
