package main

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"
)

// idleConnections are held open behind one request each, idleTime long: less than the two minutes that a
// server allows.
const (
	idleConnections = 300
	idleTime        = 100 * time.Second
)

// idle holds a connection on which nothing is asked any more.
func (s *soak) idle(ctx context.Context, t *site) error {
	for ctx.Err() == nil {
		c, err := net.Dial("tcp", t.Address)
		if err != nil {
			s.tally.fault(failed, "a connection that is to be idle: %v", err)
			pause(ctx, time.Second)
			continue
		}
		if _, err := io.WriteString(c, "GET /api/v1/nothing HTTP/1.1\r\nHost: soak.example\r\n\r\n"); err != nil {
			s.tally.fault(failed, "a connection that is to be idle: %v", err)
		}
		pause(ctx, idleTime)
		c.Close()
		s.tally.happened("idle connections", 0)
	}
	return nil
}

// slowEach is how many clients of each slow kind there are at a time.
const slowEach = 4

// patience is how long a client may be slow until its connection must be closed: a server waits thirty
// seconds at most for who does not read.
const patience = 45 * time.Second

// The kinds of slow clients: what they send at once, and what once a second. One that sends no more does not
// read either.
var slowClients = []struct{ name, first, drip string }{
	{"clients that drip a header", "GET / HTTP/1.1\r\nHost: soak.example\r\nX-Slow: ", "x"},
	{"clients that drip a body",
		"POST /mcp HTTP/1.1\r\nHost: soak.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n", " "},
	{"clients that do not read", "GET /api/v1/export HTTP/1.1\r\nHost: soak.example\r\nAuthorization: Bearer KEY\r\n\r\n",
		""},
}

// dawdle is one slow client after the other, of one kind: each loses its place.
func (s *soak) dawdle(ctx context.Context, t *site, kind int) error {
	client := &slowClients[kind]
	for ctx.Err() == nil {
		c, err := net.Dial("tcp", t.Address)
		if err != nil {
			s.tally.fault(failed, "%s: %v", client.name, err)
			pause(ctx, time.Second)
			continue
		}
		began := time.Now()
		_, err = io.WriteString(c, strings.Replace(client.first, "KEY", s.account(), 1))
		for err == nil && ctx.Err() == nil && time.Since(began) < patience {
			pause(ctx, time.Second)
			if client.drip != "" {
				_, err = io.WriteString(c, client.drip)
				err = errors.Join(err, ended(c, time.Millisecond))
			}
		}
		if client.drip == "" {
			err = ended(c, time.Second)
		}
		c.Close()
		switch {
		case ctx.Err() != nil:
		case err == nil:
			s.tally.fault(careless, "%s keep their place for %v", client.name, patience)
		default:
			s.tally.happened(client.name, time.Since(began))
		}
	}
	return nil
}

// buffered is more than what two kernels keep of an answer that nobody reads, and less than an export.
const buffered = 32 << 20

// ended returns an error when the server has ended a connection, whatever it said before, and nil when it is
// open: no more comes within a time, or so much that somebody must still be sending.
func ended(c net.Conn, within time.Duration) error {
	said := make([]byte, 64<<10)
	for bytes := 0; bytes < buffered; {
		_ = c.SetReadDeadline(time.Now().Add(within)) // of an open connection
		n, err := c.Read(said)
		bytes += n
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
