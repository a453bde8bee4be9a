package columns

import "strings"

// companyPattern matches the name of a company up to its legal form, from the last separator before it.
var companyPattern = re(`(?:^|[,;:|©/(]|[–—·]| - )\s*([^,;:|©/(–—·]*?\p{L}[^,;:|©/(–—·]*?(?: |, )(?:` +
	strings.Join(linesOf("legalforms.txt"), "|") + `)\.?)(?:$|[ ,;:|)–—·])`)

// otherCompanies are parts of folded texts that name a company which is no manufacturer, dealers those of one
// that sells what others make. The last of these says nothing where a maker's list is for its dealers.
var (
	otherCompanies = strings.Split("labor,pruefstelle,institut,testing,test lab,test report,pruefbericht,planung,ingenieur,"+
		"consult,architekt,prepared,erstellt,bearbeit", ",")
	dealers = []string{"haendler", "distribut", "grosshandel", "dealer"}
)

// isNoMaker reports whether a folded text speaks of a laboratory or a planner.
func isNoMaker(folded string) bool {
	return hasPart(folded, otherCompanies) || labPattern.MatchString(folded)
}

// Company returns the company that a title names by its legal form, as the manufacturer of what is below; ""
// where there is none, or where the title names a laboratory, a planner or a dealer.
func Company(title string) string {
	m := companyPattern.FindStringSubmatchIndex(title)
	if m == nil || len(title) > MaxNameBytes || afterAs.MatchString(title[m[3]:]) {
		return ""
	}
	if named := Fold(title[:m[3]]); isNoMaker(named) || hasPart(named, dealers) {
		return ""
	}
	name := title[m[2]:m[3]]
	if i := strings.LastIndex(name, " - "); i >= 0 {
		name = name[i+3:]
	}
	if at := ofCompany.FindStringIndex(name); at != nil {
		name = name[at[1]:]
	}
	if MeasurandOf(name) != (Measurand{}) {
		return ""
	}
	return strings.TrimSpace(name)
}

// ofCompany matches what is said before the name of a company: "Akustikschäume der Acme GmbH".
var ofCompany = re(`^.*\b(?:der|des|vom|von|by|from|Hersteller|Firma|Fa\.)\s+`)

// LikelyCompany returns the name of a company that a title has without a legal form: after a word that says so,
// "Fa. Acme", or a part of the title with a word that only companies have, "Textilwerk Glarus –
// Akustikvorhänge". It is "" where there is none, or where the title speaks of a project, a laboratory, a
// planner or a dealer.
func LikelyCompany(title string) string {
	folded := Fold(title)
	if len(title) > MaxNameBytes || isNoMaker(folded) || hasPart(folded, dealers[:3]) ||
		projectPattern.MatchString(folded) {
		return ""
	}
	if m := makerPattern.FindStringSubmatch(title); m != nil {
		return m[1]
	}
	parts := titleParts.Split(title, -1)
	for _, part := range parts {
		part = strings.TrimSpace(part)
		trade := tradePattern
		if len(parts) == 1 {
			trade = firmPattern
		}
		name := Fold(part)
		if len(strings.Fields(part)) < 6 && namePattern.MatchString(part) && trade.MatchString(name) &&
			!contentPattern.MatchString(name) && MeasurandOf(part) == (Measurand{}) {
			return part
		}
	}
	return ""
}

// FootCompany returns the company that an address or a copyright line names: "© Acme 2024", "Holzwerk Acme, Weg
// 3, 12345 Ort".
func FootCompany(line string) string {
	m := footPattern.FindStringSubmatch(line)
	if m == nil || hasPart(Fold(line), otherCompanies) || hasPart(Fold(line), dealers) ||
		labPattern.MatchString(Fold(m[1]+m[2])) || projectPattern.MatchString(Fold(m[1]+m[2])) ||
		m[2] != "" && !tradePattern.MatchString(Fold(m[2])) {
		return ""
	}
	return strings.TrimSpace(m[1] + m[2])
}

