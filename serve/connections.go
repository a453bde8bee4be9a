package serve

import (
	"net"
	"strings"
	"sync"
	"syscall"
)

const (
	// reservedDescriptors are kept from clients of the API: for the admin address, the key file, CURRENT and snapshots, the
	// state of the counters and the rate-limit store. A small limit of open files is shared by halves.
	reservedDescriptors = 128
	// assumedDescriptors is how many files a process may have open where the system does not say.
	assumedDescriptors = 1024
	// mostConnections is the default where the system sets no limit.
	mostConnections = 1 << 20
)

// descriptorLimit is how many files the process may have open. Go has raised the soft limit to the hard one.
func descriptorLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return assumedDescriptors
	}
	return limit.Cur
}

// connectionsWithin is how many connections of each address a limit of open files leaves: so many of the API that its
// clients run out of descriptors first, and of the admin address a quarter of the reserve, so that they leave the rest of
// it to files.
func connectionsWithin(descriptors uint64) (api, admin int) {
	reserved := min(reservedDescriptors, descriptors/2)
	return int(min(max(descriptors-reserved, 1), mostConnections)), int(max(reserved/4, 1))
}

// limitConnections settles how many connections each address may have. More of the API than the limit of open files leaves
// are let be, since somebody asked for them, and told of.
func (s *Server) limitConnections(descriptors uint64) {
	left, admin := connectionsWithin(descriptors)
	s.adminPlaces = admin
	if s.connections <= 0 {
		s.connections = left
	} else if s.connections > left {
		s.log.Warn("so many connections of the API can use up the open files: the admin address, the key file and CURRENT would have none",
			"max_connections", s.connections, "advised", left, "open_files", descriptors)
	}
}

// A boundedListener has no more connections open at a time than it has places. Further clients wait in the kernel's
// backlog, where they cost no descriptor.
type boundedListener struct {
	net.Listener
	places chan struct{} // holds a value for each open connection
	closed chan struct{}
	close  sync.Once
}

func bounded(l net.Listener, most int) *boundedListener {
	return &boundedListener{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept returns the next connection once there is a place for it.
func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &boundedConn{Conn: c, listener: l}, nil
}

// Close closes the listener, also while it waits for a place.
func (l *boundedListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// A boundedConn is a connection of a boundedListener.
type boundedConn struct {
	net.Conn
	listener *boundedListener
	leave    sync.Once
}

// Close closes the connection, and then gives its place to the next.
func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.leave.Do(func() { <-c.listener.places })
	return err
}

// CloseWrite tells the client that nothing follows. net/http asks for it after an answer to a request that it refused to
// read, which would otherwise be lost when the connection is reset.
func (c *boundedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// A serverLog takes the lines of net/http. Of those about one connection only a failed handshake is worth a line, without the
// client's address; one that ended before it began, as a look at the port does, is none.
type serverLog struct{ server *Server }

func (l serverLog) Write(line []byte) (int, error) {
	text, s := strings.TrimSpace(string(line)), l.server
	_, failed, isHandshake := strings.Cut(text, "http: TLS handshake error from ")
	_, reason, _ := strings.Cut(failed, ": ")
	if _, behind, named := strings.Cut(reason, "->"); named { // read tcp SERVER->CLIENT: i/o timeout
		_, reason, _ = strings.Cut(behind, ": ")
	}
	switch {
	case isHandshake && (reason == "EOF" || strings.HasSuffix(reason, ": connection reset by peer")), strings.HasPrefix(text, "http2: "), strings.HasPrefix(text, "timeout waiting for "):
	case isHandshake:
		s.metrics.handshakes.Inc()
		s.log.Warn("a TLS handshake failed", "reason", reason)
	default:
		s.log.Warn(text)
	}
	return len(line), nil
}
