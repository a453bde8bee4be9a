package synthetic

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// files are the tables that records are drawn from. Each says at its top what its columns are.
//
//go:embed tables
var files embed.FS

// A row is the cells of a table's row, by column.
type row map[string]string

// rows reads a table. One that is damaged is a bug of ours, which any test finds.
func rows(name string) (all []row) {
	text, err := files.ReadFile("tables/" + name)
	if err != nil {
		panic(err)
	}
	table := csv.NewReader(bytes.NewReader(text))
	table.Comma, table.Comment = ';', '#'
	lines, err := table.ReadAll()
	if err != nil {
		panic(name + ": " + err.Error())
	}
	for _, cells := range lines[1:] {
		r := row{}
		for i, column := range lines[0] {
			r[column] = cells[i]
		}
		all = append(all, r)
	}
	return all
}

// numbers reads a cell of whole numbers.
func numbers(table, cell string) (list []int) {
	for _, field := range strings.Fields(cell) {
		n, err := strconv.Atoi(field)
		if err != nil {
			panic(fmt.Sprintf("%s: the cell %q: %v", table, cell, err))
		}
		list = append(list, n)
	}
	return list
}

// A phrase is a German word or phrase with its English translation.
type phrase struct{ de, en string }

// and returns the phrase and others with blanks between them.
func (p phrase) and(others ...phrase) phrase {
	german, english := []string{p.de}, []string{p.en}
	for _, q := range others {
		german, english = append(german, q.de), append(english, q.en)
	}
	return phrase{strings.Join(german, " "), strings.Join(english, " ")}
}

// phrases are the lists of words and sentences.
var phrases = sync.OnceValue(func() map[string][]phrase {
	lists := map[string][]phrase{}
	for _, r := range rows("phrases.csv") {
		lists[r["list"]] = append(lists[r["list"]], phrase{r["German"], r["English"]})
	}
	return lists
})

// A material is what a product is made of.
type material struct {
	phrase
	category      string
	resistivities []int // flow resistivity of its porous parts, Pa s/m²
	surfaces      []phrase
}

// materials are those of each group.
var materials = sync.OnceValue(func() map[string][]material {
	groups := map[string][]material{}
	const table = "materials.csv"
	for _, r := range rows(table) {
		m := material{phrase: phrase{r["German"], r["English"]}, category: r["category"], resistivities: numbers(table, r["resistivity"])}
		for _, list := range strings.Fields(r["surface"]) {
			m.surfaces = append(m.surfaces, phrases()[list]...)
		}
		groups[r["group"]] = append(groups[r["group"]], m)
	}
	return groups
})

// A family is the way in which a kind of product works, and so the model that its curves come from.
type family string

const (
	porous          family = "porous"
	perforated      family = "perforated"
	microperforated family = "microperforated"
	membrane        family = "membrane"
	residueDiffuser family = "residue-diffuser"
	curvedDiffuser  family = "curved-diffuser"
)

// model names the computation of a family's curves, for structured_meta.
func (f family) model() string { return phrases()["model: "+string(f)][0].de }

// A productKind is a sort of product.
type productKind struct {
	names         []phrase // what brands call it
	weight        int      // how common it is
	family        family
	shape         string
	thicknessMM   []int
	sizesMM       [][2]int // width and height
	gapsMM        []int    // depths of the air behind it
	edges         []int    // hundredths of a metre of free edge per square metre, least and most
	mountings     []string // without a gap and with one
	installations [][]string
	materials     []string // groups of materials
	fireClasses   []string
}

// kinds are the sorts of products.
var kinds = sync.OnceValue(func() (all []productKind) {
	shared := map[string]string{}
	for _, r := range rows("lists.csv") {
		shared[r["list"]] = r["values"]
	}
	values := func(cell string) []string {
		if list, ok := shared[cell]; ok {
			cell = list
		}
		return strings.Fields(cell)
	}
	const table = "kinds.csv"
	for _, r := range rows(table) {
		k := productKind{
			weight: numbers(table, r["weight"])[0], family: family(r["family"]), shape: r["shape"],
			thicknessMM: numbers(table, r["thickness"]), gapsMM: numbers(table, r["gap"]), edges: numbers(table, r["edges"]),
			mountings: strings.Fields(r["mounting"]), materials: strings.Fields(r["material"]), fireClasses: values(r["fire class"]),
		}
		for _, name := range strings.Split(r["names"], ", ") {
			de, en, _ := strings.Cut(name, " = ")
			k.names = append(k.names, phrase{de, en})
		}
		for _, size := range values(r["size"]) {
			sides := numbers(table, strings.Replace(size, "x", " ", 1))
			k.sizesMM = append(k.sizesMM, [2]int{sides[0], sides[1]})
		}
		for _, types := range strings.Fields(r["installation"]) {
			k.installations = append(k.installations, strings.Split(types, "+"))
		}
		all = append(all, k)
	}
	return all
})

// pickKind returns an index of kinds, common ones more often.
func pickKind(d *dice) int {
	sum := 0
	for _, k := range kinds() {
		sum += k.weight
	}
	at := d.below(sum)
	for i, k := range kinds() {
		if at -= k.weight; at < 0 {
			return i
		}
	}
	panic("unreachable: at is below the sum of the weights")
}
