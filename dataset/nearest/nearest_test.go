package nearest_test

import (
	"strings"
	"testing"

	"sabine/dataset/nearest"
)

func TestName(t *testing.T) {
	known := []string{"label", "fire_class", "thickness_mm", "limit"}
	for _, test := range []struct{ rule, text, want string }{
		{"the name itself", "label", "label"},
		{"capitals do not matter", "LABEL", "label"},
		{"letters that changed places", "lable", "label"},
		{"a letter less", "tickness_mm", "thickness_mm"},
		{"another separator", "fire-class", "fire_class"},
		{"the beginning of a name", "fire", "fire_class"},
		{"none is near", "facets", ""},
		{"nothing", "", ""},
		{"no typing error is that long", strings.Repeat("label", 100), ""},
	} {
		if got := nearest.Name(test.text, known); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}
