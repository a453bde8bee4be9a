package importers

import (
	_ "embed"
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// A role is what a column of a table is for: the field of a record that its cells fill, except roleMaterial.
type role string

const (
	roleOther          role = "" // its cells go to structured_meta
	roleName           role = "name"
	roleNameEN         role = "name_en"
	roleMaterial       role = "material" // the name where there is no better one
	roleManufacturer   role = "manufacturer"
	roleCommercialName role = "commercial_name"
	roleDescription    role = "description"
	roleCategory       role = dataset.FamilyCategory
	roleCharacter      role = dataset.FamilyCharacter
	roleInstallation   role = dataset.FamilyInstallation
	roleMounting       role = "mounting"
	roleThickness      role = "thickness_mm"
	roleAirGap         role = "air_gap_mm"
	roleSourceKind     role = "source_kind"
	roleFireClass      role = "fire_class"
	roleURL            role = "url"
)

//go:embed columns.csv
var columnNames string

// columnRoles has the role of each name in columns.csv.
var columnRoles = sync.OnceValue(func() map[string]role {
	roles := map[string]role{}
	table := csv.NewReader(strings.NewReader(columnNames))
	table.Comma, table.Comment = ';', '#'
	rows, err := table.ReadAll()
	if err != nil {
		panic("columns.csv: " + err.Error()) // a bug of ours
	}
	for _, row := range rows[1:] {
		for _, name := range strings.Split(row[1], ", ") {
			roles[name] = role(row[0])
		}
	}
	return roles
})

// A column is what the first row says of a column.
type column struct {
	header  string
	role    role
	bandHz  int    // of a column of coefficients, else 0
	alpha   bool   // its name says that the coefficients are those of absorption
	percent bool   // its coefficients are percentages
	unit    string // of a column of lengths without units in the cells; "" is millimetres
	told    bool   // that it has no name, and cells all the same
}

// columnOf reads a column's name.
func columnOf(header string) column {
	c := column{header: strings.TrimSpace(header)}
	if hz, ok := bandOf(c.header); ok {
		c.bandHz, c.percent = hz, strings.Contains(c.header, "%")
		c.alpha = alphaPattern.MatchString(c.header)
		return c
	}
	name := strings.Join(strings.FieldsFunc(strings.ToLower(c.header), func(r rune) bool {
		return strings.ContainsRune(" \t\n_-[](){}:/", r)
	}), " ")
	if role, ok := columnRoles()[name]; ok {
		c.role = role
		return c
	}
	for _, unit := range lengthUnits {
		base, ok := strings.CutSuffix(name, " "+unit)
		if role := columnRoles()[base]; ok && (role == roleThickness || role == roleAirGap) {
			c.role, c.unit = role, unit
		}
	}
	return c
}

// bandPattern matches the name of a column of coefficients: a frequency such as "125", "125 Hz", "1k", "1.25 kHz", "1k6" or
// "1000Hz", optionally after "f", "alpha" or the like, optionally followed by "%".
var bandPattern = regexp.MustCompile(
	`^(?:(?:f|freq|frequency|frequenz|alpha(?:[ _]?[spw])?|α(?:[ _]?[sp])?|a)[ _=@]*)?(\d+)(?:[.,](\d+))?[ _]*(k)?(\d+)?[ _]*(?:hz)?[ _]*[\[(]?%?[\])]?$`)

// alphaPattern matches the beginning of the name of a column of absorption coefficients.
var alphaPattern = regexp.MustCompile(`^(?i:a|α)`)

// bandOf returns the band whose coefficients a column holds. A number that is not a third-octave band is no band here.
func bandOf(header string) (bandHz int, ok bool) {
	m := bandPattern.FindStringSubmatch(strings.ToLower(strings.Join(strings.Fields(header), " ")))
	if m == nil {
		return 0, false
	}
	whole, fraction, kilo, behindK := m[1], m[2], m[3] != "", m[4]
	if behindK != "" {
		if !kilo || fraction != "" {
			return 0, false
		}
		fraction = behindK // 1k6 is 1.6k
	}
	hz, err := strconv.ParseFloat(whole+"."+fraction+"0", 64)
	if err != nil {
		return 0, false
	}
	if kilo {
		hz *= 1000
	}
	bandHz = int(hz + 0.5)
	return bandHz, slices.Contains(acoustics.ThirdBands, bandHz) && (kilo || fraction == "" || strings.Trim(fraction, "0") == "")
}

// absentCells are cells that say that there is no value.
var absentCells = []string{"-", "–", "—", "n/a", "na", "n.a.", "k.a.", "k. a.", "null", "nan"}

// coefficientOf reads a cell: nil without a problem means that it has no value.
func coefficientOf(cell string, percent bool) (v *float64, problem string) {
	if slices.Contains(absentCells, strings.ToLower(cell)) {
		return nil, ""
	}
	text, inCell := strings.CutSuffix(cell, "%")
	digits, ok := decimalOf(strings.TrimSpace(text))
	if percent || inCell {
		digits += "e-2" // exact, as dividing the number is not
	}
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil {
		return nil, "expected a coefficient such as 0.85, 0,85 or 85 %, got " + dataset.Quoted(cell)
	}
	return &n, ""
}

var decimalPattern = regexp.MustCompile(`^[+-]?(\d+([.,]\d*)?|[.,]\d+)$`)

// decimalOf returns a number with a decimal comma or point as one with a point.
func decimalOf(text string) (digits string, ok bool) {
	text = strings.Replace(text, "−", "-", 1) // the minus sign of typesetters
	return strings.Replace(text, ",", ".", 1), decimalPattern.MatchString(text)
}

// lengthUnits are the units of lengths. One that ends in another stands before it.
var lengthUnits = []string{"mm", "cm", "m"}

// lengthOf reads a cell that is a length, in its own unit or else in that of its column, and returns it in millimetres. ok is
// false if it is no length; nil means that the cell has no value.
func lengthOf(cell, unit string) (mm *float64, ok bool) {
	text := strings.ToLower(cell)
	if slices.Contains(absentCells, text) {
		return nil, true
	}
	for _, own := range lengthUnits {
		if rest, found := strings.CutSuffix(text, own); found {
			text, unit = strings.TrimSpace(rest), own
			break
		}
	}
	digits, ok := decimalOf(text)
	switch unit {
	case "cm":
		digits += "e1"
	case "m":
		digits += "e3"
	}
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || n < 0 {
		return nil, false
	}
	return &n, true
}
