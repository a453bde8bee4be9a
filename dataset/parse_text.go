package dataset

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/text/language"

	"sabine/dataset/product"
)

// label reads a label. It must not be blank in any language.
func (p *parser) label(name string, v gjson.Result) product.Text {
	if !p.required(name, v, "a string, or an object that maps locales to strings") {
		return nil
	}
	return p.localized(name, v, false, product.MaxNameBytes)
}

// description reads a description. It can be blank.
func (p *parser) description(name string, v gjson.Result) product.Text {
	return p.localized(name, v, true, product.MaxDescriptionBytes)
}

// localized reads a German string, an object of strings by locale, or null.
func (p *parser) localized(name string, v gjson.Result, allowBlank bool, maxBytes int) product.Text {
	switch {
	case isNull(v):
		return nil
	case v.Type == gjson.String:
		if !allowBlank && isBlank(v.Str) {
			p.wrongType(name, v, visibleText)
		}
		p.checkText(name, v.Str, maxBytes)
		return product.Text{{Locale: product.German, Text: v.Str}}
	case !v.IsObject():
		p.wrongType(name, v, "a string, or an object that maps locales to strings")
		return nil
	}
	p.enter(member(name))
	defer p.leave()
	text := p.translations(v, allowBlank, maxBytes)
	if !p.partial && !slices.ContainsFunc(text, func(l product.Localized) bool { return l.Locale == product.German }) {
		p.fault(product.German, "missing, expected the German text")
	}
	return text
}

// translations reads an object of strings by locale, in ascending order of locale.
func (p *parser) translations(v gjson.Result, allowBlank bool, maxBytes int) product.Text {
	text := product.Text{}
	for key, value := range v.ForEach {
		if isNull(value) {
			continue
		}
		if p.faultIfFull(len(text), product.MaxElements) {
			break
		}
		p.enter(member(key.Str))
		p.checkLocale(key.Str, text)
		switch {
		case value.Type != gjson.String:
			p.wrongType("", value, "a string or null")
		case !allowBlank && isBlank(value.Str):
			p.wrongType("", value, visibleText)
		default:
			p.checkText("", value.Str, maxBytes)
		}
		p.leave()
		text = append(text, product.Localized{Locale: key.Str, Text: value.Str})
	}
	slices.SortFunc(text, func(a, b product.Localized) int { return cmp.Compare(a.Locale, b.Locale) })
	return text
}

// checkLocale reports a key that is not a language, or that is an earlier key in another spelling.
func (p *parser) checkLocale(key string, before product.Text) {
	if !isLocale(key) {
		p.fault("", "expected a language (BCP 47), such as de, en or pt-BR, as the key")
		return
	}
	for _, l := range before {
		if strings.EqualFold(l.Locale, key) {
			p.fault("", "duplicate language, the same as "+Quoted(l.Locale))
		}
	}
}

// isLocale reports whether a key is a BCP 47 language. language.Parse also accepts "_" for "-".
func isLocale(key string) bool {
	switch key {
	case product.German, product.English, "fr", "it":
		return true
	}
	if len(key) > maxQuoted || strings.Contains(key, "_") {
		return false
	}
	_, err := language.Parse(key)
	return err == nil
}

// value reads a value of a facet family or null.
func (p *parser) value(name string, v gjson.Result) *string {
	s := p.filledText(name, v)
	if s != nil {
		p.checkValue(name, *s)
	}
	return s
}

// checkValue warns about a value that API filters cannot select.
func (p *parser) checkValue(name, value string) {
	switch {
	case strings.Contains(value, ","):
		p.warn(name, "no filter can select "+Quoted(value)+", because commas separate values")
	case strings.TrimSpace(value) != value:
		p.warn(name, "no filter can select "+Quoted(value)+", because filters trim the spaces around values")
	}
}

// installationTypes reads the installation types and removes duplicates.
func (p *parser) installationTypes(name string, v gjson.Result) []string {
	types := []string{}
	if !p.array(name, v, "an array of strings, or null") {
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

// fireClass reads a reaction-to-fire class or null.
func (p *parser) fireClass(name string, v gjson.Result) *product.FireClass {
	if isNull(v) {
		return nil
	}
	if v.Type == gjson.String {
		if class, ok := product.ParseFireClass(v.Str); ok {
			return &class
		}
	}
	p.wrongType(name, v, "a class of DIN EN 13501-1, such as A1, B-s1,d0, Bfl-s1 or E-d2")
	return nil
}

// webAddress reads an absolute http or https address or null.
func (p *parser) webAddress(name string, v gjson.Result) *string {
	if isNull(v) {
		return nil
	}
	if v.Type != gjson.String || !IsWebAddress(v.Str) {
		p.wrongType(name, v, "an address that begins with http:// or https://")
		return nil
	}
	p.checkText(name, v.Str, product.MaxAddressBytes)
	s := v.Str
	return &s
}

// IsWebAddress reports whether a string is an absolute http or https address.
func IsWebAddress(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7F {
			return false
		}
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// structuredMeta reads further specifications, sorted by key.
func (p *parser) structuredMeta(name string, v gjson.Result) []product.MetaEntry {
	if !p.object(name, v, "an object with strings, numbers or booleans, or null") {
		return nil
	}
	entries := []product.MetaEntry{}
	p.enter(member(name))
	for key, value := range v.ForEach {
		if p.faultIfFull(len(entries), product.MaxElements) {
			break
		}
		p.enter(member(key.Str))
		p.checkText("", key.Str, product.MaxNameBytes)
		switch value.Type {
		case gjson.Null:
		case gjson.String:
			p.checkText("", value.Str, product.MaxMetaBytes)
			entries = append(entries, product.MetaEntry{Key: key.Str, Value: value.Str})
		case gjson.JSON:
			p.wrongType("", value, "a string, a number, true or false")
		default: // a number, true or false
			entries = append(entries, product.MetaEntry{Key: key.Str, Value: value.Raw})
		}
		p.leave()
	}
	p.leave()
	slices.SortFunc(entries, func(a, b product.MetaEntry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}
