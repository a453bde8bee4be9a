package trial

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"
	"time"
)

// at is a moment so many seconds after the beginning of a run.
func at(seconds float64) time.Time {
	return time.Unix(1_000_000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

// The hashes of generations.
var (
	first  = &Generation{Number: 1, Hash: strings.Repeat("1", 64)}
	second = &Generation{Number: 2, Hash: strings.Repeat("2", 64)}
	third  = &Generation{Number: 3, Hash: strings.Repeat("3", 64)}
)

// A pointer that went to the first, the second, and back to the first.
func rolledBack() *History {
	h := NewHistory(1)
	for i, g := range []*Generation{first, second, first} {
		h.Moved(h.Announce(g, i == 2), at(float64(10*i)))
	}
	return h
}

func TestAServerFollowsThePointer(t *testing.T) {
	tests := []struct {
		rule  string
		shown []*Generation // by the answers, each to a request after the answer before
		fault string        // of the last one
	}{
		{"it may stay behind", []*Generation{first, first}, ""},
		{"it follows a rollback", []*Generation{first, second, first}, ""},
		{"it may leave generations out", []*Generation{second}, ""},
		{"it does not go back but by a rollback", []*Generation{first, second, first, second}, "went back to generation 2"},
		{"it serves nothing that was not published", []*Generation{first, third}, "was not published"},
	}
	for _, tt := range tests {
		h := rolledBack()
		var err error
		for _, g := range tt.shown {
			_, err = h.Place(0, h.Reached(0), g.Shown(), at(100))
		}
		if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: got %v, want %q", tt.rule, err, tt.fault)
		}
	}
}

// A request that was asked before the server switched may be answered after others were by the new
// generation.
func TestAnAnswerIsHeldAgainstWhatWasInForceWhenItWasAsked(t *testing.T) {
	h := rolledBack()
	before := h.Reached(0)
	for _, g := range []*Generation{second, first} {
		if _, err := h.Place(0, before, g.Shown(), at(100)); err != nil {
			t.Error(err)
		}
	}
	if got := h.Reached(0); got != 2 {
		t.Errorf("got %d moves followed, want 2: the first is not yet the rollback", got)
	}
}

func TestADelayCountsFromTheMove(t *testing.T) {
	h := rolledBack()
	if _, err := h.Place(0, 0, second.Shown(), at(16)); err != nil {
		t.Fatal(err)
	}
	got := h.Followings(func(moved, _ time.Time) time.Time { return moved.Add(time.Second) })
	if len(got) != 2 || len(got[0].Delays) != 1 || got[0].Delays[0] != 5*time.Second || got[1].Missed != 1 {
		t.Errorf("got %v, want 5 s after the second that is not counted, and one move that was missed", got)
	}
}

func TestAnAnswerIsRightByteByByte(t *testing.T) {
	of := func(status int, tag, body string) *Answer {
		return &Answer{Status: status, Tag: tag, Sum: sha256.Sum256([]byte(body)), Body: []byte(body)}
	}
	want := Expected{Status: http.StatusOK, Tag: `"a"`, Sum: sha256.Sum256([]byte("body"))}
	tests := []struct {
		rule   string
		answer *Answer
		known  string
		right  bool
	}{
		{"the same", of(200, `"a"`, "body"), "", true},
		{"another body", of(200, `"a"`, "boby"), "", false},
		{"another tag", of(200, `"b"`, "body"), "", false},
		{"another status", of(404, `"a"`, "body"), "", false},
		{"what is known is not sent again", of(304, `"a"`, ""), `"a"`, true},
		{"nor sent again", of(200, `"a"`, "body"), `"a"`, false},
		{"an older tag is not known", of(200, `"a"`, "body"), `"b"`, true},
		{"not known, and not sent", of(304, `"a"`, ""), `"b"`, false},
	}
	for _, tt := range tests {
		if fault := want.Fault(tt.answer, tt.known); (fault == "") != tt.right {
			t.Errorf("%s: got %q", tt.rule, fault)
		}
	}
}

func TestEveryGenerationHasAnotherTotalAndAnotherName(t *testing.T) {
	c, err := NewCatalogue(200, 5)
	if err != nil {
		t.Fatal(err)
	}
	path, before := t.TempDir()+"/catalogue.ndjson", len(c.published)
	for number := range 5 {
		published, err := c.Write(number, path)
		if err != nil || published >= before {
			t.Errorf("generation %d: got %d products after %d, %v", number, published, before, err)
		}
		before = published
	}
	if _, err := NewCatalogue(200, 30); err == nil {
		t.Error("200 products were taken for enough of 30 generations")
	}
}
