package runtime

import (
	"maps"
	"slices"
	"sync"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// An engine answers the queries of one index. It holds what a query needs beside the index: the vocabulary, by key,
// and working memory for the queries that run. All of it is as large as the vocabulary and the number of queries that
// run at once, and no larger.
type engine struct {
	index      *indexes.Index
	vocabulary vocabulary
	splitter   *analysis.Splitter
	workspaces sync.Pool // of *workspace
}

// A vocabulary is what the values of the families are called.
type vocabulary struct {
	named    map[string][]value // key of a value, a display name or a synonym to what it names
	synonyms synonyms
}

// A value is one value of a family, by its number in the facet, as a key names it.
type value struct {
	family indexes.Family
	number int
	shown  bool // the key is the value itself or a display name of it, and no synonym
}

func newEngine(x *indexes.Index) *engine {
	e := &engine{index: x, vocabulary: vocabulary{named: map[string][]value{}}}
	e.splitter = analysis.NewSplitter(func(word string) bool {
		_, ok := x.Terms.Find(word)
		return ok
	})
	for _, v := range x.Meta.Vocabulary {
		if v.Family < indexes.NumFamilies {
			e.vocabulary.declare(x, v)
		}
	}
	e.workspaces.New = func() any { return newWorkspace(e) }
	return e
}

// A workspace is the memory of one running query, lent from the engine's pool, so that a search allocates its answer and
// nothing that grows with its matches. Each part is of one step, which begins it anew.
type workspace struct {
	engine  *engine
	blocks  blocks
	reader  reader
	matcher matcher
	filters filterSets
	facets  facetCounter
	scores  []score  // of a ranking
	places  []uint32 // of a page in another order
}

func newWorkspace(e *engine) *workspace {
	w := &workspace{engine: e, blocks: blocks{index: e.index}}
	w.reader = reader{index: e.index, vocabulary: &e.vocabulary, splitter: e.splitter}
	w.matcher = matcher{index: e.index, parser: &w.reader, blocks: &w.blocks}
	return w
}

// begin takes a workspace from the pool, and returns the normalized text and what matches it.
func (e *engine) begin(text string) (w *workspace, normalized string, m match) {
	w = e.workspaces.Get().(*workspace)
	normalized, key := analysis.NormalizeAndKey(text)
	return w, normalized, w.matcher.match(w.reader.read(key))
}

// maxBlocks is how many blocks a workspace keeps for the next query. Ordinary queries need about ten, long sentences thirty; one of a
// hundred words needs more, and leaves them to the garbage collector, and the rest of the workspace to the next query.
const maxBlocks = 32

// end gives the workspace back. A query that panics does not: what it left half done is not used again.
func (w *workspace) end() {
	w.filters.needs.asked = nil // the pool must not keep a query's strings
	w.blocks.closeAll()
	if len(w.blocks.all) > maxBlocks {
		w.blocks.trim(maxBlocks)
		w.reader.parsedQuery = parsedQuery{}
		w.filters.arena, w.matcher.whole, w.matcher.misspelling.words = nil, nil, nil
	}
	w.engine.workspaces.Put(w)
}

// declare takes the values of a family in.
func (o *vocabulary) declare(x *indexes.Index, v indexes.Vocabulary) {
	for i := range v.Values {
		names := slices.AppendSeq([]string{v.Values[i].Value}, maps.Values(v.Values[i].Names))
		shown, all := keysOf(names), keysOf(append(names, v.Values[i].Synonyms...))
		o.synonyms.add(x, all, shown)
		if number, ok := x.Facets[v.Family].Find(v.Values[i].Value); ok {
			for _, key := range all {
				o.named[key] = append(o.named[key], value{v.Family, number, slices.Contains(shown, key)})
			}
		}
	}
}

// keysOf returns the keys of texts, each once, in order.
func keysOf(texts []string) []string {
	var keys []string
	for _, text := range texts {
		if key := analysis.Key(text); key != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
