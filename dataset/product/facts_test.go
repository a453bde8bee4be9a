package product_test

import (
	"maps"
	"slices"
	"testing"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

func TestFacts(t *testing.T) {
	slug, empty, alphaW, saa := "panel", "", 0.00001, acoustics.Hundredths(85)
	p := &product.Product{
		Slug: &slug, CommercialName: &empty, Manufacturer: product.Manufacturer{Name: "Werk"},
		Label:             product.Text{{Locale: product.German, Text: "L"}},
		InstallationTypes: []string{"wall", "ceiling"}, AlphaW: &alphaW, SAA: &saa, FireClass: &product.FireClass{Text: "A1",
			Class: "A1"},
		StructuredMeta:   []product.MetaEntry{{Key: "k", Value: "v"}},
		AbsorptionOctave: acoustics.Curve{{BandHz: 500, Value: 0.5}},
	}
	want := []product.Fact{
		{Name: "id", Text: "00000000-0000-0000-0000-000000000000"}, {Name: "slug", Text: "panel"},
		{Name: "label", Text: "L"}, {Name: "commercial_name"},
		{Name: "manufacturer", Text: "Werk"}, {Name: "alpha_w", Text: "0.00001"}, {Name: "saa", Text: "0.85"},
		{Name: "has_epd", Text: "false"},
		{Name: "installation_types", Text: "wall, ceiling"},
	}
	if got := p.Facts(); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestCurvesHaveTheOrderOfTheDetail(t *testing.T) {
	some := acoustics.Curve{{BandHz: 500, Value: 0.5}}
	d := product.Diffusion{DiffusionOctave: some, DirectionalDiffusionOctave: some, DirectionalDiffusionThirdOctave: some}
	want := []string{"directional_diffusion_octave", "directional_diffusion_third_octave", "diffusion_octave"}
	var got []string
	for name := range d.Curves() {
		got = append(got, name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if all := maps.Collect((&product.Absorption{AlphaSOctave: some}).Curves()); len(all) != 1 ||
		!slices.Equal(all["alpha_s_octave"], some) {
		t.Errorf("got %v", all)
	}
}
