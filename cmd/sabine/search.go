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

// A parameterFlag sets the parameter of the API of that name, with - for _.
type parameterFlag struct{ name, usage string }

// flag returns the flag of a command.
func (f parameterFlag) flag() cli.Flag {
	flag := newListFlag(f.name, f.usage)
	switch f.name { // sabine import has flags of these names with other meanings
	case "source-kind":
		flag.EnvVars = []string{"SABINE_SEARCH_SOURCE_KIND"}
	case "manufacturer":
		flag.EnvVars = []string{"SABINE_SEARCH_MANUFACTURER", "SABINE_MANUFACTURER"}
	}
	return flag
}

// flagsOf returns the flags of a command: parameters with values, and those that are true or false.
func flagsOf(parameters, switches []parameterFlag) (flags []cli.Flag) {
	for _, f := range parameters {
		flags = append(flags, f.flag())
	}
	for _, f := range switches {
		flags = append(flags, &cli.BoolFlag{Name: f.name, Usage: f.usage})
	}
	return flags
}

// filterFlags are the parameters of authenticated search that say which products are found, in the contract's order.
var filterFlags = []parameterFlag{
	{"category", "`LIST` of material categories"},
	{"character", "`LIST` of absorption characters"},
	{"installation", "`LIST` of installation types"},
	{"manufacturer", "`LIST` of manufacturers' slugs"},
	{"alpha-w-min", "`NUMBER` that alpha_w is at least, 0 to 1"},
	{"alpha-w-max", "`NUMBER` that alpha_w is at most, 0 to 1"},
	{"fire-class", "this `CLASS` or a safer one, A1 to F"},
	{"absorption-min", "`LIST` of octave bands and their least absorption, such as 125:0.2,250:0.6"},
	{"absorption-max", "`LIST` of octave bands and their largest absorption"},
	{"scattering-min", "`LIST` of bands and their least scattering, such as 630:0.4"},
	{"diffusion-min", "`LIST` of bands and their least diffusion"},
	{"thickness-max", "`MM` that the tested set-up is thick at most"},
	{"depth-max", "`MM` that thickness and air gap together are at most"},
	{"mounting", "`LIST` of mountings in any spelling, such as A,E-400 or \"Typ A,E400\""},
	{"source-kind", "`LIST` of where values come from: measured, literature, simulated"},
	{"absorption-class", "`LIST` of absorption classes, A to E"},
	{"like", "`ID_OR_SLUG` of the product whose curve others shall be near to"},
	{"curve", "`LIST` of octave bands and the absorption to be near to"},
}

// searchFlags are the parameters of authenticated search, in the contract's order.
var searchFlags = slices.Concat(
	[]parameterFlag{
		{"page", "the page `N`, the first is 0"},
		{"limit", fmt.Sprintf("`N` products on a page, 1 to %d; %d when it is not given", serve.MaxLimit, serve.DefaultLimit)},
	},
	filterFlags,
	[]parameterFlag{
		{"sort", "`ORDER`: " + strings.Join(runtime.SortNames(), ", ")},
		{"include", "`LIST` of what is added to each product in JSON: " + strings.Join(serve.IncludeNames(), ", ")},
	},
)

// searchSwitches are those that are true or false.
var searchSwitches = []parameterFlag{
	{"has-epd", "only products with an EPD"},
	{"purchasable-only", "only commercial products"},
	{"facets", "count every filter's values"},
}

func searchCommand(s streams) *cli.Command {
	command := &cli.Command{
		Name:      "search",
		Usage:     "search the current snapshot as the API does",
		ArgsUsage: "one QUERY at most, in quotes when it has several words",
		UsageText: "sabine search [QUERY] [filters] [--json] [--explain]",
		Description: "A LIST has commas between its values. --explain tells of each hit its bucket, the fields and\n" +
			"words that matched, and the keys that it was ordered by, the weightiest first; with --json it prints\n" +
			"{\"response\": what the API answers, \"explain\": [one for each item]}. Example:\n" +
			"   sabine search Deckensegel --alpha-w-min 0.8 --installation ceiling\n" +
			"   sabine search --absorption-min 125:0.2,250:0.6 --depth-max 60 --sort margin_desc\n" +
			"   sabine search \"segel akutsik\" --explain",
		Flags: []cli.Flag{
			snapshotsFlag(),
			jsonFlag(),
			&cli.BoolFlag{Name: "explain", Usage: "say why each product is found, and why it stands where it does"},
		},
		Before: takes(0, 1),
		Action: func(c *cli.Context) error {
			return withCurrent(c, func(g *runtime.Generation) error { return search(c, s, g) })
		},
	}
	command.Flags = append(command.Flags, flagsOf(searchFlags, searchSwitches)...)
	return command
}

