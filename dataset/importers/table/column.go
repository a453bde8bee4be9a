package table

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sabine/dataset"
	"sabine/dataset/nearest"
)

// A Column is what a column's name says.
type Column struct {
	Header string // as it stands in the table, the parts of several rows joined by a blank
	Field  Field  // FieldNone for a band and for what no rule knows

	BandHz     int        // of a column of coefficients, else 0
	StrayHz    float64    // of a column of coefficients at a frequency that no curve of ours has, else 0
	Quantity   Quantity   // "" where the name does not say
	Resolution Resolution // likewise, AnyResolution

	Percent bool   // its numbers are percentages
	Unit    string // of lengths or frequencies: "mm", "cm", "m", "in", "Hz", "kHz"; "" where the name does not say
	Ignored bool   // a map says that it is used for nothing
}

//go:embed names.csv
var nameTable string

// A namedField is a row of names.csv.
type namedField struct {
	field           Field
	values          string // what a cell may hold
	german, english []string
}

// namedFields are the rows of names.csv.
var namedFields = sync.OnceValue(func() (fields []namedField) {
	table := csv.NewReader(strings.NewReader(nameTable))
	table.Comma, table.Comment, table.LazyQuotes = ';', '#', true
	rows, err := table.ReadAll()
	if err != nil {
		panic("names.csv: " + err.Error()) // a bug of ours
	}
	for _, row := range rows[1:] {
		fields = append(fields, namedField{Field(row[0]), row[1], strings.Split(row[2], ", "), strings.Split(row[3], ", ")})
	}
	return fields
})

// fieldNames has the field of each name in names.csv, and of each field's own, squeezed.
var fieldNames = sync.OnceValue(func() map[string]Field {
	fields := map[string]Field{}
	for _, row := range namedFields() {
		for _, name := range slices.Concat([]string{string(row.field)}, row.german, row.english) {
			fields[squeeze(fold(name))] = row.field
			fields[squeeze(fold(withoutUmlauts.Replace(name)))] = row.field
		}
		base, _ := ownUnit(row.field)
		fields[squeeze(base)] = row.field
	}
	return fields
})

// valuesOf says what a cell of a field may hold.
func valuesOf(f Field) string {
	for _, row := range namedFields() {
		if row.field == f {
			values, _, _ := strings.Cut(row.values, " (")
			return values
		}
	}
	return ""
}

var withoutUmlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u")

// ownUnit takes the unit off a field's name: "thickness", "mm".
func ownUnit(f Field) (base, unit string) {
	if base, ok := strings.CutSuffix(string(f), "_mm"); ok {
		return base, "mm"
	}
	if base, ok := strings.CutSuffix(string(f), "_hz"); ok {
		return base, "Hz"
	}
	return string(f), ""
}

var (
	lengthFields    = []Field{FieldThickness, FieldAirGap, FieldOverallDepth, FieldWidth, FieldHeight, FieldDepth, FieldSize}
	frequencyFields = []Field{FieldFrequency, FieldLimitFrequency}
)

// Patterns of what stands around a name, folded.
var (
	percentPattern  = regexp.MustCompile(`[\[(]? ?(\bin )?(%|\b(prozent|percent)\b) ?[\])]?`)
	footnotePattern = regexp.MustCompile(` ?\(?\b[1-9]\)+$|[\[(] ?[-.]? ?[\])]|[ :]+$`)
	normPattern     = regexp.MustCompile(`[ ,(\[/]*((\bnach|\bgemaess|\bgem\b\.?|\blt\b\.?|\blaut|\baccording to|\bacc\b\.?( to\b)?|\bas per|\bto (din|en|iso)) .*` +
		`|\b(din|en|iso|astm|bs|iec)[ -]+((en|iso|c)\b[ -]*)*[0-9].*)$`)
	unitPattern    = regexp.MustCompile(`(?:^|[ ,/_\[(])(?:in )?(mm|cm|m|inch|inches|in|zoll|"|hz|khz)[\])]?\.?$`)
	bracketPattern = regexp.MustCompile(`^(.*?) ?[\[(]([^\[\]()]*)[\])]\.?$`)
)

var unitNames = map[string]string{
	"mm": "mm", "cm": "cm", "m": "m", "inch": "in", "inches": "in", "in": "in", "zoll": "in", `"`: "in", "hz": "Hz", "khz": "kHz",
}

