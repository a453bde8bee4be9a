package product

import (
	"slices"
	"strings"
)

// The families of values that a vocabulary can declare, by the names of their fields.
const (
	FamilyCategory     = "material_category"
	FamilyCharacter    = "absorption_character"
	FamilyInstallation = "installation_types"
)

// Families are the families of values that a vocabulary can declare.
var Families = []string{FamilyCategory, FamilyCharacter, FamilyInstallation}

// Manufactured and Reference are the values of data_source. Reference is data of PTB, Germany's national
// metrology institute, for a reference material that is not for sale.
const (
	Manufactured = "manufacturer"
	Reference    = "ptb"
)

// ReservedSlug is invalid as the slug of a product, because GET /v1/materials/search is another operation.
const ReservedSlug = "search"

// SourceKinds are the origins of measurement data.
var SourceKinds = []string{Measured, "literature", "simulated"}

// Measured is the only source kind of diffusion measurements.
const Measured = "measured"

// Shapes are the solids that can represent a product.
var Shapes = []string{"panel", "baffle", "box", "cylinder", "sphere", "sheet"}

// Coefficients are between MinCoefficient and the limit of their quantity, inclusive. Negative coefficients
// cause a warning.
const (
	MinCoefficient  = -0.1
	AbsorptionLimit = 2.0 // the edge effect causes values over 1
	ScatteringLimit = 1.2 // scattering and diffusion
)

// FireClasses are the main classes of DIN EN 13501-1, the safest first.
var FireClasses = []string{"A1", "A2", "B", "C", "D", "E", "F"}

// ParseFireClass parses a reaction-to-fire class. It starts with one of FireClasses, can continue with "fl"
// or "L", and can end with "-d2" or with "-s1" to "-s3" and an optional ",d0" to ",d2".
func ParseFireClass(text string) (class FireClass, ok bool) {
	for _, main := range FireClasses {
		if rest, found := strings.CutPrefix(text, main); found {
			if floor, found := strings.CutPrefix(rest, "fl"); found {
				rest = floor
			} else {
				rest = strings.TrimPrefix(rest, "L")
			}
			return FireClass{Text: text, Class: main}, slices.Contains(fireClassSupplements, rest)
		}
	}
	return class, false
}

// fireClassSupplements are the valid ends of a class: s for smoke, d for burning droplets.
var fireClassSupplements = []string{
	"", "-d2",
	"-s1", "-s1,d0", "-s1,d1", "-s1,d2",
	"-s2", "-s2,d0", "-s2,d1", "-s2,d2",
	"-s3", "-s3,d0", "-s3,d1", "-s3,d2",
}
