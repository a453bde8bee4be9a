package importers

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset"
)

// These patterns tell absorption coefficients from others, which must not become absorption curves.
var (
	// quantityPattern matches names of scattering and diffusion coefficients, in any place.
	quantityPattern = regexp.MustCompile(`(?i)(scatter(ing)?|diffusion)[ -]coeff|(streu|diffusions)(grad|koeff)|17497`)

	// soundPattern matches words that name the quantity if they are in the name of a column or a file. Elsewhere they may
	// describe a product, since what scatters sound also absorbs some of it.
	soundPattern = regexp.MustCompile(`(?i)\bscatter(ing)?\b|streuung|\bdiffusion\b`)

	// otherBandPattern matches the name of a column of such coefficients: "s_125", "δ 500 Hz", "scattering 1k".
	otherBandPattern = regexp.MustCompile(`(?i)^(?:s|d|δ|σ|scat[a-z]*|streu[a-z]*|diff?|diffusion[a-z]*)(?:[ _.-]*coeff[a-z]*\.?)?[ _=@.:-]*(\d.*)$`)

	absorptionPattern = regexp.MustCompile(`(?i)absor|\balpha\b|α`)

	// frequencyPattern matches the name of a column that means a frequency, one of our bands or not.
	frequencyPattern = regexp.MustCompile(`(?i)^(?:f|freq[a-z]*|alpha(?:[ _]?[spw])?|α[a-z]?|a)?[ _=@]*\d+(?:[.,]\d+)?[ _]*k?(?:hz)?$`)
)

// titlesOtherQuantity reports whether a column's or file's name speaks of scattering or diffusion, and not of absorption.
func titlesOtherQuantity(name string) bool {
	name = strings.ReplaceAll(name, "_", " ") // which would be a letter of the word
	return (quantityPattern.MatchString(name) || soundPattern.MatchString(name)) && !absorptionPattern.MatchString(name)
}

// isOtherBand reports whether a column's name is a frequency of scattering or diffusion.
func isOtherBand(header string) bool {
	m := otherBandPattern.FindStringSubmatch(header)
	if m == nil {
		return false
	}
	_, isBand := bandOf(m[1])
	return isBand
}

// strayReason says why a column that looks like coefficients is none of ours, "" when it does not look like it.
func (c *column) strayReason() string {
	switch {
	case c.bandHz > 0 || c.role != roleOther:
		return ""
	case isOtherBand(c.header):
		return " (not of absorption)"
	case frequencyPattern.MatchString(c.header):
		return " (no third-octave band from 50 to 10000 Hz)"
	}
	return ""
}

// onlyAbsorption ends what is said of a table of other coefficients.
const onlyAbsorption = `: only absorption is read from a table; where it is absorption, call the columns "alpha 125 Hz" and so on`

// otherQuantity says why the table is not one of absorption, by its header or the file's name; "" when it may be one.
func (t *csvTable) otherQuantity() string {
	if t.saysAlpha() {
		return ""
	}
	hasBands := slices.ContainsFunc(t.columns, func(c column) bool { return c.bandHz > 0 })
	for _, c := range t.columns {
		if titlesOtherQuantity(c.header) || !hasBands && isOtherBand(c.header) {
			return "the column " + dataset.Quoted(c.header) + " says that the coefficients are of scattering or diffusion" + onlyAbsorption
		}
	}
	if titlesOtherQuantity(filepath.Base(t.Name)) {
		return "the file's name says that the coefficients are of scattering or diffusion" + onlyAbsorption
	}
	return ""
}

// saysAlpha reports whether the columns themselves say that they are of absorption.
func (t *csvTable) saysAlpha() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.alpha })
}

// maxQuantityBytes is how long a cell is that names a quantity; a longer one tells a story.
const maxQuantityBytes = 60

// otherQuantity returns the cell by which an entry's coefficients are not of absorption, such as "Streugrad" or
// "ISO 17497-1"; "" when there is none.
func (e *imported) otherQuantity() string {
	cells := []string{e.text[roleName], e.text[roleMounting], e.text[roleCategory]}
	for _, m := range e.meta {
		cells = append(cells, m.Value)
	}
	for _, cell := range cells {
		word := soundPattern.FindString(cell)
		if len(cell) <= maxQuantityBytes && (quantityPattern.MatchString(cell) || word != "" && word == cell) {
			return cell
		}
	}
	return ""
}
