package main

import (
	"testing"
)

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		rule string
		args []string
		own  bool // whether there is a second table
		ok   bool
	}{
		{"by default there are both tables", nil, true, true},
		{"fewer engines of the first table do not change the second", []string{"-engines", "sabine,sqlite"}, true, true},
		{"sabine only has no second table", []string{"-engines", "sabine"}, false, true},
		{"sabine is the first", []string{"-engines", "sqlite,sabine"}, false, false},
		{"an engine is one of the first table", []string{"-engines", "sabine,sphinx"}, false, false},
		{"an engine is not one of the second table", []string{"-engines", "sabine,Bleve, de and en"}, false, false},
		{"nothing follows the flags", []string{"sabine"}, false, false},
	} {
		o, err := parseOptions(test.args)
		if (err == nil) != test.ok || err == nil && (len(o.own) > 0) != test.own {
			t.Errorf("%s: got %+v, %v", test.rule, o, err)
		}
	}
}
