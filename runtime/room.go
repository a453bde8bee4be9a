package runtime

import "sabine/dataset/acoustics"

// A Room is a room whose surfaces are products of a generation, building surfaces or literal curves, and its
// reverberation.
type Room struct {
	acoustics.Room
	Given  []GivenSurface // where Surfaces come from
	Placed []PlacedObjects
	Target string           // as it was given, "" for none
	Goal   acoustics.Target // what it amounts to
	Bands  []acoustics.Reverberation
	Fills  []Fill
	Covers int // index of the surface that Fills take the place of, -1 for none
}

// A GivenSurface says where the coefficients of a surface come from.
type GivenSurface struct {
	Text     string // as it was given
	ID, Slug string // of the product, "" where it has none, and both for a curve that is no product's
	Entry    int    // index of the ISO 354 entry; -1 where there is none, and for the declared one of a product
}

// PlacedObjects are pieces of one kind in a room.
type PlacedObjects struct {
	acoustics.Objects
	Name    string // of acoustics.RoomObjects
	Counted bool   // they are in Objects of the room; people are left out where the target is of the empty room
}

// A Fill is how much of a product a room needs to meet its target.
type Fill struct {
	GivenSurface
	Covering acoustics.Coefficients
	acoustics.Fill
}
