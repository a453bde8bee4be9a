package runtime_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/dataset"
	"sabine/indexes/column"
	"sabine/runtime"
)

// needingInputs returns a small handwritten catalogue. Each string contains the members of a product's record
// after id, label and manufacturer. Products without a date are documents in this order.
func needingInputs(products []string) []dataset.Input {
	var lines strings.Builder
	for i, members := range products {
		fmt.Fprintf(&lines, `{"id":"00000000-0000-4000-8000-%012d","label":"Panel %c","manufacturer":"Acme"`, i, 'a'+i)
		if members != "" {
			lines.WriteString("," + members)
		}
		lines.WriteString("}\n")
	}
	return []dataset.Input{inputOf("needing.ndjson", []byte(lines.String()))}
}

// These functions return a product's measurements for a norm. Each string contains the members of an entry.
func absorbing(entries ...string) string  { return measured("absorption_iso_354", entries) }
func scattering(entries ...string) string { return measured("scatter_iso_17497_1", entries) }
func diffusing(entries ...string) string  { return measured("diffusion_iso_17497_2", entries) }

func measured(norm string, entries []string) string {
	return `"measurements":{` + listed(norm, entries) + `}`
}

// listed returns the list of entries for a norm. Entries are measured unless they specify otherwise.
func listed(norm string, entries []string) string {
	for i, e := range entries {
		if !strings.Contains(e, "source_kind") {
			e = strings.TrimSuffix(`"source_kind":"measured",`+e, ",")
		}
		entries[i] = "{" + e + "}"
	}
	return `"` + norm + `":[` + strings.Join(entries, ",") + `]`
}

// These functions return a curve of an entry from bands with coefficients: "125:0.8,250:0.6".
func octaves(curve string) string { return mapped("alpha_s_octave", curve) }
func thirds(curve string) string  { return mapped("alpha_s_third_octave", curve) }

func mapped(name, curve string) string {
	var members []string
	for _, band := range strings.Split(curve, ",") {
		hz, value, _ := strings.Cut(band, ":")
		members = append(members, `"`+hz+`":`+value)
	}
	return `"` + name + `":{` + strings.Join(members, ",") + `}`
}

// flat returns a curve with the same coefficient in six octaves.
func flat(value string) string {
	return octaves(strings.ReplaceAll("125:v,250:v,500:v,1000:v,2000:v,4000:v", "v", value))
}

// bounds parses a parameter's value: "125:0.8,250:0.6", with at most three decimals.
func bounds(text string) (all []runtime.Bound) {
	for _, band := range strings.Split(text, ",") {
		var b runtime.Bound
		hz, value, _ := strings.Cut(band, ":")
		b.BandHz, _ = strconv.Atoi(hz)
		b.Thousandths = naiveThousandths(value)
		all = append(all, b)
	}
	return all
}

// foundBy describes all hits of a query: the product, "/" and the entry of the match, "+" and the margin, "~"
// and the distance, and the shortfall of a near miss. For a null match only the product is listed.
func foundBy(g *runtime.Generation, q runtime.Query) string {
	q.Limit = 50
	r := g.Search(&q)
	var hits []string
	for i, d := range r.Docs {
		hit := fmt.Sprint(d)
		var match gjson.Result
		if r.Matches != nil {
			match = gjson.ParseBytes(g.AppendMatch(nil, d, r.Matches[i]))
		}
		if match.IsObject() {
			hit += "/" + match.Get("entry").Raw
			if margin := match.Get("margin"); margin.Type != gjson.Null {
				hit += "+" + margin.Raw
			}
			if distance := match.Get("distance"); distance.Type != gjson.Null {
				hit += "~" + distance.Raw
			}
			hit += match.Get("shortfall").Raw
		}
		hits = append(hits, hit)
	}
	return strings.Join(hits, " ")
}

