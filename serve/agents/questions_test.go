package agents_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// A question is a planner's question, with the calls that must suffice to answer it.
type question struct {
	Question string `json:"question"`
	Calls    []struct {
		Tool      string             `json:"tool"`
		Arguments json.RawMessage    `json:"arguments"` // may contain paths such as {{0.materials.0.id}}
		Is        map[string]any     `json:"is"`        // expected values in the structured answer, by path
		AtLeast   map[string]float64 `json:"at_least"`
		AtMost    map[string]float64 `json:"at_most"`
		Fails     string             `json:"fails"` // text of the expected error message
	} `json:"calls"`
}

var reference = regexp.MustCompile(`\{\{(\d+)\.([^}]+)\}\}`)

func TestPlannersQuestionsNeedTwoCallsAtMost(t *testing.T) {
	text, err := os.ReadFile("testdata/questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var questions []question
	if err := json.Unmarshal(text, &questions); err != nil {
		t.Fatal(err)
	}
	if len(questions) < 30 {
		t.Errorf("there are %d questions, want 30", len(questions))
	}
	s := connect(t, sample, true)
	for _, q := range questions {
		if len(q.Calls) > 2 {
			t.Errorf("%s: %d calls", q.Question, len(q.Calls))
		}
		var answers []gjson.Result
		for i, c := range q.Calls {
			arguments := reference.ReplaceAllStringFunc(string(c.Arguments), func(r string) string {
				m := reference.FindStringSubmatch(r)
				return answers[m[1][0]-'0'].Get(m[2]).String()
			})
			got, said, failed := s.call(t, c.Tool, arguments)
			answers = append(answers, got)
			if failed != (c.Fails != "") || !strings.Contains(said, c.Fails) {
				t.Errorf("%s: call %d: %s", q.Question, i, said)
				continue
			}
			for path, want := range c.Is {
				if v := got.Get(path); v.Value() != want {
					t.Errorf("%s: call %d: %s is %s, want %v", q.Question, i, path, v.Raw, want)
				}
			}
			for path, minimum := range c.AtLeast {
				if v := got.Get(path); v.Type != gjson.Number || v.Num < minimum {
					t.Errorf("%s: call %d: %s is %s, want at least %v", q.Question, i, path, v.Raw, minimum)
				}
			}
			for path, maximum := range c.AtMost {
				if v := got.Get(path); v.Type != gjson.Number || v.Num > maximum {
					t.Errorf("%s: call %d: %s is %s, want at most %v", q.Question, i, path, v.Raw, maximum)
				}
			}
		}
	}
}
