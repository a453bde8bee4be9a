package runtime

import "math/bits"

// A MatchKind is how a word of a product stands for a word of the query.
type MatchKind uint8

// The kinds, the better one first. Those up to MatchCorrected count alike in the order of hits; each of the
// others is worse than all before it.
const (
	MatchVerbatim  MatchKind = iota
	MatchJoined              // with the word before or behind it in the query
	MatchSplit               // as two words, a size as its numbers
	MatchCorrected           // misspelt: in fuzzy
	MatchStem
	MatchPart
	MatchBeginning
	MatchSynonym    // of the vocabulary
	MatchAllParts   // a compound of the query, by all of its parts
	MatchCurated    // a synonym of the analysis' own list
	MatchDictionary // a translation of the dictionary that the catalogue was built with
	numMatchKinds

	worstMatch  = numMatchKinds - 1
	worstDirect = MatchCurated - 1 // that needs no curated synonym, and no dictionary
)

var matchKindNames = [numMatchKinds]string{"as it is", "joined", "apart", "corrected", "stem", "part", "beginning",
	"synonym", "all parts", "curated synonym", "dictionary"}

// String returns the kind's name.
func (k MatchKind) String() string { return matchKindNames[k] }

// MarshalText is for JSON that shows a kind.
func (k MatchKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// level returns the worst of the kinds that count like k.
func (k MatchKind) level() MatchKind { return max(k, MatchCorrected) }

// rank returns the place of a kind in the order of hits, which is its level's: 0 for those that count alike.
func (k MatchKind) rank() int { return int(k.level() - MatchCorrected) }

// A levelSet is levels of kinds.
type levelSet uint16

func (s *levelSet) add(k MatchKind) { *s |= 1 << k.level() }

// from returns those of a set that are no better than a level.
func (s levelSet) from(level MatchKind) levelSet { return s &^ (1<<level - 1) }

func (s levelSet) has(level MatchKind) bool { return s>>level&1 != 0 }

// worst returns the worst level of a set; of none the best.
func (s levelSet) worst() MatchKind {
	return MatchKind(max(bits.Len16(uint16(s))-1, int(MatchCorrected)))
}
