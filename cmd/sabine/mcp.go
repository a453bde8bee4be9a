package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/agents"
)

func mcpCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "mcp",
		Usage:     "let an agent search the current snapshot, by the Model Context Protocol on standard input and output",
		UsageText: "sabine mcp [--snapshots FOLDER]",
		Description: "Agents start this themselves: their settings name the command, see the README. The tools are those of /mcp of the\n" +
			"server, without keys and limits. A new snapshot is taken when CURRENT changes. Logs go to standard error. Example:\n" +
			"   sabine mcp --snapshots /var/lib/sabine",
		Flags:  []cli.Flag{snapshotsFlag()},
		Action: func(c *cli.Context) error { return speakMCP(c, s) },
	}
}

// speakMCP answers an agent until it closes standard input, or until the context ends, which is no failure: it is how agents
// end their servers.
func speakMCP(c *cli.Context, s streams) (err error) {
	log := slog.New(logHandler(s)(s.err))
	current := runtime.NewCurrent(snapshot.Folder{Dir: c.String("snapshots")}, log)
	defer func() { err = errors.Join(err, current.Close()) }()
	if err := current.Load(c.Context); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.Context)
	watched := make(chan struct{})
	go func() {
		current.Watch(ctx, nil)
		close(watched)
	}()
	defer func() {
		stop()
		<-watched
	}()
	server := agents.NewServer(serve.Agents(current, log), version())
	err = server.Run(ctx, agents.Lines(s.in, s.out))
	if err == nil || c.Err() != nil {
		return nil
	}
	return fmt.Errorf("standard input: %w", err)
}
