// Package freeport finds ports for the servers that tests start. It does not start servers.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// New returns a free port of 127.0.0.1 below the ports that the system assigns to clients, so that no
// connection from another test can use the port before the server does.
func New() string {
	for {
		port := strconv.Itoa(10000 + rand.IntN(20000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			_ = l.Close()
			return port
		}
	}
}