func TestNeedRules(t *testing.T) {
	type needs = runtime.Needs
	doc := func(d column.Doc) *column.Doc { return &d }
	tests := []struct {
		rule     string
		products []string
		needs    needs
		sort     runtime.Sort
		text     string
		want     string // result of foundBy
	}{
		// One entry must meet all needs.
		{
			rule:     "one entry, not bands of two entries",
			products: []string{absorbing(octaves("125:0.8"), octaves("250:0.6")), absorbing(octaves("125:0.8,250:0.6"))},
			needs:    needs{AbsorptionMin: bounds("125:0.8,250:0.6")}, want: "1/0+0",
		},
		{
			rule: "one entry, including its set-up",
			products: []string{
				absorbing(octaves("125:0.8")+`,"thickness_mm":80,"mounting":"A"`, octaves("125:0.2")+
					`,"thickness_mm":40,"mounting":"E-400"`),
				absorbing(octaves("125:0.2"), octaves("125:0.8")+`,"thickness_mm":40,"mounting":"A"`),
			},
			needs: needs{AbsorptionMin: bounds("125:0.5"), ThicknessMax: new(40.0), Mountings: []string{"A"}}, want: "1/1+0.3",
		},
		{
			rule: "one entry of ISO 17497-1",
			products: []string{
				scattering(mapped("scatter_octave", "500:0.5"), mapped("scatter_octave", "1000:0.5")),
				scattering(mapped("scatter_octave", "500:0.5,1000:0.5")),
			},
			needs: needs{ScatteringMin: bounds("500:0.5,1000:0.5")}, want: "1",
		},
		{
			rule: "one entry of ISO 17497-2",
			products: []string{
				diffusing(mapped("diffusion_octave", "500:0.5"), mapped("diffusion_octave", "1000:0.5")),
				diffusing(mapped("diffusion_octave", "500:0.5,1000:0.5")),
			},
			needs: needs{DiffusionMin: bounds("500:0.5,1000:0.5")}, want: "1",
		},
		{
			rule: "one entry of each norm with needs",
			products: []string{
				absorbing(octaves("500:0.5")), scattering(mapped("scatter_octave", "500:0.5")),
				`"measurements":{` + listed("absorption_iso_354", []string{octaves("500:0.1"), octaves("500:0.5")}) + "," +
					listed("scatter_iso_17497_1", []string{mapped("scatter_octave", "500:0.5")}) + `}`,
			},
			needs: needs{AbsorptionMin: bounds("500:0.5"), ScatteringMin: bounds("500:0.5")}, want: "2/1+0",
		},
		{
			rule: "scattering is not diffusion, and neither is absorption",
			products: []string{
				absorbing(octaves("500:0.5")), diffusing(mapped("diffusion_octave", "500:0.5")),
				scattering(mapped("scatter_octave", "500:0.5")),
			},
			needs: needs{ScatteringMin: bounds("500:0.5")}, want: "2",
		},
		{
			rule: "normalised and directional values do not count",
			products: []string{
				diffusing(mapped("normalized_diffusion_octave", "500:0.9")),
				diffusing(mapped("directional_diffusion_octave", "500:0.9")),
				diffusing(mapped("normalized_directional_diffusion_octave", "500:0.9")),
				diffusing(mapped("diffusion_octave", "500:0.9")),
			},
			needs: needs{DiffusionMin: bounds("500:0.9")}, want: "3",
		},
		{
			rule: "source_kind, mounting, thickness and class apply to an ISO 354 entry",
			products: []string{
				scattering(mapped("scatter_octave", "500:0.5")),
				`"measurements":{` + listed("absorption_iso_354", []string{`"source_kind":"literature"`}) + "," +
					listed("scatter_iso_17497_1", []string{mapped("scatter_octave", "500:0.5")}) + `}`,
				`"measurements":{` + listed("absorption_iso_354", []string{""}) + "," +
					listed("scatter_iso_17497_1", []string{`"source_kind":"literature",` + mapped("scatter_octave", "500:0.5")}) + `}`,
			},
			needs: needs{ScatteringMin: bounds("500:0.5"), SourceKinds: []string{"measured"}}, want: "2/0",
		},

		// Set-ups.
		{
			rule:     "an entry without a thickness passes no thickness_max",
			products: []string{absorbing(octaves("125:0.5")), absorbing(octaves("125:0.5") + `,"thickness_mm":0`)},
			needs:    needs{ThicknessMax: new(1000.0)}, want: "1/0",
		},
		{
			rule: "nor depth_max with any air gap; nor does one without an air gap",
			products: []string{
				absorbing(`"air_gap_mm":10`), absorbing(`"thickness_mm":50`), absorbing(`"thickness_mm":50,"air_gap_mm":null`),
				absorbing(`"thickness_mm":50,"air_gap_mm":0`), absorbing(`"thickness_mm":50,"air_gap_mm":0.1`),
			},
			needs: needs{DepthMax: new(50.0)}, want: "3/0",
		},
		{
			rule: "an air gap that is not stated is 0 for A, B and I, in any spelling",
			products: []string{
				absorbing(`"thickness_mm":50,"mounting":"A"`), absorbing(`"thickness_mm":50,"mounting":"Typ B"`),
				absorbing(`"thickness_mm":50,"mounting":"I"`), absorbing(`"thickness_mm":50,"mounting":"J"`),
				absorbing(`"thickness_mm":50,"mounting":"E"`), absorbing(`"thickness_mm":50.1,"mounting":"A"`),
			},
			needs: needs{DepthMax: new(50.0)}, want: "0/0 1/0 2/0",
		},
		{
			rule: "for E-nnn the depth is nnn",
			products: []string{
				absorbing(`"thickness_mm":50,"mounting":"E-200"`), absorbing(`"thickness_mm":50,"mounting":"Typ E200"`),
				absorbing(`"thickness_mm":50,"mounting":"E-201"`), absorbing(`"thickness_mm":200,"mounting":"E-200"`),
			},
			needs: needs{DepthMax: new(200.0)}, want: "0/0 1/0 3/0",
		},
		{
			rule: "a specimen thicker than E-nnn: depth and gap are unknown; without a thickness the depth is unknown",
			products: []string{
				absorbing(`"thickness_mm":50,"mounting":"E-40"`), absorbing(`"mounting":"E-40"`),
			},
			needs: needs{DepthMax: new(1000.0)}, want: "",
		},
		{
			rule:     "a stated gap overrides E-nnn",
			products: []string{absorbing(`"thickness_mm":50,"mounting":"E-40","air_gap_mm":10`)},
			needs:    needs{DepthMax: new(60.0)}, want: "0/0",
		},
		{
			rule: "depth_unknown: an entry with an unknown air gap passes by its thickness",
			products: []string{
				absorbing(`"thickness_mm":50`), absorbing(`"thickness_mm":51`), absorbing(`"thickness_mm":50,"mounting":"E-40"`),
				absorbing(`"thickness_mm":10,"mounting":"E-400"`), absorbing(`"thickness_mm":10,"air_gap_mm":50`), absorbing(""),
				absorbing(`"mounting":"E-40"`), absorbing(`"thickness_mm":50,"mounting":"A"`),
			},
			needs: needs{DepthMax: new(50.0), DepthUnknown: true}, want: "0/0 2/0 7/0",
		},
		{
			rule:     "only depth_unknown is no need, and shows no match",
			products: []string{absorbing(`"thickness_mm":50`), ""},
			needs:    needs{DepthUnknown: true}, want: "0 1",
		},
		{
			rule: "lengths are decimals: 12.9 and 0.3 are 13.2", // in float64 the sum is greater
			products: []string{absorbing(`"thickness_mm":12.9,"air_gap_mm":0.3`),
				absorbing(`"thickness_mm":12.9,"air_gap_mm":0.301`)},
			needs: needs{DepthMax: new(13.2)}, want: "0/0",
		},
		{
			rule:     "thickness_max is inclusive and applies only to the thickness",
			products: []string{absorbing(`"thickness_mm":40,"air_gap_mm":200`), absorbing(`"thickness_mm":40.01`)},
			needs:    needs{ThicknessMax: new(40.0)}, want: "0/0",
		},
		{
			rule:     "0 is a bound",
			products: []string{absorbing(`"thickness_mm":0,"mounting":"A"`), absorbing(`"thickness_mm":0.1,"mounting":"A"`)},
			needs:    needs{DepthMax: new(0.0)}, want: "0/0",
		},
		{
			rule: "mounting: one of the values, in one spelling",
			products: []string{absorbing(`"mounting":"a"`), absorbing(`"mounting":"A"`), absorbing(""),
				absorbing("", `"mounting":"E-400"`), absorbing(`"mounting":"B"`), absorbing(`"mounting":"Typ A"`,
					`"mounting":"type e 400"`), absorbing(`"mounting":"E400"`), absorbing(`"mounting":"Typ A1"`)},
			needs: needs{Mountings: []string{"A", "E-400"}}, want: "1/0 3/1 5/0 6/0",
		},
		{
			rule:     "a text that is not a type is compared literally",
			products: []string{absorbing(`"mounting":"Typ A1"`), absorbing(`"mounting":"A1"`), absorbing(`"mounting":"A"`)},
			needs:    needs{Mountings: []string{"Typ A1"}}, want: "0/0",
		},
		{
			rule:     "an unknown mounting matches nothing",
			products: []string{absorbing(`"mounting":"A"`), absorbing("")},
			needs:    needs{Mountings: []string{"Z"}}, want: "",
		},
		{
			rule: "source_kind: one of the values",
			products: []string{absorbing(`"source_kind":"literature"`), absorbing(`"source_kind":"simulated"`),
				absorbing(`"source_kind":"measured"`)},
			needs: needs{SourceKinds: []string{"measured", "literature"}}, want: "0/0 2/0",
		},
		{
			rule: "the class is of the entry's alpha_w, not of the product's",
			products: []string{`"alpha_w":0.95,` + absorbing(flat("0.6")), absorbing(flat("0.6"), flat("0.95")),
				`"alpha_w":0.6,` + absorbing(flat("0.95"))},
			needs: needs{AbsorptionClasses: []string{"A"}}, want: "1/1 2/0",
		},
		{
			rule: "one of the classes; an entry without alpha_w or below class E has none",
			products: []string{absorbing(flat("0.8")), absorbing(flat("0.6")), absorbing(flat("0.3")), absorbing(flat("0.1")),
				absorbing(octaves("500:0.8"))},
			needs: needs{AbsorptionClasses: []string{"B", "D", "F", ""}}, want: "0/0 2/0",
		},

		// Values.
		{
			rule: "the stated octave coefficient overrides the thirds",
			products: []string{absorbing(octaves("125:0.5") + "," + thirds("100:0.9,125:0.9,160:0.9")),
				absorbing(octaves("125:0.9") + "," + thirds("100:0.1,125:0.1,160:0.1"))},
			needs: needs{AbsorptionMin: bounds("125:0.6")}, want: "1/0+0.3",
		},
		{
			rule: "else the mean of the three thirds",
			products: []string{absorbing(thirds("100:0.3,125:0.4,160:0.5")),
				absorbing(octaves("250:0.1") + "," + thirds("100:0.9,125:0.9,160:0.6"))},
			needs: needs{AbsorptionMin: bounds("125:0.3")}, want: "0/0+0.1 1/0+0.5",
		},
		{
			rule:     "a mean equal to the minimum passes",
			products: []string{absorbing(thirds("100:0.3,125:0.4,160:0.5")), absorbing(thirds("100:0.3,125:0.4,160:0.499"))},
			needs:    needs{AbsorptionMin: bounds("125:0.4")}, want: "0/0+0",
		},
		{
			rule:     "also equal to the maximum",
			products: []string{absorbing(thirds("100:0.3,125:0.4,160:0.5")), absorbing(thirds("100:0.3,125:0.4,160:0.501"))},
			needs:    needs{AbsorptionMax: bounds("125:0.4")}, want: "0/0",
		},
		{
			rule:     "the mean is not rounded: a deficit of a third of a thousandth fails",
			products: []string{absorbing(thirds("100:0.4,125:0.4,160:0.399")), absorbing(thirds("100:0.4,125:0.4,160:0.401"))},
			needs:    needs{AbsorptionMin: bounds("125:0.4")}, want: "1/0+0.0003",
		},
		{
			rule: "with one of the three missing there is no mean",
			products: []string{absorbing(thirds("100:0.9,125:0.9")), absorbing(thirds("125:0.9")),
				absorbing(thirds("100:0.9,125:0.9,160:0.9"))},
			needs: needs{AbsorptionMin: bounds("125:0")}, want: "2/0+0.9",
		},
		{
			rule:     "the thirds of the first and the last octave",
			products: []string{absorbing(thirds("50:0.3,63:0.3,80:0.3,6300:0.6,8000:0.6,10000:0.6"))},
			needs:    needs{AbsorptionMin: bounds("63:0.3,8000:0.5")}, want: "0/0+0",
		},
		{
			rule: "stated values count in thousandths, further decimals half away from zero",
			products: []string{absorbing(octaves("125:0.7995")), absorbing(octaves("125:0.7994999")),
				absorbing(octaves("125:0.8004"))},
			needs: needs{AbsorptionMin: bounds("125:0.8")}, want: "0/0+0 2/0+0",
		},
		{
			rule: "below zero too",
			products: []string{absorbing(octaves("125:-0.0005")), absorbing(octaves("125:-0.0004999")),
				absorbing(octaves("125:-0.0015"))},
			needs: needs{AbsorptionMin: bounds("125:-0.001")}, want: "0/0+0 1/0+0.001",
		},
		{
			rule: "each of three thirds counts in thousandths",
			products: []string{absorbing(thirds("100:0.3995,125:0.3995,160:0.3995")),
				absorbing(thirds("100:0.4004,125:0.4004,160:0.3994"))},
			needs: needs{AbsorptionMin: bounds("125:0.4")}, want: "0/0+0",
		},
		{
			rule:     "values above 1, and the smallest bound",
			products: []string{absorbing(octaves("125:1.2")), absorbing(octaves("125:2")), absorbing(octaves("125:-0.1"))},
			needs:    needs{AbsorptionMin: bounds("125:-0.1"), AbsorptionMax: bounds("125:1.999")}, want: "0/0+1.3 2/0+0",
		},
		{
			rule:     "an entry without a value in a band fails a minimum and also a maximum",
			products: []string{absorbing(octaves("250:0.1")), absorbing(`"mounting":"A"`), "", absorbing(octaves("125:0.1"))},
			needs:    needs{AbsorptionMax: bounds("125:2")}, want: "3/0",
		},
		{
			rule: "scattering at an octave: the stated octave, else the mean of its thirds, not the third of that name",
			products: []string{
				scattering(mapped("scatter_octave", "500:0.4") + "," + mapped("scatter_third_octave", "400:0.9,500:0.9,630:0.9")),
				scattering(mapped("scatter_third_octave", "500:0.9")),
				scattering(mapped("scatter_third_octave", "400:0.4,500:0.5,630:0.6")),
				scattering(mapped("scatter_third_octave", "400:0.4,500:0.9,630:0.199")),
			},
			needs: needs{ScatteringMin: bounds("500:0.5")}, want: "2",
		},
		{
			rule: "the stated third in a band that is not an octave",
			products: []string{
				scattering(mapped("scatter_third_octave", "630:0.4")), scattering(mapped("scatter_third_octave", "630:0.3995")),
				scattering(mapped("scatter_third_octave", "630:0.3994")), scattering(mapped("scatter_octave", "500:0.9")),
			},
			needs: needs{ScatteringMin: bounds("630:0.4")}, want: "0 1",
		},
		{
			rule: "diffusion likewise",
			products: []string{
				diffusing(mapped("diffusion_third_octave", "400:0.4,500:0.5,630:0.6")),
				diffusing(mapped("diffusion_octave", "500:0.5") + "," + mapped("diffusion_third_octave", "630:0.7")),
				diffusing(mapped("diffusion_octave", "500:0.5")),
			},
			needs: needs{DiffusionMin: bounds("630:0.6,500:0.5")}, want: "0 1",
		},

		// The declared curve.
		{
			rule: "a product whose only curve is declared counts as one entry",
			products: []string{
				`"absorption_octave":{"125":0.5,"500":0.8}`, `"absorption_octave":{"125":0.4}`,
				`"absorption_octave":{"125":0.6},` + absorbing(`"mounting":"A"`),
			},
			needs: needs{AbsorptionMin: bounds("125:0.5")}, want: "0/null+0 2/null+0.1",
		},
		{
			rule:     "with a curve of an entry it does not count",
			products: []string{`"absorption_octave":{"125":0.9},` + absorbing(flat("0.2"))},
			needs:    needs{AbsorptionMin: bounds("125:0.5")}, want: "",
		},
		{
			rule: "it has no mounting, no source kind and no thickness, but a class",
			products: []string{
				`"absorption_octave":{"250":0.9,"500":0.9,"1000":0.9,"2000":0.9,"4000":0.9}`,
				`"absorption_octave":{"250":0.9,"500":0.9,"1000":0.9,"2000":0.9,"4000":0.9},` +
					absorbing(`"thickness_mm":20,"mounting":"A"`),
			},
			needs: needs{AbsorptionClasses: []string{"A"}}, want: "0/null 1/null",
		},
		{
			rule:     "one entry must meet them all: it has the curve, the other the thickness",
			products: []string{`"absorption_octave":{"500":0.9},` + absorbing(`"thickness_mm":20,"mounting":"A"`)},
			needs:    needs{AbsorptionMin: bounds("500:0.5"), ThicknessMax: new(50.0)}, want: "",
		},
		{
			rule:     "it is not a measurement",
			products: []string{`"absorption_octave":{"500":0.9}`},
			needs:    needs{SourceKinds: []string{"measured", "literature", "simulated"}}, want: "",
		},

		// Which entry is the match.
		{
			rule:     "the margin is the smallest surplus",
			products: []string{absorbing(octaves("125:0.85,250:0.7,500:0.1"))},
			needs:    needs{AbsorptionMin: bounds("125:0.8,250:0.6")}, want: "0/0+0.05",
		},
		{
			rule:     "the largest margin, not the largest coefficient",
			products: []string{absorbing(octaves("125:0.81,250:1.5"), octaves("125:0.9,250:0.7"), octaves("125:0.7,250:1.5"))},
			needs:    needs{AbsorptionMin: bounds("125:0.8,250:0.6")}, want: "0/1+0.1",
		},
		{
			rule: "for ties the lowest index",
			products: []string{absorbing(octaves("125:0.1"), octaves("125:0.5"), octaves("125:0.5"),
				thirds("100:0.4,125:0.5,160:0.6"))},
			needs: needs{AbsorptionMin: bounds("125:0.2")}, want: "0/1+0.3",
		},
		{
			rule:     "without absorption_min the lowest index of those that meet all, and no margin",
			products: []string{absorbing(octaves("125:0.9"), octaves("125:0.2"), octaves("125:0.1"))},
			needs:    needs{AbsorptionMax: bounds("125:0.5")}, want: "0/1",
		},
		{
			rule:     "with a target the nearest, with any margin",
			products: []string{absorbing(flat("0.9"), flat("0.6"), flat("0.55"))},
			needs:    needs{AbsorptionMin: bounds("125:0.5"), Curve: bounds("125:0.5,250:0.6")}, want: "0/2+0.05~0.05",
		},
		{
			rule:     "of equally near ones the lowest index, with any margin",
			products: []string{absorbing(flat("0.2"), flat("0.5"), flat("0.7"))},
			needs:    needs{AbsorptionMin: bounds("125:0.3"), Curve: bounds("125:0.6,250:0.6")}, want: "0/1+0.2~0.1",
		},
		{
			rule: "margin_desc takes the largest margin even with a target, and orders by the margin that is shown",
			products: []string{absorbing(flat("0.6"), flat("0.8")), absorbing(flat("0.6")), absorbing(flat("0.9")),
				absorbing(flat("0.3"))},
			needs: needs{AbsorptionMin: bounds("125:0.5"), Curve: bounds("125:0.6,250:0.6")}, sort: runtime.SortMargin,
			want: "2/0+0.4~0.3 0/1+0.3~0.2 1/0+0.1~0",
		},
		{
			rule:     "distance_asc takes the nearest",
			products: []string{absorbing(flat("0.7"), flat("0.9")), absorbing(flat("0.6"))},
			needs:    needs{AbsorptionMin: bounds("125:0.5"), Curve: bounds("125:0.6,250:0.6")}, sort: runtime.SortDistance,
			want: "1/0+0.1~0 0/0+0.2~0.1",
		},
		{
			rule:     "only entries that meet all needs are near",
			products: []string{absorbing(flat("0.6")+`,"thickness_mm":100`, flat("0.9")+`,"thickness_mm":40`)},
			needs:    needs{Curve: bounds("125:0.6,250:0.6"), ThicknessMax: new(50.0)}, want: "0/1~0.3",
		},

		// Targets.
		{
			rule:     "the distance is the root of the mean of the squares",
			products: []string{absorbing(octaves("125:0.5,250:0.4,500:0.5")), absorbing(octaves("125:0.5,250:0.6,500:0.9"))},
			needs:    needs{Curve: bounds("125:0.5,250:0.6,500:0.9")}, want: "1/0~0 0/0~0.2582", // √((0.2²+0.4²)/3)
		},
		{
			rule: "a curve: all of its bands",
			products: []string{absorbing(octaves("63:0.5,125:0.5")), absorbing(octaves("63:0.5,125:0.5,8000:0.9")),
				absorbing(octaves("125:0.5,8000:0.5"))},
			needs: needs{Curve: bounds("63:0.5,125:0.5,8000:0.5")}, want: "1/0~0.2309",
		},
		{
			rule: "equal distances by document order",
			products: []string{absorbing(octaves("125:0.6,250:0.4")), absorbing(octaves("125:0.4,250:0.6")),
				absorbing(octaves("125:0.5,250:0.5"))},
			needs: needs{Curve: bounds("125:0.5,250:0.5")}, want: "2/0~0 0/0~0.1 1/0~0.1",
		},
		{
			rule: "compared exactly: equal rounded distances may differ",
			products: []string{absorbing(thirds("100:0.5,125:0.5,160:0.501,200:0.5,250:0.5,315:0.501")),
				absorbing(thirds("100:0.5,125:0.5,160:0.501,200:0.5,250:0.5,315:0.5"))},
			needs: needs{Curve: bounds("125:0.5,250:0.5")}, want: "1/0~0.0002 0/0~0.0003",
		},
		{
			rule: "like: the product itself is left out, others by the octaves that both have",
			products: []string{
				absorbing(octaves("63:0.9,125:0.5,250:0.5,500:0.5,1000:0.5,8000:0.9")),
				absorbing(octaves("63:0.1,125:0.7,250:0.7,500:0.7,8000:0.1")),
				absorbing(octaves("250:0.6,500:0.6,1000:0.6,2000:0.1,4000:0.1")),
			},
			needs: needs{Like: doc(0)}, want: "2/0~0.1 1/0~0.2",
		},
		{
			rule: "like: at least three; 63 and 8000 Hz do not count",
			products: []string{
				absorbing(octaves("63:0.5,125:0.5,250:0.5,500:0.5,8000:0.5")),
				absorbing(octaves("63:0.5,125:0.5,250:0.5,8000:0.5")), absorbing(octaves("125:0.5,250:0.5,500:0.5")),
				absorbing(octaves("1000:0.5,2000:0.5,4000:0.5")),
			},
			needs: needs{Like: doc(0)}, want: "2/0~0",
		},
		{
			rule: "like: the same distance in three bands and in six is equal",
			products: []string{absorbing(flat("0.5")), absorbing(flat("0.6")), absorbing(octaves("125:0.4,250:0.4,500:0.4")),
				absorbing(octaves("125:0.4,250:0.6,500:0.4,1000:0.6"))},
			needs: needs{Like: doc(0)}, want: "1/0~0.1 2/0~0.1 3/0~0.1",
		},
		{
			rule: "like: its most absorptive entry, by alpha_w",
			products: []string{absorbing(flat("0.3"), flat("0.8"), octaves("125:0.9,250:0.9,500:0.9,1000:0.9")),
				absorbing(flat("0.8")), absorbing(flat("0.3"))},
			needs: needs{Like: doc(0)}, want: "1/0~0 2/0~0.5",
		},
		{
			rule: "like: for equal alpha_w by NRC, then the first",
			products: []string{
				absorbing(octaves("125:0.5,250:0.6,500:0.6,1000:0.6,2000:0.6,4000:0.6"),
					octaves("125:0.1,250:0.9,500:0.6,1000:0.6,2000:0.6,4000:0.6"),
					octaves("125:0.2,250:0.9,500:0.6,1000:0.6,2000:0.6,4000:0.6")),
				absorbing(octaves("125:0.1,250:0.9,500:0.6,1000:0.6,2000:0.6,4000:0.6")),
			},
			needs: needs{Like: doc(0)}, want: "1/0~0",
		},
		{
			rule:     "like: a target with fewer than three octaves finds nothing",
			products: []string{absorbing(octaves("63:0.5,125:0.5,250:0.5")), absorbing(flat("0.5"))},
			needs:    needs{Like: doc(0)}, want: "",
		},
		{
			rule: "like: the declared curve, from it and to it",
			products: []string{`"absorption_octave":{"125":0.5,"250":0.5,"500":0.5}`, absorbing(flat("0.6")),
				`"absorption_octave":{"125":0.7,"250":0.7,"500":0.7}`},
			needs: needs{Like: doc(0)}, want: "1/0~0.1 2/null~0.2",
		},
		{
			rule:     "like: a product without an entry is not in the result, and has no similar products",
			products: []string{"", absorbing(flat("0.6"))},
			needs:    needs{Like: doc(0)}, want: "",
		},

		// Orders.
		{
			rule:     "without a target the order is by date, which is the document order here",
			products: []string{absorbing(flat("0.6")), absorbing(flat("0.9")), absorbing(flat("0.7"))},
			needs:    needs{AbsorptionMin: bounds("125:0.5")}, want: "0/0+0.1 1/0+0.4 2/0+0.2",
		},
		{
			rule: "margin_desc: by the margin, ties by document order",
			products: []string{absorbing(flat("0.6")), absorbing(flat("0.9")), absorbing(flat("0.6")),
				absorbing(thirds("100:0.6,125:0.6,160:0.601"))},
			needs: needs{AbsorptionMin: bounds("125:0.5")}, sort: runtime.SortMargin,
			want: "1/0+0.4 3/0+0.1003 0/0+0.1 2/0+0.1",
		},
		{
			rule:     "without a sort the order is by distance if there is a target",
			products: []string{absorbing(flat("0.9")), absorbing(flat("0.6")), absorbing(flat("0.7"))},
			needs:    needs{Curve: bounds("125:0.6,250:0.6")}, want: "1/0~0 2/0~0.1 0/0~0.3",
		},
		{
			rule:     "a blank text is no text",
			products: []string{absorbing(flat("0.9")), absorbing(flat("0.6"))},
			needs:    needs{Curve: bounds("125:0.6,250:0.6")}, text: " ?!", want: "1/0~0 0/0~0.3",
		},
		{
			rule: "without a sort the order is by relevance if there is a text",
			products: []string{absorbing(flat("0.9")), absorbing(flat("0.6")), `"commercial_name":"Wolke",` +
				absorbing(flat("0.7")), `"description":"Wolke",` + absorbing(flat("0.6"))},
			needs: needs{Curve: bounds("125:0.6,250:0.6")}, text: "wolke", want: "2/0~0.1 3/0~0",
		},
		{
			rule: "with a text and distance_asc by distance",
			products: []string{absorbing(flat("0.9")), absorbing(flat("0.6")), `"commercial_name":"Wolke",` +
				absorbing(flat("0.7")), `"description":"Wolke",` + absorbing(flat("0.6"))},
			needs: needs{Curve: bounds("125:0.6,250:0.6")}, text: "wolke", sort: runtime.SortDistance, want: "3/0~0 2/0~0.1",
		},
		{
			rule:     "an explicit relevance is applied",
			products: []string{absorbing(flat("0.9")), absorbing(flat("0.6"))},
			needs:    needs{Curve: bounds("125:0.6,250:0.6")}, sort: runtime.SortRelevance, want: "0/0~0.3 1/0~0",
		},
		{
			rule: "an explicit date_desc is applied",
			products: []string{absorbing(flat("0.9")), `"updated_at":"2026-01-01T00:00:00Z",` + absorbing(flat("0.8")),
				`"updated_at":"2026-02-01T00:00:00Z",` + absorbing(flat("0.7"))},
			// products are numbered by date
			needs: needs{Curve: bounds("125:0.7,250:0.7")}, sort: runtime.SortDate, want: "0/0~0 1/0~0.1 2/0~0.2",
		},
		{
			rule: "thickness_asc: by the smallest thickness of the entries that meet all needs, unknown last; the match is still the best",
			products: []string{
				absorbing(`"thickness_mm":10,`+flat("0.2"), `"thickness_mm":40,`+flat("0.6"), `"thickness_mm":30,`+flat("0.5")),
				absorbing(flat("0.9")), absorbing(`"thickness_mm":20,` + flat("0.6")), absorbing(`"thickness_mm":30,` + flat("0.7")),
			},
			needs: needs{AbsorptionMin: bounds("125:0.5")}, sort: runtime.SortThickness, want: "2/0+0.1 0/1+0.1 3/0+0.2 1/0+0.4",
		},
		{
			rule: "depth_asc: by the smallest known depth, unknown last",
			products: []string{
				absorbing(`"thickness_mm":10,` + flat("0.6")), absorbing(`"thickness_mm":40,"air_gap_mm":20,` + flat("0.6")),
				absorbing(`"thickness_mm":50,"mounting":"A",`+flat("0.6"), `"thickness_mm":5,`+flat("0.6")),
			},
			needs: needs{AbsorptionMin: bounds("125:0.5")}, sort: runtime.SortDepth, want: "2/0+0.1 1/0+0.1 0/0+0.1",
		},
		{
			rule: "without needs among all entries",
			products: []string{"", absorbing(`"thickness_mm":50,"mounting":"A"`, `"thickness_mm":5`),
				absorbing(`"thickness_mm":40,"mounting":"A"`)},
			sort: runtime.SortDepth, want: "2 1 0",
		},
		{
			rule: "with only a need of scattering, among all ISO 354 entries",
			products: []string{
				scattering(mapped("scatter_octave", "500:0.5")),
				`"measurements":{` + listed("absorption_iso_354", []string{`"thickness_mm":40`}) + "," +
					listed("scatter_iso_17497_1", []string{mapped("scatter_octave", "500:0.5")}) + `}`,
				absorbing(`"thickness_mm":20`),
			},
			needs: needs{ScatteringMin: bounds("500:0.5")}, sort: runtime.SortThickness, want: "1 0",
		},
		{
			rule:     "the other sorts show the same matches",
			products: []string{absorbing(flat("0.4"), flat("0.6")), absorbing(flat("0.9"))},
			needs:    needs{Curve: bounds("125:0.6,250:0.6")}, sort: runtime.SortAlphaDesc, want: "1/0~0.3 0/1~0",
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			inputs := needingInputs(test.products)
			g := openCompiled(t, inputs)
			q := runtime.Query{Text: test.text, Filters: runtime.Filters{Needs: test.needs}, Sort: test.sort}
			if got := foundBy(g, q); got != test.want {
				t.Errorf("%s: got %q, want %q", asText(&q), got, test.want)
			}
			newNeedsOracle(newOracle(readCatalogue(t, inputs, sampleDetails)), g).compareNeeds(t, g, q)
		})
	}
}

