package acoustics

import (
	"slices"
	"strings"
)

// MaxObjects is the maximum number of kinds of objects in a room.
const MaxObjects = 16

// A BuildingSurface is a row of BuildingSurfaces: a surface that is common in buildings.
type BuildingSurface struct {
	Name            string // name in requests
	German, English string
	Coefficients    Coefficients // coefficients from the first source
	Sources         sources
}

// A RoomObject is a row of RoomObjects: a person or a chair.
type RoomObject struct {
	Name            string // name in requests
	German, English string
	IsPerson        bool
	EachM2          AbsorptionAreas // absorption areas from the first source
	Sources         sources
}

// FindBuildingSurface returns the surface with the given name, or nil if there is none.
func FindBuildingSurface(name string) *BuildingSurface {
	i := slices.IndexFunc(BuildingSurfaces, func(s BuildingSurface) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &BuildingSurfaces[i]
}

// FindRoomObject returns the object with the given name, or nil if there is none.
func FindRoomObject(name string) *RoomObject {
	i := slices.IndexFunc(RoomObjects, func(o RoomObject) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return &RoomObjects[i]
}

// BuildingSurfaceNames returns the names of BuildingSurfaces.
func BuildingSurfaceNames() (names []string) {
	for i := range BuildingSurfaces {
		names = append(names, BuildingSurfaces[i].Name)
	}
	return names
}

// RoomObjectNames returns the names of RoomObjects.
func RoomObjectNames() (names []string) {
	for i := range RoomObjects {
		names = append(names, RoomObjects[i].Name)
	}
	return names
}

// sources are the sources of a row. In each band, the second source differs from the first by at most 0.05 or
// a fifth (see testdata/second-sources.csv).
type sources [2]string

func (s sources) String() string {
	if s[1] == "" {
		return s[0] + " (one source)"
	}
	return strings.Join(s[:], "; ")
}
