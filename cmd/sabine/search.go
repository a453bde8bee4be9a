package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/urfave/cli/v2"

	"sabine/runtime"
	"sabine/serve"
)

// searchFlags are the parameters of authenticated search, in the contract's order, under its names with - for _.
var searchFlags = []struct{ name, usage string }{
	{"page", "the page `N`, the first is 0"},
	{"limit", fmt.Sprintf("`N` products on a page, 1 to %d; %d when it is not given", serve.MaxLimit, serve.DefaultLimit)},
	{"category", "`LIST` of material categories"},
	{"character", "`LIST` of absorption characters"},
	{"installation", "`LIST` of installation types"},
	{"manufacturer", "`LIST` of manufacturers' slugs"},
	{"alpha-w-min", "`NUMBER` that alpha_w is at least, 0 to 1"},
	{"alpha-w-max", "`NUMBER` that alpha_w is at most, 0 to 1"},
	{"fire-class", "this `CLASS` or a safer one, A1 to F"},
	{"sort", "`ORDER`: " + strings.Join(runtime.SortNames(), ", ")},
	{"include", "`LIST` of what is added to each product in JSON: " + strings.Join(serve.IncludeNames(), ", ")},
}

// searchSwitches are those that are true or false.
var searchSwitches = []struct{ name, usage string }{
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
	for _, f := range searchFlags {
		command.Flags = append(command.Flags, newListFlag(f.name, f.usage))
	}
	for _, f := range searchSwitches {
		command.Flags = append(command.Flags, &cli.BoolFlag{Name: f.name, Usage: f.usage})
	}
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
		return printSearchJSON(s, body, explanations)
	}
	return printSearch(s, gjson.ParseBytes(body), explanations)
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

// printSearch prints a response of authenticated search as a table, or as its items with what explains them, and its
// facets below.
func printSearch(s streams, r gjson.Result, explanations []runtime.Explanation) error {
	t := s.table()
	if explanations == nil {
		printItems(t, r)
	} else {
		printExplanations(t, r, explanations)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d of %d products, page %d\n", len(r.Get("items").Array()), r.Get("total_count").Int(), r.Get("page").Int())
	r.Get("facets").ForEach(func(family, counts gjson.Result) bool {
		fmt.Fprintf(s.out, "\n%s\n", strings.ToUpper(family.String()))
		if counts.IsObject() {
			fmt.Fprintf(s.out, "  %6d  yes\n  %6d  no\n", counts.Get("true").Int(), counts.Get("false").Int())
		}
		for _, c := range counts.Array() {
			if c.Get("count").Exists() {
				name := cmp.Or(c.Get("slug").String(), c.Get("value").String())
				fmt.Fprintf(s.out, "  %6d  %s\n", c.Get("count").Int(), plain(name))
			}
		}
		return true
	})
	return nil
}

// printItems prints the items as a table.
func printItems(t io.Writer, r gjson.Result) {
	fmt.Fprintln(t, "ALPHA_W\tLABEL\tMANUFACTURER\tCATEGORY\tID OR SLUG")
	for _, item := range r.Get("items").Array() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", orDash(item.Get("alpha_w")), plainValue(item.Get("label")), plainValue(item.Get("manufacturer")),
			orDash(item.Get("material_category")), idOrSlug(item))
	}
}

// idOrSlug returns what sabine show takes for an item.
func idOrSlug(item gjson.Result) string {
	return cmp.Or(item.Get("slug").String(), item.Get("id").String())
}

// orDash shows a null as a dash.
func orDash(v gjson.Result) string {
	if v.Type == gjson.Null {
		return "-"
	}
	return plainValue(v)
}
