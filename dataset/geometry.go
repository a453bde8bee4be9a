package dataset

import (
	"cmp"
	"math"
	"slices"

	"github.com/tidwall/gjson"
)

// shapes are the solids that stand for a product.
var shapes = []string{"panel", "baffle", "box", "cylinder", "sphere", "sheet"}

// maxLengthMM keeps areas far from the end of float64: a thousand kilometres.
const maxLengthMM = 1e9

var (
	geometryFields    = []string{"shape", "bounding_box_mm", "size_variants", "exposed_area_m2"}
	boxFields         = []string{"width", "height", "depth"}
	sizeVariantFields = []string{"width", "height", "depth", "label"}
)

// geometry reads the approximate solid, or null.
func (p *parser) geometry(v gjson.Result) *Geometry {
	if !p.object("geometry", v, "an object or null") {
		return nil
	}
	p.enter(member("geometry"))
	defer p.leave()
	var values [4]gjson.Result
	p.fields(v, geometryFields, values[:])
	shape, box, variants, areas := values[0], values[1], values[2], values[3]
	g := &Geometry{SizeVariants: []SizeVariant{}}
	if p.required("shape", shape, OrList(shapes)) {
		if s := p.oneOf("shape", shape, shapes...); s != nil {
			g.Shape = *s
		}
	}
	if p.required("bounding_box_mm", box, "an object of width, height and depth") &&
		p.object("bounding_box_mm", box, "an object of width, height and depth") {
		p.enter(member("bounding_box_mm"))
		var sides [3]gjson.Result
		p.fields(box, boxFields, sides[:])
		g.BoundingBox = p.box(sides[:])
		p.leave()
	}
	if p.array("size_variants", variants, "an array of sizes, or null") {
		p.elements("size_variants", variants, func(_ int, size gjson.Result) {
			var sides [4]gjson.Result
			p.fields(size, sizeVariantFields, sides[:])
			g.SizeVariants = append(g.SizeVariants, SizeVariant{BoxMM: p.box(sides[:3]), Label: p.text("label", sides[3])})
		})
	}
	g.ExposedAreas = p.declaredAreas(areas)
	return g
}

// box reads width, height and depth.
func (p *parser) box(sides []gjson.Result) BoxMM {
	return BoxMM{p.length("width", sides[0]), p.length("height", sides[1]), p.length("depth", sides[2])}
}

// length reads a length in millimetres that must be there.
func (p *parser) length(name string, v gjson.Result) float64 {
	const expected = "a length in millimetres over 0"
	if !p.required(name, v, expected) {
		return 0
	}
	if v.Type != gjson.Number || !(v.Num > 0 && v.Num <= maxLengthMM) {
		p.wrongType(name, v, expected)
	}
	return v.Num
}

// declaredAreas reads the exposed areas of a record, by mounting; nil when it has none, so that they are to be computed.
func (p *parser) declaredAreas(v gjson.Result) []ExposedArea {
	if !p.object("exposed_area_m2", v, "an object of mounting to square metres, or null") {
		return nil
	}
	areas := []ExposedArea{}
	p.enter(member("exposed_area_m2"))
	v.ForEach(func(key, value gjson.Result) bool {
		if p.full(len(areas), maxElements) {
			return false
		}
		p.enter(member(key.Str))
		p.checkText("", key.Str, maxNameBytes)
		switch {
		case isNull(value):
		case isBlank(key.Str):
			p.fault("", "expected a mounting as the key")
		case value.Type != gjson.Number || value.Num < 0:
			p.wrongType("", value, "an area in square metres, 0 or more")
		default:
			areas = append(areas, ExposedArea{key.Str, value.Num})
		}
		p.leave()
		return true
	})
	p.leave()
	sortAreas(areas)
	return areas
}

func sortAreas(areas []ExposedArea) {
	slices.SortFunc(areas, func(a, b ExposedArea) int { return cmp.Compare(a.Mounting, b.Mounting) })
}

// exposedAreas computes the area that absorbs for each mounting, for wall alone when there are none, by mounting.
func exposedAreas(shape string, box BoxMM, mountings []string) []ExposedArea {
	if len(mountings) == 0 {
		mountings = []string{"wall"}
	}
	areas := make([]ExposedArea, len(mountings))
	for i, mounting := range mountings {
		areas[i] = ExposedArea{mounting, exposedArea(shape, box, mounting)}
	}
	sortAreas(areas)
	return areas
}

// edgesCountFromMM is the depth over which the edges of what hangs on a wall or ceiling absorb as well.
const edgesCountFromMM = 50

// exposedArea computes the area in square metres that absorbs in one mounting, to 0.0001 m². On a wall or ceiling, and
// in any mounting that is not free-standing, that is the front face, with the edges when they are deep; free-standing
// both faces and the edges. A cylinder (diameter the width, axis the height) and a sphere (diameter the width) have
// their curved surface in every mounting.
func exposedArea(shape string, box BoxMM, mounting string) float64 {
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
	case box.Depth > edgesCountFromMM:
		areaMM2 = front + edges
	default:
		areaMM2 = front
	}
	return math.Round(areaMM2/100) / 10000 // a hundred square millimetres are 0.0001 m²
}
