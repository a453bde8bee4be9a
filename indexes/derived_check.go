package indexes

import (
	"slices"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// What follows holds derived sections against the sections that they follow from: most of them by making them again.

// allWords returns the words of the catalogue where they lie.
func (x *Index) allWords() []string {
	words := make([]string, x.Terms.Len())
	for i := range words {
		words[i] = x.Terms.Word(Term(i))
	}
	return words
}

// checkLists holds groups against what they should be.
func (g *Groups) checkLists(faults *faultList, want *groupLists) {
	for i := range max(g.Len(), len(want.keys)) {
		switch {
		case i >= len(want.keys):
			faults.add(groupsHead+4*int64(i), "no key %.80q", g.Key(i))
		case i >= g.Len() || g.Key(i) != want.keys[i]:
			faults.add(groupsHead+4*int64(i), "the key %.80q", want.keys[i])
		case !slices.Equal(g.Numbers(i), want.lists.At(i)):
			faults.add(groupsHead+4*int64(i), "the numbers of %.80q", want.keys[i])
			continue
		default:
			continue
		}
		return // all behind it are out of step
	}
}

// checkParts holds the parts of compounds, and their forms, against the words.
func (x *Index) checkParts(faults *faultList) {
	parts, forms := partsOf(x.allWords(), nil)
	x.Parts.checkLists(faults, parts)
	for form, part := range forms {
		if i, ok := x.PartForms.Find(form); !ok || x.Parts.Key(x.PartForms.Part(i)) != part {
			faults.addIn(KindPartForms, partFormsHead, "the form %.80q of %.80q", form, part)
		}
	}
	if n := x.PartForms.Len(); n != len(forms) {
		faults.addIn(KindPartForms, 0, "%d forms, not %d", len(forms), n)
	}
}

// checkPrefixes holds the beginnings of words, and their documents, against the words.
func (x *Index) checkPrefixes(faults *faultList) {
	want := prefixesOf(x.allWords(), nil)
	if n := x.Prefixes.Len(); n != len(want.keys) {
		faults.add(0, "%d beginnings of words, not %d", len(want.keys), n)
		return
	}
	u := newUnions(x.Docs)
	for i, key := range want.keys {
		if x.Prefixes.Word(Term(i)) != key {
			faults.add(termsHead+fieldRow*int64(i), "the beginning %q", key)
			return
		}
		for f := range FieldAny + 1 {
			if !u.are(x.Prefixes.Set(Term(i), f), x.Terms.sets(want.lists.At(i), f)) {
				faults.add(termsHead+fieldRow*int64(i)+8*int64(f), "the documents of the words that begin with %q", key)
			}
		}
	}
}

// sets returns the documents of terms in a field.
func (t *Terms) sets(terms []uint32, f Field) []docset.Set {
	sets := make([]docset.Set, len(terms))
	for i, term := range terms {
		sets[i] = t.Set(Term(term), f)
	}
	return sets
}

// checkSlugKeys holds the slugs as people write them against the slugs.
func (x *Index) checkSlugKeys(faults *faultList) {
	held := newGroupsHeld(KindSlugKeys, &x.SlugKeys)
	for d := range column.Doc(x.Docs) {
		if key := analysis.Key(column.String(x.Slugs.key(d))); key != "" {
			held.hold(faults, key, uint32(d))
		}
	}
	held.end(faults)
}

// checkNames holds the names of products, and those of manufacturers, against the forward index.
func (x *Index) checkNames(faults *faultList) {
	names, manufacturers := newGroupsHeld(KindNames, &x.Names), newGroupsHeld(KindManufacturers, &x.Manufacturers)
	var own []uint32
	for d := range column.Doc(x.Docs) {
		for _, name := range x.keysIn(d, FieldName) {
			names.hold(faults, name, uint32(d))
		}
		own = x.Facets[FamilyManufacturer].Of(own[:0], d)
		for _, name := range x.keysIn(d, FieldManufacturer) {
			for _, m := range own {
				manufacturers.hold(faults, name, m)
			}
		}
	}
	names.end(faults)
	manufacturers.end(faults)
}

// groupsHeld are groups of which each number is held by its key.
type groupsHeld struct {
	*Groups
	kind snapshot.Kind
	met  []bool // by number, as they lie
}

func newGroupsHeld(kind snapshot.Kind, g *Groups) groupsHeld {
	return groupsHeld{g, kind, make([]bool, len(g.lists.Values))}
}

// hold notes that a key should have a number.
func (g *groupsHeld) hold(faults *faultList, key string, number uint32) {
	i, ok := g.Find(key)
	if ok {
		var at int
		if at, ok = slices.BinarySearch(g.Numbers(i), number); ok {
			g.met[int(g.lists.Starts[i])+at] = true
		}
	}
	if !ok {
		faults.addIn(g.kind, groupsHead, "%d among the numbers of %.80q", number, key)
	}
}

// end notes numbers that no key should have.
func (g *groupsHeld) end(faults *faultList) {
	for i := range g.Len() {
		for k, number := range g.Numbers(i) {
			if !g.met[int(g.lists.Starts[i])+k] {
				faults.addIn(g.kind, groupsHead+4*int64(i), "no %d among the numbers of %.80q", number, g.Key(i))
			}
		}
	}
}

// checkNeighbours holds the documents of pairs against the forward index.
func (x *Index) checkNeighbours(faults *faultList) {
	p := &x.Pairs
	met := make([]uint32, len(p.pairs)) // documents
	var own []int                       // pairs of a document
	for d := range column.Doc(x.Docs) {
		for _, f := range streamFields {
			own = p.appendIn(own[:0], f, x.Forward.stream(d, f), faults, d)
			slices.Sort(own)
			for _, i := range slices.Compact(own) {
				met[i]++
				if !p.sets.Set(p.refs[i]).Contains(d) {
					faults.add(pairsHead+8*int64(len(p.pairs)+i), "document %d, which has the pair", d)
				}
			}
		}
	}
	for i, ref := range p.refs {
		if n := p.sets.Set(ref).Len(); int64(n) != int64(met[i]) {
			faults.add(pairsHead+8*int64(len(p.pairs)+i), "%d documents with the pair, not %d", met[i], n)
		}
	}
}

// appendIn appends the places of the pairs in a stream of a document, and notes those that are missing.
func (p *Pairs) appendIn(places []int, f Field, stream []byte, faults *faultList, d column.Doc) []int {
	r := p.fields[f]
	before, frequent := Term(0), false // the word before, and whether it is a frequent one
	for word := range streamWords(stream) {
		wasFrequent := frequent
		frequent = word != textEnd && p.frequent(Term(word-1), f)
		if frequent && wasFrequent {
			i, ok := slices.BinarySearch(p.pairs[r.start:r.end], pairOf(before, Term(word-1)))
			if ok {
				places = append(places, r.start+i)
			} else {
				faults.add(8*int64(f), "the pair of words %d and %d, which document %d has", before, word-1, d)
			}
		}
		before = Term(word - 1)
	}
	return places
}

// unions holds sets against the union of others.
type unions struct {
	dense     docset.Dense
	docs, own []column.Doc
}

func newUnions(docs int) *unions { return &unions{dense: make(docset.Dense, docset.Words(docs))} }

// are reports whether a set is the union of some others.
func (u *unions) are(set docset.Set, of []docset.Set) bool {
	sum := 0
	for _, s := range of {
		sum += s.Len()
	}
	if set.Len() > sum {
		return false
	}
	if sum > len(u.dense) {
		u.dense.Clear()
		for _, s := range of {
			s.OrInto(u.dense)
		}
		return set.Len() == u.dense.Len() && set.AndLen(u.dense) == set.Len()
	}
	u.docs = u.docs[:0] // few: there is no need to walk a bit for every document
	for _, s := range of {
		u.docs = s.Docs(u.docs)
	}
	slices.Sort(u.docs)
	u.own = set.Docs(u.own[:0])
	return slices.Equal(u.own, slices.Compact(u.docs))
}
