package main

import (
	"embed"
	"fmt"
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

func completionCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the script that completes sabine's commands and flags in a shell",
		ArgsUsage: "one SHELL: " + strings.Join(shells, ", "),
		UsageText: "sabine completion SHELL",
		Description: "Put the line of your shell into its start file: ~/.bashrc, ~/.zshrc after compinit, ~/.config/fish/config.fish.\n" +
			"The shells are " + strings.Join(shells, ", ") + ". Example:\n" +
			"   source <(sabine completion bash)\n" +
			"   source <(sabine completion zsh)\n" +
			"   sabine completion fish | source",
		BashComplete: func(*cli.Context) { fmt.Fprintln(s.out, strings.Join(shells, "\n")) },
		Before:       takes(1, 1),
		Action: func(c *cli.Context) error {
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
		},
	}
}
