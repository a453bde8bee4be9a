package main_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const explainedCatalogue = `{"vocabulary":{"material_category":{"textil":{"synonyms":["Webwerk"]}}},"products":[
{"id":"00000000-0000-4000-8000-000000000001","slug":"deckensegel-600","label":"Deckensegel 600","manufacturer":"Stillwerk","alpha_w":0.9,"material_category":"textil",
 "description":"Ein Segel aus Filz, für die Decke, Breite 600","updated_at":"2025-05-23T08:15:00Z"},
{"id":"00000000-0000-4000-8000-000000000002","label":"Büro-Einrichtung Filz","manufacturer":"Wave"}]}`

// explainedNeeds has a product of two set-ups and one that only declares its curve.
const explainedNeeds = `{"products":[
{"id":"00000000-0000-4000-8000-000000000001","label":"Paneel","manufacturer":"Werk","measurements":{
 "absorption_iso_354":[
  {"id":"a","source_kind":"simulated","mounting":"A","thickness_mm":40,"alpha_s_octave":{"125":0.1,"250":0.2,"500":0.5}},
  {"id":"b","source_kind":"measured","mounting":"E","thickness_mm":40,"air_gap_mm":200,"alpha_s_octave":{"125":0.25,"250":0.6,"500":0.95}}],
 "scatter_iso_17497_1":[{"id":"s","source_kind":"measured","scatter_third_octave":{"630":0.4}}]}},
{"id":"00000000-0000-4000-8000-000000000002","label":"Platte","manufacturer":"Werk","absorption_octave":{"125":0.4,"250":0.5,"500":0.6}}]}`

// TestExplainedSearch has what search --explain prints of a hit, for each part that an explanation may have. The words of a
// query have commas between, its flags blanks.
func TestExplainedSearch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir+"/c.json", explainedCatalogue)
	must(t, dir, "build", "c.json")
	tests := []struct {
		rule string
		args string
		want string
	}{
		{"no text: the document order", "--limit 1", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket  none
   order   updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 2 products, page 0
`},
		{"names that matched as a whole", "deckensegel-600", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket  exact: name "deckensegel 600"; slug "deckensegel 600"
   order   bucket exact
           updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"words, and fields of which the same is told together", "stillwerk,segel,600,dec", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket       fts
   "stillwerk"  manufacturer: as it is
   "segel"      name: part of "deckensegel"; description: as it is
   "600"        name, description: as it is
   "dec"        name: beginning of "deckensegel"; description: beginning of "decke"
   order        bucket fts · fields spread down to manufacturer · worst way beginning
                updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"the place counts from the first page on", "filz --page 1 --limit 1", `
2. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket  fts
   "filz"  description: as it is
   order   bucket fts · fields all in description · worst way as it is
           updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 2 products, page 1
`},
		{"apart, corrected, no updated_at", "Büroeinrichtung,fitz", `
1. Büro-Einrichtung Filz, Wave (00000000-0000-4000-8000-000000000002)
   bucket            fuzzy
   "buroinrichtung"  name: apart "buro einrichtung"
   "fitz"            name: corrected to "filz", distance 1
   order             bucket fuzzy · corrected words 1 · distance 1 · fields all in name · worst way as it is
                     updated_at none, id 00000000-0000-4000-8000-000000000002

1 of 1 products, page 0
`},
		{"joined, the same stem, a synonym", "decken,segel,decken,webwerk", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket     fts
   "decken"   name: joined with its neighbours "deckensegel"; description: same stem as "decke"
   "segel"    name: joined with its neighbours "deckensegel"; description: as it is
   "webwerk"  category: synonym of "textil"
   order      bucket fts · fields spread down to category · worst way synonym
              updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"similar names", "kensege,stilwerk", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket  trigram: manufacturer "stillwerk", similarity 0.421
   order   bucket trigram · similarity 0.421 to manufacturer "stillwerk"
           updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"a name with the query inside", "kensege", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket  trigram: name "deckensegel 600" has it inside, similarity 0.263
   order   bucket trigram · similarity 0.263 to name "deckensegel 600"
           updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"the weight of words, and a function word", "für,unbekannte,Decke", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket        trigram
   "fur"         function word
   "unbekannte"  not held
   "decke"       name: part of "deckensegel"; description: as it is
   order         bucket trigram · weight 1.09 · fields all in name · worst way part
                 updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"a sort's key", "segel --sort alphaW_desc", `
1. Deckensegel 600, Stillwerk (deckensegel-600)
   bucket   fts
   "segel"  name: part of "deckensegel"; description: as it is
   order    alpha_w 0.9
            updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001

1 of 1 products, page 0
`},
		{"nothing found", "qqqwww", `
0 of 0 products, page 0
`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var args []string
			for arg := range strings.FieldsSeq(test.args) {
				args = append(args, strings.ReplaceAll(arg, ",", " "))
			}
			if got := "\n" + must(t, dir, slices.Concat([]string{"search", "--explain"}, args)...); got != test.want {
				t.Errorf("got%swant%s", got, test.want)
			}
		})
	}
	writeFile(t, dir+"/needs.json", explainedNeeds)
	must(t, dir, "build", "needs.json", "--snapshots", "needs")
	for _, tt := range []struct{ rule, args, want string }{
		{"the entry, its set-up and the surplus in each band, over the least or under the most",
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
	} {
		t.Run("needs: "+tt.rule, func(t *testing.T) {
			args := append([]string{"search", "--explain", "--snapshots", "needs"}, strings.Fields(tt.args)...)
			if got := "\n" + must(t, dir, args...); got != tt.want {
				t.Errorf("got%swant%s", got, tt.want)
			}
		})
	}
	for _, query := range []string{"segel <&>", "", "filz", "qqqwww"} {
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
	t.Run("the form of --json", func(t *testing.T) {
		const want = `{"id":"00000000-0000-4000-8000-000000000001","bucket":"fuzzy","words":[` +
			`{"word":"stilwerk","held":[{"field":"manufacturer","way":"corrected","distance":1,"by":["stillwerk"]}]},` +
			`{"word":"segel","held":[{"field":"name","way":"part","by":["deckensegel"]},{"field":"description","way":"as it is","by":["segel"]}]}],` +
			`"order":[{"key":"bucket","value":"fuzzy","rank":6},{"key":"corrected words","value":"1","rank":1},{"key":"distance","value":"1","rank":1},` +
			`{"key":"fields","value":"spread down to manufacturer","rank":6},{"key":"worst way","value":"part","rank":2},` +
			`{"key":"document order","value":"updated_at 2025-05-23T08:15:00Z, id 00000000-0000-4000-8000-000000000001","rank":0}]}`
		if got := gjson.Get(must(t, dir, "search", "stilwerk segel", "--json", "--explain"), "explain.0").Raw; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}
