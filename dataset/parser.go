package dataset

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// A parser collects what is wrong with one record, or one vocabulary, while its fields are read. It knows the
// path of the object being read: a method that reads a field takes the field's name and adds it to the path
// of what it finds.
type parser struct {
	place    Place
	record   string // the record's id as it stands there
	path     path   // of the object being read
	faults   []Fault
	warnings []Fault
	unknown  map[string]bool // paths without indexes

	linked  bool // the record has a link to an EPD
	partial bool // the record is only some members, none of which is required, nor a text of any language
}

func (p *parser) enter(s step) { p.path = append(p.path, s) }

func (p *parser) leave() { p.path = p.path[:len(p.path)-1] }

// fault notes what is wrong with a member of the object being read, or with that itself when name is "".
func (p *parser) fault(name, problem string) {
	p.faults = append(p.faults, p.finding(name, problem))
}

// warn notes what is doubtful.
func (p *parser) warn(name, problem string) {
	p.warnings = append(p.warnings, p.finding(name, problem))
}

func (p *parser) finding(name, problem string) Fault {
	at := p.path
	if name != "" {
		at = append(at, member(name)) // may overwrite what is behind the path, which nobody keeps
	}
	return Fault{Place: p.place, Record: p.record, Path: at.String(), Problem: problem}
}

// inspected notes what the inspection of the whole text found.
func (p *parser) inspected(found []Fault) {
	for _, f := range found {
		f.Place, f.Record = p.place, p.record
		p.faults = append(p.faults, f)
	}
}

// unknownField notes a member that the record format does not list.
func (p *parser) unknownField(name string) {
	if p.unknown == nil {
		p.unknown = map[string]bool{}
	}
	p.unknown[append(p.path, member(name)).text(false)] = true
}

// KindOf names the type of a value as messages do.
func KindOf(v gjson.Result) string {
	switch v.Type {
	case gjson.True, gjson.False:
		return v.Raw
	case gjson.Number:
		return "the number " + shortened(v.Raw)
	case gjson.String:
		return "the text " + Quoted(v.Str)
	case gjson.JSON:
		if v.IsArray() {
			return "an array"
		}
		return "an object"
	}
	return "null"
}

// wrongType notes that a member has another type than expected.
func (p *parser) wrongType(name string, v gjson.Result, expected string) {
	p.fault(name, "expected "+expected+", got "+KindOf(v))
}

// isNull reports whether a member is missing or null.
func isNull(v gjson.Result) bool { return v.Type == gjson.Null }

// text reads a text or null.
func (p *parser) text(name string, v gjson.Result) *string {
	switch v.Type {
	case gjson.Null:
		return nil
	case gjson.String:
		p.checkText(name, v.Str, product.MaxNameBytes)
		s := v.Str
		return &s
	}
	p.wrongType(name, v, "a text or null")
	return nil
}

// filledText reads a text that says something, or null.
func (p *parser) filledText(name string, v gjson.Result) *string {
	s := p.text(name, v)
	if s != nil && isBlank(*s) {
		p.wrongType(name, v, visibleText+", or null")
		return nil
	}
	return s
}

// setText sets a text unless there is none.
func setText(to *string, s *string) {
	if s != nil {
		*to = *s
	}
}

// visibleText is what a fault expects where isBlank holds.
const visibleText = "a text with visible characters"

// isBlank reports whether a text has no visible character: it is empty, or has only blanks, controls and
// others that show nothing.
func isBlank(s string) bool { return !strings.ContainsFunc(s, isVisible) }

// isVisible reports whether a character shows anything, by Unicode's properties and for the braille pattern
// blank.
func isVisible(r rune) bool {
	const brailleBlank = '\u2800'
	if r < utf8.RuneSelf {
		return r > ' ' && r != 0x7F
	}
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r != brailleBlank && !unicode.In(r,
		unicode.Z, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// oneOf reads one of the words that a field may hold, or null.
func (p *parser) oneOf(name string, v gjson.Result, words ...string) *string {
	if isNull(v) {
		return nil
	}
	if i := slices.Index(words, v.Str); i >= 0 {
		word := words[i]
		return &word
	}
	p.wrongType(name, v, OrList(words))
	return nil
}

// OrList joins words for a message: a, b or c.
func OrList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// required notes a fault when a member that a record must have is missing. It returns whether it is there.
func (p *parser) required(name string, v gjson.Result, expected string) bool {
	if isNull(v) {
		p.fault(name, "required: "+expected)
		return false
	}
	return true
}

// boolean reads true or false; null gives the default.
func (p *parser) boolean(name string, v gjson.Result, byDefault bool) bool {
	switch v.Type {
	case gjson.True:
		return true
	case gjson.False:
		return false
	case gjson.Null:
	default:
		p.wrongType(name, v, "true, false or null")
	}
	return byDefault
}

// number reads a number or null.
func (p *parser) number(name string, v gjson.Result) *float64 {
	switch v.Type {
	case gjson.Null:
		return nil
	case gjson.Number:
		n := v.Num
		return &n
	}
	p.wrongType(name, v, "a number or null")
	return nil
}

// array reports whether a member is an array; null is none and no fault.
func (p *parser) array(name string, v gjson.Result, expected string) bool {
	if !isNull(v) && !v.IsArray() {
		p.wrongType(name, v, expected)
	}
	return v.IsArray()
}

// object reports whether a member is an object; null is none and no fault.
func (p *parser) object(name string, v gjson.Result, expected string) bool {
	if !isNull(v) && !v.IsObject() {
		p.wrongType(name, v, expected)
	}
	return v.IsObject()
}

// elements enters each object of an array in turn and reads it.
func (p *parser) elements(name string, v gjson.Result, read func(index int, object gjson.Result)) {
	index := 0
	p.enter(member(name))
	for _, value := range v.ForEach {
		if p.full(index, product.MaxElements) {
			break
		}
		p.enter(element(index))
		if value.IsObject() {
			read(index, value)
		} else {
			p.wrongType("", value, "an object")
		}
		p.leave()
		index++
	}
	p.leave()
}

// objects reads an array of objects.
func objects[T any](p *parser, name string, v gjson.Result, expected string, of fields[T]) (all []T) {
	if p.array(name, v, expected) {
		p.elements(name, v, func(_ int, object gjson.Result) {
			all = append(all, *new(T))
			of.read(p, object, &all[len(all)-1])
		})
	}
	return all
}

// distinct reads an array of texts, and takes each that is not known yet. known gets as many as an array may
// have.
func (p *parser) distinct(v gjson.Result, known map[string]bool, take func(text string)) {
	index := 0
	for _, value := range v.ForEach {
		if p.full(index, product.MaxElements) || !known[value.Str] && p.full(len(known), product.MaxElements) {
			break
		}
		p.enter(element(index))
		switch {
		case value.Type != gjson.String || isBlank(value.Str):
			p.wrongType("", value, visibleText)
		case !known[value.Str]:
			known[value.Str] = true
			p.checkText("", value.Str, product.MaxNameBytes)
			take(value.Str)
		}
		p.leave()
		index++
	}
}
