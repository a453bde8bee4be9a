package runtime

import "math/bits"

// A MatchKind is the way in which a word of a product matches a word of the query.
type MatchKind uint8

// The kinds, best first. The kinds up to MatchCorrected rank equally in the order of hits. Each later kind
// ranks below all earlier ones.
const (
	MatchVerbatim  MatchKind = iota
	MatchJoined              // matches together with an adjacent word of the query
	MatchSplit               // matches as two words or, for a size, as its numbers
	MatchCorrected           // a misspelt word, in fuzzy
	MatchStem
	MatchPart
	MatchBeginning
	MatchSynonym    // synonym from the vocabulary
	MatchAllParts   // matches by all parts of a compound of the query
	MatchCurated    // synonym from the built-in list or from a synonym file
	MatchDictionary // translation from the dictionary of the build
	numMatchKinds

	worstMatch  = numMatchKinds - 1
	worstDirect = MatchCurated - 1 // worst kind that needs neither curated synonyms nor the dictionary
)

var matchKindNames = [numMatchKinds]string{"as it is", "joined", "apart", "corrected", "stem", "part", "beginning",
	"synonym", "all parts", "curated synonym", "dictionary"}

// String returns the kind's name.
func (k MatchKind) String() string { return matchKindNames[k] }

// MarshalText implements encoding.TextMarshaler.
func (k MatchKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// level returns the worst kind with the same rank as k.
func (k MatchKind) level() MatchKind { return max(k, MatchCorrected) }

// rank returns the position of the kind's level in the order of hits, from 0.
func (k MatchKind) rank() int { return int(k.level() - MatchCorrected) }

// A levelSet is a set of levels.
type levelSet uint16

func (s *levelSet) add(k MatchKind) { *s |= 1 << k.level() }

// from returns the levels of the set that are equal to level or worse.
func (s levelSet) from(level MatchKind) levelSet { return s &^ (1<<level - 1) }

func (s levelSet) has(level MatchKind) bool { return s>>level&1 != 0 }

// worst returns the worst level of the set, or MatchCorrected if it is empty.
func (s levelSet) worst() MatchKind {
	return MatchKind(max(bits.Len16(uint16(s))-1, int(MatchCorrected)))
}
