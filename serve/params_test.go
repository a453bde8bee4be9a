package serve

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sabine/runtime"
)

func TestMessagesListTheFirstFaultsAndTenValues(t *testing.T) {
	if got := allowed(strings.Split("a b c d e f g h i j k l",
		" ")); got != `allowed: "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" and 2 more` {
		t.Errorf("got %s", got)
	}
	if got := allowed(nil); got != "no values are known" {
		t.Errorf("got %s", got)
	}
	var p params
	for range 9 {
		p.fault("page", "wrong")
	}
	if got := p.problem().message; got != "page: wrong; page: wrong; page: wrong; page: wrong; page: wrong" {
		t.Errorf("got %s", got)
	}
	if got := quote("a\n" + strings.Repeat("ü", 100)); got != `"a\n`+strings.Repeat("ü", 58)+`…"` {
		t.Errorf("got %s", got)
	}
}

// TestUnknownNamesAreRetainedUpToALimit checks the limit, which is necessary because each name is compared
// with all retained names.
func TestUnknownNamesAreRetainedUpToALimit(t *testing.T) {
	var raw strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&raw, "%x=1&", n)
	}
	var p params
	if err := p.parse(raw.String() + "category[]=x"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.matchNames(searchMaterials.singles, searchMaterials.lists), " "); got != "0 1 2 3 4 5 6 7 8 9" {
		t.Errorf("got %.80s, want the first ten", got)
	}
	if last := p.pairs[len(p.pairs)-1].name; last != "category" {
		t.Errorf("the list after them has the name %q", last)
	}
}

func TestLongListsCollapseLikeShortOnes(t *testing.T) {
	var p params
	for i := range 5000 {
		p.pairs = append(p.pairs, pair{"category", fmt.Sprint(i % 1000)})
	}
	if got := p.list("category"); len(got) != 1000 || got[0] != "0" || got[999] != "999" {
		t.Errorf("got %d values from %s to %s", len(got), got[0], got[len(got)-1])
	}
}

// FuzzQuery compares the parser with net/url, and calls every method that reads a parameter.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "q=akustik&page=1", "category=holz,textil&category=metall", "page=-9223372036854775809",
		"alpha_w_min=0.5&alpha_w_max=0.4",
		"q=%C3%A4&q=%61", "facets=TRUE&include=acoustics,geometry", "q=%zz", "a;b", "locale=en-GB&sort=name_asc",
		"=&&=x&%00=%ff", "ids=,,a,%2Ca",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var p params
		if err := p.parse(raw); err != nil {
			if !utf8.ValidString(err.Error()) && utf8.ValidString(raw) {
				t.Errorf("%q: the message %q is not UTF-8", raw, err)
			}
			return
		}
		known, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatalf("%q: net/url refuses what we read: %v", raw, err)
		}
		for _, given := range p.pairs {
			if values := known[given.name]; len(values) == 0 {
				t.Errorf("%q: net/url has no parameter %q", raw, given.name)
			}
			if !utf8.ValidString(given.value) {
				t.Errorf("%q: %q is not UTF-8", raw, given.value)
			}
		}
		p.pairs = slices.DeleteFunc(p.pairs, func(given pair) bool { return given.name == "like" }) // skip like
		var s runtime.Query
		p.readPublicSearch(nil, &s)
		faults := len(p.faults)
		if s.Page < 0 || s.Limit != publicLimit || utf8.RuneCountInString(s.Text) > maxTextLength && faults == 0 {
			t.Errorf("%q: got page %d, limit %d, text of %d", raw, s.Page, s.Limit, utf8.RuneCountInString(s.Text))
		}
		if from, to := s.Filters.AlphaWMin, s.Filters.AlphaWMax; from != nil && to != nil &&
			!(0 <= *from && *from <= *to && *to <= 1) {
			t.Errorf("%q: got the range %v to %v", raw, *from, *to)
		}
		if n := p.integer("limit", DefaultLimit, 1, MaxLimit); n < 1 || n > MaxLimit {
			t.Errorf("%q: got the limit %d", raw, n)
		}
		p.include()
		for _, name := range []string{"ids", "category"} {
			seen := map[string]bool{}
			for _, v := range p.list(name) {
				if v == "" || strings.TrimSpace(v) != v || strings.Contains(v, ",") || seen[v] {
					t.Errorf("%q: %s holds %q", raw, name, v)
				}
				seen[v] = true
			}
		}
		if problem := p.problem(); (problem == nil) != (len(p.faults) == 0) {
			t.Errorf("%q: %d faults and problem %v", raw, len(p.faults), problem)
		}
	})
}
