package dataset

// A Checker holds records against the rest of the catalogue: ids and slugs are unique, a manufacturer's slug has one
// name and one id, values stand in the vocabulary. Records are added in input order by one goroutine.
type Checker struct{ unexported int }

// NewChecker returns an empty checker.
func NewChecker() *Checker { panic("unwritten") }

// Add checks a product against those before it. A product with faults is forgotten again, as if it had not been added.
func (c *Checker) Add(place Place, p *Product) (faults, warnings []Fault) { panic("unwritten") }

// Finish checks all products that were added against the vocabulary, which may be nil, and returns the faults in
// input order and the ordinals (Place.Ordinal) of the products that have one.
func (c *Checker) Finish(v *Vocabulary) (faults []Fault, rejected map[int]bool) { panic("unwritten") }
