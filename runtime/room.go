package runtime

import "sabine/dataset/acoustics"

// A Room is a room whose surfaces are products of a generation or literal curves, and its reverberation.
type Room struct {
	acoustics.Room
	Given   []GivenSurface // where Surfaces come from
	Target  string         // as it was given, "" for none
	TargetS float64        // what it amounts to
	Bands   []acoustics.Reverberation
}

// A GivenSurface says where the coefficients of a surface come from.
type GivenSurface struct {
	Text     string // as it was given
	ID, Slug string // of the product, "" where it has none, and both for a literal curve
	Entry    int    // index of the ISO 354 entry; -1 for a literal curve and for the declared one of a product
}
