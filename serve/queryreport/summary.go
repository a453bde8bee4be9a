package queryreport

import (
	"slices"
	"time"
)

// maxTexts is how many texts are counted of a day.
const maxTexts = 2000

const secondsOfADay = 24 * 60 * 60

// dayOf returns the number of a day in UTC.
func dayOf(t time.Time) int64 { return t.Unix() / secondsOfADay }

// A day is the summary of its texts by the Space-Saving algorithm of Metwally, Agrawal and El Abbadi (2005):
// a text without a counter takes over the least one. A count is at least the true one, and at most its error
// larger.
type day struct {
	number   int64
	counters []counter
	counts   []int          // of the counters
	places   map[string]int // of the texts; nil once the day is over
	full     bool           // a counter was taken over
}

type counter struct {
	text     string
	strategy string // of the last search
	error    int
	clients  []Client // the first different ones, no more than make a text ripe
}

func newDay(number int64) *day { return &day{number: number, places: map[string]int{}} }

// add counts a search.
func (d *day) add(client Client, text, strategy string) {
	place, known := d.places[text]
	if !known {
		place = d.place(text)
	}
	d.counts[place]++
	c := &d.counters[place]
	c.strategy = strategy
	if len(c.clients) < ripe && !slices.Contains(c.clients, client) {
		c.clients = append(c.clients, client)
	}
}

// place returns the place of a counter for a new text.
func (d *day) place(text string) (place int) {
	if place = len(d.counters); place < maxTexts {
		d.counters, d.counts = append(d.counters, counter{text: text}), append(d.counts, 0)
	} else {
		least := slices.Min(d.counts) // of 2,000 in a few microseconds, with no order to keep
		place = slices.Index(d.counts, least)
		delete(d.places, d.counters[place].text)
		d.counters[place] = counter{text: text, error: least}
		d.full = true
	}
	d.places[text] = place
	return place
}

// missed returns how often a text without a counter was searched for at most.
func (d *day) missed() int {
	if !d.full {
		return 0
	}
	return slices.Min(d.counts)
}

// snapshot returns a copy that does not change.
func (d *day) snapshot() *day {
	c := *d
	c.counters, c.counts, c.places = slices.Clone(d.counters), slices.Clone(d.counts), nil
	return &c
}