// columnOf reads a column's name. A number alone is a band where it is one of ours: settleBands looks at its neighbours.
func columnOf(header string) Column {
	c := Column{Header: strings.TrimSpace(header)}
	if c.Header == "" || len(c.Header) > maxNameBytes {
		return c
	}
	if n, ok := parseNumber(c.Header); ok { // as most cells of a table are, where the names of its columns are searched
		if hz, _ := frequencyOf(c.Header, false, ""); !n.negative && isOurBand(hz) {
			c.BandHz = int(hz)
		}
		return c
	}
	name := fold(c.Header)
	if strings.ContainsRune(name, '%') || strings.Contains(name, "percent") || strings.Contains(name, "prozent") {
		plain := percentPattern.ReplaceAllString(name, " ")
		name, c.Percent = plain, plain != name
	}
	for trimmed := ""; trimmed != name && name != "" && strings.IndexByte(")]: ", name[len(name)-1]) >= 0; {
		trimmed = name
		name = strings.TrimSpace(footnotePattern.ReplaceAllString(name, ""))
	}
	bare := withoutNorm(name)
	known := Column{Header: c.Header, Percent: c.Percent}
	switch {
	case known.isBand(name), bare != name && known.isBand(bare), known.isField(name, bare), known.isCurve(bare):
		return known
	}
	return Column{Header: c.Header}
}

// otherFirePattern matches the number of a norm: its classes may be written as those of EN 13501-1 are, and mean something else, as A2 of
// DIN 4102 does.
var otherFirePattern = regexp.MustCompile(`\d{3}|E ?84`)

// withoutNorm takes a norm off a folded name: "nach EN 13501-1".
func withoutNorm(name string) string {
	return strings.TrimSpace(normPattern.ReplaceAllString(name, ""))
}

// isBand fills in what the name of a column of coefficients at a frequency says.
func (c *Column) isBand(name string) bool {
	b, ok := bandNameOf(name)
	if !ok || b.bare && !isOurBand(b.hz) {
		return false
	}
	c.setFrequency(b.hz)
	c.Quantity, c.Resolution = b.quantity, b.resolution
	if q, r := quantityOf(c.Header); q != "" && c.Quantity == "" { // "125 Hz nach ISO 17497-1"
		c.Quantity, c.Resolution = q, r
	}
	return true
}

// isField fills in the field that a name means, with its norm or without, and its unit.
func (c *Column) isField(name, bare string) bool {
	for _, text := range slices.Compact([]string{name, bare}) {
		if c.lookUp(text) {
			return true
		}
		if m := unitPattern.FindStringSubmatchIndex(text); m != nil && c.lookUpParts(text[:m[0]], unitNames[text[m[2]:m[3]]]) {
			return true
		}
		if c.lookUpParts(text, "") {
			return true
		}
	}
	return false
}

// lookUp takes a name that stands in names.csv.
func (c *Column) lookUp(name string) bool {
	key := squeeze(name)
	f := fieldNames()[key]
	base, unit := ownUnit(f)
	if key != squeeze(string(f)) || unit == "" || key == squeeze(base) {
		unit = ""
	}
	return f != FieldNone && c.take(f, unit, key)
}

// take makes a column one of a field, unless it can't have the unit, or the name is so short that it needs one.
func (c *Column) take(f Field, unit, key string) bool {
	isLength, isFrequency := slices.Contains(lengthFields, f), slices.Contains(frequencyFields, f)
	switch {
	case unit != "" && !isLength && !isFrequency,
		isLength && strings.HasSuffix(unit, "Hz"), isFrequency && unit != "" && !strings.HasSuffix(unit, "Hz"),
		unit == "" && len(key) < 2 && (isLength || isFrequency),
		f == FieldFireClass && otherFirePattern.MatchString(c.Header) && !strings.Contains(c.Header, "13501"):
		return false
	}
	c.Field, c.Unit = f, unit
	if f == FieldFrequency {
		c.Resolution = resolutionOf(strings.ReplaceAll(fold(c.Header), "_", " "))
	}
	return true
}

