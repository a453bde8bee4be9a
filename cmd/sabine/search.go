package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/dataset/product"
	"sabine/runtime"
	"sabine/serve"
)

func search(c *cli.Context, s streams, g *runtime.Generation) error {
	body, query, err := serve.Search(g, searchQuery(c), searchFlag)
	if err != nil {
		return usageError{err}
	}
	var explanations []runtime.Explanation // nil unless --explain is set
	if c.Bool("explain") {
		explanations = g.Explain(query)
	}
	if c.Bool("json") {
		return printSearchJSON(s, body(), explanations)
	}
	printSearch(s, g, query, explanations)
	return nil
}

// searchQuery returns the API query for the flags and the argument. Every list flag and every switch in
// searchSwitches sets the parameter with its name, in which _ replaces -.
func searchQuery(c *cli.Context) string {
	q := url.Values{}
	if c.Args().Present() {
		q.Set("q", c.Args().First())
	}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		parameter := strings.ReplaceAll(name, "-", "_")
		if _, isList := f.(*listFlag); isList && c.IsSet(name) {
			q[parameter] = c.StringSlice(name)
		} else if slices.Contains(searchSwitches, name) && c.Bool(name) {
			q.Set(parameter, "true")
		}
	}
	return q.Encode()
}

// searchSwitches lists the flags for boolean parameters.
var searchSwitches = []string{"has-epd", "purchasable-only", "depth-unknown", "facets", "need-facets", "match", "near"}

// searchFlag returns the name of the flag or argument that sets an API parameter.
func searchFlag(parameter string) string {
	if parameter == "q" {
		return "QUERY"
	}
	return "--" + strings.ReplaceAll(parameter, "_", "-")
}

// printSearchJSON prints a response unchanged, or an object with the response and any explanations.
func printSearchJSON(s streams, body []byte, explanations []runtime.Explanation) error {
	if explanations == nil {
		_, err := fmt.Fprintf(s.out, "%s\n", body)
		return err
	}
	var explained bytes.Buffer
	e := json.NewEncoder(&explained)
	e.SetEscapeHTML(false)
	if err := e.Encode(explanations); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.out, `{"response":%s,"explain":%s}`+"\n", body, bytes.TrimSpace(explained.Bytes()))
	return err
}

// printSearch prints the hits of a query as a table, or each with its explanation, and then the facets.
func printSearch(s streams, g *runtime.Generation, q *runtime.Query, explanations []runtime.Explanation) {
	r := g.Search(q)
	hits := g.Hits(r)
	s.printTable(func(t io.Writer) {
		if explanations == nil {
			printHits(t, hits)
		} else {
			printExplanations(t, q.Page*q.Limit, hits, explanations)
		}
	})
	if r.Total == 0 && len(hits) > 0 {
		fmt.Fprintf(s.out, "nothing found; these %d products come closest\n", len(hits))
	} else {
		fmt.Fprintf(s.out, "%d of %d products, page %d\n", len(hits), r.Total, q.Page)
	}
	if r.Facets != nil {
		printFacets(s, r.Facets)
	}
	if f := r.NeedFacets; f != nil {
		printCounts(s, []family{{"ABSORPTION_CLASSES", f.AbsorptionClasses}, {"MOUNTINGS", f.Mountings},
			{"SOURCE_KINDS", f.SourceKinds}})
	}
}

type family struct {
	name   string
	counts []runtime.ValueCount
}

func printFacets(s streams, f *runtime.Facets) {
	var manufacturers []runtime.ValueCount
	for _, m := range f.Manufacturers {
		manufacturers = append(manufacturers, runtime.ValueCount{Value: m.Slug, Count: m.Count})
	}
	printCounts(s, []family{
		{"CATEGORIES", f.Categories}, {"CHARACTERS", f.Characters}, {"INSTALLATIONS", f.Installations},
		{"MANUFACTURERS", manufacturers},
		{"FIRE_CLASSES", f.FireClasses}, {"HAS_EPD", []runtime.ValueCount{{Value: "yes", Count: f.HasEPD.True},
			{Value: "no", Count: f.HasEPD.False}}},
	})
}

func printCounts(s streams, families []family) {
	for _, family := range families {
		fmt.Fprintf(s.out, "\n%s\n", family.name)
		for _, c := range family.counts {
			fmt.Fprintf(s.out, "  %6d  %s\n", c.Count, plain(c.Value))
		}
	}
}

// printHits prints hits as a table. If the hits have a matching set-up, the table contains the set-up instead
// of the manufacturer.
func printHits(t io.Writer, hits []runtime.Hit) {
	if i := slices.IndexFunc(hits, func(h runtime.Hit) bool { return h.Match != nil }); i >= 0 {
		printSetUps(t, hits, hits[i].Match)
		return
	}
	fmt.Fprintln(t, "ALPHA_W\tLABEL\tMANUFACTURER\tCATEGORY\tID OR SLUG")
	for _, h := range hits {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", orDash(h.AlphaW, number), plain(h.Label.In(product.German)),
			plain(h.Manufacturer.Name),
			orDash(h.MaterialCategory, plain), plain(h.SlugOrID()))
	}
}

// printSetUps prints hits with their matching set-ups. Lengths are in mm. sample is the match of one hit; if
// it contains a margin or distance, the table has a column for it.
func printSetUps(t io.Writer, hits []runtime.Hit, sample *runtime.MatchValues) {
	if sample.Margin != nil {
		fmt.Fprint(t, "MARGIN\t")
	}
	if sample.Distance != nil {
		fmt.Fprint(t, "DISTANCE\t")
	}
	fmt.Fprintln(t, "ALPHA_W\tMOUNT\tMM\tGAP\tDEPTH\tLABEL\tID OR SLUG")
	for _, h := range hits {
		match := cmp.Or(h.Match, &runtime.MatchValues{}) // empty for a product without a set-up
		for _, value := range []*float64{match.Margin, match.Distance} {
			if value != nil {
				fmt.Fprintf(t, "%s\t", number(*value))
			}
		}
		m := cmp.Or(match.SetUp, &product.Absorption{})
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", alphaText(match.AlphaW, match.Shape), orDash(m.Mounting, plain),
			orDash(m.ThicknessMM, number), orDash(m.AirGapMM, number), orDash(match.DepthMM, number),
			plain(h.Label.In(product.German)), plain(h.SlugOrID()))
	}
}
