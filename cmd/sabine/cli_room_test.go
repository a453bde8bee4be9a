package main_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// wall is a surface with a curve instead of a product.
const wall = "125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:154"

func TestRoomCommand(t *testing.T) {
	t.Parallel()
	s, _ := served(t)
	tests := []struct {
		rule  string
		flags []string
		table []string // expected parts of the output
	}{
		{"a use of DIN 18041", []string{"--volume", "180", "--surface", "akustikpaneel-fichte-40:64", "--surface", wall,
			"--target", "din18041:A3"},
			[]string{"180 m³, 20 °C, 50 %, target din18041:A3", "surface 0  64 m²   akustikpaneel-fichte-40@1", "\nsurface 1                     3.08", "DIN 18041, at most",
				"target 0.55 s", "╌"}},
		{"seconds, an entry and other air", []string{"--volume=180", "--surface", "akustikpaneel-fichte-40@lab-4711:64.5",
			"--surface", wall, "--target", "0.6", "--air", "-5,80"},
			[]string{"180 m³, -5 °C, 80 %, target 0.6 s", "64.5 m²  akustikpaneel-fichte-40@1", "missing", "target 0.60 s"}},
		{"no target, and no air absorption", []string{"--volume", "180", "--surface",
			"125:0,250:0,500:0,1000:0,2000:0.1,4000:1:50", "--surface", wall, "--air", "none"},
			[]string{"180 m³, air absorption ignored\n", "154 m²",
				"125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05\n", "Sabine", "Eyring", "0.00 └"}},
		{"no absorption in some bands", []string{"--volume", "180", "--surface",
			"125:0,250:0,500:0,1000:0,2000:0.1,4000:1:50", "--surface", "125:0,250:0,500:0,1000:0,2000:0,4000:0:50", "--air",
			"none"},
			[]string{"∞"}},
		{"building surfaces, people and a product that fills the room", []string{"--volume", "180", "--surface", "std:parquet:64",
			"--surface", "std:plaster:64", "--surface", "std:plaster:90", "--object", "pupil-primary:25", "--target",
			"din18041:A3", "--fill", "akustikpaneel-fichte-40", "--covers", "1"},
			[]string{"object 0   25     pupil-primary\n", "std:parquet\n", "object 0 ", "verdict", "long", "DIN 18041, at least",
				"fill, in place of surface 1\n  akustikpaneel-fichte-40@1: no area;\n    no area in steps of 0.5 m² meets the target in all octaves\n"}},
		{"seconds are judged from 250 to 2000 Hz", []string{"--volume", "180", "--surface", wall, "--target", "0.6"},
			[]string{"at least                         –     0.48", "verdict                          –     long"}},
		{"group B, without people", []string{"--volume", "180", "--surface", "std:carpet:60", "--surface", wall, "--target",
			"din18041:B3", "--height", "3", "--object", "person-seated:20", "--fill", "akustikpaneel-fichte-40"},
			[]string{"target din18041:B3", "not counted: the target is for the empty room", "A/V in 1/m", "reached ", "0.186",
				"250 Hz   500 Hz  1000 Hz  2000 Hz\n",
				"verdict                    too low  too low  too low   within\n",
				"\nfill\n  akustikpaneel-fichte-40@1: 41.5 m²\n"}},
		{"only a target", []string{"--volume", "180", "--target", "0.6"},
			[]string{"missing ", "48.23    48.09", "Sabine                           –"}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			query := valuesOf(tt.flags)
			if got, want := must(t, s.dir, append([]string{"room", "--json"}, tt.flags...)...),
				s.get(t, "/public/reverberation?"+query.Encode()).body+"\n"; got != want ||
				!strings.HasPrefix(got, `{"volume_m3":180,`) {
				t.Errorf("--json is not the API's body\ngot  %swant %s", got, want)
			}
			table := must(t, s.dir, append([]string{"room"}, tt.flags...)...)
			for _, want := range tt.table {
				if !strings.Contains(table, want) {
					t.Errorf("it lacks %q:\n%s", want, table)
				}
			}
			for line := range strings.Lines(table) {
				if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 {
					t.Errorf("wider than 80 columns: %s", line)
				}
			}
		})
	}
	t.Run("without a target there is no line", func(t *testing.T) {
		if got := must(t, s.dir, "room", "--volume", "180", "--surface", wall); strings.Contains(got, "target") ||
			strings.Contains(got, "missing") || strings.Contains(got, "╌") {
			t.Errorf("got %s", got)
		}
	})
	for _, tt := range []struct {
		rule    string
		flags   []string
		message string
	}{
		{"no volume", []string{"--surface", wall}, "--volume: missing"},
		{"no surface", []string{"--volume", "180"}, "--surface: missing"},
		{"a missing product", []string{"--volume", "180", "--surface", "x:3"},
			`--surface: "x:3" names no published product`},
		{"an argument", []string{"x", "--volume", "180", "--surface", wall}, "sabine room takes no arguments"},
		{"control characters", []string{"--volume", "1\x1b[2J", "--surface", wall}, `--volume: "1\x1b[2J"`},
	} {
		t.Run(tt.rule+" is wrong usage", func(t *testing.T) {
			if r := sabine(t, s.dir, append([]string{"room"}, tt.flags...)...); r.status != 2 || r.out != "" ||
				!strings.Contains(r.err, tt.message) {
				t.Errorf("got %d %s %s", r.status, r.out, r.err)
			}
		})
	}
}

// valuesOf returns the API parameters that correspond to flags.
func valuesOf(flags []string) url.Values {
	values := url.Values{}
	for i := 0; i < len(flags); i++ {
		name, value, joined := strings.Cut(strings.TrimPrefix(flags[i], "--"), "=")
		if !joined {
			i++
			value = flags[i]
		}
		values.Add(name, value)
	}
	return values
}
