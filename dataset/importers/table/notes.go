package table

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
)

// notes are what is doubtful about several rows or products alike: each is told once.
type notes map[note]*noted

// A note is what is doubtful about a column, and what is counted of it: "row" or "product", "" for nothing.
type note struct{ path, problem, unit string }

// noted is how often, and where first.
type noted struct {
	count int
	place dataset.Place
}

func (n notes) add(path, problem, unit string, place dataset.Place) {
	n.addN(path, problem, unit, place, 1)
}

func (n notes) addN(path, problem, unit string, place dataset.Place, count int) {
	of := note{path, problem, unit}
	if n[of] == nil {
		n[of] = &noted{place: place}
	}
	n[of].count += count
}

// tell warns of all, in order.
func (n notes) tell(warn func(dataset.Fault)) {
	for _, of := range slices.SortedFunc(maps.Keys(n), func(a, b note) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.problem, b.problem))
	}) {
		problem := of.problem
		if of.unit != "" {
			problem += " (" + counted(n[of].count, of.unit) + ")"
		}
		warn(dataset.Fault{Place: n[of].place, Path: of.path, Problem: problem})
	}
}

// counted returns "1 row", "2 rows".
func counted(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// maxQuoted is how many texts a message quotes.
const maxQuoted = 100

// quotedList joins texts for a message.
func quotedList(list []string) string {
	quoted := make([]string, min(len(list), maxQuoted))
	for i := range quoted {
		quoted[i] = dataset.Quoted(list[i])
	}
	all := strings.Join(quoted, ", ")
	if more := len(list) - len(quoted); more > 0 {
		all += " and " + strconv.Itoa(more) + " more"
	}
	return all
}
