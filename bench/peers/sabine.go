package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

func buildSabine(dir, catalogue string) {
	inputs, _, err := dataset.Inputs([]string{catalogue}, os.Stdin)
	check(err)
	must(compiler.Build(context.Background(), compiler.Options{Inputs: inputs, Folder: snapshot.Folder{Dir: dir}}))
}

// sabine is asked as its server asks it.
type sabine struct{ *runtime.Generation }

func openSabine(dir string) engine { return sabine{openGeneration(dir)} }

func openGeneration(dir string) *runtime.Generation {
	return must(runtime.Open(context.Background(), currentSnapshot(dir)))
}

func currentSnapshot(dir string) string {
	folder := snapshot.Folder{Dir: dir}
	return folder.Path(must(folder.Current()))
}

func (s sabine) Ask(q *runtime.Query) answer {
	r := s.Search(q)
	a := answer{IDs: make([]string, len(r.Docs)), Total: r.Total}
	for i, d := range r.Docs {
		a.IDs[i] = s.ID(d).String()
	}
	if f := r.Facets; f != nil {
		a.facets = func() counts { return countsOf(f) }
	}
	return a
}

func countsOf(f *runtime.Facets) counts {
	c := counts{}
	for family, values := range map[family][]runtime.ValueCount{
		category: f.Categories, character: f.Characters, installation: f.Installations, fireClass: f.FireClasses,
	} {
		for _, v := range values {
			c.add(family, v.Value, v.Count)
		}
	}
	for _, m := range f.Manufacturers {
		c.add(manufacturer, m.Slug, m.Count)
	}
	for family, split := range map[family]runtime.Split{epd: f.HasEPD, purchasable: f.Purchasable} {
		c.add(family, strconv.FormatBool(true), split.True)
		c.add(family, strconv.FormatBool(false), split.False)
	}
	return c
}

// validate has gjson verify that each line of the catalogue is JSON: a pace that no build on one core can
// beat.
func validate(_, catalogue string) {
	f := must(os.Open(catalogue))
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for n := 1; lines.Scan(); n++ {
		if !gjson.ValidBytes(lines.Bytes()) {
			check(fmt.Errorf("%s: line %d is no JSON", catalogue, n))
		}
	}
	check(lines.Err())
}
