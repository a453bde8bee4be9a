package columns

import "strings"

// Patterns for companies in unfolded titles.
var (
	// companyPattern matches a company name with its legal form, from the last separator before it.
	companyPattern = re(`(?:^|[,;:|©/(]|[–—·]| - )\s*([^,;:|©/(–—·]*?\p{L}[^,;:|©/(–—·]*?(?: |, )(?:` +
		strings.Join(linesOf("legalforms.txt"), "|") + `)\.?)(?:$|[ ,;:|)–—·])`)
	// afterAs matches the text after "AS" if it is the English word, as in "TESTED AS ISO 354".
	afterAs = re(`^ (DIN|EN|ISO|ASTM|PER|IN|OF|A|THE)\b`)
	// ofCompany matches words before a company name: "Akustikschäume der Acme GmbH".
	ofCompany    = re(`^.*(?: - |\b(?:der|des|vom|von|by|from|Hersteller|Firma|Fa\.)\s+)`)
	makerPattern = re(`(?:\bFa\.|\bFirma|\bHersteller:?|[Mm]ade by|` +
		`[Mm]anufactured by) (\p{Lu}[\pL.&+-]*(?: (?:\p{Lu}[\pL.&+-]*|&|\+|und|and))*)`)
	footPattern = re(`^(?:© ?(?:[0-9]{4} )?(\p{Lu}[^,·|–—0-9]{2,60})(?:[ ,·|–—]|$)|` +
		`(\p{Lu}[^,·|–—0-9:]{3,60}?) ?[,·|–—].*\b(?:[A-Z]{1,2}-)?[0-9]{4,5} \p{Lu}\pL+)`)
	titleParts = re(`\s+[–—|·:-]+\s+|: |, | \|`)
	// namePattern matches two to five words with capitals.
	namePattern = re(`^\p{Lu}[\pL.'’&+-]*(?: (?:\p{Lu}[\pL.'’&+-]*|&|\+|und|and|of|de|für)){1,4}$`)
)

// Patterns for companies in folded strings.
var (
	noMaker        = re(patternsOf("no maker") + "|" + patternsOf("dealer"))
	projectPattern = re(`\b(?:` + patternsOf("project") + `)\b`)
	tradePattern   = re(patternsOf("trade"))
	firmPattern    = re(`(?:` + patternsOf("firm") + `)\b`)
	contentPattern = re(patternsOf("content"))
)

// Company returns the company that a title names with its legal form: the manufacturer of the products below.
// It returns "" if there is none, or if the title names a laboratory, a planner or a dealer.
func Company(title string) string {
	m := companyPattern.FindStringSubmatchIndex(title)
	if m == nil || len(title) > MaxNameBytes || afterAs.MatchString(title[m[3]:]) ||
		noMaker.MatchString(Fold(title[:m[3]])) {
		return ""
	}
	name := ofCompany.ReplaceAllString(title[m[2]:m[3]], "")
	if MeasurandOf(name) != (Measurand{}) {
		return ""
	}
	return strings.TrimSpace(name)
}

// LikelyCompany returns the company that a title names without a legal form: after a word such as "Fa. Acme",
// or in a part of the title with a word that only companies use, "Textilwerk Glarus – Akustikvorhänge". It
// returns "" if there is none, or if the title names a project, a laboratory, a planner or a dealer.
func LikelyCompany(title string) string {
	folded := Fold(title)
	if len(title) > MaxNameBytes || noMaker.MatchString(folded) || projectPattern.MatchString(folded) {
		return ""
	}
	if m := makerPattern.FindStringSubmatch(title); m != nil {
		return m[1]
	}
	parts, trade := titleParts.Split(title, -1), tradePattern
	if len(parts) == 1 {
		trade = firmPattern
	}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		name := Fold(part)
		if namePattern.MatchString(part) && trade.MatchString(name) && !contentPattern.MatchString(name) &&
			MeasurandOf(part) == (Measurand{}) {
			return part
		}
	}
	return ""
}

// FootCompany returns the company in an address or a copyright line: "© Acme 2024", "Holzwerk Acme, Weg 3,
// 12345 Ort".
func FootCompany(line string) string {
	m := footPattern.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	name := m[1] + m[2]
	if noMaker.MatchString(Fold(line)) || projectPattern.MatchString(Fold(name)) ||
		m[2] != "" && !tradePattern.MatchString(Fold(name)) {
		return ""
	}
	return strings.TrimSpace(name)
}
