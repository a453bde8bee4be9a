package runtime

import "sabine/dataset/acoustics"

// A Room is a room with its reverberation. Its surfaces are products of a generation, building surfaces or
// curves.
type Room struct {
	acoustics.Room
	Given  []GivenSurface // sources of the surfaces in Surfaces
	Placed []PlacedObjects
	Target string           // name of the target in the request, or ""
	Goal   acoustics.Target // limits of Target
	Bands  []acoustics.Reverberation
	Fills  []Fill
	Covers int // index of the surface that the products of Fills would cover, or -1
}

// A GivenSurface is the source of the coefficients of a surface.
type GivenSurface struct {
	Text     string // text in the request
	ID, Slug string // id and slug of the product; "" for a product without a slug, and for a curve
	Entry    int    // index of the ISO 354 entry; -1 for a declared curve or without an entry
}

// PlacedObjects describes objects of one kind in a room.
type PlacedObjects struct {
	acoustics.Objects
	Name    string // name in acoustics.RoomObjects
	Counted bool   // whether Room.Objects includes them; it excludes people if the target is for the empty room
}

// A Fill is the amount of a product that a room needs to meet its target.
type Fill struct {
	GivenSurface
	Covering acoustics.Coefficients
	acoustics.Fill
}
