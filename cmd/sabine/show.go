package main

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/urfave/cli/v2"

	"sabine/runtime"
)

func showCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show one product with its absorption curves",
		ArgsUsage:   "one ID_OR_SLUG",
		UsageText:   "sabine show ID_OR_SLUG [--snapshots FOLDER] [--json]",
		Description: "--json prints the API's response, with geometry. Example:\n   sabine show beton-glatt",
		Flags:       []cli.Flag{snapshotsFlag(), jsonFlag()},
		Before:      takes(1, 1),
		Action: func(c *cli.Context) error {
			return withCurrent(c, func(g *runtime.Generation) error { return show(c, s, g) })
		},
	}
}

// show prints one product.
func show(c *cli.Context, s streams, g *runtime.Generation) error {
	idOrSlug := c.Args().First()
	doc, ok := g.Lookup(idOrSlug)
	if !ok {
		return fmt.Errorf("there is no product with the id or slug %q in %s (sabine search finds products by their words)", idOrSlug, c.String("snapshots"))
	}
	detail := g.AppendDetail(nil, doc, true)
	if c.Bool("json") {
		_, err := fmt.Fprintf(s.out, "%s\n", detail)
		return err
	}
	return printProduct(s, gjson.ParseBytes(detail))
}

// printProduct prints a MaterialDetail for people.
func printProduct(s streams, p gjson.Result) error {
	fmt.Fprintf(s.out, "%s\n\n", plainValue(p.Get("label")))
	t := s.table()
	for _, field := range []string{
		"id", "slug", "commercial_name", "manufacturer", "material_category", "alpha_w", "nrc", "saa", "updated_at", "has_epd", "url", "epd_url",
	} {
		if v := p.Get(field); v.Type != gjson.Null {
			fmt.Fprintf(t, "%s\t%s\n", field, plainValue(v))
		}
	}
	if types := p.Get("installation_types").Array(); len(types) > 0 {
		fmt.Fprintf(t, "installation_types\t%s\n", joined(types))
	}
	if meta := p.Get("structured_meta"); meta.IsObject() { // ForEach over null would call once
		meta.ForEach(func(key, value gjson.Result) bool {
			fmt.Fprintf(t, "%s\t%s\n", plainValue(key), plainValue(value))
			return true
		})
	}
	if g := p.Get("geometry"); g.IsObject() {
		box := g.Get("bounding_box_mm")
		fmt.Fprintf(t, "geometry\t%s, %s x %s x %s mm\n", plainValue(g.Get("shape")), box.Get("width"), box.Get("height"), box.Get("depth"))
		g.Get("exposed_area_m2").ForEach(func(mounting, area gjson.Result) bool {
			fmt.Fprintf(t, "exposed area, %s\t%s m²\n", plainValue(mounting), area)
			return true
		})
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if text := p.Get("description"); text.Type != gjson.Null {
		fmt.Fprintf(s.out, "\n%s\n", plainLines(text.String()))
	}
	p.Get("measurements").ForEach(func(_, entries gjson.Result) bool {
		for _, entry := range entries.Array() {
			printMeasurement(s, entry)
		}
		return true
	})
	return nil
}

// setUpFacts are what is told of the set-up of a measurement.
var setUpFacts = []struct{ field, unit string }{
	{"measuring_option", ""}, {"mounting", ""}, {"thickness_mm", " mm thick"}, {"air_gap_mm", " mm air gap"}, {"limit_frequency_hz", " Hz limit frequency"},
}

// printMeasurement prints an entry's facts and draws its curves: the thirds where a quantity has both.
func printMeasurement(s streams, m gjson.Result) {
	fmt.Fprintf(s.out, "\n%s (%s, %s", plainValue(m.Get("label")), plainValue(m.Get("source_norm")), plainValue(m.Get("source_kind")))
	for _, fact := range setUpFacts {
		if v := m.Get(fact.field); v.Exists() && v.Type != gjson.Null {
			fmt.Fprintf(s.out, ", %s%s", plainValue(v), fact.unit)
		}
	}
	fmt.Fprintln(s.out, ")")
	m.ForEach(func(name, curve gjson.Result) bool {
		quantity, isOctave := strings.CutSuffix(name.String(), "_octave")
		if !curve.IsObject() || isOctave && !strings.HasSuffix(quantity, "_third") && m.Get(quantity+"_third_octave").IsObject() {
			return true
		}
		fmt.Fprintf(s.out, "\n%s\n%s", name, drawCurve(curve))
		return true
	})
}

func joined(values []gjson.Result) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = plainValue(v)
	}
	return strings.Join(texts, ", ")
}
