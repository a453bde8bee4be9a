package table

import (
	_ "embed"
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sabine/dataset/acoustics"
)

// A Column is what a column's name says.
type Column struct {
	Header string // as it stands in the table, the parts of several rows joined by a blank
	Field  Field  // FieldNone for a band and for what no rule knows

	BandHz     int      // of a column of coefficients, else 0
	Quantity   Quantity // "" where the name does not say
	Resolution Resolution

	Percent bool   // its numbers are percentages
	Unit    string // of a column of lengths or frequencies: "mm", "cm", "m", "Hz", "kHz"; "" where the name does not say
}

//go:embed names.csv
var nameTable string

// fieldNames has the field of each name in names.csv.
var fieldNames = sync.OnceValue(func() map[string]Field {
	fields := map[string]Field{}
	table := csv.NewReader(strings.NewReader(nameTable))
	table.Comma, table.Comment = ';', '#'
	rows, err := table.ReadAll()
	if err != nil {
		panic("names.csv: " + err.Error()) // a bug of ours
	}
	for _, row := range rows[1:] {
		for _, name := range strings.Split(row[1], ", ") {
			fields[name] = Field(row[0])
		}
	}
	return fields
})

// columnOf reads a column's name.
func columnOf(header string) Column {
	c := Column{Header: strings.TrimSpace(header)}
	if hz, ok := bandOf(c.Header); ok {
		c.BandHz, c.Percent = hz, strings.Contains(c.Header, "%")
		return c
	}
	name := strings.Join(strings.FieldsFunc(strings.ToLower(c.Header), func(r rune) bool {
		return strings.ContainsRune(" \t\n_-[](){}:/", r)
	}), " ")
	for _, unit := range []string{"", " mm", " cm", " m"} {
		if base, ok := strings.CutSuffix(name, unit); ok && fieldNames()[base] != FieldNone {
			c.Field, c.Unit = fieldNames()[base], strings.TrimSpace(unit)
			break
		}
	}
	return c
}

// known reports whether a column's name says what the column is for.
func (c *Column) known() bool { return c.Field != FieldNone || c.BandHz > 0 }

// String returns the column's name in our own tables and in maps: a field ("thickness_mm"), or a quantity with its band, and "%" where the
// numbers are percentages ("alpha_s 125 Hz", "alpha_s_third_octave 630 Hz %"); "" for what goes to structured_meta.
func (c *Column) String() string {
	if c.BandHz == 0 {
		return string(c.Field)
	}
	name := string(c.Quantity)
	if c.Resolution != AnyResolution {
		name += "_" + string(c.Resolution)
	}
	name += " " + strconv.Itoa(c.BandHz) + " Hz"
	if c.Percent {
		name += " %"
	}
	return name
}

// bandPattern matches the name of a column of coefficients.
var bandPattern = regexp.MustCompile(
	`^(?:(?:f|freq|frequency|frequenz|alpha(?:[ _]?[spw])?|α(?:[ _]?[sp])?|a)[ _=@]*)?(\d+)(?:[.,](\d+))?[ _]*(k)?(\d+)?[ _]*(?:hz)?[ _]*[\[(]?%?[\])]?$`)

// bandOf returns the band whose coefficients a column holds. A number that is not a third-octave band is no band here.
func bandOf(header string) (bandHz int, ok bool) {
	m := bandPattern.FindStringSubmatch(strings.ToLower(strings.Join(strings.Fields(header), " ")))
	if m == nil {
		return 0, false
	}
	whole, fraction, kilo, behindK := m[1], m[2], m[3] != "", m[4]
	if behindK != "" {
		if !kilo || fraction != "" {
			return 0, false
		}
		fraction = behindK // 1k6 is 1.6k
	}
	hz, err := strconv.ParseFloat(whole+"."+fraction+"0", 64)
	if err != nil {
		return 0, false
	}
	if kilo {
		hz *= 1000
	}
	bandHz = int(hz + 0.5)
	return bandHz, slices.Contains(acoustics.ThirdBands, bandHz)
}
