package main

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

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
		before := os.Args[len(os.Args)-2] // the last word before completionFlag
		switch {
		case command.Name == "completion":
			fmt.Fprintln(s.out, strings.Join(shells, "\n"))
		case command.Name == "import" && before == command.Name:
			fmt.Fprintln(s.out, strings.Join(importFormats(), "\n"))
		default:
			cli.DefaultCompleteWithFlags(command)(c)
		}
	}
}
