// Package freeport finds ports for the servers that tests start. It starts none.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// New returns a port of 127.0.0.1 that nothing listens on, below those that the system gives to clients: a
// connection of another test cannot take it before the server does.
func New() string {
	for {
		port := strconv.Itoa(10000 + rand.IntN(20000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			_ = l.Close()
			return port
		}
	}
}
