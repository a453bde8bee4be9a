package main_test

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const explainedCatalogue = `{"products":[
{"id":"00000000-0000-4000-8000-000000000001","slug":"deckensegel-600","label":"Deckensegel 600","manufacturer":"Stillwerk",
 "description":"Ein Segel aus Filz","updated_at":"2025-05-23T08:15:00Z"},
{"id":"00000000-0000-4000-8000-000000000002","label":"Büro-Einrichtung Filz","manufacturer":"Wave"}]}`

// explainedNeeds contains a product with two set-ups and a product with only a declared curve.
const explainedNeeds = `{"products":[
{"id":"00000000-0000-4000-8000-000000000001","label":"Paneel","manufacturer":"Werk","measurements":{
 "absorption_iso_354":[
  {"id":"a","source_kind":"simulated","mounting":"A","thickness_mm":40,"alpha_s_octave":{"125":0.1,"250":0.2,"500":0.5}},
  {"id":"b","source_kind":"measured","mounting":"E","thickness_mm":40,"air_gap_mm":200,"alpha_s_octave":{"125":0.25,"250":0.6,"500":0.95}}],
 "scatter_iso_17497_1":[{"id":"s","source_kind":"measured","scatter_third_octave":{"630":0.4}}]}},
{"id":"00000000-0000-4000-8000-000000000002","label":"Platte","manufacturer":"Werk","absorption_octave":{"125":0.4,"250":0.5,"500":0.6}}]}`

// TestExplainedSearch checks that explanations are printed on the terminal and in JSON. Tests of package
// runtime check the explanation of each kind of match, and TestExplanationsInWords checks the wording.
func TestExplainedSearch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir+"/c.json", explainedCatalogue)
	must(t, dir, "build", "c.json")
	for _, test := range []struct{ rule, args, want string }{
		{"ranks continue on later pages", "filz --page 1 --limit 1", `
2. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket  fts
   "filz"  description: as it is
   order   bucket fts · fields all in description · worst way as it is
           updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 2 products, page 1
`},
		{"nothing found", "qqqwww", `
0 of 0 products, page 0
`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			args := append([]string{"search", "--explain"}, strings.Fields(test.args)...)
			if got := "\n" + must(t, dir, args...); got != test.want {
				t.Errorf("got%swant%s", got, test.want)
			}
		})
	}
	writeFile(t, dir+"/needs.json", explainedNeeds)
	must(t, dir, "build", "needs.json", "--snapshots", "needs")
	for _, tt := range []struct{ rule, args, want string }{
		{"the entry, its set-up and the surplus in each band, over the minimum or under the maximum",
			"--absorption-min 125:0.2,250:0.5 --absorption-max 250:0.9,500:1 --scattering-min 630:0.3", `
1. Paneel, Werk (00000000-0000-4000-8000-000000000001)
   bucket       none
   ISO 354      entry 1 (b): measured, E, 40 mm thick, 200 mm air gap
                125 Hz: 0.25, 0.05 over 0.2
                250 Hz: 0.6, 0.1 over 0.5, at most 0.9
                500 Hz: 0.95, 0.05 under 1
   ISO 17497-1  entry 0
                630 Hz: 0.4, 0.1 over 0.3
   order        updated_at none, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"without a need, the most absorptive set-up", "Paneel --match", `
1. Paneel, Werk (00000000-0000-4000-8000-000000000001)
   bucket   exact: name "paneel"
   ISO 354  entry 0 (a): simulated, A, 40 mm thick, 40 mm deep
   order    bucket exact
            updated_at none, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"a declared curve, and the order by distance", "--curve 125:0.4,250:0.5", `
1. Platte, Werk (00000000-0000-4000-8000-000000000002)
   bucket   none
   ISO 354  the declared curve
   order    distance 0.0000
            updated_at none, id 00000000-0000-4000-8000-000000000002

2. Paneel, Werk (00000000-0000-4000-8000-000000000001)
   bucket   none
   ISO 354  entry 1 (b): measured, E, 40 mm thick, 200 mm air gap
   order    distance 0.1275
            updated_at none, id 00000000-0000-4000-8000-000000000001

2 of 2 products, page 0
`},
		{"near misses, with their shortfall", "--absorption-min 125:0.3,250:0.9 --thickness-max 100 --near", `
1. Paneel, Werk (00000000-0000-4000-8000-000000000001)
   bucket   none
   ISO 354  entry 1 (b): measured, E, 40 mm thick, 200 mm air gap
            125 Hz: 0.25, 0.05 under 0.3
            250 Hz: 0.6, 0.3 under 0.9
   order    shortfall 0.3000 · sum of shortfalls 0.3500
            updated_at none, id 00000000-0000-4000-8000-000000000001

nothing found; these 1 products come closest
`},
		{"the order by a length, and a depth that follows from the mounting", "--depth-max 100 --sort depth_asc", `
1. Paneel, Werk (00000000-0000-4000-8000-000000000001)
   bucket   none
   ISO 354  entry 0 (a): simulated, A, 40 mm thick, 40 mm deep
   order    depth 40 mm
            updated_at none, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
	} {
		t.Run("needs: "+tt.rule, func(t *testing.T) {
			args := append([]string{"search", "--explain", "--snapshots", "needs"}, strings.Fields(tt.args)...)
			if got := "\n" + must(t, dir, args...); got != tt.want {
				t.Errorf("got%swant%s", got, tt.want)
			}
		})
	}
	t.Run("a declared curve has no set-up", func(t *testing.T) {
		got := must(t, dir, "search", "--snapshots", "needs", "--curve", "125:0.4,250:0.5")
		if rows := strings.Split(got, "\n"); strings.Join(strings.Fields(rows[1]),
			" ") != "0 - - - - - Platte 00000000-0000-4000-8000-000000000002" {
			t.Errorf("got\n%s", got)
		}
	})
	for _, query := range []string{"segel <&>", "qqqwww"} {
		t.Run("--json has the API's response unchanged, and an explanation for each item: "+query, func(t *testing.T) {
			response := strings.TrimSuffix(must(t, dir, "search", query, "--json"), "\n")
			got := must(t, dir, "search", query, "--json", "--explain")
			rest, ok := strings.CutPrefix(got, `{"response":`+response+`,"explain":[`)
			if !ok || !strings.HasSuffix(rest, "]}\n") || !gjson.Valid(got) {
				t.Fatalf("got %s, the response alone is %s", got, response)
			}
			if ids, want := gjson.Get(got, "explain.#.id").Raw, gjson.Get(response, "items.#.id").Raw; ids != want {
				t.Errorf("explained are %s of %s", ids, want)
			}
		})
	}
}
