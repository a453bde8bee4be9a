package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/dataset/nearest"
)

// reorder moves the flags of a command before its arguments, because the library stops at the first argument.
// It refuses unknown commands and flags and suggests the nearest name. It changes "help COMMAND" to "COMMAND
// --help". If a shell requests completions, reorder returns only the names of the commands, because the
// remainder of the line is incomplete.
func reorder(app *cli.App, args []string) ([]string, error) {
	if len(args) > 1 && args[1] == "help" {
		args = append(slices.Concat(args[:1], args[2:]), "--help")
	}
	command, n := findCommand(app, args[1:])
	path, rest := args[:1+n], args[1+n:]
	if args[len(args)-1] == completionFlag {
		return append(slices.Clone(path), completionFlag), nil
	}
	if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && len(command.Subcommands) > 0 {
		return nil, usagef("unknown command %q%s", strings.Join(args[1:2+n], " "),
			didYouMean(rest[0], "%q", command.Subcommands))
	}
	flags, arguments := slices.Clone(path), []string{"--"}
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		switch {
		case word == "--":
			return slices.Concat(flags, arguments, rest[i+1:]), nil
		case word == "-" || !strings.HasPrefix(word, "-"):
			arguments = append(arguments, word)
		default:
			flags = append(flags, word)
			name, _, hasValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
			switch flag := findFlag(command.Flags, name); {
			case flag == nil && (name == "help" || name == "h"):
				return append(slices.Clone(path), "--help"), nil // the library would read arguments as a topic
			case flag == nil && n == 0 && (name == "version" || name == "v"): // the library handles this flag
			case flag == nil:
				return nil, usagef("unknown flag %s%s", word, didYouMean(name, "--%s", command.Flags))
			case flag.(cli.DocGenerationFlag).TakesValue() && !hasValue:
				if i++; i == len(rest) {
					return nil, usagef("flag %s needs a value", word)
				}
				flags = append(flags, rest[i])
			}
		}
	}
	if len(arguments) == 1 {
		return flags, nil
	}
	return append(flags, arguments...), nil
}

// valueProblem and environmentProblem match errors of the library about invalid flag values.
var (
	valueProblem       = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): `)
	environmentProblem = regexp.MustCompile(
		`^could not parse (".*") as .* from environment variable "(\S+)" for flag (\S+): `)
)

// flagError rewrites an error of the library about a flag.
func flagError(c *cli.Context, err error, _ bool) error {
	if m := valueProblem.FindStringSubmatch(err.Error()); m != nil {
		return usagef("--%s must be %s, got %s", m[2], valueKind(findFlag(c.Command.Flags, m[2])), m[1])
	}
	if m := environmentProblem.FindStringSubmatch(err.Error()); m != nil {
		return usagef("environment variable %s must be %s, got %s", m[2], valueKind(findFlag(c.Command.Flags, m[3])), m[1])
	}
	return usageError{err}
}

// valueKind describes the valid values of a flag.
func valueKind(f cli.Flag) string {
	switch f.(type) {
	case *cli.BoolFlag:
		return "true or false"
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number, 0 or more"
	case *cli.DurationFlag:
		return "a duration such as 30s or 5m"
	default:
		return "a number"
	}
}

// findCommand returns the command that the first words name, and the number of these words. If they name no
// command, it returns a command that represents the program.
func findCommand(app *cli.App, words []string) (command *cli.Command, n int) {
	command = &cli.Command{Subcommands: app.Commands}
	for _, word := range words {
		next := command.Command(word)
		if next == nil {
			break
		}
		command, n = next, n+1
	}
	return command, n
}

func findFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// didYouMean suggests the most similar known name. It never suggests revoke, which cannot be undone.
func didYouMean[T interface{ Names() []string }](name, shown string, known []T) string {
	var names []string
	for _, k := range known {
		names = append(names, k.Names()...)
	}
	near := nearest.Name(name, names)
	if near == "" || near == "revoke" {
		return ""
	}
	return fmt.Sprintf(". Did you mean "+shown+"?", near)
}
