package dataset

import (
	"slices"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// A Vocabulary declares the values of families. A family without a declaration is open: the published records
// determine its values.
type Vocabulary struct {
	Families map[string]map[string]Term // family, then value
}

// A Term contains the names and synonyms of a declared value.
type Term struct {
	Names    map[string]string // locale to display name
	Synonyms []string
}

// vocabularies merges the vocabularies of the inputs: all families, values, names and synonyms. Different
// names of a value in the same locale are a conflict.
type vocabularies struct {
	merged *Vocabulary
	from   map[[3]string]Place // place of the vocabulary that declared a name, by family, value and locale
}

// add merges a vocabulary. p records the faults in it and its conflicts with earlier vocabularies.
func (v *vocabularies) add(p *parser, declared gjson.Result) {
	switch {
	case isNull(declared):
		return
	case !declared.IsObject():
		p.wrongType("", declared, "an object that maps families to values")
		return
	}
	if v.merged == nil {
		v.merged = &Vocabulary{Families: map[string]map[string]Term{}}
		v.from = map[[3]string]Place{}
	}
	for family, values := range declared.ForEach {
		p.enter(member(family.Str))
		switch {
		case !slices.Contains(product.Families, family.Str):
			p.fault("", "unknown family: expected "+OrList(product.Families))
		case isNull(values):
		case !values.IsObject():
			p.wrongType("", values, "an object that maps values to names, or null")
		default:
			v.addFamily(p, family.Str, values)
		}
		p.leave()
	}
}

func (v *vocabularies) addFamily(p *parser, family string, values gjson.Result) {
	terms := v.merged.Families[family]
	if terms == nil {
		terms = map[string]Term{}
		v.merged.Families[family] = terms
	}
	for value, declared := range values.ForEach {
		term, known := terms[value.Str] // known from an earlier vocabulary
		if !known && p.faultIfFull(len(terms), MaxFamilyValues) {
			break
		}
		p.enter(member(value.Str))
		p.checkText("", value.Str, product.MaxNameBytes)
		switch {
		case isBlank(value.Str):
			p.fault("", "expected a value as the key")
		case isNull(declared): // not declared, as if the member were missing
		case !declared.IsObject():
			p.wrongType("", declared, "an object that maps locales to names, or null")
		default:
			if !known {
				term.Names = map[string]string{}
			}
			v.addTerm(p, &term, family, value.Str, declared)
			terms[value.Str] = term
		}
		p.leave()
	}
}

const synonymsKey = "synonyms"

func (v *vocabularies) addTerm(p *parser, term *Term, family, value string, declared gjson.Result) {
	for key, name := range declared.ForEach {
		p.enter(member(key.Str))
		switch {
		case isNull(name):
		case key.Str == synonymsKey:
			p.addSynonyms(term, name)
		case !isLocale(key.Str):
			p.fault("", "expected a language (BCP 47), such as de, en or pt-BR, or synonyms as the key")
		case name.Type != gjson.String || isBlank(name.Str):
			p.wrongType("", name, "a name, "+visibleText)
		default:
			v.addName(p, term, [3]string{family, value, key.Str}, name.Str)
		}
		p.leave()
	}
}

// addName adds a display name. key is its family, value and locale.
func (v *vocabularies) addName(p *parser, term *Term, key [3]string, name string) {
	locale := key[2]
	if before, known := term.Names[locale]; known {
		if before != name {
			p.fault("", Quoted(name)+" conflicts with "+Quoted(before)+" in "+v.from[key].String())
		}
		return
	}
	if p.faultIfFull(len(term.Names), product.MaxElements) {
		return
	}
	p.checkText("", name, product.MaxNameBytes)
	term.Names[locale] = name
	v.from[key] = p.place
}

// addSynonyms adds the search synonyms of a value without duplicates. The limit of an array applies to the
// synonyms from all vocabularies together.
func (p *parser) addSynonyms(term *Term, synonyms gjson.Result) {
	if !synonyms.IsArray() {
		p.wrongType("", synonyms, "an array of strings, or null")
		return
	}
	known := map[string]bool{}
	for _, synonym := range term.Synonyms {
		known[synonym] = true
	}
	p.distinct(synonyms, known, func(text string) { term.Synonyms = append(term.Synonyms, text) })
}
