package main

import (
	"strings"
	"testing"

	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/runtime"
)

// TestExplanationsInWords prints an explanation that contains all parts of the explanations of any kind of
// search.
func TestExplanationsInWords(t *testing.T) {
	word := func(word string, held ...runtime.FieldMatch) runtime.WordMatch {
		return runtime.WordMatch{Word: word, Fields: held}
	}
	one := func(kind runtime.MatchKind, by ...string) runtime.WordMatch {
		return word(kind.String(), runtime.FieldMatch{Field: indexes.FieldName, Kind: kind, By: by, Distance: 2})
	}
	parts := []runtime.PartMatch{{Part: "p", Kind: runtime.MatchStem, By: []string{"x"}},
		{Part: "q", Kind: runtime.MatchCorrected, By: []string{"y", "z"}}}
	e := runtime.Explanation{
		Bucket: runtime.StrategyTrigram,
		Whole: []runtime.WholeMatch{{Field: "name", Text: "a b"}, {Field: "slug", Text: "c", Similarity: 0.42149},
			{Field: "id", Text: "d", Similarity: 0.2, Inside: true}},
		Words: []runtime.WordMatch{
			{Word: "für", Function: true}, word("none"),
			word("fields", runtime.FieldMatch{Field: indexes.FieldName}, runtime.FieldMatch{Field: indexes.FieldManufacturer,
				Kind: runtime.MatchPart, By: []string{"x"}},
				runtime.FieldMatch{Field: indexes.FieldDescription}),
			one(runtime.MatchJoined, "x", "y"), one(runtime.MatchSplit, "x y"), one(runtime.MatchCorrected, "x"),
			one(runtime.MatchStem, "x"),
			one(runtime.MatchBeginning, "x"), one(runtime.MatchSynonym, "x"), one(runtime.MatchCurated, "x"),
			one(runtime.MatchDictionary, "x"),
			word("parts", runtime.FieldMatch{Kind: runtime.MatchAllParts, Parts: parts, Distance: 1}),
			word("corrected parts", runtime.FieldMatch{Kind: runtime.MatchCorrected, Parts: parts, Distance: 1}),
		},
		Order: []runtime.OrderKey{{Key: "bucket", Value: "fts"}, {Key: "fields", Value: "all in name"},
			{Key: "document order", Value: "id 1"}},
	}
	const want = `21. L, M (s)
   bucket	trigram: name "a b"; slug "c", similarity 0.421; id "d" contains it, similarity 0.200
   "für"	function word
   "none"	no match
   "fields"	name, description: as it is; manufacturer: part of "x"
   "joined"	name: joined with its neighbours "x", "y"
   "apart"	name: split into "x y"
   "corrected"	name: corrected to "x", distance 2
   "stem"	name: same stem as "x"
   "beginning"	name: beginning of "x"
   "synonym"	name: synonym of "x"
   "curated synonym"	name: curated synonym of "x"
   "dictionary"	name: by the dictionary "x"
   "parts"	name: by all parts: "p" same stem as "x", "q" corrected to "y", "z", distance 1
   "corrected parts"	name: corrected to "p" same stem as "x", "q" corrected to "y", "z", distance 1, distance 1
   order	bucket fts · fields all in name
   	id 1

`
	var out strings.Builder
	slug := "s"
	hit := runtime.Hit{Product: &product.Product{Slug: &slug, Label: product.Text{{Locale: product.German, Text: "L"}},
		Manufacturer: product.Manufacturer{Name: "M"}}}
	if printExplanations(&out, 20, []runtime.Hit{hit}, []runtime.Explanation{e}); out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
