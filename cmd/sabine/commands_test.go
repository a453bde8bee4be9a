package main

import (
	"io"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestCommandsAndActionsAreOfEachOther finds a command without an action, an action without a command, and a
// name in commands.yaml that stands for nothing.
func TestCommandsAndActionsAreOfEachOther(t *testing.T) {
	var named []string
	var name func(before string, all []*cli.Command)
	name = func(before string, all []*cli.Command) {
		for _, c := range all {
			named = append(named, before+c.Name)
			name(before+c.Name+" ", c.Subcommands)
		}
	}
	name("", commands(streams{out: io.Discard, err: io.Discard}))
	if slices.Sort(named); !slices.Equal(named, slices.Sorted(maps.Keys(actions))) {
		t.Errorf("commands.yaml has %q\nactions has %q", named, slices.Sorted(maps.Keys(actions)))
	}
	used := map[string]bool{}
	os.Expand(commandsYAML, func(name string) string {
		used[name] = true
		return ""
	})
	delete(used, "name") // of the comment at the top
	if names := slices.Sorted(maps.Keys(used)); !slices.Equal(names, slices.Sorted(maps.Keys(values))) {
		t.Errorf("commands.yaml names %q\nvalues has %q", names, slices.Sorted(maps.Keys(values)))
	}
}
