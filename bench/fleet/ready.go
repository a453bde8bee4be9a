package main

import (
	"fmt"
	"net"
	"time"

	"sabine/bench/trial"
)

func dial(address string) error {
	c, err := net.DialTimeout("tcp", address, trial.ProbeTime)
	if err == nil {
		c.Close()
	}
	return err
}

// ping returns nil once Redis answers: one that still reads what it has written down does not.
func ping(address string) error {
	c, err := net.DialTimeout("tcp", address, trial.ProbeTime)
	if err != nil {
		return err
	}
	defer c.Close()
	const question, want = "PING\r\n", "+PONG\r\n"
	said := make([]byte, len(want))
	_ = c.SetDeadline(time.Now().Add(trial.ProbeTime)) // of a connection that was just made
	if _, err = c.Write([]byte(question)); err != nil {
		return err
	}
	n, err := c.Read(said)
	if err == nil && string(said[:n]) != want {
		err = fmt.Errorf("expected %q, got %q", want, said[:n])
	}
	return err
}
