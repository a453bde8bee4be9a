package product

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// Update is the flag of both test packages of this folder.
var Update = flag.Bool("update", false, "write the golden files, docs/record.schema.json and the fields in docs/catalogue.md")

// The schema, and the list of fields in docs/catalogue.md, are made of the table of fields:
// go test ./dataset/product -run Docs -update
func TestDocsAreWhatTheTableSays(t *testing.T) {
	const page = "../../docs/catalogue.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), listBegins)
	_, after, ends := strings.Cut(rest, listEnds)
	if !begins || !ends {
		t.Fatalf("%s lacks one of the lines around the list of fields", page)
	}
	for path, want := range map[string]string{"../../docs/record.schema.json": string(Schema()),
		page: before + listBegins + fieldsList() + listEnds + after} {
		if *Update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the table of fields says: run this test with -update (%v)", path, err)
		}
	}
}

func TestFireClassPattern(t *testing.T) {
	pattern := regexp.MustCompile(fireClassPattern)
	supplements := append([]string{"-s0", "-s4", "-s1,d3", "-d1", "-d0", "-s1,", ",d0", "-", "-s1-d0", "-d2,s1", " "},
		fireClassSupplements...)
	for _, class := range append([]string{"A", "G"}, FireClasses...) {
		for _, use := range []string{"", "fl", "L", "flL", "l"} {
			for _, supplement := range supplements {
				text := class + use + supplement
				if _, ok := ParseFireClass(text); pattern.MatchString(text) != ok {
					t.Errorf("%s is a class: %t, but not in the schema", text, ok)
				}
			}
		}
	}
}

const (
	listBegins = "<!-- The list of fields begins: it is made of the table of fields, do not edit it. -->\n"
	listEnds   = "<!-- The list of fields ends. -->\n"
)

const mapsHead = `
## Frequency maps

A frequency map is an object of coefficients by the nominal centre frequency of the band in Hz, such as
~{"125": 0.25, "250": 0.55}~. Bands may be missing; other bands are refused. Negative coefficients are
accepted with a warning. Absorption coefficients may exceed 1 by the edge effect (ISO 354).

`

const viewsHead = `
## Where a field is shown and searched

- Detail: the part of a ~MaterialDetail~ that has the field. A summary has the part *summary*, and with
  ~include=acoustics~ the part *acoustics*. A detail has all but *geometry*, which ~include=geometry~ adds.
- Public, Compare: whether an item of the public search and a comparison have the field, or under which name.
- CSV: the columns of ~sabine export --format csv~. A frequency map has a column for each band.
- Search: the searched text that has the field. A match in a name ranks highest, then one in the manufacturer,
  the category, the description and the details. Of the measurements, the details contain the thicknesses.

The build computes the fields in italics. It ignores them in a source record.

| Field | Detail | Public | Compare | CSV | Search |
|---|---|---|---|---|---|
`

// fieldsList returns the list of fields in docs/catalogue.md.
func fieldsList() string {
	var b strings.Builder
	b.WriteString("\n## Fields\n")
	describe(&b, fieldsWith(func(f *field) bool { return !f.derived }))
	section(&b, "manufacturer", manufacturerMembers)
	section(&b, "images[]", imageMembers)
	section(&b, "geometry", geometryMembers)
	section(&b, "geometry.bounding_box_mm", boxMembers)
	section(&b, "geometry.size_variants[]", sizeMembers)
	section(&b, "measurements", measurementMembers)
	section(&b, "measurements."+ISO354.Array+"[]", absorptionMembers)
	section(&b, "measurements."+ISO174971.Array+"[]", scatterMembers)
	section(&b, "measurements."+ISO174972.Array+"[]", diffusionMembers)
	b.WriteString(mapsHead)
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		of := definitions[name]
		wrap(&b, fmt.Sprintf("- %s: from %v to %v at %s Hz.", strings.ReplaceAll(name, "_", " "),
			*of.AdditionalProperties.Minimum, *of.AdditionalProperties.Maximum, wordsOf(of.PropertyNames.Enum)))
	}
	b.WriteString(viewsHead)
	for i := range fields {
		if f := &fields[i]; !f.derived || f.part == inAcoustics {
			writeViews(&b, f)
		}
	}
	b.WriteByte('\n')
	return strings.ReplaceAll(b.String(), "~", "`")
}

