package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"sabine/indexes"
	"sabine/runtime"
)

// maxTextLength is the maximum number of characters of q.
const maxTextLength = 200

// single reads a parameter with one value, or returns def if it is absent or invalid. Repeating the parameter
// is valid if all values have the same meaning. The error from parse continues a message that begins with the
// value: "is not a boolean".
func single[T comparable](p *params, name string, def T, parse func(string) (T, error)) T {
	value, before := def, "" // before is the text of value, never empty, or "" if there was none yet
	for _, given := range p.pairs {
		if given.name != name {
			continue
		}
		v, err := parse(given.value)
		if err != nil {
			p.fault(name, "%s %v", quote(given.value), err)
			return def
		}
		if before != "" && v != value {
			p.fault(name, "conflicting values %s and %s; use only one", quote(before), quote(given.value))
			return def
		}
		value, before = v, given.value
	}
	return value
}

// items reads a parameter with several values, which are separated by commas, repeated, or both. It trims
// spaces and drops empty values.
func (p *params) items(name string) []string {
	var items []string
	for _, given := range p.pairs {
		if given.name != name {
			continue
		}
		for item := range strings.SplitSeq(given.value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

// list returns the distinct items of a parameter. A query string of 16 KiB can repeat an item thousands of
// times, and each repetition would take time in a search.
func (p *params) list(name string) []string {
	return distinct(p.items(name))
}

// distinct removes repeated items.
func distinct(items []string) []string {
	if len(items) < 2 {
		return items
	}
	seen := make(map[string]bool, len(items))
	return slices.DeleteFunc(items, func(item string) bool {
		double := seen[item]
		seen[item] = true
		return double
	})
}

// repeated reads a parameter whose values can contain commas: each occurrence is one value, in order and with
// duplicates. It trims spaces and drops empty values.
func (p *params) repeated(name string) []string {
	var values []string
	for _, given := range p.pairs {
		if value := strings.TrimSpace(given.value); given.name == name && value != "" {
			values = append(values, value)
		}
	}
	return values
}

// oneOf reads a parameter that has a few allowed values. It returns "" if the parameter is absent.
func (p *params) oneOf(name string, values ...string) string {
	return single(p, name, "", func(text string) (string, error) {
		if !slices.Contains(values, text) {
			return "", errors.New("is not an allowed value" + alternatives(text, values))
		}
		return text, nil
	})
}

// each calls read for each value of a parameter, and adds a fault for each error. More values than the
// maximum are a single fault, and are not read.
func (p *params) each(name string, values []string, maximum int, read func(string) error) {
	if len(values) > maximum {
		p.fault(name, "got %d values; the maximum is %d", len(values), maximum)
		return
	}
	for _, value := range values {
		if err := read(value); err != nil {
			p.fault(name, "%s %v", quote(value), err)
		}
	}
}

// isUUID reports whether text is a UUID with four hyphens.
func isUUID(text string) bool {
	return len(text) == indexes.UUIDLength && uuid.Validate(text) == nil
}

// text reads q. It returns "" if q is missing.
func (p *params) text() string {
	first := ""
	for _, value := range p.repeated("q") {
		if first != "" && value != first {
			p.fault("q", "conflicting values %s and %s; use only one", quote(first), quote(value))
			return ""
		}
		first = value
	}
	if n := utf8.RuneCountInString(first); n > maxTextLength {
		p.fault("q", "%s has %d characters; the maximum is %d", quote(first), n, maxTextLength)
	}
	return first
}

func parseBoolean(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, errors.New("is not a boolean; allowed: true, 1, false, 0")
}

// boolean reads a parameter that is true or false. The default is false.
func (p *params) boolean(name string) bool { return single(p, name, false, parseBoolean) }

// parseInteger reads an optional minus followed by digits. Unlike strconv, it does not accept a plus.
func parseInteger(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.HasPrefix(text, "+") {
		return 0, errors.New("is not a 64-bit integer")
	}
	return n, nil
}

// integer reads a parameter. It replaces an integer out of range by the nearest of low and high.
func (p *params) integer(name string, def, low, high int64) int {
	return int(min(max(single(p, name, def, parseInteger), low), high))
}

// parseNumber reads a JSON number. Numbers that are too large become infinite.
func parseNumber(text string) (float64, error) {
	switch {
	case isNumber(text):
	case isNumber(strings.Replace(text, ",", ".", 1)):
		return 0, errors.New("has a comma where a decimal point is expected, as in 0.85")
	default:
		return 0, errors.New("is not a number such as 0.85")
	}
	n, _ := strconv.ParseFloat(text, 64) // the only possible error is that the number is out of range
	return n, nil
}

// numberWithin returns a function that reads a JSON number from low to high, and returns the error outside
// for a number out of this range.
func numberWithin(low, high float64, outside error) func(string) (float64, error) {
	return func(text string) (float64, error) {
		n, err := parseNumber(text)
		if err == nil && (n < low || n > high) {
			err = outside
		}
		return n, err
	}
}

var parseFraction = numberWithin(0, 1, errors.New("is not between 0 and 1"))

// isNumber reports whether text is a JSON number, such as 0.5, 5e-2 and -0, but not .5, +1 or 01.
func isNumber(text string) bool {
	return strings.Trim(text, "+-.0123456789eE") == "" && json.Valid([]byte(text)) // no spaces, no other JSON
}

// optional reads a parameter with one value. It returns nil if the parameter is absent or invalid.
func optional[T comparable](p *params, name string, parse func(string) (T, error)) *T {
	if !p.has(name) {
		return nil
	}
	faults := len(p.faults)
	value := single(p, name, *new(T), parse)
	if len(p.faults) > faults {
		return nil
	}
	return &value
}

// bounds reads the two ends of an inclusive range within 0 to 1. It returns nil for an absent end.
func (p *params) bounds(low, high string) (from, to *float64) {
	from, to = optional(p, low, parseFraction), optional(p, high, parseFraction)
	if from != nil && to != nil && *from > *to {
		p.fault(low, "%g is larger than %s, %g", *from, p.displayName(high), *to)
	}
	return from, to
}

// sort reads a sort, or returns the default. It adds a fault if a parameter that the sort needs is missing.
func (p *params) sort() runtime.Sort {
	return single(p, "sort", runtime.SortDefault, func(text string) (runtime.Sort, error) {
		sort, ok := runtime.ParseSort(text)
		switch {
		case !ok:
			return 0, errors.New("is not a sort order" + alternatives(text, runtime.SortNames()))
		case sort == runtime.SortMargin && p.items("absorption_min") == nil:
			return 0, fmt.Errorf("needs %s, which is missing", p.displayName("absorption_min"))
		case sort == runtime.SortDistance && p.items("like") == nil && p.items("curve") == nil:
			return 0, fmt.Errorf("needs %s or %s, and both are missing", p.displayName("like"), p.displayName("curve"))
		}
		return sort, nil
	})
}

// locale reads the locale. It is English for en and for values that begin with en-, ignoring case, and
// otherwise German.
func (p *params) locale() runtime.Locale {
	return single(p, "locale", runtime.German, func(text string) (runtime.Locale, error) {
		if language, _, _ := strings.Cut(text, "-"); strings.EqualFold(language, "en") {
			return runtime.English, nil
		}
		return runtime.German, nil
	})
}

// known reads a filter whose values must be in the vocabulary of a family. It adds a fault only for the first
// unknown value.
func (p *params) known(g *runtime.Generation, name string, f indexes.Family) []string {
	values := p.list(name)
	if i := slices.IndexFunc(values, func(v string) bool { return !g.Known(f, v) }); i >= 0 {
		p.faultUnknown(name, values[i], g.Values(f))
	}
	return values
}

func (p *params) faultUnknown(name, value string, known []string) {
	p.fault(name, "%s is not a known value%s", quote(value), alternatives(value, known))
}

// IncludeNames returns the allowed values of the parameter include.
func IncludeNames() []string { return []string{"acoustics", "geometry"} }

// include reads which optional keys records have in the response.
func (p *params) include() (in runtime.Include) {
	for _, item := range p.items("include") {
		switch item {
		case "acoustics":
			in.Acoustics = true
		case "geometry":
			in.Geometry = true
		default:
			p.fault("include", "%s is not an allowed value%s", quote(item), alternatives(item, IncludeNames()))
			return in
		}
	}
	return in
}
