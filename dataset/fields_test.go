package dataset

import (
	"strings"
	"testing"
)

func TestNearestField(t *testing.T) {
	tests := []struct{ path, want string }{
		{"lable", "label"},
		{"Commercial-Name", "commercial_name"},
		{"commercialName", "commercial_name"},
		{"measurments", "measurements"},
		{"vocabluary", "vocabulary"},
		{"alfa_w", "alpha_w"},
		{`["fire class"]`, "fire_class"},
		{"manufacturer.nmae", "name"},
		{"images.display_ordr", "display_order"},
		{"geometry.size_variant", "size_variants"},
		{"geometry.bounding_box_mm.widht", "width"},
		{"measurements.absorption_iso354", "absorption_iso_354"},
		{"measurements.absorption_iso_354.tickness_mm", "thickness_mm"},
		{`measurements.absorption_iso_354["air-gap mm"]`, "air_gap_mm"},
		{"measurements.diffusion_iso_17497_2.scatter_octave", ""}, // the known field is in another object
		{"colour", ""},
		{"tickness_mm", ""}, // the known field is in another object
		{"manufacturer.country", ""},
		{"", ""},
		{strings.Repeat("label", 1000), ""},
	}
	for _, test := range tests {
		if got := NearestField(test.path); got != test.want {
			t.Errorf("%q: got %q, want %q", test.path, got, test.want)
		}
	}
}

func TestEveryFieldIsNearItself(t *testing.T) {
	var walk func(object string)
	walk = func(object string) {
		names, _ := recordFields.level(object + "?")
		for _, name := range names {
			if got := NearestField(object + name); got != name {
				t.Errorf("%s: got %q", object+name, got)
			}
			if _, last := recordFields.level(object + name + ".?"); last == "?" {
				walk(object + name + ".")
			}
		}
	}
	walk("")
}