// section describes the members of an inner object.
func section[T any](b *strings.Builder, path string, all members[T]) {
	fmt.Fprintf(b, "\n## ~%s~\n", path)
	describe(b, all)
}

// describe lists the members of an object.
func describe[T any](b *strings.Builder, all members[T]) {
	b.WriteByte('\n')
	for _, m := range all {
		required := ""
		if m.isRequired {
			required = ", **required**"
		}
		wrap(b, "- ~"+m.Name+"~: "+typeOf(m.schema)+required+". "+m.About)
	}
}

// wrap writes an item of a list in lines of 110 characters.
func wrap(b *strings.Builder, text string) {
	width := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > 110:
			b.WriteString("\n  ")
			width = 2
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	b.WriteByte('\n')
}

// typeOf returns which values a schema accepts.
func typeOf(s *jsonschema.Schema) string {
	switch {
	case s.Ref != "":
		return "frequency map of " + strings.ReplaceAll(strings.TrimPrefix(s.Ref, "#/$defs/"), "_", " ")
	case s.Enum != nil:
		return "~" + strings.ReplaceAll(wordsOf(s.Enum), ", ", "~, ~") + "~"
	}
	var types []string
	for _, name := range append(s.Types, s.Type) {
		switch name {
		case "":
		case "string":
			types = append(types, textOf(s))
		case "array":
			types = append(types, fmt.Sprintf("array of at most %d %ss", *s.MaxItems, strings.Replace(s.Items.Type, "string",
				"text", 1)))
		case "number":
			types = append(types, "number"+rangeOf(s))
		default:
			types = append(types, name)
		}
	}
	return strings.Join(types, " or ")
}

func wordsOf(enum []any) string {
	words := make([]string, len(enum))
	for i, word := range enum {
		words[i] = fmt.Sprint(word)
	}
	return strings.Join(words, ", ")
}

// textOf returns which texts a schema accepts.
func textOf(s *jsonschema.Schema) string {
	name := cmp.Or(map[string]string{
		"^" + uuidPattern + "$": "UUID", SlugPattern: "slug", addressPattern: "address", MomentPattern: "date-time",
		fireClassPattern: "fire class",
	}[s.Pattern], "text")
	if s.MaxLength != nil {
		name += fmt.Sprintf(" of at most %d bytes", *s.MaxLength)
	}
	return name
}

func rangeOf(s *jsonschema.Schema) string {
	switch {
	case s.ExclusiveMinimum != nil:
		return fmt.Sprintf(" over %v and at most %.0f", *s.ExclusiveMinimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(" from %v to %v", *s.Minimum, *s.Maximum)
	}
	return ""
}

// madeOf are the fields that the members of one view alone are made of.
var madeOf = map[string]string{
	"manufacturerName": "manufacturer", "alphaW": "alpha_w", "alphaWMin": "alpha_w_min", "imageUrl": "images",
	"variant_count": "measurements",
}

// writeViews writes the row of a field.
func writeViews(b *strings.Builder, f *field) {
	var public, compare, columns []string
	add := func(to *[]string, name string) {
		shown := "~" + name + "~"
		if name == f.Name {
			shown = "yes"
		}
		if !slices.Contains(*to, shown) {
			*to = append(*to, shown)
		}
	}
	for i := range fields {
		g := &fields[i]
		if cmp.Or(madeOf[g.Name], g.Name) != f.Name {
			continue
		}
		if g.public > 0 {
			add(&public, g.Name)
		}
		if g.compare > 0 {
			add(&compare, g.Name)
		}
	}
	for _, m := range productTable {
		if m.Name == f.Name || strings.HasPrefix(m.Name, f.Name+"_") && m.schema == nil {
			add(&columns, m.Name)
		}
	}
	if f.Name == "measurements" {
		add(&compare, "absorption_iso354")
		columns = []string{"a row for each entry"}
	}
	name := "~" + f.Name + "~"
	if f.derived {
		name = "*" + name + "*"
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", name,
		map[part]string{inSummary: "summary", inAcoustics: "acoustics", inDetail: "detail", inGeometry: "geometry"}[f.part],
		strings.Join(public, ", "), strings.Join(compare, ", "), strings.Join(columns, ", "),
		[]string{"", "name", "manufacturer", "category", "description", "details"}[f.search])
}
