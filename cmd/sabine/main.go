// Command sabine compiles acoustic-product JSON into snapshots and serves the read API from them.
//
// It holds no logic of its own: a file a command or some that belong together, each of which reads its flags,
// calls the rooms below and prints what they answer. Read app.go first. What the commands share:
//
//	args.go      the order of a command line, and what is wrong with it
//	commands.go  reads commands.yaml, which has the help and the flags of all commands
//	open.go      the snapshot that a command is about
//	progress.go  how far long work is
//	plain.go     texts of a catalogue, made harmless for a terminal
//	curve.go     a measurement as bars
//
// serve is put together in serve.go of follow.go (what it takes from a store), counters.go (limits, and where
// they are counted) and systemd.go (what its supervisor hears).
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(run(ctx, os.Args, streams{os.Stdin, os.Stdout, os.Stderr}))
}