// lookUpParts takes a name that stands in names.csv without its brackets, or all of whose parts stand there for one field, as
// "Dicke / Thickness" do. What stands in brackets behind a length may be another unit, and must be known or long.
func (c *Column) lookUpParts(name, unit string) bool {
	name = strings.Trim(name, " :,/-_")
	inside := ""
	if m := bracketPattern.FindStringSubmatch(name); m != nil {
		name, inside = m[1], m[2]
	}
	field := fieldOfParts(name)
	isMeasure := slices.Contains(lengthFields, field) || slices.Contains(frequencyFields, field)
	if field == FieldNone || isMeasure && len(inside) > 1 && len(inside) < 5 && unitNames[inside] == "" {
		return false
	}
	if unitNames[inside] != "" && unit == "" {
		unit = unitNames[inside]
	}
	return c.take(field, unit, squeeze(name))
}

// fieldOfParts returns the field of a name, or of both its halves: "Dicke / Thickness", "Dicke Thickness". Pictures may be numbered.
func fieldOfParts(name string) Field {
	if f := fieldNames()[squeeze(name)]; f != FieldNone {
		return f
	}
	for i, r := range name {
		if strings.ContainsRune(" /|;,", r) {
			f := fieldNames()[squeeze(name[:i])]
			if f != FieldNone && f == fieldNames()[squeeze(name[i:])] {
				return f
			}
		}
	}
	if f := fieldNames()[squeeze(strings.TrimRight(name, "0123456789"))]; f == FieldImages {
		return f
	}
	return FieldNone
}

// isCurve takes the name of a quantity alone, whose coefficients stand in a row a band.
func (c *Column) isCurve(name string) bool {
	words, ok := wordsOf(ratiosAsWords.Replace(name))
	if !ok || len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return !bandWords[word] }) {
		return false
	}
	quantity, resolution := quantityOf(c.Header)
	if quantity == "" {
		return false
	}
	c.Field, c.Quantity, c.Resolution = FieldCoefficient, quantity, resolution
	return true
}

// hasField reports whether one of the columns is of a field.
func hasField(columns []Column, f Field) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Field == f })
}

// known reports whether a column's name says what the column is for.
func (c *Column) known() bool { return c.Field != FieldNone || c.BandHz > 0 || c.StrayHz > 0 }

// String returns the column's name in our own tables and in maps: a field ("thickness_mm"), or a quantity with its band, and "%" where the
// numbers are percentages ("alpha_s 125 Hz", "alpha_s_third_octave 630 Hz %"); "" for what goes to structured_meta.
func (c *Column) String() string {
	var name string
	switch {
	case c.Ignored:
		return MapIgnored
	case c.BandHz > 0:
		name = strings.TrimSpace(c.curveName() + " " + strconv.Itoa(c.BandHz) + " Hz")
	case c.Field == FieldCoefficient && c.Quantity != "":
		name = c.curveName()
	default:
		name, _ = ownUnit(c.Field)
		if c.Field == FieldFrequency && c.Resolution != AnyResolution {
			name = string(c.Resolution) + "_" + name
		}
		if c.Unit != "" {
			name += "_" + strings.ToLower(c.Unit)
		}
	}
	if c.Percent && name != "" {
		name += " %"
	}
	return name
}

// curveName returns the name of the curve that a coefficient is of, as the record has it where it is known.
func (c *Column) curveName() string {
	switch {
	case c.Quantity == AlphaP:
		return "absorption_octave"
	case c.Resolution == AnyResolution:
		return string(c.Quantity)
	case c.Quantity == "":
		return string(c.Resolution)
	}
	return string(c.Quantity) + "_" + string(c.Resolution)
}

// parseColumn is the inverse of Column.String, for maps and templates.
func parseColumn(name string) (Column, error) {
	if name == MapIgnored {
		return Column{Ignored: true}, nil
	}
	c := columnOf(name)
	c.Header = ""
	expected := `expected a field such as "label" or "thickness_mm", or a quantity with its band such as "alpha_s 125 Hz"`
	switch meant := c.String(); {
	case meant == name && name != "":
		return c, nil
	case meant != "":
		return Column{}, errors.New(expected + ", got " + dataset.Quoted(name) + ", which is called " + strconv.Quote(meant))
	}
	return Column{}, errors.New(expected + ", got " + dataset.Quoted(name) + nearestField(name))
}

// nearestField says which field a name is like, "" where none is, or where the name is one of a band.
func nearestField(name string) string {
	if strings.ContainsAny(name, "0123456789") {
		return ""
	}
	var known []string
	for _, row := range namedFields() {
		known = append(known, string(row.field))
	}
	if near := nearest.Name(name, known); near != "" {
		return ", the nearest is " + strconv.Quote(near)
	}
	return ""
}
