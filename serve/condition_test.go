package serve

import (
	"strings"
	"testing"
)

func TestIfNoneMatch(t *testing.T) {
	const hash = "b1946ac92492d2347c6235b4d2611184"
	tests := []struct {
		rule   string
		fields []string
		want   bool
	}{
		{"no field", nil, false},
		{"the tag", []string{`"` + hash + `"`}, true},
		{"a weak tag", []string{`W/"` + hash + `"`}, true},
		{"the tag of the gzip coding", []string{`"` + hash + `-gzip"`}, true},
		{"the weak tag of the zstd coding", []string{`W/"` + hash + `-zstd"`}, true},
		{"any", []string{"*"}, true},
		{"any, with blanks", []string{" * "}, true},
		{"another tag", []string{`"x"`}, false},
		{"a list", []string{`"x", W/"y" ,"` + hash + `"`}, true},
		{"a list without blanks", []string{`"x","` + hash + `-gzip","y"`}, true},
		{"a list of others", []string{`"x", "y"`}, false},
		{"empty elements", []string{`, ,"` + hash + `",`}, true},
		{"several fields", []string{`"x"`, `"` + hash + `"`}, true},
		{"a comma inside a tag", []string{`"a,b", "` + hash + `"`}, true},
		{"no quotes", []string{hash}, false},
		{"a tag that does not end", []string{`"` + hash}, false},
		{"an unknown coding", []string{`"` + hash + `-br"`}, false},
		{"a part of the tag", []string{`"` + hash[:16] + `"`}, false},
		{"weakness is upper case", []string{`w/"` + hash + `"`}, false},
		{"any in a list is no tag", []string{`"x", *`}, false},
		{"what stands behind something else is not read", []string{`x "` + hash + `"`}, false},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := matchesTag(tt.fields, hash, false); got != tt.want {
				t.Errorf("%q: got %t", tt.fields, got)
			}
		})
	}
}

func TestIfMatch(t *testing.T) {
	for _, tt := range []struct {
		rule, field, hash string
		want              bool
	}{
		{"the tag", `"h"`, "h", true},
		{"the tag of another coding of the same content", `"h-gzip"`, "h", true},
		{"a weak tag never matches strongly", `W/"h"`, "h", false},
		{"a weak tag before the tag", `W/"h", "h"`, "h", true},
		{"any", "*", "h", true},
		{"another tag", `"x"`, "h", false},
		{"nothing", "", "h", false},
		{"any, where there are no tags", "*", "", true},
		{"a tag, where there are none", `"h"`, "", false},
		{"an empty tag, where there are none", `"", "-gzip"`, "", false},
	} {
		if got := matchesTag([]string{tt.field}, tt.hash, true); got != tt.want {
			t.Errorf("%s: got %t", tt.rule, got)
		}
	}
}

func TestEntityTagsOfTwoCodingsDiffer(t *testing.T) {
	for c, want := range map[coding]string{identity: `"h"`, gzipped: `"h-gzip"`, zstandard: `"h-zstd"`} {
		got := entityTag("h", c)
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if !matchesTag([]string{got}, "h", false) {
			t.Errorf("%s does not match its own content", got)
		}
	}
}

func FuzzIfNoneMatch(f *testing.F) {
	for _, seed := range []string{`"a"`, `W/"a-gzip", "b"`, "*", `"`, `W/`, `,,"",`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		if matchesTag([]string{field}, "b1946ac9", false) && !strings.Contains(field, "b1946ac9") && strings.Trim(field, " \t") != "*" {
			t.Errorf("%q matches", field)
		}
		if !strings.Contains(field, `"`) && strings.Trim(field, " \t") != "*" && !matchesTag([]string{field + `"`, `"b1946ac9"`}, "b1946ac9", false) {
			t.Errorf("%q hides the field behind it", field)
		}
	})
}
