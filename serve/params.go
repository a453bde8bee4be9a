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
	maxQueryBytes = 16 << 10 // of a query string
	maxFaults     = 5        // that the message of a 400 lists
	maxShown      = 60       // characters of a value that a message repeats
	maxAllowed    = 10       // allowed values that a message lists
	maxIgnored    = 10       // names that X-Ignored-Parameters lists; a message has fewer
)

// params are the parameters of one request and what is wrong with them. The readers take out what an
// operation knows; what it does not know is found by settle.
type params struct {
	pairs  []pair // decoded, in the order of the query string, empty values left out
	faults []string
	spell  func(name string) string // how a fault names a parameter; nil: by its name
}

// A pair is one parameter as it was given.
type pair struct{ name, value string }

// parse reads a query string. The error, for the client, is about the string as a whole: its length, a
// semicolon (which some servers take for an ampersand, so that a cache and a server may see different
// requests), an encoding.
func (p *params) parse(raw string) error {
	p.pairs, p.faults = p.pairs[:0], p.faults[:0]
	if len(raw) > maxQueryBytes {
		return fmt.Errorf("the query string has %d bytes; at most %d are read", len(raw), maxQueryBytes)
	}
	if strings.Contains(raw, ";") {
		return errors.New("the query string has a semicolon: " +
			"parameters are separated by &, and a semicolon in a value is written %3B")
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

// settle brings the names into the form that the operation knows, the name[] of clients that write lists so,
// and returns those that it does not know, each once and no more than are shown: thousands fit into a query
// string.
func (p *params) settle(singles, lists []string) (unknown []string) {
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

// refuse notes that an operation does not have some parameters: a filter that is misspelt must not look like
// an answer.
func (p *params) refuse(unknown, singles, lists []string) {
	if unknown == nil {
		return
	}
	known := slices.Concat(lists, singles)
	for _, name := range unknown {
		p.faults = append(p.faults, "the parameter "+quote(name)+" is unknown here"+
			alternatives(strings.TrimSuffix(name, "[]"), known))
	}
}

// ignored is the field X-Ignored-Parameters for parameters that an operation does not have.
func ignored(unknown []string) string {
	for i, name := range unknown {
		unknown[i] = url.PathEscape(clip(name))
	}
	return strings.Join(unknown, ", ")
}

// decode undoes percent-encoding and the plus that stands for a blank.
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

// fault notes what is wrong with a parameter.
func (p *params) fault(name, format string, args ...any) {
	p.faults = append(p.faults, p.spelt(name)+": "+fmt.Sprintf(format, args...))
}

// spelt returns a parameter's name as faults have it.
func (p *params) spelt(name string) string {
	if p.spell != nil {
		return p.spell(name)
	}
	return name
}

// problem returns what is wrong with the parameters, nil when nothing is.
func (p *params) problem() *problem {
	if len(p.faults) == 0 {
		return nil
	}
	return &problem{invalidRequest, strings.Join(p.faults[:min(len(p.faults), maxFaults)], "; ")}
}

func (p *params) has(name string) bool {
	return slices.ContainsFunc(p.pairs, func(given pair) bool { return given.name == name })
}

// quote returns a value as messages show it: in quotes, control characters escaped, cut when it is long.
func quote(value string) string { return fmt.Sprintf("%q", clip(value)) }

// clip cuts a text after maxShown characters.
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

// allowed lists the first values that a parameter may have.
func allowed(values []string) string {
	if len(values) == 0 {
		return "no value is known"
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

// alternatives says what could have stood in the place of a text: the known name that it most likely means,
// if any, and the first of all. The name is the most similar; when none is near, the one that stands before a
// hyphen, as A2 does in the fire class A2-s1,d0. What is too long for a typo means none.
func alternatives(text string, known []string) string {
	name := ""
	if len(text) <= maxShown {
		name = nearest.Name(text, known)
		start, _, _ := strings.Cut(text, "-")
		isStart := func(name string) bool { return strings.EqualFold(name, start) }
		if i := slices.IndexFunc(known, isStart); i >= 0 && name == "" {
			name = known[i]
		}
	}
	if name != "" {
		name = ", the nearest is " + quote(name)
	}
	return name + "; " + allowed(known)
}
