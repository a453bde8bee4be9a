package dataset

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/text/language"
)

// label reads the label, which is not empty in any language.
func (p *parser) label(name string, v gjson.Result) Text {
	if !p.required(name, v, "a text, or an object of locale to text") {
		return nil
	}
	return p.localized(name, v, false, maxNameBytes)
}

// description reads a description, which may be empty.
func (p *parser) description(name string, v gjson.Result) Text {
	return p.localized(name, v, true, maxDescriptionBytes)
}

// localized reads a German text, an object of locale to text, or null.
func (p *parser) localized(name string, v gjson.Result, mayBeBlank bool, maxBytes int) Text {
	switch {
	case isNull(v):
		return nil
	case v.Type == gjson.String:
		if !mayBeBlank && isBlank(v.Str) {
			p.wrongType(name, v, visibleText)
		}
		p.checkText(name, v.Str, maxBytes)
		return Text{{German, v.Str}}
	case !v.IsObject():
		p.wrongType(name, v, "a text, or an object of locale to text")
		return nil
	}
	p.enter(member(name))
	defer p.leave()
	text := p.translations(v, mayBeBlank, maxBytes)
	if !slices.ContainsFunc(text, func(l Localized) bool { return l.Locale == German }) {
		p.fault(German, "required: the German text")
	}
	return text
}

// translations reads an object of locale to text, in ascending order of locale.
func (p *parser) translations(v gjson.Result, mayBeBlank bool, maxBytes int) Text {
	text := Text{}
	for key, value := range v.ForEach {
		if isNull(value) {
			continue
		}
		if p.full(len(text), maxElements) {
			break
		}
		p.enter(member(key.Str))
		p.checkLocale(key.Str, text)
		switch {
		case value.Type != gjson.String:
			p.wrongType("", value, "a text or null")
		case !mayBeBlank && isBlank(value.Str):
			p.wrongType("", value, visibleText)
		default:
			p.checkText("", value.Str, maxBytes)
		}
		p.leave()
		text = append(text, Localized{key.Str, value.Str})
	}
	slices.SortFunc(text, func(a, b Localized) int { return cmp.Compare(a.Locale, b.Locale) })
	return text
}

// checkLocale notes a key that is no language, or that is one of those before it in another spelling.
func (p *parser) checkLocale(key string, before Text) {
	if !isLocale(key) {
		p.fault("", "expected a language (BCP 47), such as de, en or pt-BR, as the key")
		return
	}
	for _, l := range before {
		if strings.EqualFold(l.Locale, key) {
			p.fault("", "the same language as "+Quoted(l.Locale))
		}
	}
}

// isLocale reports whether a key is a BCP 47 language. language.Parse takes "_" for "-" as well.
func isLocale(key string) bool {
	switch key {
	case German, English, "fr", "it":
		return true
	}
	if len(key) > maxQuoted || strings.Contains(key, "_") {
		return false
	}
	_, err := language.Parse(key)
	return err == nil
}

// value reads a value of a facet family, or null.
func (p *parser) value(name string, v gjson.Result) *string {
	s := p.filledText(name, v)
	if s != nil {
		p.checkValue(name, *s)
	}
	return s
}

// checkValue warns of a value that no filter of the API could name.
func (p *parser) checkValue(name, value string) {
	switch {
	case strings.Contains(value, ","):
		p.warn(name, "no filter can name "+Quoted(value)+", since a comma parts values there")
	case strings.TrimSpace(value) != value:
		p.warn(name, "no filter can name "+Quoted(value)+", since blanks around values are dropped there")
	}
}

// installationTypes reads the installation types, each once.
func (p *parser) installationTypes(name string, v gjson.Result) []string {
	types := []string{}
	if !p.array(name, v, "an array of texts, or null") {
		return types
	}
	p.enter(member(name))
	p.distinct(v, map[string]bool{}, func(text string) {
		p.checkValue("", text)
		types = append(types, text)
	})
	p.leave()
	return types
}

// fireClass reads a reaction-to-fire class, or null.
func (p *parser) fireClass(name string, v gjson.Result) *FireClass {
	if isNull(v) {
		return nil
	}
	if v.Type == gjson.String {
		if class, ok := ParseFireClass(v.Str); ok {
			return &class
		}
	}
	p.wrongType(name, v, "a class of DIN EN 13501-1, such as A1, B-s1,d0, Bfl-s1 or E-d2")
	return nil
}

// FireClasses are the letter classes of DIN EN 13501-1, the safest first.
var FireClasses = []string{"A1", "A2", "B", "C", "D", "E", "F"}

// ParseFireClass reads a reaction-to-fire class: one of FireClasses; then "fl", "L" or nothing; then "-s1" to "-s3",
// optionally with ",d0" to ",d2", or "-d2", or nothing.
func ParseFireClass(text string) (class FireClass, ok bool) {
	for _, letters := range FireClasses {
		if rest, found := strings.CutPrefix(text, letters); found {
			if floor, found := strings.CutPrefix(rest, "fl"); found {
				rest = floor
			} else {
				rest = strings.TrimPrefix(rest, "L")
			}
			return FireClass{Text: text, Class: letters}, slices.Contains(fireClassSupplements, rest)
		}
	}
	return class, false
}

// fireClassSupplements are what may stand behind the letters of a class: smoke and burning droplets.
var fireClassSupplements = []string{
	"", "-d2",
	"-s1", "-s1,d0", "-s1,d1", "-s1,d2",
	"-s2", "-s2,d0", "-s2,d1", "-s2,d2",
	"-s3", "-s3,d0", "-s3,d1", "-s3,d2",
}

// webAddress reads an absolute http or https address, or null.
func (p *parser) webAddress(name string, v gjson.Result) *string {
	if isNull(v) {
		return nil
	}
	if v.Type != gjson.String || !IsWebAddress(v.Str) {
		p.wrongType(name, v, "an address that begins with http:// or https://")
		return nil
	}
	p.checkText(name, v.Str, maxAddressBytes)
	s := v.Str
	return &s
}

// IsWebAddress reports whether a text is an absolute http or https address.
func IsWebAddress(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7F {
			return false
		}
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// structuredMeta reads the extra specifications, by key.
func (p *parser) structuredMeta(name string, v gjson.Result) []MetaEntry {
	if !p.object(name, v, "an object of texts, or null") {
		return nil
	}
	entries := []MetaEntry{}
	p.enter(member(name))
	for key, value := range v.ForEach {
		if p.full(len(entries), maxElements) {
			break
		}
		p.checkText(key.Str, key.Str, maxNameBytes)
		switch value.Type {
		case gjson.Null:
		case gjson.String:
			p.checkText(key.Str, value.Str, maxMetaBytes)
			entries = append(entries, MetaEntry{key.Str, value.Str})
		case gjson.JSON:
			p.enter(member(key.Str))
			p.wrongType("", value, "a text, a number, true or false")
			p.leave()
		default:
			entries = append(entries, MetaEntry{key.Str, value.Raw})
		}
	}
	p.leave()
	slices.SortFunc(entries, func(a, b MetaEntry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}
