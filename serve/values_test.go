package serve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/runtime"
)

// read parses a query string, reads one value and returns it as text, or the message of the 400.
func read[T any](t *testing.T, raw string, reader func(*params) T) string {
	t.Helper()
	var p params
	if err := p.parse(raw); err != nil {
		t.Fatal(err)
	}
	value := reader(&p)
	if problem := p.problem(); problem != nil {
		return problem.message
	}
	return fmt.Sprint(value)
}

func TestBooleans(t *testing.T) {
	tests := []struct{ rule, raw, want string }{
		{"absent is false", "", "false"},
		{"empty is absent", "epd=", "false"},
		{"true", "epd=true", "true"},
		{"1", "epd=1", "true"},
		{"any case", "epd=TrUe", "true"},
		{"false", "epd=FALSE", "false"},
		{"0", "epd=0", "false"},
		{"twice the same", "epd=1&epd=true", "true"},
		{"twice another", "epd=1&epd=0", `epd: given twice with different values, "1" and "0"`},
		{"yes", "epd=yes", `epd: "yes" is not a boolean; allowed: true, 1, false, 0`},
		{"names are case-sensitive", "EPD=1", "false"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := read(t, tt.raw, func(p *params) bool { return p.boolean("epd") }); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestIntegers(t *testing.T) {
	const not = " is not an integer of at most 64 bits"
	tests := []struct{ rule, raw, want string }{
		{"absent", "", "20"},
		{"digits", "limit=7", "7"},
		{"leading zeros", "limit=007", "7"},
		{"below the least", "limit=0", "1"},
		{"a minus", "limit=-3", "1"},
		{"above the most", "limit=51", "50"},
		{"the largest of 64 bits", "limit=9223372036854775807", "50"},
		{"more than 64 bits", "limit=9223372036854775808", `limit: "9223372036854775808"` + not},
		{"less than 64 bits", "limit=-9223372036854775809", `limit: "-9223372036854775809"` + not},
		{"a plus", "limit=%2B1", `limit: "+1"` + not},
		{"a plus that became a blank", "limit=+1", `limit: " 1"` + not},
		{"a point", "limit=1.0", `limit: "1.0"` + not},
		{"an exponent", "limit=1e3", `limit: "1e3"` + not},
		{"hexadecimal", "limit=0x10", `limit: "0x10"` + not},
		{"underscores", "limit=1_0", `limit: "1_0"` + not},
		{"a minus alone", "limit=-", `limit: "-"` + not},
		{"text behind", "limit=1x", `limit: "1x"` + not},
		{"a list", "limit=1,2", `limit: "1,2"` + not},
		{"other digits", "limit=%D9%A1", `limit: "١"` + not},
		{"twice another", "limit=1&limit=2", `limit: given twice with different values, "1" and "2"`},
		{"twice the same", "limit=1&limit=01", "1"},
		{"twice, once empty", "limit=1&limit=", "1"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := read(t, tt.raw, func(p *params) int { return p.integer("limit", DefaultLimit, 1, MaxLimit) }); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestRanges(t *testing.T) {
	const number, fraction = " is not a number such as 0.85", " is not between 0 and 1"
	tests := []struct{ rule, raw, want string }{
		{"open", "", "open to open"},
		{"both ends", "min=0.25&max=0.75", "0.25 to 0.75"},
		{"one value", "min=0.5&max=0.5", "0.5 to 0.5"},
		{"the whole range", "min=0&max=1", "0 to 1"},
		{"many digits", "min=0." + strings.Repeat("0", 400) + "1", "0 to open"},
		{"minus zero", "min=-0", "-0 to open"},
		{"crossed", "min=0.8&max=0.2", "min: 0.8 is more than max, 0.2"},
		{"above", "max=1.01", `max: "1.01"` + fraction},
		{"below", "min=-0.01", `min: "-0.01"` + fraction},
		{"far above", "min=" + strings.Repeat("9", 400), `min: "` + strings.Repeat("9", 60) + `…"` + fraction},
		{"no digit before the point", "min=.5", `min: ".5"` + number},
		{"no digit behind the point", "min=1.", `min: "1."` + number},
		{"exponents", "min=5e-2&max=1.5E-1", "0.05 to 0.15"},
		{"an exponent without digits", "min=1e", `min: "1e"` + number},
		{"an exponent with a sign alone", "min=1e-", `min: "1e-"` + number},
		{"an exponent of no number", "min=e1", `min: "e1"` + number},
		{"trailing text", "min=0.5x", `min: "0.5x"` + number},
		{"a leading zero", "min=01", `min: "01"` + number},
		{"far above, by its exponent", "max=1e999", `max: "1e999"` + fraction},
		{"plus", "min=%2B0.5", `min: "+0.5"` + number},
		{"comma", "min=0,5", `min: "0,5" has a comma where a decimal point is expected, as in 0.85`},
		{"two commas", "min=0,5,5", `min: "0,5,5"` + number},
		{"NaN", "min=NaN", `min: "NaN"` + number},
		{"infinity", "max=Inf", `max: "Inf"` + number},
		{"hexadecimal", "max=0x1p-2", `max: "0x1p-2"` + number},
		{"both wrong", "min=a&max=b", `min: "a"` + number + `; max: "b"` + number},
		{"twice another", "min=0.1&min=0.2", `min: given twice with different values, "0.1" and "0.2"`},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := read(t, tt.raw, func(p *params) string {
				ends := []string{"open", "open"}
				from, to := p.bounds("min", "max")
				for i, end := range []*float64{from, to} {
					if end != nil {
						ends[i] = fmt.Sprintf("%.2g", *end)
					}
				}
				return strings.Join(ends, " to ")
			})
			if got != tt.want {
				t.Errorf("%.80s: got %s, want %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestLists(t *testing.T) {
	const id, upper = "0b6f1c8e-4d2a-5e7b-9c3f-1a2b3c4d5e6f", "0B6F1C8E-4D2A-5E7B-9C3F-1A2B3C4D5E6F"
	tests := []struct {
		rule, raw string
		want      []string
	}{
		{"absent", "", nil},
		{"a comma list", "v=a,b", []string{"a", "b"}},
		{"repeated", "v=a&v=b", []string{"a", "b"}},
		{"both", "v=a,b&w=x&v=c", []string{"a", "b", "c"}},
		{"an encoded comma separates as well", "v=a%2Cb", []string{"a", "b"}},
		{"blanks are trimmed", "v=+a+,%09b%C2%A0", []string{"a", "b"}},
		{"empty values are dropped", "v=,,a,+,", []string{"a"}},
		{"doubles collapse", "v=a,b&v=a", []string{"a", "b"}},
		{"values are case-sensitive", "v=a,A", []string{"a", "A"}},
		{"UUIDs are not", "v=" + id + "," + upper, []string{id}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var p params
			if err := p.parse(tt.raw); err != nil {
				t.Fatal(err)
			}
			if got := p.list("v"); !slices.Equal(got, tt.want) {
				t.Errorf("%s: got %q, want %q", tt.raw, got, tt.want)
			}
		})
	}
}

func TestLongListsCollapseLikeShortOnes(t *testing.T) {
	var long []string
	for i := range 5000 {
		long = append(long, fmt.Sprint(i%1000))
	}
	got := distinct(long)
	if len(got) != 1000 || got[0] != "0" || got[999] != "999" {
		t.Errorf("got %d values from %s to %s", len(got), got[0], got[len(got)-1])
	}
}

func TestTexts(t *testing.T) {
	long := strings.Repeat("ü", 200)
	tests := []struct{ rule, raw, want string }{
		{"absent", "", ""},
		{"blank is absent", "q=+%09", ""},
		{"trimmed", "q=+a+b+", "a b"},
		{"200 characters", "q=" + long, long},
		{"200 characters after trimming", "q=+" + long + "+", long},
		{"201 characters", "q=" + long + "x", `q: "` + strings.Repeat("ü", 60) + `…" has 201 characters; at most 200 are searched`},
		{"twice another", "q=a&q=b", `q: given twice with different values, "a" and "b"`},
		{"twice the same", "q=a&q=+a", "a"},
		{"twice, once blank", "q=+&q=a", "a"},
		{"commas are text", "q=a,b", "a,b"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := read(t, tt.raw, func(p *params) string { return p.text("q") }); got != tt.want {
				t.Errorf("%.60s: got %s, want %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestSorts(t *testing.T) {
	for raw, want := range map[string]string{
		"":                    fmt.Sprint(runtime.SortRelevance),
		"sort=relevance":      fmt.Sprint(runtime.SortRelevance),
		"sort=alphaW_desc":    fmt.Sprint(runtime.SortAlphaDesc),
		"sort=alphaW_asc":     fmt.Sprint(runtime.SortAlphaAsc),
		"sort=date_desc":      fmt.Sprint(runtime.SortDate),
		"sort=name_asc":       fmt.Sprint(runtime.SortName),
		"sort=ALPHAW_DESC":    `sort: "ALPHAW_DESC" is not a sort, the nearest is "alphaW_desc"; allowed: "relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc"`,
		"sort=date_desc,name": `sort: "date_desc,name" is not a sort, the nearest is "date_desc"; allowed: "relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc"`,
	} {
		if got := read(t, raw, func(p *params) runtime.Sort { return p.sort("sort") }); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

func TestLocales(t *testing.T) {
	for raw, want := range map[string]runtime.Locale{
		"":                          runtime.German,
		"locale=en":                 runtime.English,
		"locale=EN":                 runtime.English,
		"locale=en-GB":              runtime.English,
		"locale=En-us-x":            runtime.English,
		"locale=de":                 runtime.German,
		"locale=english":            runtime.German,
		"locale=en_US":              runtime.German,
		"locale=fr":                 runtime.German,
		"locale=%00":                runtime.German,
		"locale=en&locale=en-GB":    runtime.English,
		"locale=de&locale=fr":       runtime.German,
		"locale=&locale=en&locale=": runtime.English,
	} {
		if got := read(t, raw, func(p *params) runtime.Locale { return p.locale("locale") }); got != fmt.Sprint(want) {
			t.Errorf("%s: got %s, want %v", raw, got, want)
		}
	}
}

func TestIncludes(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                  fmt.Sprint(runtime.Include{}),
		"include=acoustics":                 fmt.Sprint(runtime.Include{Acoustics: true}),
		"include=geometry,+acoustics,":      fmt.Sprint(runtime.Include{Acoustics: true, Geometry: true}),
		"include=geometry&include=geometry": fmt.Sprint(runtime.Include{Geometry: true}),
		"include=Geometry":                  `include: "Geometry" is not known, the nearest is "geometry"; allowed: "acoustics", "geometry"`,
		"include=images":                    `include: "images" is not known; allowed: "acoustics", "geometry"`,
	} {
		if got := read(t, raw, func(p *params) runtime.Include { return p.include() }); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}
