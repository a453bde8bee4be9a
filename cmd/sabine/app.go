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
	exitFailed = 1 // the work failed: bad input, a damaged snapshot
	exitUsage  = 2 // the command line is wrong
)

// streams are what a command reads and writes: results go to out, progress and logs to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// table returns a table of results, of which a tab ends every cell but the last in a row. Flush prints it.
func (s streams) table() *tabwriter.Writer { return tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0) }

// print prints a result as JSON if --json asks for it, else as the rows of a table.
func (s streams) print(c *cli.Context, result any, rows func(t io.Writer)) error {
	if c.Bool("json") {
		return printJSON(s.out, result)
	}
	t := s.table()
	rows(t)
	return t.Flush()
}

// A resultWriter remembers the first error of writing: a command whose result is not printed whole has
// failed, whatever printed it.
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

// A contextWriter writes until its context ends.
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

// printJSON prints a result as JSON for people and programs, indented.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// A usageError says that the command line is wrong, not the work.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errDiffer ends diff --exit-code with status 1 and no message.
var errDiffer = errors.New("the snapshots differ")

// run runs one command line and returns the exit status.
func run(ctx context.Context, args []string, s streams) int {
	out := &resultWriter{w: s.out}
	s.out = out
	app := newApp(s)
	arranged, err := arrange(app, args)
	if err == nil {
		err = app.RunContext(ctx, arranged)
	}
	if err == nil {
		err = out.err
	}
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errDiffer):
		return exitFailed
	case errors.As(err, &usage):
		_, n := descend(app, args[1:])
		fmt.Fprintf(s.err, "sabine: %s\nSee %s --help.\n", plainLines(err.Error()),
			strings.Join(append([]string{"sabine"}, args[1:1+n]...), " "))
		return exitUsage
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(s.err, "sabine: interrupted")
		return exitFailed
	default: // also what fails while a server ends
		fmt.Fprintf(s.err, "sabine: %s\n", plainLines(err.Error()))
		return exitFailed
	}
}

func newApp(s streams) *cli.App {
	return &cli.App{
		Name:  "sabine",
		Usage: "compile acoustic-product JSON into snapshots and serve the read API from them",
		Description: "Example:\n" +
			"   sabine build catalogue.ndjson && sabine keys create --account me && sabine serve",
		Version:         version(),
		HideHelpCommand: true,
		Commands:        commands(s),
		Reader:          s.in,
		Writer:          s.out,
		ErrWriter:       s.err,
		ExitErrHandler:  func(*cli.Context, error) {}, // run decides the exit status
		OnUsageError:    wrongUsage,

		EnableBashCompletion:      true,
		DisableSliceFlagSeparator: true, // 0,8 is one value, whose reader says what is wrong with it
	}
}
