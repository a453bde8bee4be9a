package main

import (
	"io"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestCommandsMatchActions checks that every command has an action, that every action has a command, and that
// every name in commands.yaml has a value.
func TestCommandsMatchActions(t *testing.T) {
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
	delete(used, "name") // the example in the comment at the start of the file
	if names := slices.Sorted(maps.Keys(used)); !slices.Equal(names, slices.Sorted(maps.Keys(placeholders))) {
		t.Errorf("commands.yaml names %q\nplaceholders has %q", names, slices.Sorted(maps.Keys(placeholders)))
	}
}
