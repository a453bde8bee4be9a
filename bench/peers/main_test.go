package main

import (
	"testing"
)

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		rule string
		args []string
		own  bool // there is a second table
		ok   bool
	}{
		{"by default there are both tables", nil, true, true},
		{"some engines of the first leave the second as it is", []string{"-engines", "sabine,sqlite"}, true, true},
		{"sabine alone has no table to be beside", []string{"-engines", "sabine"}, false, true},
		{"sabine is the first", []string{"-engines", "sqlite,sabine"}, false, false},
		{"an engine is one of the first table", []string{"-engines", "sabine,sphinx"}, false, false},
		{"nor is it one of the second", []string{"-engines", "sabine,Bleve, de and en"}, false, false},
		{"what validates answers nothing", []string{"-engines", "sabine,gjson"}, false, false},
		{"nothing follows the flags", []string{"sabine"}, false, false},
	} {
		o, err := parseOptions(test.args)
		if (err == nil) != test.ok || err == nil && (len(o.own) > 0) != test.own {
			t.Errorf("%s: got %+v, %v", test.rule, o, err)
		}
	}
}
