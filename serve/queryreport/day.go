package queryreport

import (
	"slices"
	"time"
)

// maxTexts is the maximum number of texts with a counter on a day.
const maxTexts = 2000

const secondsOfADay = 24 * 60 * 60

// dayOf returns the day of a time in UTC, in days since the Unix epoch.
func dayOf(t time.Time) int64 { return t.Unix() / secondsOfADay }

// A day counts the texts on a day with the Space-Saving algorithm by Metwally, Agrawal and El Abbadi (2005):
// when all counters are in use, a new text takes over the smallest counter. A count is at least the true
// count, and exceeds it by at most the error of the counter.
type day struct {
	number   int64
	counters []counter
	counts   []int          // counts by counter index
	index    map[string]int // counter index of each text; nil after the day is over
	full     bool           // whether a counter was taken over
}

type counter struct {
	text     string
	strategy string // strategy of the latest search
	error    int
	clients  []Client // first minClients different clients
}

func newDay(number int64) *day { return &day{number: number, index: map[string]int{}} }

// add counts a search.
func (d *day) add(client Client, text, strategy string) {
	i, known := d.index[text]
	if !known {
		i = d.assign(text)
	}
	d.counts[i]++
	c := &d.counters[i]
	c.strategy = strategy
	if len(c.clients) < minClients && !slices.Contains(c.clients, client) {
		c.clients = append(c.clients, client)
	}
}

// assign assigns a counter to a new text and returns its index.
func (d *day) assign(text string) (i int) {
	if i = len(d.counters); i < maxTexts {
		d.counters, d.counts = append(d.counters, counter{text: text}), append(d.counts, 0)
	} else {
		least := slices.Min(d.counts) // a few microseconds for 2,000 counts, without a sorted structure
		i = slices.Index(d.counts, least)
		delete(d.index, d.counters[i].text)
		d.counters[i] = counter{text: text, error: least}
		d.full = true
	}
	d.index[text] = i
	return i
}

// missed returns the maximum number of searches for a text without a counter.
func (d *day) missed() int {
	if !d.full {
		return 0
	}
	return slices.Min(d.counts)
}

// snapshot returns a copy that does not change.
func (d *day) snapshot() *day {
	c := *d
	c.counters, c.counts, c.index = slices.Clone(d.counters), slices.Clone(d.counts), nil
	return &c
}
