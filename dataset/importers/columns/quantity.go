package columns

import (
	"regexp"
	"strings"
)

// re compiles a pattern for folded strings.
var re = regexp.MustCompile

// quantityPatterns match strings that name a quantity. Only the first matching pattern of each kind is used,
// so special patterns precede general ones. A string that names two kinds names no quantity.
var quantityPatterns = []struct {
	quantity Quantity
	kind     string
	rated    bool // whether the pattern also applies to a string that names a weighted coefficient
	pattern  *regexp.Regexp
}{
	{AlphaP, "absorption", true, re(`\balpha ?p\b|\bpra[ck]ti[a-z]*\b.*absor|absor.*\bpra[ck]ti`)},
	{AlphaS, "absorption", true, re(`\balpha ?s\b|\b354\b|\bsabine\b`)},
	{AlphaP, "absorption", false, re(`\b11654\b`)},
	{AlphaS, "absorption", false, re(`absorptions?(grad|koef|\b)|absorb[a-z]* coef`)},
	{Scattering, "scattering", true,
		re(`17497-1|scatter(ing)?[ -]*coef|streu(ungs)?(grad|koef)|streu-|\bscatter(ing)?\b|\bstreuung\b`)},
	{NormalizedDirectional, "diffusion", true, re(`\bd ?(psi|theta) ?,? ?n\b|` +
		`norm.*(directional|richtungs?|gerichtet).*diffus|(directional|richtungs?).*norm.*diffus`)},
	{DirectionalDiffusion, "diffusion", true, re(`\bd ?(psi|theta)\b|(directional|richtungs?|gerichtet).*diffus`)},
	{NormalizedDiffusion, "diffusion", true, re(`\bd ?,? ?n\b|norm.*diffus(ion|ivit|it)`)},
	{Diffusion, "diffusion", true, re(`17497-2|diffus(ion|ivity|itaet)s?[ -]*(coef|koef|grad)|\bdiffusion\b`)},
}

// quantityHints are substrings. Any longer text that a pattern matches contains one of them. Searching for
// them is faster than matching the patterns, and most strings in a table name no quantity.
var quantityHints = strings.Split(
	"alpha|absor|354|11654|17497|sabine|scat|streu|diffus|psi|theta|d n|d,|okta|octa|1/1|1/3|third|dritte|terz", "|")

var (
	weightedPattern = re(`\balpha ?w\b|\baw\b|bewertet|weighted|einzahl`)
	octavePattern   = re(`okta[vf]|octave|1/1`)
	thirdPattern    = re(`(1/3|\bthird|\bone[ -]third|\bdritte)[ -]*(octaves?|oktaven?)?|\bterz|terz(en|band|werte)?\b`)
)

// A Measurand is the quantity that a string names.
type Measurand struct {
	Quantity   Quantity // "" for no quantity, and for two kinds
	Resolution Resolution
	Foreign    bool // whether no record contains the quantity: a time, area, deviation or impedance
}

// MeasurandOf returns the quantity that a title, or the name of a sheet or file, assigns to coefficients.
// Words for products, such as diffuser, name no quantity, because a diffuser also absorbs.
func MeasurandOf(text string) (m Measurand) {
	if len(text) > MaxNameBytes {
		return m
	}
	folded := foldedWords(text)
	if foreignPattern.MatchString(folded) && !strings.Contains(folded, "diffusion") &&
		(!strings.Contains(folded, "354") || areaPattern.MatchString(folded)) {
		return Measurand{Foreign: true}
	}
	m.Quantity, m.Resolution = quantityOf(text)
	m.Foreign = m.Quantity == "" && timePattern.MatchString(folded) && !strings.Contains(folded, "absor")
	return m
}

// Patterns for folded strings that name other quantities than the coefficients of records.
var (
	foreignPattern = re(`^(?:` + patternsOf("foreign title") + `)|` + patternsOf("foreign"))
	// areaPattern matches only names of equivalent absorption areas, which ISO 354 also defines.
	areaPattern = re(`^[^,;(]*\b(aequivalente (schall)?absorptionsflaeche|equivalent (sound )?absorption area)`)
	timePattern = re(`nachhallzeit|reverberation time`) // a reverberation time anywhere in a title
	// foreignSymbol matches symbols for times, areas, temperatures and absorption at normal incidence, with
	// or without their unit.
	foreignSymbol = re(`^(t ?_?[1-9]?( ?[,/]? ?[\[(]?(s|sec)[\])]?)?|` +
		`(a ?_?[1-9t]?|delta ?a)([ ,/\[(]+(m|m2)[\])]?)?|u|alpha ?_?[0n])$`)
)

// MeasurandOfCell returns the quantity that a cell in a row assigns to the row's coefficients. The cell can
// be just a symbol: "s", "αs", "d_n".
func MeasurandOfCell(text string) Measurand {
	const maxSymbolBytes = 8
	if len(text) <= 2*maxSymbolBytes && foreignSymbol.MatchString(Fold(text)) {
		return Measurand{Foreign: true}
	}
	m := MeasurandOf(text)
	if m.Quantity == "" && !m.Foreign && len(text) <= maxSymbolBytes && !strings.ContainsAny(text, "0123456789") {
		band, _, _ := parseBand(Fold(text) + " 125 hz")
		m.Quantity = band.Quantity
	}
	return m
}

// quantityOf returns the quantity and the resolution that a string names. The quantity is "" for none or two.
func quantityOf(text string) (Quantity, Resolution) {
	if strings.HasPrefix(strings.TrimSpace(text), "absorption_octave") {
		return AlphaP, Octave
	}
	folded := foldedWords(text)
	if len(folded) > 3 && !hasPart(folded, quantityHints) {
		return "", AnyResolution
	}
	var quantity Quantity
	kind := ""
	weighted := weightedPattern.MatchString(folded)
	for _, p := range quantityPatterns {
		switch {
		case weighted && !p.rated, kind == p.kind, !p.pattern.MatchString(folded):
		case kind != "":
			return "", resolutionOf(folded)
		default:
			quantity, kind = p.quantity, p.kind
		}
	}
	if quantity == AlphaP {
		return AlphaP, Octave // alpha_p exists only in octaves
	}
	return quantity, resolutionOf(folded)
}

// resolutionOf returns the resolution that a folded string names, or AnyResolution if it names none or both.
func resolutionOf(folded string) Resolution {
	octaves := thirdPattern.ReplaceAllString(folded, " ")
	hasThirds, hasOctaves := octaves != folded, octavePattern.MatchString(octaves)
	switch {
	case hasThirds && !hasOctaves:
		return ThirdOctave
	case hasOctaves && !hasThirds:
		return Octave
	}
	return AnyResolution
}