// TestMatchIsShown verifies the JSON of the key match.
func TestMatchIsShown(t *testing.T) {
	g := openCompiled(t, needingInputs([]string{
		absorbing(octaves("125:0.2"),
			`"id":"Prüfung \"1\"","mounting":"E-400","thickness_mm":12.5,"air_gap_mm":360,"source_kind":"literature",`+
				octaves("8000:0.12345,63:-0.0004,250:-0.0026,500:1.0995")+","+
				thirds("100:0.9,125:0.9,160:0.899,500:0.1,800:0.5,1000:0.5,2500:0.5")),
		`"absorption_octave":{"125":0.95,"500":1}`,
		absorbing(thirds("100:0.9,125:0.9,160:0.9")),
	}))
	tests := []struct {
		rule  string
		needs runtime.Needs
		want  []string
	}{
		{"null keys, four decimals, values of all octaves", runtime.Needs{AbsorptionMin: bounds("125:0.8")}, []string{
			`{"entry":1,"id":"Prüfung \"1\"","mounting":"E-400","thickness_mm":12.5,"air_gap_mm":360,"depth_mm":372.5,` +
				`"source_kind":"literature","alpha_w":null,"alpha_w_shape":null,"absorption_class":null,"absorption_octave":{"63":0,"125":0.8997,"250":-0.003,"500":1.1,"8000":0.123},"margin":0.0997,"distance":null}`,
			`{"entry":null,"id":null,"mounting":null,"thickness_mm":null,"air_gap_mm":null,"depth_mm":null,"source_kind":null,"alpha_w":null,"alpha_w_shape":null,"absorption_class":null,"absorption_octave":{"125":0.95,"500":1},"margin":0.15,"distance":null}`,
			`{"entry":0,"id":"abs-1","mounting":null,"thickness_mm":null,"air_gap_mm":null,"depth_mm":null,"source_kind":"measured","alpha_w":null,"alpha_w_shape":null,"absorption_class":null,"absorption_octave":{"125":0.9},"margin":0.1,"distance":null}`,
		}},
		{"distance and no margin", runtime.Needs{Curve: bounds("125:0.9,500:1")}, []string{
			`{"entry":null,"id":null,"mounting":null,"thickness_mm":null,"air_gap_mm":null,"depth_mm":null,"source_kind":null,"alpha_w":null,"alpha_w_shape":null,"absorption_class":null,"absorption_octave":{"125":0.95,"500":1},"margin":null,"distance":0.0354}`,
			`{"entry":1,"id":"Prüfung \"1\"","mounting":"E-400","thickness_mm":12.5,"air_gap_mm":360,"depth_mm":372.5,` +
				`"source_kind":"literature","alpha_w":null,"alpha_w_shape":null,"absorption_class":null,"absorption_octave":{"63":0,"125":0.8997,"250":-0.003,"500":1.1,"8000":0.123},"margin":null,"distance":0.0707}`,
		}},
	}
	for _, test := range tests {
		r := g.Search(&runtime.Query{Filters: runtime.Filters{Needs: test.needs}, Limit: 5})
		if len(r.Docs) != len(test.want) || len(r.Matches) != len(test.want) {
			t.Errorf("%s: got %d hits with %d matches, want %d", test.rule, len(r.Docs), len(r.Matches), len(test.want))
			continue
		}
		for i, want := range test.want {
			if got := string(g.AppendMatch(nil, r.Docs[i], r.Matches[i])); got != want {
				t.Errorf("%s: hit %d\ngot  %s\nwant %s", test.rule, i, got, want)
			}
		}
	}
	if r := g.Search(&runtime.Query{Limit: 5}); r.Matches != nil || len(r.Docs) != 3 {
		t.Errorf("without needs: got %d matches of %d hits", len(r.Matches), len(r.Docs))
	}
}

