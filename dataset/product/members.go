package product

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
)

// imageMembers are the members of a picture. Responses omit only an id that is null.
var imageMembers = members[Image]{
	in("id", nullable(filledText), func(m *Image) **string { return &m.ID },
		"Identifies the picture. Not blank.").optional(),
	in("url", address, func(m *Image) *string { return &m.URL },
		"The address of the picture, with http:// or https://.").required(),
	in("filename", nullable(text), func(m *Image) **string { return &m.Filename }, "The original file name."),
	in("display_order", nullable(integer), func(m *Image) **int64 { return &m.DisplayOrder },
		"The position among the pictures, in ascending order. Pictures without a number come last."),
}

// meta is the kind of structured_meta.
var meta = pairs(text, func(e *MetaEntry) *string { return &e.Key },
	func(e *MetaEntry) *string { return &e.Value }).withSchema(&jsonschema.Schema{
	Type: "object", PropertyNames: &jsonschema.Schema{MaxLength: new(MaxNameBytes)},
	AdditionalProperties: &jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"},
		MaxLength: new(MaxMetaBytes)},
})

// geometryMembers are the members of a solid.
var geometryMembers = members[Geometry]{
	in("shape", oneOf(Shapes...), func(g *Geometry) *string { return &g.Shape }, "The kind of solid.").required(),
	in("bounding_box_mm", object(boxMembers), func(g *Geometry) *BoxMM { return &g.BoundingBox },
		"The size in millimetres. For a cylinder, the width is the diameter and the height is the length of the axis. "+
			"For a sphere, the width is the diameter.").required(),
	in("size_variants", objects(sizeMembers), func(g *Geometry) *[]SizeVariant { return &g.SizeVariants },
		"Other sizes in which the product is made."),
	in("exposed_area_m2", exposedAreas, func(g *Geometry) *[]ExposedArea { return &g.ExposedAreas },
		"The absorbing area in square metres by mounting: S in Sabine's formula. At most 500 entries. Default: computed "+
			"from the solid for each installation type, or for wall if the product has none."),
}

// exposedAreas is the kind of exposed_area_m2.
var exposedAreas = pairs(number, func(a *ExposedArea) *string { return &a.Mounting },
	func(a *ExposedArea) *float64 { return &a.AreaM2 }).withSchema(&jsonschema.Schema{
	Type: "object", PropertyNames: &jsonschema.Schema{MaxLength: new(MaxNameBytes)},
	PatternProperties: map[string]*jsonschema.Schema{visiblePattern: {Types: []string{"number", "null"},
		Minimum: new(0.0)}},
	AdditionalProperties: &jsonschema.Schema{Type: "null"},
})

var (
	boxMembers  = sides(func(b *BoxMM) *BoxMM { return b })
	sizeMembers = append(members[SizeVariant]{
		in("label", nullable(text), func(s *SizeVariant) **string { return &s.Label }, "The name of the size."),
	}, sides(func(s *SizeVariant) *BoxMM { return &s.BoxMM })...)
)

// sides returns the members for the dimensions of a T.
func sides[T any](box func(*T) *BoxMM) members[T] {
	return members[T]{
		in("width", lengthMM, func(t *T) *float64 { return &box(t).Width }, "The width in millimetres.").required(),
		in("height", lengthMM, func(t *T) *float64 { return &box(t).Height }, "The height in millimetres.").required(),
		in("depth", lengthMM, func(t *T) *float64 { return &box(t).Depth }, "The depth in millimetres.").required(),
	}
}

// manufacturer is the member manufacturer. Responses show only the name.
var manufacturer = member[Product]{
	Name: "manufacturer", key: keyOf("manufacturer"), isRequired: true, schema: orText(filledText.schema,
		manufacturerMembers.schema()),
	About: "The manufacturer: a name, or an object with a name. Each slug must have the same name and id in the entire " +
		"catalogue.",
	write: func(w *writer, p *Product) {
		if m := &p.Manufacturer; w.isSource && (m.Slug != "" || m.ID != uuid.Nil) {
			w.Object(func() { manufacturerMembers.write(w, m) })
		} else {
			w.String(m.Name)
		}
	},
	read: func(r *reader, p *Product) {
		if r.at('"') {
			p.Manufacturer.Name = r.text()
		} else {
			manufacturerMembers.read(r, &p.Manufacturer)
		}
	},
	absent: func(*Product) bool { return false },
	cell:   func(p *Product) Cell { return textCell(p.Manufacturer.Name) },
}

// manufacturerMembers are the members of a manufacturer. writeManufacturerID requires their order.
var manufacturerMembers = members[Manufacturer]{
	in("id", identifier, func(m *Manufacturer) *uuid.UUID { return &m.ID },
		"Identifies the manufacturer: a UUID. Default: computed from the slug (UUIDv5).").
		omitIf(func(m *Manufacturer) bool { return m.ID == uuid.Nil }),
	in("slug", slug, func(m *Manufacturer) *string { return &m.Slug },
		"A readable name for addresses and filters: groups of a-z and 0-9 joined by single hyphens. Default: computed "+
			"from the name."),
	in("name", filledText, func(m *Manufacturer) *string { return &m.Name }, "The name. Not blank.").required(),
}

// writeManufacturerID writes the id and the slug of a manufacturer. A detail shows only the name.
func writeManufacturerID(w *writer, p *Product) bool {
	w.Object(func() { manufacturerMembers[:2].write(w, &p.Manufacturer) })
	return true
}

// computed returns a member that is computed for a view.
func computed(name string, write func(w *writer, p *Product)) member[Product] {
	return member[Product]{Name: name, key: keyOf(name), write: write}
}
