package main

import (
	"testing"

	"sabine/bench/queries"
)

func TestATellingForEveryClassOfTexts(t *testing.T) {
	texts := append(queries.Names(queries.Strict, queries.Loose), "")
	for _, name := range texts {
		if tellings[name].plan == nil {
			t.Errorf("%s: nothing to tell", name)
		}
	}
	if len(tellings) != len(texts) {
		t.Errorf("%d tellings for %d classes of texts and none", len(tellings), len(texts))
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		rule string
		args []string
		own  bool // there is a second table
		ok   bool
	}{
		{"by default there are both tables", nil, true, true},
		{"the second one can be left out", []string{"-own=false"}, false, true},
		{"some engines of the first leave the second as it is", []string{"-engines", "sabine,sqlite"}, true, true},
		{"sabine alone has no table to be beside", []string{"-engines", "sabine"}, false, true},
		{"sabine is the first", []string{"-engines", "sqlite,sabine"}, false, false},
		{"an engine is one of the first table", []string{"-engines", "sabine,sphinx"}, false, false},
		{"classes are a regular expression", []string{"-classes", "("}, false, false},
		{"nothing follows the flags", []string{"sabine"}, false, false},
	} {
		o, err := parseOptions(test.args)
		if (err == nil) != test.ok || err == nil && (len(o.own) > 0) != test.own {
			t.Errorf("%s: got %+v, %v", test.rule, o, err)
		}
	}
}
