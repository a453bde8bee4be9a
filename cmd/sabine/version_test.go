package main_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestVersionCommand(t *testing.T) {
	t.Parallel()
	text := must(t, "", "version")
	if !regexp.MustCompile(`^sabine +\S.*\ngo +go1\.\S+\nsnapshot format +\d+\.\d+\n$`).MatchString(text) {
		t.Errorf("got %s", text)
	}
	v := gjson.Parse(must(t, "", "version", "--json"))
	for _, field := range []string{"sabine", "go", "snapshot_format"} {
		if value := v.Get(field).String(); value == "" || !strings.Contains(text, value) {
			t.Errorf("%s is %q with --json, without:\n%s", field, value, text)
		}
	}
	built := gjson.Get(must(t, builtFolder(t), "inspect", "--json"), "format").String()
	if format := v.Get("snapshot_format").String(); format != built {
		t.Errorf("version prints the format %s, the snapshot has %s", format, built)
	}
}
