package product

import (
	"slices"
	"strings"
)

// The families of values that a vocabulary may declare, by the names of their fields.
const (
	FamilyCategory     = "material_category"
	FamilyCharacter    = "absorption_character"
	FamilyInstallation = "installation_types"
)

// Families are the families of values that a vocabulary may declare.
var Families = []string{FamilyCategory, FamilyCharacter, FamilyInstallation}

// Manufactured and Reference are the values of data_source: data of the manufacturer, and reference data of
// PTB, Germany's national metrology institute, of a material that is not for sale.
const (
	Manufactured = "manufacturer"
	Reference    = "ptb"
)

// ReservedSlug is a slug that no product may have: GET /v1/materials/search is another operation.
const ReservedSlug = "search"

// SourceKinds are where the data of a measurement may come from.
var SourceKinds = []string{Measured, "literature", "simulated"}

// Measured is the one source kind of diffusion measurements.
const Measured = "measured"

// Shapes are the solids that stand for a product.
var Shapes = []string{"panel", "baffle", "box", "cylinder", "sphere", "sheet"}

// Coefficients lie between LeastCoefficient and the limit of their quantity, both inclusive. Negative ones
// are doubtful.
const (
	LeastCoefficient = -0.1
	AbsorptionLimit  = 2.0 // over 1 by the edge effect
	ScatteringLimit  = 1.2 // of scattering and diffusion
)

// FireClasses are the letter classes of DIN EN 13501-1, the safest first.
var FireClasses = []string{"A1", "A2", "B", "C", "D", "E", "F"}

// ParseFireClass reads a reaction-to-fire class: one of FireClasses; then "fl", "L" or nothing; then "-s1" to
// "-s3", optionally with ",d0" to ",d2", or "-d2", or nothing.
func ParseFireClass(text string) (class FireClass, ok bool) {
	for _, letters := range FireClasses {
		if rest, found := strings.CutPrefix(text, letters); found {
			if floor, found := strings.CutPrefix(rest, "fl"); found {
				rest = floor
			} else {
				rest = strings.TrimPrefix(rest, "L")
			}
			return FireClass{Text: text, Class: letters}, slices.Contains(fireClassSupplements, rest)
		}
	}
	return class, false
}

// fireClassSupplements are what may stand behind the letters of a class: smoke and burning droplets.
var fireClassSupplements = []string{
	"", "-d2",
	"-s1", "-s1,d0", "-s1,d1", "-s1,d2",
	"-s2", "-s2,d0", "-s2,d1", "-s2,d2",
	"-s3", "-s3,d0", "-s3,d1", "-s3,d2",
}