// TestMatchWithoutANeed checks that match=true returns the most absorptive entry and its own rating.
func TestMatchWithoutANeed(t *testing.T) {
	g := openCompiled(t, needingInputs([]string{
		absorbing(flat("0.3"), octaves("125:0.15,250:0.35,500:0.75,1000:1,2000:1,4000:0.9")+`,"mounting":"A","thickness_mm":40`,
			flat("0.1")),
		"",
		`"absorption_octave":{"250":0.1,"500":0.1,"1000":0.1,"2000":0.1,"4000":0.1}`,
	}))
	r := g.Search(&runtime.Query{Limit: 5, Match: true})
	for i, want := range []string{
		`{"entry":1,"id":"abs-2","mounting":"A","thickness_mm":40,"air_gap_mm":null,"depth_mm":40,"source_kind":"measured",` +
			`"alpha_w":0.65,"alpha_w_shape":"MH","absorption_class":"C","absorption_octave":{"125":0.15,"250":0.35,"500":0.75,` +
			`"1000":1,"2000":1,"4000":0.9},"margin":null,"distance":null}`,
		"null",
		`{"entry":null,"id":null,"mounting":null,"thickness_mm":null,"air_gap_mm":null,"depth_mm":null,"source_kind":null,` +
			`"alpha_w":0.1,"alpha_w_shape":"","absorption_class":null,"absorption_octave":{"250":0.1,"500":0.1,"1000":0.1,` +
			`"2000":0.1,"4000":0.1},"margin":null,"distance":null}`,
	} {
		if got := string(g.AppendMatch(nil, r.Docs[i], r.Matches[i])); got != want {
			t.Errorf("hit %d:\ngot  %s\nwant %s", i, got, want)
		}
	}
	if n := (runtime.Filters{Needs: runtime.Needs{ScatteringMin: bounds("500:0")}}); len(g.Search(
		&runtime.Query{Limit: 5, Match: true, Filters: n}).Matches) != 0 {
		t.Error("matches of nothing")
	}
}

