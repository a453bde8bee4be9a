package compiler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes"
)

// mustParse returns the product of a record that has the given members.
func mustParse(t *testing.T, members string) *product.Product {
	t.Helper()
	parsed := dataset.Parse(
		dataset.Raw{JSON: []byte(`{"id":"0b6f4c3e-58a8-52eb-852b-be809a01c8e0","label":"A","manufacturer":"M",` + members +
			`}`)})
	if parsed.Product == nil {
		t.Fatalf("%s: %v", members, parsed.Faults)
	}
	return parsed.Product
}

// shown formats measurements of a norm: attributes, rank, and coefficients in thirds of a thousandth.
func shown(norm indexes.Norm, all []indexes.Measurement) (texts []string) {
	for _, m := range all {
		var b strings.Builder
		if norm == indexes.NormAbsorption {
			fmt.Fprintf(&b, "%q %v", m.Texts, m.Lengths)
			if alphaW, shape, ok := m.Rating.AlphaW(); ok {
				fmt.Fprintf(&b, " %d%s", alphaW, shape)
			}
			fmt.Fprintf(&b, " place %d:", m.Rank)
		}
		for i, hz := range norm.Bands() {
			if m.Levels[i] != 0 {
				fmt.Fprintf(&b, " %d=%d", hz, m.Levels[i].Thirds())
			}
		}
		texts = append(texts, b.String())
	}
	return texts
}

func TestMeasurementsOfAProduct(t *testing.T) {
	absorption := func(entries ...string) string {
		return `"measurements":{"absorption_iso_354":[{"source_kind":` + strings.Join(entries, `},{"source_kind":`) + `}]}`
	}
	const curve = `"alpha_s_octave":{"125":%[1]v,"250":%[1]v,"500":%[1]v,"1000":%[1]v,"2000":%[1]v,"4000":%[1]v}`
	flat := func(v float64) string { return fmt.Sprintf(curve, v) }
	level := func(v int) string {
		return fmt.Sprintf(" 125=%[1]d 250=%[1]d 500=%[1]d 1000=%[1]d 2000=%[1]d 4000=%[1]d", v)
	}
	for _, test := range []struct {
		rule    string
		members string
		norm    indexes.Norm
		want    []string
	}{
		{"none", `"has_epd":false`, indexes.NormAbsorption, nil},
		{"a set-up and its curve; the depth is thickness and air gap",
			absorption(`"measured","mounting":"E-400","thickness_mm":12.7,"air_gap_mm":0.1,` + flat(0.5)),
			indexes.NormAbsorption, []string{`["E-400" "measured" "D"] [12.7 12.8] 50 place 0:` + level(1500)}},
		{"without an air gap the depth is unknown", absorption(`"literature","thickness_mm":20,` + flat(0.95)),
			indexes.NormAbsorption, []string{`["" "literature" "A"] [20 NaN] 95 place 0:` + level(2850)}},
		{"a mounting in any spelling can contain the air gap",
			absorption(`"measured","thickness_mm":20,"mounting":"Typ A"`, `"measured","thickness_mm":20,"mounting":"E 200"`),
			indexes.NormAbsorption, []string{`["A" "measured" ""] [20 20] place 0:`,
				`["E-200" "measured" ""] [20 200] place 1:`}},
		{"the rating has its shape indicators", absorption(
			`"measured","alpha_s_octave":{"125":0.15,"250":0.35,"500":0.75,"1000":1,"2000":1,"4000":0.9}`),
			indexes.NormAbsorption, []string{`["" "measured" "C"] [NaN NaN] 65MH place 0: 125=450 250=1050 500=2250 ` +
				`1000=3000 2000=3000 4000=2700`}},
		{"without a thickness there is no depth", absorption(`"simulated","air_gap_mm":200,"mounting":"A"`),
			indexes.NormAbsorption, []string{`["A" "simulated" ""] [NaN NaN] place 0:`}},
		{"an entry that is not classified has no class", absorption(`"measured",` + flat(0.1)),
			indexes.NormAbsorption, []string{`["" "measured" ""] [NaN NaN] 10 place 0:` + level(300)}},
		{"the most absorptive entry has place 0, equal entries keep their order, and entries without alpha_w are last",
			absorption(`"measured"`, `"measured",`+flat(0.3), `"measured",`+flat(0.8), `"measured",`+flat(0.3)),
			indexes.NormAbsorption, []string{
				`["" "measured" ""] [NaN NaN] place 3:`,
				`["" "measured" "D"] [NaN NaN] 30 place 1:` + level(900),
				`["" "measured" "B"] [NaN NaN] 80 place 0:` + level(2400),
				`["" "measured" "D"] [NaN NaN] 30 place 2:` + level(900),
			}},
		{"values in all octaves, from third octaves if no octave is stated",
			absorption(
				`"measured","alpha_s_octave":{"63":-0.1,"8000":2,"125":0.0005},"alpha_s_third_octave":{"100":0.9,"125":0.9,"160":0.9,"200":0.1,"250":0.2,"315":0.25,"400":0.1}`),
			indexes.NormAbsorption, []string{`["" "measured" ""] [NaN NaN] place 0: 63=-300 125=3 250=550 8000=6000`}},
		{"a declared curve is the last entry, without a source kind, and the most absorptive one",
			`"absorption_octave":{"125":0.1,"250":0.2,"500":0.85},` + absorption(`"measured","mounting":"A","thickness_mm":5`),
			indexes.NormAbsorption, []string{`["A" "measured" ""] [5 5] place 1:`,
				`["" "" ""] [NaN NaN] place 0: 125=300 250=600 500=2550`}},
		{"with the class of its rating", `"absorption_octave":{"250":0.8,"500":0.8,"1000":0.8,"2000":0.8,"4000":0.8}`,
			indexes.NormAbsorption,
			[]string{`["" "" "B"] [NaN NaN] 80 place 0: 250=2400 500=2400 1000=2400 2000=2400 4000=2400`}},
		{"it is ignored if there is a measured curve", `"absorption_octave":{"125":0.1},` +
			absorption(`"measured",`+flat(0.5)),
			indexes.NormAbsorption, []string{`["" "measured" "D"] [NaN NaN] 50 place 0:` + level(1500)}},
		{"an empty curve is ignored", `"absorption_octave":{}`, indexes.NormAbsorption, nil},
		{"scattering at octaves and thirds",
			`"measurements":{"scatter_iso_17497_1":[{"source_kind":"measured","scatter_octave":{"500":0.4},"scatter_third_octave":{"500":0.9,"630":0.45,"800":0.3,"1000":0.2,"1250":0.1}},{"source_kind":"measured"}]}`,
			indexes.NormScattering, []string{" 500=1200 630=1350 800=900 1000=600 1250=300", ""}},
		{"also diffusion, without normalised and directional values",
			`"measurements":{"diffusion_iso_17497_2":[{"source_kind":"measured","diffusion_octave":{"250":0.4},"normalized_diffusion_octave":{"500":0.3},"directional_diffusion_octave":{"1000":0.3},"diffusion_third_octave":{"315":0.2}}]}`,
			indexes.NormDiffusion, []string{" 250=1200 315=600"}},
	} {
		all := measurements(mustParse(t, test.members))
		if got := shown(test.norm, all[test.norm]); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.rule, got, test.want)
		}
	}
}

