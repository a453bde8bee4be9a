// Command sabine compiles acoustic-product JSON into snapshots and serves the read API from them.
//
// It only connects the other packages. Each command or group of related commands has a file that reads the
// flags, calls other packages and prints their results. Read app.go first. The commands share these files:
//
//	args.go      reorders command lines and reports errors in them
//	commands.go  reads commands.yaml, which contains the help and flags of all commands
//	open.go      opens the snapshot that a command uses
//	progress.go  reports the progress of long work
//	format.go    escapes strings from the catalogue for a terminal, and formats values
//	curve.go     draws a measurement as bars
//
// serve consists of serve.go, follow.go (snapshots and keys from a store), counters.go (rate limits and their
// counters) and systemd.go (notifications to systemd).
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // lets a second Ctrl-C end the program immediately
	os.Exit(run(ctx, os.Args, streams{os.Stdin, os.Stdout, os.Stderr}))
}
