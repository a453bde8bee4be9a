package main

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completionFlag is the last word of a command line by which a shell asks what may stand there.
const completionFlag = "--generate-bash-completion"

// shells are those that completion has a script for.
var shells = []string{"bash", "zsh", "fish"}

//go:embed completion
var completionScripts embed.FS

// printCompletion prints the script of a shell.
func printCompletion(c *cli.Context, s streams) error {
	shell := c.Args().First()
	if !slices.Contains(shells, shell) {
		return usagef("there is no completion for %q; the shells are %s", shell, strings.Join(shells, ", "))
	}
	script, err := completionScripts.ReadFile("completion/" + shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(script)
	return err
}

// completes prints for a shell what may follow a command: the words that the first argument may be, if there are
// few, else flags and subcommands.
func completes(command *cli.Command, s streams) cli.BashCompleteFunc {
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
