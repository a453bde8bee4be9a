// Command sabine compiles acoustic-product JSON into snapshots and serves the read API from them.
//
// It only connects the other packages. Each command or group of related commands has a file, which reads the
// flags, calls other packages and prints their results. Read app.go first. The commands share:
//
//	args.go      order and faults of a command line
//	commands.go  reads commands.yaml, which has the help and the flags of all commands
//	open.go      opening the snapshot that a command uses
//	progress.go  progress of long work
//	plain.go     escaping of catalogue texts for a terminal
//	curve.go     a measurement as bars
//
// The parts of serve are in serve.go, follow.go (snapshots and keys from a store), counters.go (rate limits
// and their counters) and systemd.go (notifications to systemd).
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program immediately
	os.Exit(run(ctx, os.Args, streams{os.Stdin, os.Stdout, os.Stderr}))
}
