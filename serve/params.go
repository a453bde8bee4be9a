package serve

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sabine/dataset/nearest"
)

const (
	maxQueryBytes = 16 << 10 // maximum length of a query string
	maxFaults     = 5        // maximum number of faults in the message of a 400
	maxShown      = 60       // maximum number of characters of a value in a message
	maxAllowed    = 10       // maximum number of allowed values that a message lists
	maxIgnored    = 10       // maximum number of names in X-Ignored-Parameters
)

// params contains the parameters of a request and their faults. Its methods read the parameters of an
// operation. For an invalid parameter, they add a fault and return a default, so that a message can report
// several faults. matchNames finds unknown parameters.
type params struct {
	pairs  []pair // decoded parameters in query order, without empty values
	faults []string
	nameOf func(name string) string // returns a parameter's name in faults; nil: unchanged
}

// A pair is a parameter as the client sent it.
type pair struct{ name, value string }

// parse reads a query string. The error, which is for the client, reports a string that is too long, has an
// invalid encoding or contains a semicolon. Some servers interpret a semicolon as an ampersand, so a cache
// and a server could see different requests.
func (p *params) parse(raw string) error {
	p.pairs, p.faults = p.pairs[:0], p.faults[:0]
	if len(raw) > maxQueryBytes {
		return fmt.Errorf("the query string is too long: it has %d bytes, and the maximum is %d", len(raw), maxQueryBytes)
	}
	if strings.Contains(raw, ";") {
		return errors.New("the query string has a semicolon: " +
			"separate parameters with &, and write a semicolon in a value as %3B")
	}
	for part := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, err := decode(rawName)
		if err != nil {
			return fmt.Errorf("the parameter name %s %w", quote(rawName), err)
		}
		value, err := decode(rawValue)
		if err != nil {
			return fmt.Errorf("the parameter %s: %s %w", quote(name), quote(rawValue), err)
		}
		if value != "" {
			p.pairs = append(p.pairs, pair{name, value})
		}
	}
	return nil
}

// matchNames compares the names of the parameters with the known names. It removes the [] that some clients
// append to the names of lists. It returns the distinct unknown names, but at most maxIgnored, because a
// query string can contain thousands.
func (p *params) matchNames(singles, lists []string) (unknown []string) {
	for i := range p.pairs {
		given := &p.pairs[i]
		if name, list := strings.CutSuffix(given.name, "[]"); list && slices.Contains(lists, name) {
			given.name = name
		}
		if len(unknown) < maxIgnored && !slices.Contains(singles, given.name) && !slices.Contains(lists, given.name) &&
			!slices.Contains(unknown, given.name) {
			unknown = append(unknown, given.name)
		}
	}
	return unknown
}

// addUnknown adds faults for unknown parameters, because a misspelt filter must not be ignored.
func (p *params) addUnknown(unknown, singles, lists []string) {
	for _, name := range unknown {
		p.faults = append(p.faults, "the parameter "+quote(name)+" is unknown"+
			alternatives(strings.TrimSuffix(name, "[]"), slices.Concat(lists, singles)))
	}
}

// ignored returns the value of X-Ignored-Parameters.
func ignored(unknown []string) string {
	for i, name := range unknown {
		unknown[i] = url.PathEscape(clip(name))
	}
	return strings.Join(unknown, ", ")
}

// decode decodes percent-encoding and the plus for blanks.
func decode(raw string) (string, error) {
	text, err := url.QueryUnescape(raw)
	if err != nil {
		return "", errors.New("is not valid percent-encoding")
	}
	if !utf8.ValidString(text) {
		return "", errors.New("is not UTF-8")
	}
	return text, nil
}

// fault adds a fault in a parameter.
func (p *params) fault(name, format string, args ...any) {
	p.faults = append(p.faults, p.displayName(name)+": "+fmt.Sprintf(format, args...))
}

// displayName returns the name to use for a parameter in faults.
func (p *params) displayName(name string) string {
	if p.nameOf != nil {
		return p.nameOf(name)
	}
	return name
}

// problem returns the problem that reports the faults, or nil if there are none.
func (p *params) problem() *problem {
	if len(p.faults) == 0 {
		return nil
	}
	return &problem{invalidRequest, strings.Join(p.faults[:min(len(p.faults), maxFaults)], "; ")}
}

func (p *params) has(name string) bool {
	return slices.ContainsFunc(p.pairs, func(given pair) bool { return given.name == name })
}

// quote returns a value as it appears in messages: quoted, with escaped control characters, and shortened.
func quote(value string) string { return fmt.Sprintf("%q", clip(value)) }

// clip cuts a text after maxShown characters and marks the cut.
func clip(text string) string {
	shown := 0
	for i := range text {
		if shown == maxShown {
			return text[:i] + "…"
		}
		shown++
	}
	return text
}

// allowed returns a list of the first allowed values, as text.
func allowed(values []string) string {
	if len(values) == 0 {
		return "no values are known"
	}
	var shown []string
	for _, v := range values[:min(len(values), maxAllowed)] {
		shown = append(shown, quote(v))
	}
	text := "allowed: " + strings.Join(shown, ", ")
	if more := len(values) - maxAllowed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// alternatives returns the end of a message, which begins with a semicolon: the known name that the given
// text most likely means, if there is one, and the first known names.
func alternatives(text string, known []string) string {
	if name := suggestion(text, known); name != "" {
		return "; the nearest is " + quote(name) + "; " + allowed(known)
	}
	return "; " + allowed(known)
}

// suggestion returns the most similar known name or, if there is none, the known name before the first
// hyphen, such as A2 in the fire class A2-s1,d0. A text that is too long for a typing error gets none, "".
func suggestion(text string, known []string) string {
	if len(text) > maxShown {
		return ""
	}
	name := nearest.Name(text, known)
	start, _, _ := strings.Cut(text, "-")
	if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, start) }); name == "" && i >= 0 {
		return known[i]
	}
	return name
}
