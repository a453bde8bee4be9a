package main

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
	first  = &generation{number: 1, hash: strings.Repeat("1", 64)}
	second = &generation{number: 2, hash: strings.Repeat("2", 64)}
	third  = &generation{number: 3, hash: strings.Repeat("3", 64)}
)

// A pointer that went to the first, the second, and back to the first.
func rolledBack() *history {
	h := newHistory(1)
	for i, g := range []*generation{first, second, first} {
		h.moved(h.announce(g, i == 2), at(float64(10*i)))
	}
	return h
}

func TestAServerFollowsThePointer(t *testing.T) {
	tests := []struct {
		rule  string
		shown []*generation // by the answers, each to a request after the answer before
		fault string        // of the last one
	}{
		{"it may stay behind", []*generation{first, first}, ""},
		{"it follows a rollback", []*generation{first, second, first}, ""},
		{"it may leave generations out", []*generation{second}, ""},
		{"it does not go back but by a rollback", []*generation{first, second, first, second}, "went back to generation 2"},
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

// A request that was asked before the server switched may be answered after others were by the new generation.
func TestAnAnswerIsHeldAgainstWhatWasInForceWhenItWasAsked(t *testing.T) {
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

func TestDelaysCountFromTheMoveOrTheReturnOfTheStore(t *testing.T) {
	tests := []struct {
		rule string
		away []outage
		want time.Duration // of the second move, at 10 s, which was followed at 16 s
	}{
		{"the move", nil, 6 * time.Second},
		{"an outage that began before the move", []outage{{store, at(9), at(14)}}, 2 * time.Second},
		{"an outage after the move", []outage{{store, at(11), at(15)}}, time.Second},
		{"one that was over before does not count", []outage{{store, at(5), at(9)}}, 6 * time.Second},
		{"nor one that came later", []outage{{store, at(17), at(20)}}, 6 * time.Second},
		{"nor one of Redis", []outage{{redis, at(11), at(15)}}, 6 * time.Second},
	}
	for _, tt := range tests {
		h := rolledBack()
		if _, err := h.place(0, 0, second.shown(), at(16)); err != nil {
			t.Fatal(err)
		}
		got := h.followings(&outages{all: tt.away})
		if len(got) != 2 || len(got[0].delays) != 1 || got[0].delays[0] != tt.want || got[1].missed != 1 {
			t.Errorf("%s: got %v, want %v and one move that was missed", tt.rule, got, tt.want)
		}
	}
}

func TestTheTimeSinceAnOutage(t *testing.T) {
	o := outages{all: []outage{{redis, at(10), at(13)}, {store, at(14), at(15)}, {redis, at(20), time.Time{}}}}
	tests := []struct {
		rule string
		now  float64
		want time.Duration
		was  bool
	}{
		{"before the first", 9, 0, false},
		{"within one", 12, 0, true},
		{"after one", 16, 3 * time.Second, true},
		{"within one that lasts", 21, 0, true},
	}
	for _, tt := range tests {
		if got, was := o.since(redis, at(tt.now)); got != tt.want || was != tt.was {
			t.Errorf("%s: got %v, %t, want %v, %t", tt.rule, got, was, tt.want, tt.was)
		}
	}
}

func TestAnAnswerIsRightByteByByte(t *testing.T) {
	of := func(status int, tag, body string) *answer {
		return &answer{status: status, tag: tag, sum: sha256.Sum256([]byte(body)), body: []byte(body)}
	}
	want := expected{status: http.StatusOK, tag: `"a"`, sum: sha256.Sum256([]byte("body"))}
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

func TestEachBrokenPromiseIsNamed(t *testing.T) {
	good := func() *report {
		return &report{
			PerSecond: 300, Switch: delays{Max: bound}, Rollback: delays{Max: bound}, Late: grace,
			Calm: []int{budget, budget}, Across: []int{budget, budget - 1},
		}
	}
	tests := []struct {
		broken string // part of what is named; "": nothing is
		by     func(*report)
	}{
		{"", func(*report) {}},
		{"wrong answer", func(r *report) { r.Wrong = 1 }},
		{"never go back", func(r *report) { r.Misplaced = 1 }},
		{"no request fails", func(r *report) { r.Failed = 1 }},
		{"Redis is back", func(r *report) { r.Late = grace + 1 }},
		{"a generation is in force", func(r *report) { r.Switch.Max = bound + 1 }},
		{"a generation is in force", func(r *report) { r.Switch.Missed = 1 }},
		{"a rollback is in force", func(r *report) { r.Rollback.Max = bound + 1 }},
		{"is exact", func(r *report) { r.Calm[1] = budget - 1 }},
		{"is exact", func(r *report) { r.Calm[1] = budget + 1 }},
		{"is never exceeded", func(r *report) { r.Across[0] = budget + 1 }},
		{"the load is", func(r *report) { r.PerSecond = 200 }},
	}
	for _, tt := range tests {
		r := good()
		tt.by(r)
		r.judge(300)
		if tt.broken == "" && len(r.Broken) > 0 || tt.broken != "" && (len(r.Broken) != 1 || !strings.Contains(r.Broken[0], tt.broken)) {
			t.Errorf("%q: got %q", tt.broken, r.Broken)
		}
	}
}

func TestEveryGenerationHasAnotherTotalAndAnotherName(t *testing.T) {
	c, err := newCatalogue(200, 5)
	if err != nil {
		t.Fatal(err)
	}
	path, before := t.TempDir()+"/catalogue.ndjson", len(c.published)
	for number := range 5 {
		published, err := c.write(number, path)
		if err != nil || published >= before {
			t.Errorf("generation %d: got %d products after %d, %v", number, published, before, err)
		}
		before = published
	}
	if _, err := newCatalogue(200, 30); err == nil {
		t.Error("200 products were taken for enough of 30 generations")
	}
}