var (
	makerPattern = re(`(?:\bFa\.|\bFirma|\bHersteller:?|[Mm]ade by|` +
		`[Mm]anufactured by) (\p{Lu}[\pL.&+-]*(?: (?:\p{Lu}[\pL.&+-]*|&|\+|und|and))*)`)
	// tradePattern matches words that the names of makers have, firmPattern those that nothing else has.
	tradePattern = re(`akusti|acousti|werk|manufaktur|bau\b|technik|system|industri|textil|studio|design|raum|` +
		`holz|timber|metal|` +
		`\bco\b|company|group|products|panels|ceilings|linings|interiors|suppl|foam|schreinerei|tischlerei|` +
		`polsterei|weber|gips|gypsum|ziegel|` +
		`filz|felt|daemm|glas|kork|cork|soehne|sohn\b|gebr|brothers|bros\b|works\b|mills?\b|beton|stein|klang|` +
		`baffles|millwork|carpet|teppich|` +
		`moos|mosser|vlies|faser|putz|plaster|upholster|curtain|drap|atelier|lehm|kalk`)
	firmPattern = re(`(werke?|werkstatt|werkstaette|manufaktur|bau|betrieb|polsterei|schreinerei|tischlerei|` +
		`weberei|ziegelei|fabrik|technik|` +
		`systeme?|systems|industries|works|mills?|supply|company|group|atelier|studio|millwork|raumausstattung|` +
		`gebr\.?|soehne|bros\.?)\b`)
	footPattern = re(`^(?:© ?(?:[0-9]{4} )?(\p{Lu}[^,·|–—0-9]{2,60})(?:[ ,·|–—]|$)|` +
		`(\p{Lu}[^,·|–—0-9:]{3,60}?) ?[,·|–—].*\b(?:[A-Z]{1,2}-)?[0-9]{4,5} \p{Lu}\pL+)`)
	titleParts = re(`\s+[–—|·:-]+\s+|: |, | \|`)
	// namePattern matches words with capitals.
	namePattern    = re(`^\p{Lu}[\pL.'’&+-]*(?: (?:\p{Lu}[\pL.'’&+-]*|&|\+|und|and|of|de|für))+$`)
	projectPattern = re(`(strasse|weg|platz|gasse|allee)\b|\b(lane|street|road|avenue|estate|newsletter|show|` +
		`fair|messe|exhibition|ausstellung|office|school|schule|gymnasium|aula|[a-z]*halle|buero|projekt|` +
		`project|neubau|umbau|sanierung|classroom|restaurant|hotel|` +
		`kita|rathaus|church|kirche|theater|theatre|hochschule|universit[a-z]*|uni|college|lab|library|` +
		`bibliothek|round ?robin)\b`)
	// contentPattern matches what titles say of their tables, and no company is called by.
	contentPattern = re(`absor|diffus|streu|scatter|schall|sound|liste?\b|preis|price|daten|data\b|sheet|blatt|` +
		`mess|test|result|ergebnis|` +
		`uebersicht|overview|katalog|catalog|sortiment|programm|range\b|kollektion|collection|tabelle|table|` +
		`produkte?\b|product\b|bericht|` +
		`report|vergleich|compar|anlage|appendix|stand\b|version|rev\b|seite|page\b|kennwert|\bwerte\b|values|` +
		`technisch|technical|` +
		`performance|submittal|issue|typen|vorhaenge|curtains|\bdecken|\bceilings\b|aufbau|variante|einheit|` +
		`januar|februar|maerz|april|mai\b|juni|juli|` +
		`august|september|oktober|november|dezember|january|february|march|june|july|october|december|internal|` +
		`intern\b|dealer|haendler|` +
		`\bmaterial|muster|beispiel`)
)

// labPattern matches the folded names of laboratories: "AkuLab Oy".
var labPattern = re(`lab\b|\blaborator`)

// afterAs matches what shows that AS before it is a word: "TESTED AS ISO 354".
var afterAs = re(`^ (DIN|EN|ISO|ASTM|PER|IN|OF|A|THE)\b`)