func TestNearMisses(t *testing.T) {
	type needs = runtime.Needs
	tests := []struct {
		rule     string
		products []string
		query    runtime.Query
		want     string
	}{
		{"an entry's shortfall is its largest, a product's the smallest of its entries",
			[]string{absorbing(flat("0.6"), flat("0.7")), absorbing(flat("0.65")), absorbing(octaves("125:0.8,250:0.75"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8,250:0.8")}}},
			`2/0+-0.05{"125":0,"250":0.05} 0/1+-0.1{"125":0.1,"250":0.1} 1/0+-0.15{"125":0.15,"250":0.15}`},
		{"then by the sum of shortfalls, a surplus counting as 0; then document order",
			[]string{absorbing(octaves("125:0.7,250:0.75")), absorbing(octaves("125:0.7,250:0.9")),
				absorbing(octaves("125:0.7,250:0.8"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8,250:0.8")}}},
			`1/0+-0.1{"125":0.1,"250":0} 2/0+-0.1{"125":0.1,"250":0} 0/0+-0.1{"125":0.1,"250":0.05}`},
		{"the entry of a product with the smallest sum, then the lowest index",
			[]string{absorbing(octaves("125:0.7,250:0.75"), octaves("125:0.7,250:0.8"), octaves("125:0.7,250:0.9"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8,250:0.8")}}},
			`0/1+-0.1{"125":0.1,"250":0}`},
		{"four decimals", []string{absorbing(thirds("100:0.7,125:0.7,160:0.701"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8")}}}, `0/0+-0.0997{"125":0.0997}`},
		{"an entry without a value in a band of the needs does not count",
			[]string{absorbing(octaves("125:0.79")), absorbing(flat("0.1"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8,250:0.8")}}},
			`1/0+-0.7{"125":0.7,"250":0.7}`},
		{"every other need and filter is met",
			[]string{absorbing(flat("0.79")), absorbing(`"thickness_mm":40,`+flat("0.5"), `"thickness_mm":60,`+flat("0.7")),
				`"has_epd":true,` + absorbing(`"thickness_mm":40,`+flat("0.4")), absorbing(`"thickness_mm":40,` + octaves("125:0.95"))},
			runtime.Query{Filters: runtime.Filters{HasEPD: true, Needs: needs{AbsorptionMin: bounds("125:0.8"),
				AbsorptionMax: bounds("125:0.9"), ThicknessMax: new(50.0)}}},
			`2/0+-0.4{"125":0.4}`},
		{"absorption_max in the same band too", []string{absorbing(octaves("125:0.7")), absorbing(octaves("125:0.4"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.5"), AbsorptionMax: bounds("125:0.6")}}},
			`1/0+-0.1{"125":0.1}`},
		{"the sort is ignored", []string{absorbing(`"thickness_mm":10,` + flat("0.1")), absorbing(flat("0.7"))},
			runtime.Query{Sort: runtime.SortThickness, Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8")}}},
			`1/0+-0.1{"125":0.1} 0/0+-0.7{"125":0.7}`},
		{"with a text, among the products that the text finds", []string{absorbing(flat("0.7")), `"commercial_name":"Wolke",` +
			absorbing(flat("0.1"))},
			runtime.Query{Text: "wolke", Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8")}}},
			`1/0+-0.7{"125":0.7}`},
		{"only page 0", []string{absorbing(flat("0.7"))},
			runtime.Query{Page: 1, Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8")}}}, ""},
		{"not if there are hits", []string{absorbing(flat("0.8")), absorbing(flat("0.7"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8")}}}, `0/0+0`},
		{"nor after the last page", []string{absorbing(flat("0.8")), absorbing(flat("0.7"))},
			runtime.Query{Page: 1, Filters: runtime.Filters{Needs: needs{AbsorptionMin: bounds("125:0.8")}}}, ""},
		{"without absorption_min it has no effect", []string{absorbing(flat("0.8"))},
			runtime.Query{Filters: runtime.Filters{Needs: needs{AbsorptionMax: bounds("125:0.7")}}}, ""},
	}
	for _, test := range tests {
		inputs := needingInputs(test.products)
		g := openCompiled(t, inputs)
		test.query.Near = true
		if got := foundBy(g, test.query); got != test.want {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
		newNeedsOracle(newOracle(readCatalogue(t, inputs, sampleDetails)), g).compareNeeds(t, g, test.query)
	}
}

func TestNeedFacetRules(t *testing.T) {
	g := openCompiled(t, needingInputs([]string{
		absorbing(flat("0.9")+`,"mounting":"A"`, flat("0.9")+`,"mounting":"Typ A","source_kind":"simulated"`),
		absorbing(flat("0.6")+`,"mounting":"E-400","thickness_mm":20`, flat("0.3")+`,"mounting":"A"`),
		absorbing(flat("0.1") + `,"mounting":"B"`),
		`"has_epd":true,"absorption_octave":{"250":0.9,"500":0.9,"1000":0.9,"2000":0.9,"4000":0.9}`,
		"",
	}))
	tests := []struct {
		rule    string
		filters runtime.Filters
		want    string
	}{
		{"without needs it counts all entries, a product once for a value; a declared curve for class, not for mounting",
			runtime.Filters{}, "[{A 2} {C 1} {D 1}] [{A 2} {B 1} {E-400 1}] [{measured 3} {simulated 1}]"},
		{"one entry meets all", runtime.Filters{Needs: runtime.Needs{AbsorptionClasses: []string{"D"}}},
			"[{A 2} {C 1} {D 1}] [{A 1}] [{measured 1}]"},
		{"a choice does not restrict its own family; a chosen value has a bucket",
			runtime.Filters{Needs: runtime.Needs{Mountings: []string{"E-400"}, AbsorptionClasses: []string{"E", "D"}}},
			"[{C 1} {D 0} {E 0}] [{A 1} {E-400 0}] []"},
		{"a value that is not in the vocabulary has no bucket",
			runtime.Filters{Needs: runtime.Needs{Mountings: []string{"Z"}, AbsorptionClasses: []string{"F"}, SourceKinds: []string{
				"literature", "guessed"}}}, "[] [] [{literature 0}]"},
		{"the other filters apply", runtime.Filters{HasEPD: true}, "[{A 1}] [] []"},
	}
	for _, test := range tests {
		f := g.Search(&runtime.Query{Filters: test.filters, NeedFacets: true}).NeedFacets
		if got := fmt.Sprint(f.AbsorptionClasses, " ", f.Mountings, " ", f.SourceKinds); got != test.want {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
}
