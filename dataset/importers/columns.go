package importers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// A role is what a column of a table is for.
type role int

const (
	roleOther role = iota // its cells go to structured_meta
	roleName
	roleNameEN
	roleMaterial // the name where there is no better one
	roleManufacturer
	roleCommercialName
	roleDescription
	roleCategory
	roleCharacter
	roleInstallation
	roleMounting
	roleThickness
	roleAirGap
	roleSourceKind
	roleFireClass
	roleURL
)

// columnRoles are the names, in German and English, by which a column's role is told. They are compared in lower
// case, with blanks for underscores, hyphens and brackets.
var columnRoles = map[string]role{
	"name": roleName, "name de": roleName, "label": roleName, "label de": roleName, "bezeichnung": roleName, "title": roleName, "titel": roleName,
	"produkt": roleName, "produktname": roleName, "product": roleName, "product name": roleName,
	"artikel": roleName, "artikelname": roleName, "artikelbezeichnung": roleName,
	"materialname": roleName, "material name": roleName, "produktbezeichnung": roleName, "materialbezeichnung": roleName,
	"name en": roleNameEN, "label en": roleNameEN, "english name": roleNameEN, "bezeichnung en": roleNameEN,
	"material": roleMaterial, "werkstoff": roleMaterial,
	"manufacturer": roleManufacturer, "hersteller": roleManufacturer, "brand": roleManufacturer, "marke": roleManufacturer,
	"firma": roleManufacturer, "company": roleManufacturer, "producer": roleManufacturer, "vendor": roleManufacturer,
	"commercial name": roleCommercialName, "trade name": roleCommercialName, "handelsname": roleCommercialName, "handelsbezeichnung": roleCommercialName,
	"description": roleDescription, "beschreibung": roleDescription,
	"category": roleCategory, "kategorie": roleCategory, "material category": roleCategory, "materialkategorie": roleCategory, "materialgruppe": roleCategory,
	"absorption character": roleCharacter, "absorptionscharakter": roleCharacter,
	"installation": roleInstallation, "installation type": roleInstallation, "installation types": roleInstallation, "einbauort": roleInstallation,
	"mounting": roleMounting, "montage": roleMounting, "montageart": roleMounting, "einbauart": roleMounting, "mounting type": roleMounting,
	"thickness": roleThickness, "dicke": roleThickness, "materialdicke": roleThickness, "layer thickness": roleThickness,
	"schichtdicke": roleThickness, "stärke": roleThickness, "materialstärke": roleThickness,
	"air gap": roleAirGap, "airgap": roleAirGap, "luftspalt": roleAirGap, "wandabstand": roleAirGap, "abhängehöhe": roleAirGap, "deckenabstand": roleAirGap,
	"source kind": roleSourceKind,
	"fire class":  roleFireClass, "brandklasse": roleFireClass, "baustoffklasse": roleFireClass, "euroklasse": roleFireClass, "brandverhalten": roleFireClass,
	"url": roleURL, "link": roleURL, "website": roleURL, "webseite": roleURL,
}

// A column is what the first row says of a column.
type column struct {
	header  string
	role    role
	bandHz  int     // of a column of coefficients, else 0
	alpha   bool    // its name says that the coefficients are those of absorption
	percent bool    // its coefficients are percentages
	unitMM  float64 // of a column of lengths without units in the cells
	told    bool    // that it has no name, and cells all the same
}

// columnOf reads a column's name.
func columnOf(header string) column {
	c := column{header: strings.TrimSpace(header), unitMM: 1}
	if hz, ok := bandOf(c.header); ok {
		c.bandHz, c.percent = hz, strings.Contains(c.header, "%")
		c.alpha = alphaPattern.MatchString(c.header)
		return c
	}
	name := strings.Join(strings.FieldsFunc(strings.ToLower(c.header), func(r rune) bool {
		return strings.ContainsRune(" \t\n_-[](){}:/", r)
	}), " ")
	if role, ok := columnRoles[name]; ok {
		c.role = role
		return c
	}
	for unit, mm := range lengthUnits {
		base, ok := strings.CutSuffix(name, " "+unit)
		if role := columnRoles[base]; ok && (role == roleThickness || role == roleAirGap) {
			c.role, c.unitMM = role, mm
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
	if !ok {
		return nil, "expected a coefficient such as 0.85, 0,85 or 85 %, got " + dataset.Quoted(cell)
	}
	if percent || inCell {
		digits += "e-2" // exact, as dividing the number is not
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
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

// lengthUnits are the units of lengths, in millimetres.
var lengthUnits = map[string]float64{"mm": 1, "cm": 10, "m": 1000}

// lengthOf reads a cell that is a length, in its own unit or else in that of its column. ok is false if it is no length;
// nil means that the cell has no value.
func lengthOf(cell string, unitMM float64) (mm *float64, ok bool) {
	text := strings.ToLower(cell)
	if slices.Contains(absentCells, text) {
		return nil, true
	}
	for _, unit := range []string{"mm", "cm", "m"} {
		if rest, found := strings.CutSuffix(text, unit); found {
			text, unitMM = strings.TrimSpace(rest), lengthUnits[unit]
			break
		}
	}
	digits, ok := decimalOf(text)
	switch unitMM {
	case 10:
		digits += "e1"
	case 1000:
		digits += "e3"
	}
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || n < 0 {
		return nil, false
	}
	return &n, true
}
