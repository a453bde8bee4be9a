// Command sabine compiles acoustic-product JSON into snapshots and serves the read API from them.
//
// It holds no logic of its own: a file a command, each of which reads its flags, calls the rooms below and prints what
// they answer. Read app.go first.
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
