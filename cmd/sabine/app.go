package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1 // the work failed, for example because of invalid input or a damaged snapshot
	exitUsage  = 2 // the command line is invalid
)

// streams contains the input and outputs of a command. Results go to out; progress and logs go to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// printTable prints the table rows that rows writes. Tabs separate the cells of a row.
func (s streams) printTable(rows func(t io.Writer)) {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	rows(t)
	_ = t.Flush() // the result writer records the error
}

// print prints a result as JSON if --json is set. Otherwise it prints the table rows that rows writes.
func (s streams) print(c *cli.Context, result any, rows func(t io.Writer)) error {
	if c.Bool("json") {
		return printJSON(s.out, result)
	}
	s.printTable(rows)
	return nil
}

// A resultWriter is the standard output of a command. It records the first write error, and run then fails.
// Therefore the code that prints a result can ignore write errors.
type resultWriter struct {
	w   io.Writer
	err error
}

func (w *resultWriter) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("print the result: %w", err)
	}
	return n, err
}

// A contextWriter returns an error for each write after its context has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w contextWriter) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}

// printJSON prints a result as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// A usageError is an error in the command line. The program exits with the status exitUsage.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errDiffer makes diff --exit-code exit with status 1 and no message.
var errDiffer = errors.New("the snapshots differ")

// run runs a command line and returns the exit status.
func run(ctx context.Context, args []string, s streams) int {
	out := &resultWriter{w: s.out}
	s.out = out
	app := newApp(s)
	reordered, err := reorder(app, args)
	if err == nil {
		err = app.RunContext(ctx, reordered)
	}
	if out.err != nil && (err == nil || errors.Is(err, errDiffer)) {
		err = out.err
	}
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errDiffer):
		return exitFailed
	case errors.As(err, &usage):
		_, n := findCommand(app, args[1:])
		fmt.Fprintf(s.err, "sabine: %s\nSee %s --help.\n", plainLines(err.Error()),
			strings.Join(append([]string{"sabine"}, args[1:1+n]...), " "))
		return exitUsage
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(s.err, "sabine: interrupted")
		return exitFailed
	default: // includes errors during a server's shutdown
		fmt.Fprintf(s.err, "sabine: %s\n", plainLines(err.Error()))
		return exitFailed
	}
}

func newApp(s streams) *cli.App {
	return &cli.App{
		Name:  "sabine",
		Usage: "compile data of acoustic products into snapshots and serve them with a read-only API",
		Description: "The exit status is 0 if a command succeeds, 1 if it fails, and 2 if the command line is invalid.\n" +
			"Example:\n" +
			"   sabine build catalogue.ndjson && sabine keys create --account me && sabine serve",
		Version:         version(),
		HideHelpCommand: true,
		Commands:        commands(s),
		Reader:          s.in,
		Writer:          s.out,
		ErrWriter:       s.err,
		ExitErrHandler:  func(*cli.Context, error) {}, // run determines the exit status
		OnUsageError:    flagError,

		EnableBashCompletion:      true,
		DisableSliceFlagSeparator: true, // allows a parser to report the decimal comma in 0,8
	}
}
