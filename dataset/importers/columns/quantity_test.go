package columns

import (
	"strings"
	"testing"
)

func TestMeasurandsOfTitles(t *testing.T) {
	tests := []struct {
		rule, texts string
		want        Measurand
	}{
		{"alpha_s by symbol, word or norm",
			"αs|alpha_s|Schallabsorptionsgrad|ISO 354|DIN EN ISO 354:2003-12|Absorption|Absorption coefficient",
			Measurand{Quantity: AlphaS}},
		{"a norm of ratings next to a norm of coefficients", "Schallabsorptionsgrad nach ISO 354, bewertet nach ISO 11654",
			Measurand{Quantity: AlphaS}},
		{"alpha_p has octaves",
			"ISO 11654|αp|praktischer Schallabsorptionsgrad|Practical absorption coefficient|alpha_p.xlsx|absorption_octave",
			Measurand{Quantity: AlphaP, Resolution: Octave}},
		{"scattering", "Streugrad|scattering coefficient|ISO 17497-1|streuung_panels.csv|Scattering",
			Measurand{Quantity: Scattering}},
		{"diffusion", "Diffusionskoeffizient|ISO 17497-2|diffusion.csv|Diffusionsgrad d", Measurand{Quantity: Diffusion}},
		{"normalized diffusion", "normalisierter Diffusionsgrad|normalized diffusion coefficient|d_n",
			Measurand{Quantity: NormalizedDiffusion}},
		{"directional diffusion", "gerichteter Diffusionsgrad|directional diffusion coefficient",
			Measurand{Quantity: DirectionalDiffusion}},
		{"both", "normalized directional diffusion|normierter gerichteter Diffusionsgrad",
			Measurand{Quantity: NormalizedDirectional}},
		{"a resolution next to a quantity", "Terzwerte αs|αs (1/3 octave)|Third-octave absorption coefficients",
			Measurand{Quantity: AlphaS, Resolution: ThirdOctave}},
		{"octaves alone", "Oktavwerte|Octave bands", Measurand{Resolution: Octave}},
		{"only third octaves", "Terz|1/3 octave|third octave", Measurand{Resolution: ThirdOctave}},
		{"both resolutions are none", "Terz- und Oktavwerte", Measurand{}},
		{"two kinds are none", "Streu- und Diffusionsgrad|Absorption and scattering", Measurand{}},
		{"what describes a product", "|Diffuser|Akustikplatte mit Streulicht|Absorber", Measurand{}},
		{"ratings", "αw nach ISO 11654|bewerteter Schallabsorptionsgrad", Measurand{}},
		{"prose", strings.Repeat("ISO 354 ", 40), Measurand{}},
		{"times, areas, deviations, impedance and insulation",
			"Nachhallzeit T2|Äquivalente Absorptionsfläche A in m²|absorption-areas|A [m²]|T1 [s]|u(αs)|" +
				"Standardabweichung der Absorptionsgrade|Impedanz|Schalldämm-Maß R", Measurand{Foreign: true}},
		{"times of the empty room and with the specimen", "T1 leer [s]|T2 mit Probe|T_1 s|T empty|RT without|T2 belegt (s)",
			Measurand{Foreign: true}},
		{"times within a title", "Messung der Nachhallzeit|Raum Nord: reverberation time", Measurand{Foreign: true}},
		{"deviations by their symbol", "s_R|s_alpha|s(α)|s (αs)", Measurand{Foreign: true}},
		{"normal incidence", "ISO 10534-2|Absorptionsgrad bei senkrechtem Einfall|Impedance tube",
			Measurand{Foreign: true}},
		{"a text that only speaks of times", "Absorber für die Nachhallzeitberechnung|T1|A", Measurand{}},
		{"ISO 354 is measured by times", "Schallabsorptionsgrad nach ISO 354 im Hallraum, mit Nachhallzeiten",
			Measurand{Quantity: AlphaS}},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if got := MeasurandOf(text); got != test.want {
				t.Errorf("%s: %q names %+v, want %+v", test.rule, text, got, test.want)
			}
		}
	}
}

func TestMeasurandsOfCells(t *testing.T) {
	tests := []struct {
		rule, texts string
		want        Measurand
	}{
		{"αs", "αs|αS|α_s|alpha s|as|a_s|AS|αs [-]|αs (ISO 354)|Sound absorption αs|αs,i", Measurand{Quantity: AlphaS}},
		{"αp", "αp|α_p|alpha_p|αp,i", Measurand{Quantity: AlphaP, Resolution: Octave}},
		{"a letter before its index", "ap|a_p|a p", Measurand{Quantity: AlphaP}},
		{"s", "s|S|s [-]|s (ISO 17497-1)|Streugrad|Scattering", Measurand{Quantity: Scattering}},
		{"d", "d|D|δ|d (ISO 17497-2)|Diffusion", Measurand{Quantity: Diffusion}},
		{"d_n", "d_n|dn|d,n", Measurand{Quantity: NormalizedDiffusion}},
		{"dψ", "dψ|d_θ", Measurand{Quantity: DirectionalDiffusion}},
		{"dψ,n", "dψ,n|d_θ,n", Measurand{Quantity: NormalizedDirectional}},
		{"times, areas and temperatures", "T|T1|T2 [s]|A|A [m²]|ΔA|u|t/s", Measurand{Foreign: true}},
		{"absorption at normal incidence", "α0|α_0|αN|α_n", Measurand{Foreign: true}},
		{"words", "|rot|am|um|E-400|40|0,85|ja|Typ A|Deckensegel|α|αw", Measurand{}},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if got := MeasurandOfCell(text); got != test.want {
				t.Errorf("%s: %q names %+v, want %+v", test.rule, text, got, test.want)
			}
		}
	}
}

func TestNormsOfQuantities(t *testing.T) {
	want := map[Quantity]string{AlphaS: "ISO 354", AlphaP: "", Scattering: "ISO 17497-1", "": "", Diffusion: "ISO 17497-2",
		NormalizedDiffusion: "ISO 17497-2", DirectionalDiffusion: "ISO 17497-2", NormalizedDirectional: "ISO 17497-2"}
	for q, norm := range want {
		if got := q.Norm(); got != norm {
			t.Errorf("%q has the norm %q, want %q", q, got, norm)
		}
	}
	if len(want) != len(Quantities)+1 {
		t.Errorf("%d quantities", len(Quantities))
	}
}
