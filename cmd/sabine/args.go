package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/serve"
)

// arrange puts a command's flags before its arguments, since the library stops at the first argument, and refuses
// unknown commands and flags with the nearest name that there is. A first word help asks for the help of what follows.
// Of a command line that a shell wants completed the library gets the commands alone, since the rest is not yet whole.
func arrange(app *cli.App, args []string) ([]string, error) {
	if len(args) > 1 && args[1] == "help" {
		args = append(slices.Concat(args[:1], args[2:]), "--help")
	}
	completing := args[len(args)-1] == completionFlag
	commands, flags := app.Commands, []cli.Flag(nil)
	i := 1
	for ; i < len(args) && !strings.HasPrefix(args[i], "-") && len(commands) > 0; i++ {
		c := find(commands, args[i])
		if c == nil && completing {
			break
		}
		if c == nil {
			return nil, usagef("there is no command %q%s", strings.Join(args[1:i+1], " "), nearestCommand(commands, args[i]))
		}
		commands, flags = c.Subcommands, c.Flags
	}
	path := slices.Clone(args[:i])
	if completing {
		return append(path, completionFlag), nil
	}
	arranged, rest := slices.Clone(path), []string{"--"}
	for ; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(append(arranged, rest...), args[i+1:]...), nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			rest = append(rest, arg)
		default:
			arranged = append(arranged, arg)
			name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			flag := findFlag(flags, name)
			if flag == nil && isHelp(name) {
				return append(path, "--help"), nil // with arguments the library would look for a help topic
			}
			if flag == nil && !isBuiltin(name, len(path) == 1) {
				return nil, usagef("there is no flag %s here%s", arg, nearestFlag(flags, name))
			}
			if flag != nil && takesValue(flag) && !hasValue {
				if i++; i == len(args) {
					return nil, usagef("the flag %s needs a value", arg)
				}
				arranged = append(arranged, args[i])
			}
		}
	}
	if len(rest) == 1 {
		return arranged, nil
	}
	return append(arranged, rest...), nil
}

// valueProblem and environmentProblem are how the library tells that a flag does not take a value.
var (
	valueProblem       = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): `)
	environmentProblem = regexp.MustCompile(`^could not parse (".*") as .* from environment variable "(\S+)" for flag (\S+): `)
)

// wrongUsage tells what the library found wrong with the flags.
func wrongUsage(c *cli.Context, err error, _ bool) error {
	if m := valueProblem.FindStringSubmatch(err.Error()); m != nil {
		return usagef("--%s is %s, got %s", m[2], valueKind(findFlag(c.Command.Flags, m[2])), m[1])
	}
	if m := environmentProblem.FindStringSubmatch(err.Error()); m != nil {
		return usagef("%s in the environment is %s, got %s", m[2], valueKind(findFlag(c.Command.Flags, m[3])), m[1])
	}
	return usageError{err}
}

// valueKind says which values a flag takes.
func valueKind(f cli.Flag) string {
	switch f.(type) {
	case *cli.BoolFlag:
		return "true or false"
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number from 0"
	case *cli.DurationFlag:
		return "a duration such as 30s or 5m"
	default:
		return "a number"
	}
}

// commandPath returns the words by which a command line names its command, as far as there is one.
func commandPath(commands []*cli.Command, args []string) []string {
	path := []string{"sabine"}
	for _, arg := range args[1:] {
		c := find(commands, arg)
		if c == nil {
			break
		}
		path, commands = append(path, arg), c.Subcommands
	}
	return path
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

func findFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isBuiltin reports whether the library itself knows the flag: help everywhere, the version before any command.
func isBuiltin(name string, first bool) bool {
	return isHelp(name) || first && (name == "version" || name == "v")
}

func isHelp(name string) bool { return name == "help" || name == "h" }

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// nearestCommand suggests what a name may have meant, but never a command that cannot be taken back.
func nearestCommand(commands []*cli.Command, name string) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Names()...)
	}
	if near := serve.MostSimilar(name, names); near != "" && !irrevocable(near) {
		return fmt.Sprintf(". Did you mean %q?", near)
	}
	return ""
}

func irrevocable(command string) bool { return command == "revoke" }

func nearestFlag(flags []cli.Flag, name string) string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	if near := serve.MostSimilar(name, names); near != "" {
		return ". Did you mean --" + near + "?"
	}
	return ""
}
