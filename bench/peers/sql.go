package main

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"sabine/indexes"
	"sabine/runtime"
)

// A statement is SQL with its arguments, as it grows. The same question of another product is the same text, so that it is
// prepared once.
type statement struct {
	sigil   string // of a numbered parameter: "?" of SQLite, "$" of PostgreSQL
	noIndex string // keeps a column from being looked up in an index by a planner that takes common values for rare ones
	args    []any
}

// arg adds an argument and returns its place in the text.
func (s *statement) arg(v any) string {
	s.args = append(s.args, v)
	return s.sigil + strconv.Itoa(len(s.args))
}

// page adds the place of a page and returns what cuts it.
func (s *statement) page(q *question) string {
	return " LIMIT " + s.arg(pageSize) + " OFFSET " + s.arg(q.Query.Page*pageSize)
}

// filters returns the conditions on product p of all filters but those of one family, each behind AND.
func (s *statement) filters(n *numbering, f *runtime.Filters, but family) string {
	var b strings.Builder
	oneOf := func(in family, values []string) {
		if in == but || len(values) == 0 {
			return
		}
		places := make([]string, len(values))
		for i, v := range values {
			places[i] = s.arg(n.find(in, v))
		}
		b.WriteString(" AND p." + columns[in] + " IN (" + strings.Join(places, ", ") + ")")
	}
	oneOf(category, f.Categories)
	oneOf(character, f.Characters)
	if len(f.Installations) > 0 && but != installation {
		b.WriteString(" AND p.installation & " + s.arg(n.findSet(f.Installations)) + " <> 0")
	}
	oneOf(manufacturer, f.Manufacturers)
	if f.FireClass != "" && but != fireClass {
		b.WriteString(" AND p.fire BETWEEN 1 AND " + s.arg(fireRank(f.FireClass)))
	}
	if f.HasEPD && but != epd {
		b.WriteString(" AND " + s.noIndex + "p.epd = 1")
	}
	if f.Purchasable && but != purchasable {
		b.WriteString(" AND " + s.noIndex + "p.purchasable = 1")
	}
	if f.AlphaWMin != nil {
		b.WriteString(" AND " + s.noIndex + "p.alpha_w >= " + s.arg(*f.AlphaWMin))
	}
	if f.AlphaWMax != nil {
		b.WriteString(" AND " + s.noIndex + "p.alpha_w <= " + s.arg(*f.AlphaWMax))
	}
	return b.String()
}

// A numbering numbers the values of every family, from 1. EPD and purchasable are 0 and 1, a fire class is its rank. The
// installations of a product are one number, a set of bits: it spares a table of pairs, which made three filters of SQLite
// seven times as slow.
type numbering struct {
	numbers [families]map[string]int
	values  [families][]string // by number; 0 is none
}

func newNumbering() *numbering {
	n := &numbering{}
	for f := range families {
		n.numbers[f], n.values[f] = map[string]int{}, []string{""}
	}
	n.values[fireClass] = append(n.values[fireClass], indexes.FireClasses...)
	n.values[epd], n.values[purchasable] = []string{"false", "true"}, []string{"false", "true"}
	return n
}

// number returns the number of a value, a new one of a new value; 0 of "".
func (n *numbering) number(f family, value string) int {
	if value == "" {
		return 0
	}
	number, ok := n.numbers[f][value]
	if !ok {
		number = len(n.values[f])
		n.put(f, number, value)
	}
	return number
}

// put gives a value the number that it had when it was stored.
func (n *numbering) put(f family, number int, value string) {
	if missing := number + 1 - len(n.values[f]); missing > 0 {
		n.values[f] = append(n.values[f], make([]string, missing)...)
	}
	n.numbers[f][value], n.values[f][number] = number, value
}

// find returns the number of a value, -1 of one that no product has.
func (n *numbering) find(f family, value string) int {
	if number, ok := n.numbers[f][value]; ok {
		return number
	}
	return -1
}

// set returns the set of installations.
func (n *numbering) set(values []string) (set int64, err error) {
	for _, v := range values {
		number := n.number(installation, v)
		if number > 62 {
			return 0, fmt.Errorf("installation %q: expected at most 62 installations", v)
		}
		set |= 1 << number
	}
	return set, nil
}

// findSet returns the set of installations, without those that no product has.
func (n *numbering) findSet(values []string) (set int64) {
	for _, v := range values {
		if number := n.find(installation, v); number > 0 {
			set |= 1 << number
		}
	}
	return set
}

// stored lists the families whose numbers have to be stored.
var stored = []family{category, character, installation, manufacturer}

// The rows of statements that count are family, number, count and id: of a hit on the page isHit, 0, 0, id; of the total isTotal,
// 0, count; else the count of a value.
const (
	isHit   = -1
	isTotal = int(families)
)

// take takes one of these rows, what it counts into a tally.
func (a *answer) take(t *tally, f int, number int64, n int, id string) {
	switch f {
	case isHit:
		a.IDs = append(a.IDs, id)
	case isTotal:
		a.Total = n
	default:
		t.add(family(f), number, n)
	}
}

// A tally gathers the counts that rows of family, number and count tell.
type tally struct {
	numbering     *numbering
	counts        []count
	fire          [8]int  // each class alone
	installations [63]int // by number
}

func (t *tally) add(f family, number int64, n int) {
	switch {
	case f == fireClass:
		t.fire[number] = n
	case f == installation:
		for set := uint64(number); set != 0; set &= set - 1 {
			t.installations[bits.TrailingZeros64(set)] += n
		}
	case t.numbering.values[f][number] != "":
		t.counts = append(t.counts, count{f, t.numbering.values[f][number], n})
	}
}

func (t *tally) all() []count {
	for number, n := range t.installations {
		if n > 0 {
			t.counts = append(t.counts, count{installation, t.numbering.values[installation][number], n})
		}
	}
	return cumulated(t.counts, &t.fire)
}
