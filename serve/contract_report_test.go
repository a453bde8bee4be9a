package serve_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sabine/serve/queryreport"
)

// TestTheQueryReport searches in every way, as five clients: three addresses and two accounts. The report
// must contain the texts that are counted.
func TestTheQueryReport(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "queries.json")
	report, err := queryreport.Open(path, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, settings{folder: built(t, product(1, "Deckensegel")+product(2, "Wandpaneel")),
		mcp: true, report: report, proxies: []netip.Prefix{localhost}})
	searches := []struct {
		rule, public, authenticated, tool string // query strings of each kind of request; "" for no request
		text                              string // text in the report; "" for none
		strategy                          string
	}{
		{"a text that nothing is like", "q=Xyz+QWV", "q=xyz++qwv", `{"query":"XYZ qwv"}`, "xyz qwv", "none"},
		{"a misspelt word", "q=Deckensegle", "q=deckensegle", `{"query":"deckensegle"}`, "deckensegle", "fuzzy"},
		{"one that no product passes the filters of", "q=Wandpaneal&min=0.9", "q=wandpaneal&alpha_w_min=0.9",
			`{"query":"wandpaneal","alpha_w_min":0.9}`, "wandpaneal", "none"},
		{"a text that is found", "q=Deckensegel", "q=deckensegel", `{"query":"deckensegel"}`, "", ""},
		{"a text that only the filters exclude", "q=Wandpaneel&min=0.9", "q=wandpaneel&alpha_w_min=0.9",
			`{"query":"wandpaneel","alpha_w_min":0.9}`, "", ""},
		{"a later page is the same search", "q=pageqq&page=1", "q=pageqq&page=1", "", "", ""},
		{"no text", "", "", `{}`, "", ""},
	}
	var want []string
	for _, search := range searches {
		count := 0
		for client := range 3 {
			address := fmt.Sprintf("198.51.100.%d", client)
			s.open(t, "/public/search?"+search.public, "X-Forwarded-For", address)
			count++
		}
		for _, key := range []string{goodKey, secondKey, otherKey} {
			if a := s.open(t, "/v1/materials/search?"+search.authenticated, s.as(key)...); a.status != 200 {
				t.Fatalf("%s: %d %s", search.rule, a.status, a.body)
			}
			count++
		}
		if search.tool != "" {
			for _, fields := range [][]string{s.as(goodKey), {"X-Forwarded-For", "198.51.100.1"}} {
				a := s.post(t, callOf("search_materials", search.tool), fields...)
				if strings.Contains(a.body, `"isError":true`) {
					t.Fatalf("%s: %s", search.rule, a.body)
				}
				count++
			}
		}
		if search.text != "" {
			want = append(want, fmt.Sprint(search.text, " ", count, " ", search.strategy))
		}
	}
	for client := range 4 { // not enough clients for the report
		s.open(t, "/public/search?q=jemandqq", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", client))
	}
	if err := report.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := queryreport.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, text := range f.Texts {
		got = append(got, fmt.Sprint(text.Text, " ", text.Count, " ", text.Strategy))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
