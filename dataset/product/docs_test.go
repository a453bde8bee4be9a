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

// Update is a flag for both test packages in this folder.
var Update = flag.Bool("update", false, "write the golden files, docs/record.schema.json and the fields in docs/catalogue.md")

// The schema and the list of fields in docs/catalogue.md are generated from the table of fields:
// go test ./dataset/product -run Docs -update
func TestDocsAgreeWithTable(t *testing.T) {
	const page = "../../docs/catalogue.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), listBegins)
	_, after, ends := strings.Cut(rest, listEnds)
	if !begins || !ends {
		t.Fatalf("%s: missing marker before or after the list of fields", page)
	}
	for path, want := range map[string]string{"../../docs/record.schema.json": string(Schema()),
		page: before + listBegins + fieldsList() + listEnds + after} {
		if *Update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s differs from the table of fields: run this test with -update (%v)", path, err)
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
					t.Errorf("%s: ParseFireClass accepts it: %t, but the schema disagrees", text, ok)
				}
			}
		}
	}
}

const (
	listBegins = "<!-- Start of the list of fields, which is generated from the table of fields. Do not edit it. -->\n"
	listEnds   = "<!-- End of the list of fields. -->\n"
)

const mapsHead = `
## Frequency maps

A frequency map is an object of coefficients by the nominal centre frequency of the band in Hz, such as
~{"125": 0.25, "250": 0.55}~. Leave a band out, or write null, if it has no value: responses then leave it
out. A band that is not listed below is a fault, and so is a coefficient outside its range. Negative
coefficients cause a warning. Absorption coefficients can exceed 1 because of the edge effect (ISO 354).

`

const viewsHead = `
## Where a field is shown and searched

- Detail: the part of a ~MaterialDetail~ that contains the field. A summary consists of the part *summary*,
  and ~include=acoustics~ adds the part *acoustics*. A detail has all parts except *geometry*, which
  ~include=geometry~ adds.
- Public, Compare: whether the items of the public search and of a comparison contain the field. If it has
  another name there, the table shows that name.
- CSV: the columns of ~sabine export --format csv~. A frequency map has a column for each band.
- Search: the searched text that contains the field. A match in the name ranks highest, followed by
  manufacturer, category, description and details. From the measurements, the details contain only the
  thicknesses.

The build computes the fields in italics and ignores them in a source record.

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

// typeOf describes the values that a schema accepts.
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

// textOf describes the strings that a schema accepts.
func textOf(s *jsonschema.Schema) string {
	name := cmp.Or(map[string]string{
		"^" + uuidPattern + "$": "UUID", SlugPattern: "slug", addressPattern: "address", DateTimePattern: "date-time",
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
		return fmt.Sprintf(" greater than %v and at most %.0f", *s.ExclusiveMinimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(" from %v to %v", *s.Minimum, *s.Maximum)
	}
	return ""
}

// sourceOf maps the members of single views to the fields from which they are computed.
var sourceOf = map[string]string{
	"manufacturerName": "manufacturer", "alphaW": "alpha_w", "alphaWMin": "alpha_w_min", "imageUrl": "images",
	"variant_count": "measurements",
}

// writeViews writes the row of a field in the table of views.
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
		if cmp.Or(sourceOf[g.Name], g.Name) != f.Name {
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
