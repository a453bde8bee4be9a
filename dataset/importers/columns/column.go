package columns

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"sabine/dataset"
	"sabine/dataset/nearest"
)

// A Column is the meaning of a column name.
type Column struct {
	Header string // name as in the table; parts from several rows are joined by a blank
	Field  Field  // None for a band and for an unknown name

	BandHz     int        // band of a coefficient column; otherwise 0
	StrayHz    float64    // frequency of a coefficient column that is not a band in records; otherwise 0
	Quantity   Quantity   // quantity of a coefficient column; "" if not in the name
	Resolution Resolution // resolution of a coefficient column; AnyResolution if not in the name

	Percent bool   // whether the numbers are percentages
	Unit    string // "mm", "cm", "m", "in", "Hz" or "kHz"; "" if not in the name
	Ignored bool   // whether a map excludes it
	Private bool   // whether the name means prices, discounts, stock or notes; Field is None
}

// Patterns for folded text around a name.
var (
	percentPattern  = re(`[\[(]? ?(\bin )?(%|\b(prozent|percent)\b) ?[\])]?`)
	footnotePattern = re(`[\[(] ?[-.]? ?[\])]|( ?\(?\b[1-9]\)+|[\[(] ?[-.]? ?[\])]|[ :]+)+$`)
	normPattern     = re(`[ ,(\[/]*((\b(nach|gemaess|laut|according to|as per)|` +
		`\b(gem|lt|acc)\b\.?|\bacc\b\.? to\b|\bto (din|en|iso)) .*|` +
		`\b(din|en|iso|astm|bs|iec)[ -]+((en|iso|c)\b[ -]*)*[0-9].*)$`)
)

// Parse returns the meaning of a column name. A number is a band if it is the centre of one. Resolve then
// compares it with its neighbours.
func Parse(header string) Column {
	c := Column{Header: strings.TrimSpace(header)}
	if c.Header == "" || len(c.Header) > MaxNameBytes {
		return c
	}
	if n, ok := ParseNumber(c.Header); ok { // the fast path for most table cells
		if hz, _ := ParseFrequency(c.Header, ""); !n.negative && IsBand(hz) {
			c.BandHz = int(hz)
		}
		return c
	}
	folded := Fold(withoutHan(c.Header))
	name := folded
	if hasPart(name, []string{"%", "percent", "prozent"}) { // avoids the slower patterns
		name = percentPattern.ReplaceAllString(folded, " ")
		c.Percent = name != folded
	}
	if name != strings.TrimRight(name, ")]: ") {
		name = strings.TrimSpace(footnotePattern.ReplaceAllString(name, ""))
	}
	bare := strings.TrimSpace(normPattern.ReplaceAllString(name, ""))
	prefixed := prefixPattern.FindStringSubmatch(name)
	switch {
	case c.setBand(name), bare != name && c.setBand(bare), prefixed != nil && c.setBand(prefixed[1]):
	case c.setField(name), bare != name && c.setField(bare):
	case c.setCurve(bare):
	default:
		return Column{Header: c.Header, Private: isPrivate(folded)}
	}
	return c
}

// withoutHan returns the Latin part of a name that is also in Chinese: "厚度 Thickness (mm)".
func withoutHan(name string) string {
	latin := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Han, r) {
			return -1
		}
		return r
	}, name)
	return cmp.Or(strings.TrimSpace(latin), name)
}

// setBand parses the name of a column with coefficients at one frequency. It reports whether it succeeded.
func (c *Column) setBand(name string) bool {
	b, bare, ok := parseBand(name)
	if !ok || bare && b.BandHz == 0 {
		return false
	}
	c.BandHz, c.StrayHz, c.Quantity, c.Resolution = b.BandHz, b.StrayHz, b.Quantity, b.Resolution
	if q, r := quantityOf(c.Header); q != "" && c.Quantity == "" { // "125 Hz nach ISO 17497-1"
		c.Quantity, c.Resolution = q, r
	}
	return true
}

// setCurve parses a name that is only a quantity, for the coefficients in a long table.
func (c *Column) setCurve(name string) bool {
	if words, ok := bandWordsOf(ratiosAsWords.Replace(name)); !ok || len(words) == 0 {
		return false
	}
	quantity, resolution := quantityOf(c.Header)
	if quantity == "" {
		return false
	}
	c.Field, c.Quantity, c.Resolution = Coefficient, quantity, resolution
	return true
}

// setFrequency makes c a column with coefficients at the given frequency.
func (c *Column) setFrequency(hz float64) {
	c.BandHz, c.StrayHz = 0, hz
	if IsBand(hz) {
		c.BandHz, c.StrayHz = int(hz), 0
	}
}

// Hz returns the frequency of a coefficient column, in records or not; otherwise 0.
func (c *Column) Hz() float64 { return float64(c.BandHz) + c.StrayHz }

// Known reports whether a column has a field or coefficients at a frequency.
func (c *Column) Known() bool { return c.Field != None || c.Hz() > 0 }

// String returns the column's name in exports, templates and maps: a field ("thickness_mm"), or a quantity
// with its band, and "%" for percentages ("alpha_s 125 Hz", "alpha_s_third_octave 630 Hz %"). It returns
// MapIgnored for an ignored or private column, and "" for a column that goes to structured_meta.
func (c *Column) String() string {
	name, _ := ownUnit(c.Field)
	switch {
	case c.Ignored, c.Private:
		return MapIgnored
	case c.BandHz > 0:
		name = strings.TrimSpace(c.curveName() + " " + strconv.Itoa(c.BandHz) + " Hz")
	case c.Field == Coefficient && c.Quantity != "":
		name = c.curveName()
	case c.Field == Frequency && c.Resolution != AnyResolution:
		name = string(c.Resolution) + "_" + name
	}
	if c.Unit != "" {
		name += "_" + strings.ToLower(c.Unit)
	}
	if c.Percent && name != "" {
		name += " %"
	}
	return name
}

// curveName returns the name of a coefficient's curve, as in a record.
func (c *Column) curveName() string {
	if c.Quantity == AlphaP {
		return "absorption_octave"
	}
	return strings.Trim(string(c.Quantity)+"_"+string(c.Resolution), "_")
}

// parseName is the inverse of Column.String, for maps and templates.
func parseName(name string) (Column, error) {
	if name == MapIgnored {
		return Column{Ignored: true}, nil
	}
	c := Parse(name)
	c.Header, c.Private = "", false
	problem := `expected a field such as "label" or "thickness_mm", or a quantity with its band such as ` +
		`"alpha_s 125 Hz", got ` + dataset.Quoted(name)
	switch canonical := c.String(); {
	case canonical == name && name != "":
		return c, nil
	case canonical != "":
		problem += "; write it as " + strconv.Quote(canonical)
	case !strings.ContainsAny(name, "0123456789"): // without digits, the name cannot be a band
		var fields []string
		for _, row := range namedFields() {
			fields = append(fields, string(row.field))
		}
		problem += orNearest(name, fields, "")
	}
	return Column{}, errors.New(problem)
}

// orNearest returns the nearest name for a message, or the alternative if no name is similar.
func orNearest(name string, names []string, alternative string) string {
	if near := nearest.Name(name, names); near != "" {
		return "; the nearest is " + strconv.Quote(near)
	}
	return alternative
}
