package runtime

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// TestTheContractStatesWhatTheEngineDoes checks that the search limits, the sort names and the strategy names
// in the OpenAPI document are those of the engine.
func TestTheContractStatesWhatTheEngineDoes(t *testing.T) {
	b, err := os.ReadFile("../serve/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	schemas := gjson.GetBytes(b, "components.schemas")
	meta := schemas.Get("QueryMeta")
	text := schemas.Get("MatchedStrategy.description").String() + meta.Get("description").String() +
		meta.Get("properties.usedFallback.description").String()
	for _, want := range []string{
		fmt.Sprintf("as a part, of %d letters or more, of a compound", analysis.MinPart),
		fmt.Sprintf("edit distance 1 in words of %d to %d letters, %d in longer ones", MinCorrected, MinTwice-1,
			indexes.MaxEdits),
		fmt.Sprintf("similar at %v or more, or if the text has %d letters or more and is part of the name", similar.float(),
			analysis.TrigramLetters),
		fmt.Sprintf("The search by weight comes first in texts of %d words or more, else last", SentenceWords),
		fmt.Sprintf("and one of them has %d letters or more", LongLetters),
		fmt.Sprintf("in steps of 1/%d", weightSteps),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document does not contain %q", want)
		}
	}
	for schema, want := range map[string][]string{"Sort": sortNames, "MatchedStrategy": strategyNames[:]} {
		var got []string
		for _, name := range schemas.Get(schema + ".enum").Array() {
			got = append(got, name.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is one of %q in the document, want %q", schema, got, want)
		}
	}
}
