package main

import (
	"embed"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/dataset/product"
	"sabine/indexes/snapshot"
)

func printVersions(c *cli.Context, s streams) error {
	v := struct {
		Sabine         string `json:"sabine"`
		Go             string `json:"go"`
		SnapshotFormat string `json:"snapshot_format"` // major.minor
	}{version(), goruntime.Version(), fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor)}
	return s.print(c, v, func(t io.Writer) {
		fmt.Fprintf(t, "sabine\t%s\ngo\t%s\nsnapshot format\t%s\n", v.Sabine, v.Go, v.SnapshotFormat)
	})
}

// printSchema prints the JSON Schema of a source record.
func printSchema(_ *cli.Context, s streams) error {
	_, err := s.out.Write(product.Schema())
	return err
}

// release is the version of a released program. scripts/release sets release with the linker flag -X.
var release string

// version returns the release version, or the version that Go recorded in other builds.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// completionFlag is the last word of a command line with which a shell requests completions.
const completionFlag = "--generate-bash-completion"

// shells lists the shells with a completion script.
var shells = []string{"bash", "zsh", "fish"}

//go:embed completion
var completionScripts embed.FS

// printCompletion prints the completion script for a shell.
func printCompletion(c *cli.Context, s streams) error {
	shell := c.Args().First()
	if !slices.Contains(shells, shell) {
		return usagef("unsupported shell %q: expected one of %s", shell, strings.Join(shells, ", "))
	}
	script, err := completionScripts.ReadFile("completion/" + shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(script)
	return err
}

// completions returns a function that prints the possible next words of a command line: the values of the
// command's first argument if the program knows them, and otherwise the command's flags and subcommands.
func completions(command *cli.Command, s streams) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		switch before := os.Args[len(os.Args)-2]; {
		case command.Name == "completion":
			fmt.Fprintln(s.out, strings.Join(shells, "\n"))
		case command.Name == "import" && before == command.Name:
			fmt.Fprintln(s.out, strings.Join(importFormats(), "\n"))
		default:
			cli.DefaultCompleteWithFlags(command)(c)
		}
	}
}
