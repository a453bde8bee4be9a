package main

import (
	"fmt"
	"io"
	"iter"
	"maps"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/runtime"
)

func show(c *cli.Context, s streams, g *runtime.Generation) error {
	idOrSlug := c.Args().First()
	doc, ok := g.Lookup(idOrSlug)
	if !ok {
		return fmt.Errorf("%s has no product with the id or slug %q: find its id with sabine search",
			c.String("snapshots"), idOrSlug)
	}
	if c.Bool("json") {
		fmt.Fprintf(s.out, "%s\n", g.AppendDetail(nil, doc, true))
	} else {
		printProduct(s, g.Product(doc))
	}
	return nil
}

// printProduct prints the MaterialDetail data of a product as text.
func printProduct(s streams, p *product.Product) {
	fmt.Fprintf(s.out, "%s\n\n", plain(p.Label.In(product.German)))
	s.printTable(func(t io.Writer) { printFacts(t, p) })
	if len(p.Description) > 0 {
		fmt.Fprintf(s.out, "\n%s\n", plainLines(p.Description.In(product.German)))
	}
	for i := range p.Measurements.Absorption {
		m := &p.Measurements.Absorption[i]
		printMeasurement(s, &m.Measurement, setUpText(m), m.Curves())
	}
	for i := range p.Measurements.Scatter {
		m := &p.Measurements.Scatter[i]
		printMeasurement(s, &m.Measurement, "", m.Curves())
	}
	for i := range p.Measurements.Diffusion {
		m := &p.Measurements.Diffusion[i]
		printMeasurement(s, &m.Measurement, quantityText(m.LimitFrequencyHz, " Hz limit frequency"), m.Curves())
	}
}

func printFacts(t io.Writer, p *product.Product) {
	for _, fact := range p.Facts() {
		if fact.Name != "label" && fact.Name != "description" { // printed above and below the table
			fmt.Fprintf(t, "%s\t%s\n", fact.Name, plain(fact.Text))
		}
	}
	for _, entry := range p.StructuredMeta {
		fmt.Fprintf(t, "%s\t%s\n", plain(entry.Key), plain(entry.Value))
	}
	if g := p.Geometry; g != nil {
		box := g.BoundingBox
		fmt.Fprintf(t, "geometry\t%s, %s x %s x %s mm\n", plain(g.Shape), number(box.Width), number(box.Height),
			number(box.Depth))
		for _, area := range g.ExposedAreas {
			fmt.Fprintf(t, "exposed area, %s\t%s m²\n", plain(area.Mounting), number(area.AreaM2))
		}
	}
}

// printMeasurement prints the facts of a measurement and draws its curves. If a quantity has octaves and
// third-octaves, it draws the third-octaves.
func printMeasurement(s streams, m *product.Measurement, setUp string, curves iter.Seq2[string, acoustics.Curve]) {
	fmt.Fprintf(s.out, "\n%s (%s, %s", plain(m.Label), plain(m.SourceNorm), plain(m.SourceKind))
	if m.MeasuringOption != nil {
		fmt.Fprintf(s.out, ", %s", plain(*m.MeasuringOption))
	}
	fmt.Fprintf(s.out, "%s)\n", setUp)
	all := maps.Collect(curves)
	for name, curve := range curves {
		if _, both := all[strings.TrimSuffix(name, "_octave")+"_third_octave"]; !both {
			fmt.Fprintf(s.out, "\n%s\n%s", name, drawCurve(curve))
		}
	}
}

// setUpText returns the known data on a measurement's set-up. Each value follows a comma.
func setUpText(m *product.Absorption) (text string) {
	if m.Mounting != nil {
		text = ", " + plain(*m.Mounting)
	}
	return text + quantityText(m.ThicknessMM, " mm thick") + quantityText(m.AirGapMM, " mm air gap")
}

// quantityText returns a comma, a number and its unit, or "" for nil.
func quantityText(v *float64, unit string) string {
	if v == nil {
		return ""
	}
	return ", " + number(*v) + unit
}
