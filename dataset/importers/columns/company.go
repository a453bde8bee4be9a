package columns

import "strings"

// companyPattern matches the name of a company up to its legal form, from the last separator before it.
var companyPattern = re(`(?:^|[,;:|©/(]|[–—·]| - )\s*([^,;:|©/(–—·]*?\p{L}[^,;:|©/(–—·]*?(?: |, )(?:` +
	strings.Join(linesOf("legalforms.txt"), "|") + `)\.?)(?:$|[ ,;:|)–—·])`)

// otherCompanies are parts of folded texts that name a company which is no manufacturer.
var otherCompanies = strings.Split("labor,pruefstelle,institut,testing,test lab,test report,pruefbericht,planung,"+
	"ingenieur,consult,architekt,prepared,erstellt,bearbeit,haendler,dealer,distribut,grosshandel", ",")

// Company returns the company that a title names by its legal form, as the manufacturer of what is below; ""
// where there is none, or where the title names a laboratory, a planner or a dealer.
func Company(title string) string {
	m := companyPattern.FindStringSubmatchIndex(title)
	if m == nil || len(title) > MaxNameBytes || hasPart(Fold(title), otherCompanies) || afterAs.MatchString(title[m[3]:]) {
		return ""
	}
	name := title[m[2]:m[3]]
	if i := strings.LastIndex(name, " - "); i >= 0 {
		name = name[i+3:]
	}
	if MeasurandOf(name) != (Measurand{}) {
		return ""
	}
	return strings.TrimSpace(name)
}

// afterAs matches what shows that AS before it is a word: "TESTED AS ISO 354".
var afterAs = re(`^ (DIN|EN|ISO|ASTM|PER|IN|OF|A|THE)\b`)
