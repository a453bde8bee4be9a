package synthetic

import (
	"bytes"
	"embed"
	"encoding/csv"
	"strconv"
	"strings"
	"sync"
)

// files are the tables that records are drawn from. Each says at its top what its columns are.
//
//go:embed tables
var files embed.FS

// rows reads a table without its comments and the row that names the columns. A table that is damaged is a bug of ours, which any test finds.
func rows(name string) [][]string {
	text, err := files.ReadFile("tables/" + name)
	if err != nil {
		panic(err)
	}
	table := csv.NewReader(bytes.NewReader(text))
	table.Comma, table.Comment = ';', '#'
	all, err := table.ReadAll()
	if err != nil {
		panic(name + ": " + err.Error())
	}
	return all[1:]
}

// numbers reads a cell of whole numbers.
func numbers(cell string) (list []int) {
	for _, field := range strings.Fields(cell) {
		n, err := strconv.Atoi(field)
		if err != nil {
			panic(err)
		}
		list = append(list, n)
	}
	return list
}

// A phrase is a German word or phrase with its English translation.
type phrase struct{ de, en string }

// and returns both phrases with a blank between them.
func (p phrase) and(q phrase) phrase { return phrase{p.de + " " + q.de, p.en + " " + q.en} }

// phrases are the lists of words and sentences.
var phrases = sync.OnceValue(func() map[string][]phrase {
	lists := map[string][]phrase{}
	for _, row := range rows("phrases.csv") {
		lists[row[0]] = append(lists[row[0]], phrase{row[1], row[2]})
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
	for _, row := range rows("materials.csv") {
		m := material{phrase: phrase{row[1], row[2]}, category: row[3], resistivities: numbers(row[4])}
		for _, list := range strings.Fields(row[5]) {
			m.surfaces = append(m.surfaces, phrases()[list]...)
		}
		groups[row[0]] = append(groups[row[0]], m)
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
	weight        int // how common it is
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
	names         []phrase // what brands call it
}

// kinds are the sorts of products.
var kinds = sync.OnceValue(func() (all []productKind) {
	shared := map[string]string{}
	for _, row := range rows("lists.csv") {
		shared[row[0]] = row[1]
	}
	values := func(cell string) []string {
		if list, ok := shared[cell]; ok {
			cell = list
		}
		return strings.Fields(cell)
	}
	for _, row := range rows("kinds.csv") {
		k := productKind{
			weight: numbers(row[0])[0], family: family(row[1]), shape: row[2], thicknessMM: numbers(row[3]), gapsMM: numbers(row[5]), edges: numbers(row[6]),
			mountings: strings.Fields(row[7]), materials: strings.Fields(row[9]), fireClasses: values(row[10]),
		}
		for _, size := range values(row[4]) {
			sides := numbers(strings.Replace(size, "x", " ", 1))
			k.sizesMM = append(k.sizesMM, [2]int{sides[0], sides[1]})
		}
		for _, types := range strings.Fields(row[8]) {
			k.installations = append(k.installations, strings.Split(types, "+"))
		}
		for _, name := range strings.Split(row[11], ", ") {
			de, en, _ := strings.Cut(name, " = ")
			k.names = append(k.names, phrase{de, en})
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
