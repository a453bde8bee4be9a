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

// health prints the state of a running server.
func health(c *cli.Context, s streams) error {
	path := "/healthz"
	if c.Bool("ready") {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(c.Context, healthTimeout)
	defer cancel()
	state, err := fetchState(ctx, c.String("admin-addr"), path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, state)
	return err
}

// healthTimeout is the time limit for a server's response.
const healthTimeout = 5 * time.Second

// maxStateBytes is the maximum number of bytes read from a response.
const maxStateBytes = 64 << 10

// A serverState is the response from /readyz, or from /healthz, which contains only a status.
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

// fetchState requests a path from a server's admin address. It returns an error if there is no response or
// the HTTP status is not 200.
func fetchState(ctx context.Context, address, path string) (state serverState, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("request %s of %s: %w", path, address, err)
		}
	}()
	// The client uses no proxy. It dials the address unchanged: net resolves an empty host to this machine.
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
		return state, e.Err // e.URL contains localhost, which was not dialed
	}
	if err != nil {
		return state, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxStateBytes)).Decode(&state); err != nil {
		return state, fmt.Errorf("status %s, but the response is not from sabine: %w", resp.Status, err)
	}
	if resp.StatusCode != http.StatusOK {
		return state, fmt.Errorf("status %s: %s", resp.Status, state)
	}
	return state, nil
}
