package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/agents"
)

// serveMCP answers an agent until the agent closes standard input or the context ends. It returns no error at
// the end of the context, because agents end their servers with a signal.
func serveMCP(c *cli.Context, s streams) (err error) {
	log := slog.New(logHandler(s)(s.err))
	current := runtime.NewCurrent(snapshot.Folder{Dir: c.String("snapshots")}, log)
	defer func() { err = errors.Join(err, current.Close()) }()
	if err := current.Load(c.Context); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.Context)
	var watcher sync.WaitGroup
	watcher.Go(func() { current.Watch(ctx, nil) })
	defer func() {
		stop()
		watcher.Wait()
	}()
	server := agents.NewServer(serve.Agents(current, log), version())
	err = server.Run(ctx, agents.Lines(s.in, s.out))
	if err == nil || c.Err() != nil {
		return nil
	}
	return fmt.Errorf("standard input: %w", err)
}
