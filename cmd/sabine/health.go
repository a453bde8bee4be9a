package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/urfave/cli/v2"
)

// health prints what a running server says of itself.
func health(c *cli.Context, s streams) error {
	path := "/healthz"
	if c.Bool("ready") {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(c.Context, healthTimeout)
	defer cancel()
	state, err := askState(ctx, c.String("admin-addr"), path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, state)
	return err
}

// healthTimeout is how long a server may take to say how it is.
const healthTimeout = 5 * time.Second

// maxStateBytes is the most that is read of what a server says.
const maxStateBytes = 64 << 10

// A serverState is what /healthz and /readyz say. The first has a status alone.
type serverState struct {
	Status   string `json:"status"`
	Reason   string `json:"reason"`
	Snapshot string `json:"snapshot"`
	Products int    `json:"products"`
}

// String returns the state as one line, safe for a terminal.
func (s serverState) String() string {
	line := s.Status
	if s.Snapshot != "" {
		line += fmt.Sprintf(", %d products of %s", s.Products, s.Snapshot)
	}
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	return plain(line)
}

// askState asks the admin address of a server. The error says that nothing answers, or that the status is not
// 200.
func askState(ctx context.Context, address, path string) (state serverState, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s of %s: %w", path, address, err)
		}
	}()
	// no proxy; the address is dialed as it is: net knows where an empty host is
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+path, nil)
	if err != nil {
		return state, err
	}
	resp, err := client.Do(r)
	if e, ok := errors.AsType[*url.Error](err); ok {
		return state, e.Err // without the address that was not dialed
	}
	if err != nil {
		return state, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxStateBytes)).Decode(&state); err != nil {
		return state, fmt.Errorf("status %s, and no state of sabine: %w", resp.Status, err)
	}
	if resp.StatusCode != http.StatusOK {
		return state, fmt.Errorf("status %s: %s", resp.Status, state)
	}
	return state, nil
}