// TestTablesCanContainEveryFieldOfARecord checks that the tables can store every value that is valid in a
// record.
func TestTablesCanContainEveryFieldOfARecord(t *testing.T) {
	bands := func(values ...float64) string {
		return fmt.Sprintf(
			`"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"63":%v,"125":%v}}]}`, values[0],
			values[1])
	}
	levels := measurements(mustParse(t,
		bands(product.MinCoefficient, product.AbsorptionLimit)))[indexes.NormAbsorption][0].Levels
	if levels[0] != 1 || levels[1] != indexes.MaxLevel {
		t.Errorf("the levels of the smallest and the largest coefficient are %d and %d, want 1 and %d", levels[0], levels[1],
			indexes.MaxLevel)
	}
}

// A detail with a declared curve is a valid record. If it is built, the result must have the same detail.
func TestADetailWithADeclaredCurveBuildsAgainToItself(t *testing.T) {
	for _, members := range []string{
		`"absorption_octave":{"250":0.81,"500":0.8,"1000":0.8,"2000":0.8,"4000":0.8}`,
		`"absorption_octave":{"63":0.125,"125":0.1}`,
		`"alpha_w":0.4,"absorption_octave":{"125":0.1},"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_third_octave":{"100":0.2}}]}`,
		`"absorption_octave":{"125":0.9},"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"250":0.8,"500":0.8,"1000":0.8,"2000":0.8}}]}`,
		`"absorption_octave":{}`,
	} {
		detail := string(mustRender(mustParse(t, members)).Detail())
		parsed := dataset.Parse(dataset.Raw{JSON: []byte(detail)})
		if parsed.Product == nil {
			t.Fatalf("%s: %v", detail, parsed.Faults)
		}
		if again := string(mustRender(parsed.Product).Detail()); again != detail {
			t.Errorf("%s:\n got %s\nwant %s", members, again, detail)
		}
	}
}
