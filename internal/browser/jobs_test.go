package browser_test

import (
	"strings"
	"testing"

	"sabine/internal/browser"
)

// A planner counts the steps of a job. A step is a click or a filled field.
type planner struct {
	*browser.Tab
	steps int
}

func (p *planner) Click(role, name string) {
	p.steps++
	p.Tab.Click(role, name)
}

func (p *planner) Fill(role, name, value string) {
	p.steps++
	p.Tab.Fill(role, name, value)
}

// TestJobsOfAPlanner checks the number of steps in jobs that a room planner performed on the page.
func TestJobsOfAPlanner(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	for _, tt := range []struct {
		job, from string
		steps     int
		do        func(*planner)
	}{
		{"compare three products for the ceiling, and share it", "/", 3, func(p *planner) {
			found := ask(t, s, "/public/search?locale=en&type=ceiling")
			p.Click("checkbox", "Ceiling")
			showsWhat(t, s, p.Tab, "locale=en&type=ceiling")
			p.Click("button", "Compare the first three")
			for _, slug := range found.Get("products.#.slug").Array()[:3] {
				p.At("id=" + slug.String())
			}
			p.Click("button", "Copy link")
		}},
		{"what an office of a volume needs", "/", 3, func(p *planner) {
			p.Click("link", "Room")
			p.Click("button", "Office")
			p.Fill("textbox", "Volume", "180")
			p.At("volume=180&size=9.26,6.94,2.8")
			p.Sees("Too little absorption in all octave bands")
			p.Sees("Mean of 500 and 1000 Hz, Sabine")
			p.Await("products", func() bool { return len(filling(p.Tab)) > 3 })
		}},
		{"products like one that are available", "/products/" + rich, 2, func(p *planner) {
			p.Click("link", "Show all similar")
			p.Click("button", "Available only")
			showsWhat(t, s, p.Tab, "locale=en&kaufbar=true&like="+rich)
			p.Await("the mark on each", func() bool {
				return browser.Eval[int](p.Tab, `[...document.querySelectorAll("article .tag")].filter(e => e.textContent === "available").length`) == len(hits(p.Tab))
			})
		}},
		{"a restaurant with chairs and people: verdict and time", "/", 2, func(p *planner) {
			p.Click("link", "Room")
			p.Click("button", "Restaurant")
			p.Sees("Too little absorption in all octave bands")
			p.Sees("40 people are not counted")
			p.Sees("Mean of 500 and 1000 Hz, Sabine")
		}},
	} {
		t.Run(strings.ReplaceAll(tt.job, " ", "-"), func(t *testing.T) {
			p := &planner{Tab: browser.Open(t, s, browser.View{}, tt.from)}
			tt.do(p)
			if p.steps > tt.steps {
				t.Errorf("%s: got %d steps, want %d", tt.job, p.steps, tt.steps)
			}
		})
	}
}
