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

// speakMCP answers an agent until it closes standard input, or until the context ends, which is no failure:
// it is how agents end their servers.
func speakMCP(c *cli.Context, s streams) (err error) {
	log := slog.New(logHandler(s)(s.err))
	current := runtime.NewCurrent(snapshot.Folder{Dir: c.String("snapshots")}, log)
	defer func() { err = errors.Join(err, current.Close()) }()
	if err := current.Load(c.Context); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.Context)
	var watching sync.WaitGroup
	watching.Go(func() { current.Watch(ctx, nil) })
	defer func() {
		stop()
		watching.Wait()
	}()
	server := agents.NewServer(serve.Agents(current, log), version())
	err = server.Run(ctx, agents.Lines(s.in, s.out))
	if err == nil || c.Err() != nil {
		return nil
	}
	return fmt.Errorf("standard input: %w", err)
}
