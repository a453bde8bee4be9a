package serve

import (
	"strings"
	"testing"
)

func FuzzIfNoneMatch(f *testing.F) {
	for _, seed := range []string{`"a"`, `W/"a-gzip", "b"`, "*", `"`, `W/`, `,,"",`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		if matchesTag([]string{field}, "b1946ac9", false) && !strings.Contains(field, "b1946ac9") && field != "*" {
			t.Errorf("%q matches", field)
		}
		if !strings.Contains(field, `"`) && field != "*" && !matchesTag([]string{field + `"`, `"b1946ac9"`}, "b1946ac9",
			false) {
			t.Errorf("%q hides the field after it", field)
		}
	})
}
