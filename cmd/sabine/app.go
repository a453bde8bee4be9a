package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1 // the work failed: bad input, a damaged snapshot
	exitUsage  = 2 // the command line is wrong
)

// streams are what a command reads and writes: results go to out, progress and logs to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// A usageError says that the command line is wrong, not the work.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errDiffer ends diff --exit-code with status 1 and no message.
var errDiffer = errors.New("the snapshots differ")

// run runs one command line and returns the exit status.
func run(ctx context.Context, args []string, s streams) int {
	app := newApp(s)
	args, err := arrange(app, args)
	if err == nil {
		err = app.RunContext(ctx, args)
	}
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errDiffer):
		return exitFailed
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "sabine: %v\nSee sabine --help.\n", err)
		return exitUsage
	case ctx.Err() != nil:
		fmt.Fprintln(s.err, "sabine: interrupted")
		return exitFailed
	default:
		fmt.Fprintf(s.err, "sabine: %v\n", err)
		return exitFailed
	}
}

func newApp(s streams) *cli.App {
	app := &cli.App{
		Name:  "sabine",
		Usage: "compile acoustic-product JSON into snapshots and serve the read API from them",
		Description: "Example:\n" +
			"   sabine build catalogue.ndjson && sabine keys create --account me && sabine serve",
		Version:         version(),
		HideHelpCommand: true,
		Commands: []*cli.Command{
			buildCommand(s), serveCommand(s), keysCommand(s), searchCommand(s), showCommand(s), inspectCommand(s),
			verifyCommand(s), diffCommand(s), generateCommand(s), importCommand(s),
		},
		Reader:         s.in,
		Writer:         s.out,
		ErrWriter:      s.err,
		ExitErrHandler: func(*cli.Context, error) {}, // run decides the exit status
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usageError{err} },
	}
	finish(app.Commands)
	return app
}

// finish gives every command what all have in common: an environment variable for each flag, no help subcommand, and
// usage errors that are told as such.
func finish(commands []*cli.Command) {
	for _, c := range commands {
		c.HideHelpCommand = true
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usageError{err} }
		for _, f := range c.Flags {
			setEnv(f, "SABINE_"+strings.ToUpper(strings.ReplaceAll(f.Names()[0], "-", "_")))
		}
		finish(c.Subcommands)
	}
}

func setEnv(f cli.Flag, name string) {
	switch f := f.(type) {
	case *cli.StringFlag:
		f.EnvVars = []string{name}
	case *cli.StringSliceFlag:
		f.EnvVars = []string{name}
	case *cli.BoolFlag:
		f.EnvVars = []string{name}
	case *cli.DurationFlag:
		f.EnvVars = []string{name}
	case *cli.IntFlag:
		f.EnvVars = []string{name}
	case *cli.Uint64Flag:
		f.EnvVars = []string{name}
	case *cli.Float64Flag:
		f.EnvVars = []string{name}
	default:
		panic(fmt.Sprintf("flag --%s of type %T has no environment variable", f.Names()[0], f))
	}
}

// version is the program's version as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// needArgs returns the command's arguments when their number is between least and most, else a usage error.
func needArgs(c *cli.Context, least, most int) ([]string, error) {
	args := c.Args().Slice()
	if most == 0 && len(args) > 0 {
		return nil, usagef("%s takes no arguments, got %q: %s", c.Command.FullName(), args[0], c.Command.UsageText)
	}
	if len(args) < least || len(args) > most {
		return nil, usagef("%s takes %s, got %d: %s", c.Command.FullName(), c.Command.ArgsUsage, len(args), c.Command.UsageText)
	}
	return args, nil
}
