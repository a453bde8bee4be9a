package table

import (
	"regexp"
	"slices"
	"strings"
)

// quantityPatterns match folded texts that name a quantity. The first that matches of those of one kind is it: what is more special stands
// before what is less.
var quantityPatterns = []struct {
	quantity Quantity
	kind     string // a text that speaks of two kinds names neither
	pattern  *regexp.Regexp
	rated    bool // it names a quantity even where a weighted coefficient is spoken of
}{
	{AlphaP, "absorption", regexp.MustCompile(`\balpha ?p\b|\bpra[ck]ti[a-z]*\b.*absor|absor.*\bpra[ck]ti`), true},
	{AlphaS, "absorption", regexp.MustCompile(`\balpha ?s\b|\b354\b|\bsabine\b`), true},
	{AlphaP, "absorption", regexp.MustCompile(`\b11654\b`), false},
	{AlphaS, "absorption", regexp.MustCompile(`absorptions?(grad|koef|\b)|absorb[a-z]* coef`), false},
	{Scattering, "scattering", regexp.MustCompile(`17497-1|scatter(ing)?[ -]*coef|streu(ungs)?(grad|koef)|streu-|\bscatter(ing)?\b|\bstreuung\b`), true},
	{NormalizedDirectional, "diffusion",
		regexp.MustCompile(`\bd ?(psi|theta) ?,? ?n\b|norm.*(directional|richtungs?).*diffus|norm.*(gerichtet).*diffus|(directional|richtungs?).*norm.*diffus`), true},
	{DirectionalDiffusion, "diffusion", regexp.MustCompile(`\bd ?(psi|theta)\b|(directional|richtungs?|gerichtet).*diffus`), true},
	{NormalizedDiffusion, "diffusion", regexp.MustCompile(`\bd ?,? ?n\b|norm.*diffus(ion|ivit|it)`), true},
	{Diffusion, "diffusion", regexp.MustCompile(`17497-2|diffus(ion|ivity|itaet)s?[ -]*(coef|koef|grad)|\bdiffusion\b`), true},
}

// quantityHints are parts of all texts of more than three letters that quantityOf knows: the patterns take their time, and most texts of a
// table name no quantity.
var quantityHints = []string{"alpha", "absor", "354", "11654", "17497", "sabine", "scat", "streu", "diffus", "psi", "theta", "d n", "d,", "okta", "octa", "1/1", "1/3", "third",
	"dritte", "terz"}

var (
	weightedPattern = regexp.MustCompile(`\balpha ?w\b|\baw\b|bewertet|weighted|einzahl`)
	octavePattern   = regexp.MustCompile(`okta[vf]|octave|1/1`)
	thirdPattern    = regexp.MustCompile(`(1/3|\bthird|\bone[ -]third|\bdritte)[ -]*(octaves?|oktaven?)?|\bterz|terz(en|band|werte)?\b`)
)

// quantityOf returns the quantity that a text says coefficients are of, such as a title, a sheet's or a file's name, a cell for norms or
// for quantities; "" where it names none, or two kinds. What describes a product names none: a diffuser absorbs.
func quantityOf(text string) (Quantity, Resolution) {
	if len(text) > maxNameBytes {
		return "", AnyResolution
	}
	if strings.HasPrefix(strings.TrimSpace(text), "absorption_octave") {
		return AlphaP, Octave
	}
	folded := strings.ReplaceAll(fold(text), "_", " ")
	if len(folded) > 3 && !slices.ContainsFunc(quantityHints, func(hint string) bool { return strings.Contains(folded, hint) }) {
		return "", AnyResolution
	}
	var quantity Quantity
	kind := ""
	weighted := weightedPattern.MatchString(folded)
	for _, p := range quantityPatterns {
		if weighted && !p.rated || !p.pattern.MatchString(folded) {
			continue
		}
		if kind != "" && kind != p.kind {
			return "", resolutionOf(folded)
		}
		if kind == "" {
			quantity, kind = p.quantity, p.kind
		}
	}
	if quantity == AlphaP {
		return AlphaP, Octave // there are no others
	}
	return quantity, resolutionOf(folded)
}

// otherPattern matches folded texts that say that the numbers are none of our coefficients: times, areas, deviations, insulation, or absorption of
// normal incidence.
var otherPattern = regexp.MustCompile(`^(nachhallzeit(en)?\b|reverberation times?\b|(aequivalente )?(schall)?absorptionsflaechen?\b|` +
	`(equivalent )?(sound )?abs(orption)? areas?\b|a (\[m2?\]|\(m2?\))|t[1-9]? (\[s\]|\(s\))|u ?\(alpha|` +
	`standardabweichung|standard deviation|(mess)?unsicherheit(en)?\b|(measurement )?uncertaint|schalldaemm|transmission loss|sound reduction|` +
	`reflexionsgrad|reflection coef|impedan[cz])|absorption[ -]areas?\b|10534|senkrecht|normal incidence|impedanzrohr|impedance tube`)

// isOther reports whether a text names what is none of our quantities.
func isOther(text string) bool {
	if len(text) > maxNameBytes {
		return false
	}
	folded := strings.ReplaceAll(fold(text), "_", " ")
	return otherPattern.MatchString(folded) && !strings.Contains(folded, "354")
}

// quantityOfCell returns the quantity that a cell for quantities names, which may be a symbol alone: "s", "as".
func quantityOfCell(text string) (Quantity, Resolution) {
	quantity, resolution := quantityOf(text)
	if quantity == "" && !isOtherCell(text) && len(text) <= maxSymbolBytes {
		b, _ := bandNameOf(fold(text) + " 125 hz")
		quantity = b.quantity
	}
	return quantity, resolution
}

const maxSymbolBytes = 8

// symbolPattern matches the folded symbols of times, areas and temperatures, with their unit or without.
var symbolPattern = regexp.MustCompile(`^(t ?_?[1-9]?|a ?_?[1-9t]?|delta ?a|u)( ?[,/]? ?[\[(]?(s|m|m2|sec)[\])]?)?$`)

// isOtherCell reports whether a cell for quantities names what is none of ours.
func isOtherCell(text string) bool {
	return isOther(text) || len(text) <= 2*maxSymbolBytes && symbolPattern.MatchString(fold(text))
}

// resolutionOf returns the resolution that a folded text names, AnyResolution where it names none or both.
func resolutionOf(folded string) Resolution {
	without := thirdPattern.ReplaceAllString(folded, " ")
	third, octave := without != folded, octavePattern.MatchString(without)
	switch {
	case third && !octave:
		return ThirdOctave
	case octave && !third:
		return Octave
	}
	return AnyResolution
}
