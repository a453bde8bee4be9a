package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// probeTime is how long a part may take to say that it is there.
const probeTime = time.Second

func dial(address string) error {
	c, err := net.DialTimeout("tcp", address, probeTime)
	if err == nil {
		c.Close()
	}
	return err
}

// ping returns nil once Redis answers: one that still reads what it has written down does not.
func ping(address string) error {
	c, err := net.DialTimeout("tcp", address, probeTime)
	if err != nil {
		return err
	}
	defer c.Close()
	const question, want = "PING\r\n", "+PONG\r\n"
	said := make([]byte, len(want))
	_ = c.SetDeadline(time.Now().Add(probeTime)) // of a connection that was just made
	if _, err = c.Write([]byte(question)); err != nil {
		return err
	}
	n, err := c.Read(said)
	if err == nil && string(said[:n]) != want {
		err = fmt.Errorf("expected %q, got %q", want, said[:n])
	}
	return err
}

// isReady returns nil once the server with an admin address is.
func isReady(admin string) error {
	resp, err := (&http.Client{Timeout: probeTime}).Get("http://" + admin + "/readyz")
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}
