package indexes

// NameTrigrams finds names by trigram. Names are numbered as in Index.Names, makers as in Index.Makers behind them.
type NameTrigrams struct{ unexported int }

// Names returns the numbers of the names that hold a trigram, ascending, where they lie.
func (t *NameTrigrams) Names(trigram string) []uint32 { panic("unwritten") }

// Size returns how many distinct trigrams a name has.
func (t *NameTrigrams) Size(name uint32) int { panic("unwritten") }
