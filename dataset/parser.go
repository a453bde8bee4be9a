package dataset

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// A parser collects the faults of a record or a vocabulary while its fields are read. It tracks the path of
// the current object. Methods that read a field have its name as a parameter, and add it to the path of a
// fault.
type parser struct {
	place    Place
	record   string // id of the record as written in the source
	path     path   // path of the current object
	faults   []Fault
	warnings []Fault
	unknown  map[string]bool // fields that are not in the record format, as paths without indexes

	linked  bool // whether the record contains an epd_url; has_epd, which is read before it, depends on it
	partial bool // whether the record can be incomplete: no member and no language is required
}

func (p *parser) enter(s step) { p.path = append(p.path, s) }

func (p *parser) leave() { p.path = p.path[:len(p.path)-1] }

// fault records a fault in a member of the current object, or in the object itself if name is "".
func (p *parser) fault(name, problem string) {
	p.faults = append(p.faults, p.finding(name, problem))
}

// warn records a warning.
func (p *parser) warn(name, problem string) {
	p.warnings = append(p.warnings, p.finding(name, problem))
}

func (p *parser) finding(name, problem string) Fault {
	at := p.path
	if name != "" {
		at = append(at, member(name)) // p.path does not change, but steps that it has left can be overwritten
	}
	return Fault{Place: p.place, Record: p.record, Path: at.String(), Problem: problem}
}

// addInspected records the faults from an inspection.
func (p *parser) addInspected(faults []Fault) {
	for _, f := range faults {
		f.Place, f.Record = p.place, p.record
		p.faults = append(p.faults, f)
	}
}

// unknownField records a member that is not in the record format.
func (p *parser) unknownField(name string) {
	if p.unknown == nil {
		p.unknown = map[string]bool{}
	}
	p.unknown[append(p.path, member(name)).text(false)] = true
}

// KindOf describes a value for a message.
func KindOf(v gjson.Result) string {
	switch v.Type {
	case gjson.True, gjson.False:
		return v.Raw
	case gjson.Number:
		return "the number " + shortened(v.Raw)
	case gjson.String:
		return "the string " + Quoted(v.Str)
	case gjson.JSON:
		if v.IsArray() {
			return "an array"
		}
		return "an object"
	}
	return "null"
}

// wrongType records a fault for a value that is not as expected.
func (p *parser) wrongType(name string, v gjson.Result, expected string) {
	p.fault(name, "expected "+expected+", got "+KindOf(v))
}

// isNull reports whether a member is missing or null.
func isNull(v gjson.Result) bool { return v.Type == gjson.Null }

// text reads a string of at most product.MaxNameBytes bytes, or null.
func (p *parser) text(name string, v gjson.Result) *string {
	switch v.Type {
	case gjson.Null:
		return nil
	case gjson.String:
		p.checkText(name, v.Str, product.MaxNameBytes)
		s := v.Str
		return &s
	}
	p.wrongType(name, v, "a string or null")
	return nil
}

// filledText reads a string with visible characters, or null.
func (p *parser) filledText(name string, v gjson.Result) *string {
	s := p.text(name, v)
	if s != nil && isBlank(*s) {
		p.wrongType(name, v, visibleText+", or null")
		return nil
	}
	return s
}

// setText sets a string to the value of s, unless s is nil.
func setText(to, s *string) {
	if s != nil {
		*to = *s
	}
}

// visibleText describes the expected value in the fault for a blank text.
const visibleText = "a string with visible characters"

// isBlank reports whether a string contains only invisible characters, such as spaces and control characters.
func isBlank(s string) bool { return !strings.ContainsFunc(s, isVisible) }

// isVisible reports whether a character is visible according to its Unicode properties. It returns false for
// the blank braille pattern, although its properties are those of a visible character.
func isVisible(r rune) bool {
	const brailleBlank = '\u2800'
	if r < utf8.RuneSelf {
		return r > ' ' && r != 0x7F
	}
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r != brailleBlank && !unicode.In(r,
		unicode.Z, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// oneOf returns a function that reads one of the given words or null.
func oneOf(words ...string) func(p *parser, name string, v gjson.Result) *string {
	return func(p *parser, name string, v gjson.Result) *string {
		if isNull(v) {
			return nil
		}
		if i := slices.Index(words, v.Str); i >= 0 {
			return new(words[i])
		}
		p.wrongType(name, v, OrList(words))
		return nil
	}
}

// mandatory returns a function that reads a required string with read. It returns "" after a fault.
func mandatory(expected string, read func(*parser, string, gjson.Result) *string) func(*parser, string,
	gjson.Result) string {
	return func(p *parser, name string, v gjson.Result) (s string) {
		if p.required(name, v, expected) {
			setText(&s, read(p, name, v))
		}
		return s
	}
}

// OrList joins words for a message, for example "a, b or c".
func OrList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// required reports whether a required member exists. Otherwise it records a fault.
func (p *parser) required(name string, v gjson.Result, expected string) bool {
	if isNull(v) {
		p.fault(name, "missing, expected "+expected)
		return false
	}
	return true
}

// boolean reads true or false. It returns the default for null.
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

// integer reads a whole number or null. 2.0 is a whole number.
func (p *parser) integer(name string, v gjson.Result) *int64 {
	if isNull(v) {
		return nil
	}
	if v.Type == gjson.Number {
		if n, err := strconv.ParseInt(v.Raw, 10, 64); err == nil {
			return &n
		}
		if n := int64(v.Num); v.Num > -1<<53 && v.Num < 1<<53 && float64(n) == v.Num {
			return &n
		}
	}
	p.wrongType(name, v, "a whole number or null")
	return nil
}

// array reports whether a member is an array. It records a fault if the member is neither an array nor null.
func (p *parser) array(name string, v gjson.Result, expected string) bool {
	if !isNull(v) && !v.IsArray() {
		p.wrongType(name, v, expected)
	}
	return v.IsArray()
}

// object reports whether a member is an object. It records a fault if the member is neither an object nor
// null.
func (p *parser) object(name string, v gjson.Result, expected string) bool {
	if !isNull(v) && !v.IsObject() {
		p.wrongType(name, v, expected)
	}
	return v.IsObject()
}

// eachObject calls read for each object of an array and sets the path to it.
func (p *parser) eachObject(name string, v gjson.Result, read func(index int, object gjson.Result)) {
	index := 0
	p.enter(member(name))
	for _, value := range v.ForEach {
		if p.faultIfFull(index, product.MaxElements) {
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
		p.eachObject(name, v, func(_ int, object gjson.Result) {
			all = append(all, *new(T))
			of.read(p, object, &all[len(all)-1])
		})
	}
	return all
}

// distinct reads an array of strings. It calls add for each string that is not in known and adds it to
// known. Both the array and known are limited to product.MaxElements.
func (p *parser) distinct(v gjson.Result, known map[string]bool, add func(text string)) {
	index := 0
	for _, value := range v.ForEach {
		if p.faultIfFull(index, product.MaxElements) {
			break
		}
		if !known[value.Str] && p.faultIfFull(len(known), product.MaxElements) {
			break
		}
		p.enter(element(index))
		switch {
		case value.Type != gjson.String || isBlank(value.Str):
			p.wrongType("", value, visibleText)
		case !known[value.Str]:
			known[value.Str] = true
			p.checkText("", value.Str, product.MaxNameBytes)
			add(value.Str)
		}
		p.leave()
		index++
	}
}
