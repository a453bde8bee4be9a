package dataset

import (
	"slices"

	"github.com/tidwall/gjson"
)

// Families of a vocabulary, by their names in the source.
const (
	FamilyCategory     = "material_category"
	FamilyCharacter    = "absorption_character"
	FamilyInstallation = "installation_types"
)

var vocabularyFamilies = []string{FamilyCategory, FamilyCharacter, FamilyInstallation}

// A Vocabulary declares the values of some families. A family that it does not name is open: its vocabulary is the values
// of the published records.
type Vocabulary struct {
	Families map[string]map[string]Term // family, then value
}

// A Term is a declared value's names and synonyms.
type Term struct {
	Names    map[string]string // locale to display name
	Synonyms []string
}

// vocabularies merges the vocabularies of the inputs: the union of their families, of the values of each, of the names and
// synonyms of each value. Two different names of a value in one locale are a conflict.
type vocabularies struct {
	merged *Vocabulary
	from   map[[3]string]Place // family, value and locale: where the name was declared
}

// add merges one more vocabulary. p notes its faults and its conflicts with those before.
func (v *vocabularies) add(p *parser, declared gjson.Result) {
	switch {
	case isNull(declared):
		return
	case !declared.IsObject():
		p.wrongType("", declared, "an object of family to values")
		return
	}
	if v.merged == nil {
		v.merged = &Vocabulary{Families: map[string]map[string]Term{}}
		v.from = map[[3]string]Place{}
	}
	declared.ForEach(func(family, values gjson.Result) bool {
		p.enter(member(family.Str))
		switch {
		case !slices.Contains(vocabularyFamilies, family.Str):
			p.fault("", "not a family: expected "+OrList(vocabularyFamilies))
		case isNull(values):
		case !values.IsObject():
			p.wrongType("", values, "an object of value to its names, or null")
		default:
			v.addFamily(p, family.Str, values)
		}
		p.leave()
		return true
	})
}

func (v *vocabularies) addFamily(p *parser, family string, values gjson.Result) {
	terms := v.merged.Families[family]
	if terms == nil {
		terms = map[string]Term{}
		v.merged.Families[family] = terms
	}
	values.ForEach(func(value, declared gjson.Result) bool {
		if _, known := terms[value.Str]; !known && p.full(len(terms), maxVocabularyValues) {
			return false
		}
		p.enter(member(value.Str))
		defer p.leave()
		p.checkText("", value.Str, maxNameBytes)
		switch {
		case isBlank(value.Str):
			p.fault("", "expected a value as the key")
		case isNull(declared):
		case !declared.IsObject():
			p.wrongType("", declared, "an object of locale to name, or null")
		default:
			term, known := terms[value.Str]
			if !known {
				term.Names = map[string]string{}
			}
			v.addTerm(p, &term, family, value.Str, declared)
			terms[value.Str] = term
		}
		return true
	})
}

const synonymsKey = "synonyms"

func (v *vocabularies) addTerm(p *parser, term *Term, family, value string, declared gjson.Result) {
	declared.ForEach(func(key, name gjson.Result) bool {
		p.enter(member(key.Str))
		defer p.leave()
		switch {
		case isNull(name):
		case key.Str == synonymsKey:
			p.addSynonyms(term, name)
		case !isLocale(key.Str):
			p.fault("", "expected a language (BCP 47), such as de, en or pt-BR, or synonyms as the key")
		case name.Type != gjson.String || isBlank(name.Str):
			p.wrongType("", name, "a name, which is a text that is not empty")
		default:
			v.addName(p, term, [3]string{family, value, key.Str}, name.Str)
		}
		return true
	})
}

// addName takes a display name. of is its family, value and locale.
func (v *vocabularies) addName(p *parser, term *Term, of [3]string, name string) {
	locale := of[2]
	if before, known := term.Names[locale]; known {
		if before != name {
			p.fault("", Quoted(name)+" conflicts with "+Quoted(before)+" in "+v.from[of].String())
		}
		return
	}
	if p.full(len(term.Names), maxElements) {
		return
	}
	p.checkText("", name, maxNameBytes)
	term.Names[locale] = name
	v.from[of] = p.place
}

// addSynonyms takes the search synonyms of a value, each once. There are as many as an array may have, of however many
// vocabularies they are gathered.
func (p *parser) addSynonyms(term *Term, synonyms gjson.Result) {
	if !synonyms.IsArray() {
		p.wrongType("", synonyms, "an array of texts, or null")
		return
	}
	known := make(map[string]bool, maxElements)
	for _, synonym := range term.Synonyms {
		known[synonym] = true
	}
	index := 0
	synonyms.ForEach(func(_, synonym gjson.Result) bool {
		if p.full(index, maxElements) || !known[synonym.Str] && p.full(len(known), maxElements) {
			return false
		}
		p.enter(element(index))
		index++
		switch {
		case synonym.Type != gjson.String || isBlank(synonym.Str):
			p.wrongType("", synonym, "a text that is not empty")
		case !known[synonym.Str]:
			known[synonym.Str] = true
			p.checkText("", synonym.Str, maxNameBytes)
			term.Synonyms = append(term.Synonyms, synonym.Str)
		}
		p.leave()
		return true
	})
}
