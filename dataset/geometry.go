package dataset

import (
	"cmp"
	"math"
	"slices"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// geometryFields are the fields of a solid.
var geometryFields = fields[product.Geometry]{
	into("shape", mandatory(OrList(product.Shapes), oneOf(product.Shapes...)),
		func(g *product.Geometry) *string { return &g.Shape }),
	{name: "bounding_box_mm", nested: boxFields, read: func(p *parser, name string, v gjson.Result, g *product.Geometry) {
		const expected = "an object with width, height and depth"
		if p.required(name, v, expected) {
			boxFields.readObject(p, name, v, expected, &g.BoundingBox)
		}
	}},
	{name: "size_variants", nested: sizeVariantFields, read: func(p *parser, name string, v gjson.Result,
		g *product.Geometry) {
		g.SizeVariants = objects(p, name, v, "an array of sizes, or null", sizeVariantFields)
	}},
	into("exposed_area_m2", (*parser).declaredAreas,
		func(g *product.Geometry) *[]product.ExposedArea { return &g.ExposedAreas }),
}

var (
	boxFields         = sides(func(b *product.BoxMM) *product.BoxMM { return b })
	sizeVariantFields = append(sides(func(s *product.SizeVariant) *product.BoxMM { return &s.BoxMM }),
		into("label", (*parser).text, func(s *product.SizeVariant) **string { return &s.Label }))
)

// sides returns the fields for the dimensions of a T.
func sides[T any](box func(*T) *product.BoxMM) fields[T] {
	return fields[T]{
		into("width", (*parser).length, func(to *T) *float64 { return &box(to).Width }),
		into("height", (*parser).length, func(to *T) *float64 { return &box(to).Height }),
		into("depth", (*parser).length, func(to *T) *float64 { return &box(to).Depth }),
	}
}

// geometry reads a solid or null.
func (p *parser) geometry(name string, v gjson.Result) *product.Geometry {
	g := &product.Geometry{}
	if !geometryFields.readObject(p, name, v, "an object or null", g) {
		return nil
	}
	return g
}

// length reads a length in millimetres, which is required.
func (p *parser) length(name string, v gjson.Result) float64 {
	const expected = "a length in millimetres, greater than 0"
	if !p.required(name, v, expected) {
		return 0
	}
	if v.Type != gjson.Number || !(v.Num > 0 && v.Num <= product.MaxLengthMM) {
		p.wrongType(name, v, expected)
	}
	return v.Num
}

// declaredAreas reads the exposed areas by mounting. It returns nil for null: the areas are then computed.
func (p *parser) declaredAreas(name string, v gjson.Result) []product.ExposedArea {
	if !p.object(name, v, "an object that maps mountings to areas in square metres, or null") {
		return nil
	}
	areas := []product.ExposedArea{}
	p.enter(member(name))
	for key, value := range v.ForEach {
		if p.faultIfFull(len(areas), product.MaxElements) {
			break
		}
		p.enter(member(key.Str))
		p.checkText("", key.Str, product.MaxNameBytes)
		switch {
		case isNull(value):
		case isBlank(key.Str):
			p.fault("", "expected a mounting as the key")
		case value.Type != gjson.Number || value.Num < 0:
			p.wrongType("", value, "an area in square metres, 0 or more")
		default:
			areas = append(areas, product.ExposedArea{Mounting: key.Str, AreaM2: value.Num})
		}
		p.leave()
	}
	p.leave()
	sortAreas(areas)
	return areas
}

func sortAreas(areas []product.ExposedArea) {
	slices.SortFunc(areas, func(a, b product.ExposedArea) int { return cmp.Compare(a.Mounting, b.Mounting) })
}

// exposedAreas computes the absorbing area of each mounting, sorted by mounting. Without mountings it
// computes the area on a wall.
func exposedAreas(shape string, box product.BoxMM, mountings []string) []product.ExposedArea {
	if len(mountings) == 0 {
		mountings = []string{"wall"}
	}
	areas := make([]product.ExposedArea, len(mountings))
	for i, mounting := range mountings {
		areas[i] = product.ExposedArea{Mounting: mounting, AreaM2: exposedArea(shape, box, mounting)}
	}
	sortAreas(areas)
	return areas
}

// minEdgeDepthMM is the depth above which the edges of a product on a wall or ceiling count as absorbing.
const minEdgeDepthMM = 50

// exposedArea computes the absorbing area of a mounting in square metres, rounded to 0.0001 m². A
// free-standing product absorbs with both faces and the edges. In other mountings, such as on a wall or
// ceiling, it absorbs with the front face, and with the edges if they are deeper than minEdgeDepthMM. A
// cylinder (diameter: width, axis: height) and a sphere (diameter: width) absorb with their curved surface in
// every mounting.
func exposedArea(shape string, box product.BoxMM, mounting string) float64 {
	front := box.Width * box.Height
	edges := 2 * (box.Width + box.Height) * box.Depth
	var areaMM2 float64
	switch {
	case shape == "cylinder":
		areaMM2 = math.Pi * box.Width * box.Height
	case shape == "sphere":
		areaMM2 = math.Pi * box.Width * box.Width
	case mounting == "free-standing":
		areaMM2 = 2*front + edges
	case box.Depth > minEdgeDepthMM:
		areaMM2 = front + edges
	default:
		areaMM2 = front
	}
	return math.Round(areaMM2/100) / 10000 // 100 mm² are 0.0001 m²
}