func search(c *cli.Context, s streams, g *runtime.Generation) error {
	body, query, err := serve.Search(g, searchQuery(c), searchFlag)
	if err != nil {
		return usageError{err}
	}
	var explanations []runtime.Explanation // nil: not asked for
	if c.Bool("explain") {
		explanations = g.Explain(query)
	}
	if c.Bool("json") {
		return printSearchJSON(s, body(), explanations)
	}
	return printSearch(s, g, query, explanations)
}

// searchQuery returns the query string that the flags and the argument amount to.
func searchQuery(c *cli.Context) string {
	q := url.Values{}
	if c.Args().Present() {
		q.Set("q", c.Args().First())
	}
	for _, f := range searchFlags {
		if c.IsSet(f.name) {
			q[searchParameter(f.name)] = c.StringSlice(f.name)
		}
	}
	for _, f := range searchSwitches {
		if c.Bool(f.name) {
			q.Set(searchParameter(f.name), "true")
		}
	}
	return q.Encode()
}

// searchParameter returns the API's parameter of a flag.
func searchParameter(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// searchFlag returns the flag or the argument that sets a parameter of the API.
func searchFlag(parameter string) string {
	if parameter == "q" {
		return "QUERY"
	}
	return "--" + strings.ReplaceAll(parameter, "_", "-")
}

// printSearchJSON prints a response as it is, and what explains its items beside it.
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

// printSearch prints the answer to a query as a table of its hits, or as the hits with what explains them, and its facets below.
func printSearch(s streams, g *runtime.Generation, q *runtime.Query, explanations []runtime.Explanation) error {
	r := g.Search(q)
	hits := g.Hits(r)
	t := s.table()
	if explanations == nil {
		printHits(t, hits)
	} else {
		printExplanations(t, q.Page*q.Limit, hits, explanations)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d of %d products, page %d\n", len(hits), r.Total, q.Page)
	if r.Facets != nil {
		printFacets(s, r.Facets)
	}
	return nil
}

// printFacets prints the counts of each family.
func printFacets(s streams, f *runtime.Facets) {
	var manufacturers []runtime.ValueCount
	for _, m := range f.Manufacturers {
		manufacturers = append(manufacturers, runtime.ValueCount{Value: m.Slug, Count: m.Count})
	}
	for _, family := range []struct {
		name   string
		counts []runtime.ValueCount
	}{
		{"CATEGORIES", f.Categories}, {"CHARACTERS", f.Characters}, {"INSTALLATIONS", f.Installations}, {"MANUFACTURERS", manufacturers},
		{"FIRE_CLASSES", f.FireClasses}, {"HAS_EPD", []runtime.ValueCount{{Value: "yes", Count: f.HasEPD.True}, {Value: "no", Count: f.HasEPD.False}}},
	} {
		fmt.Fprintf(s.out, "\n%s\n", family.name)
		for _, c := range family.counts {
			fmt.Fprintf(s.out, "  %6d  %s\n", c.Count, plain(c.Value))
		}
	}
}

// printHits prints hits as a table, with the set-up that each is found by, if any, in the place of who makes it.
func printHits(t io.Writer, hits []runtime.Hit) {
	if len(hits) > 0 && hits[0].Match != nil {
		printSetUps(t, hits)
		return
	}
	fmt.Fprintln(t, "ALPHA_W\tLABEL\tMANUFACTURER\tCATEGORY\tID OR SLUG")
	for _, h := range hits {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", orDash(h.AlphaW, number), plain(h.Label.In(product.German)), plain(h.Manufacturer.Name),
			orDash(h.MaterialCategory, plain), plain(h.SlugOrID()))
	}
}

// printSetUps prints hits with the set-up that each is found by, lengths in mm; margin and distance where they were asked for.
func printSetUps(t io.Writer, hits []runtime.Hit) {
	if hits[0].Match.Margin != nil {
		fmt.Fprint(t, "MARGIN\t")
	}
	if hits[0].Match.Distance != nil {
		fmt.Fprint(t, "DISTANCE\t")
	}
	fmt.Fprintln(t, "MOUNT\tMM\tGAP\tLABEL\tID OR SLUG")
	for _, h := range hits {
		for _, asked := range []*float64{h.Match.Margin, h.Match.Distance} {
			if asked != nil {
				fmt.Fprintf(t, "%s\t", number(*asked))
			}
		}
		m := cmp.Or(h.Match.SetUp, &product.Absorption{})
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", orDash(m.Mounting, plain), orDash(m.ThicknessMM, number), orDash(m.AirGapMM, number),
			plain(h.Label.In(product.German)), plain(h.SlugOrID()))
	}
}

// orDash returns a value as text, a dash for a null.
func orDash[V any](v *V, text func(V) string) string {
	if v == nil {
		return "-"
	}
	return text(*v)
}
