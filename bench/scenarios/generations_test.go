package main

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"sabine/bench/step"
)

// at returns the time that is the given number of seconds after the start of a run.
func at(seconds float64) time.Time {
	return time.Unix(1_000_000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

// Hashes of generations.
var (
	first  = &generation{number: 1, hash: strings.Repeat("1", 64)}
	second = &generation{number: 2, hash: strings.Repeat("2", 64)}
	third  = &generation{number: 3, hash: strings.Repeat("3", 64)}
)

// rolledBack returns moves to the first generation, then to the second, and back to the first.
func rolledBack() *history {
	h := &history{servers: make([][]time.Time, 1)}
	for i, g := range []*generation{first, second, first} {
		h.announce(g, i == 2)
		h.last(func(m *move) { m.at = at(float64(10 * i)) })
	}
	return h
}

func TestAServerFollowsThePointer(t *testing.T) {
	tests := []struct {
		rule  string
		shown []*generation // generations of consecutive answers, without overlapping requests
		fault string        // fault of the last answer
	}{
		{"it may stay behind", []*generation{first, first}, ""},
		{"it follows a rollback", []*generation{first, second, first}, ""},
		{"it may leave generations out", []*generation{second}, ""},
		{"it does not go back but by a rollback", []*generation{first, second, first, second}, "it went back"},
		{"it serves nothing that was not published", []*generation{first, third}, "was not published"},
	}
	for _, tt := range tests {
		h := rolledBack()
		var err error
		for _, g := range tt.shown {
			_, err = h.place(0, h.reached(0), g.shown(), at(100))
		}
		if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: got %v, want %q", tt.rule, err, tt.fault)
		}
	}
}

// A server can answer a request sent before a switch after it has answered others from the new generation.
func TestAnAnswerIsComparedWithTheStateAtTheTimeOfItsRequest(t *testing.T) {
	h := rolledBack()
	before := h.reached(0)
	for _, g := range []*generation{second, first} {
		if _, err := h.place(0, before, g.shown(), at(100)); err != nil {
			t.Error(err)
		}
	}
	if got := h.reached(0); got != 2 {
		t.Errorf("got %d moves followed, want 2: the first is not yet the rollback", got)
	}
}

func TestADelayCountsFromTheMoveOrTheReturnOfTheStore(t *testing.T) {
	tests := []struct {
		rule string
		back time.Time     // end of the store outage
		want time.Duration // delay of a move at 10 s that the server followed at 16 s
	}{
		{"the store did not go", time.Time{}, 6 * time.Second},
		{"the store was back before the step", at(14), 2 * time.Second},
		{"the step was before the store was back", at(17), 6 * time.Second},
	}
	for _, tt := range tests {
		h := rolledBack()
		h.moves[1].back = tt.back
		if _, err := h.place(0, 0, second.shown(), at(16)); err != nil {
			t.Fatal(err)
		}
		moves, delays, missed := h.followings(false)
		if moves != 1 || !slices.Equal(delays, []time.Duration{tt.want}) || missed != 0 {
			t.Errorf("%s: got %d moves, %v, %d missed, want %v", tt.rule, moves, delays, missed, tt.want)
		}
		if moves, delays, missed := h.followings(true); moves != 1 || len(delays) != 0 || missed != 1 {
			t.Errorf("got %d rollbacks, %v, %d missed, want one that was missed", moves, delays, missed)
		}
	}
}

func TestAnAnswerIsCorrectByteByByte(t *testing.T) {
	of := func(status int, tag, body string) *answer {
		return &answer{status: status, tag: tag, sum: sha256.Sum256([]byte(body)), body: []byte(body)}
	}
	want := answer{status: http.StatusOK, tag: `"a"`, sum: sha256.Sum256([]byte("body"))}
	tests := []struct {
		rule   string
		answer *answer
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
		if fault := want.fault(tt.answer, tt.known); (fault == "") != tt.right {
			t.Errorf("%s: got %q", tt.rule, fault)
		}
	}
}

func TestEveryGenerationHasAnotherTotalAndAnotherName(t *testing.T) {
	c := newCatalogue(200, 5)
	path, before := t.TempDir()+"/catalogue.ndjson", len(c.published)
	for number := range 5 {
		published := c.write(number, path)
		if published >= before {
			t.Errorf("generation %d: got %d products after %d", number, published, before)
		}
		before = published
	}
	if step.Try(func() { newCatalogue(200, 30) }) == nil {
		t.Error("200 products were taken for enough of 30 generations")
	}
}
