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
		{"case is ignored", "LABEL", "label"},
		{"swapped letters", "lable", "label"},
		{"a missing letter", "tickness_mm", "thickness_mm"},
		{"another separator", "fire-class", "fire_class"},
		{"the beginning of a name", "fire", "fire_class"},
		{"no similar name", "facets", ""},
		{"nothing", "", ""},
		{"too long for a typing error", strings.Repeat("label", 100), ""},
	} {
		if got := nearest.Name(test.text, known); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}
