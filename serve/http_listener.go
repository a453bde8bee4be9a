package serve

import (
	"log/slog"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Limits for clients.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second // complete request
	bodyTimeout       = time.Second      // request body that is skipped after the response
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10 // four times the longest query string, so that longer ones get a proper 400
	maxMessageBytes   = 64 << 10 // checked before calls are counted; the library has its own limit
	drainTimeout      = 10 * time.Second

	// For HTTP/2. A stream timeout ends the stream. A write timeout ends the connection, because a client
	// that never reads would occupy the connection longer.
	maxStreams  = 100 // concurrent streams per connection
	pingAfter   = 30 * time.Second
	pingTimeout = 15 * time.Second
)

const (
	// reservedDescriptors are file descriptors that clients of the API cannot use: for the admin address, the
	// key file, CURRENT and snapshots, the counters and the rate-limit store. A small limit of open files is
	// divided in half.
	reservedDescriptors = 128
	// assumedDescriptors is the limit of open files when the system does not report it.
	assumedDescriptors = 1024
	// maxConnections is the default where the system sets no limit.
	maxConnections = 1 << 20
)

// descriptorLimit returns the limit of open files. Go has already raised the soft limit to the hard limit.
func descriptorLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return assumedDescriptors
	}
	return limit.Cur
}

// connectionsWithin returns the maximum number of connections to each address for a limit of open files. The
// API can use all descriptors except the reserve, and the admin address a quarter of the reserve.
func connectionsWithin(descriptors uint64) (api, admin int) {
	reserved := min(reservedDescriptors, descriptors/2)
	return int(min(max(descriptors-reserved, 1), maxConnections)), int(max(reserved/4, 1))
}

// A serverLog receives the lines of net/http. For errors in single connections, it logs only failed
// handshakes, without the client's address, and ignores handshakes that ended at once, such as port checks.
type serverLog struct {
	log        *slog.Logger
	handshakes prometheus.Counter // failed handshakes
}

func (l serverLog) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	_, failed, isHandshake := strings.Cut(text, "http: TLS handshake error from ")
	_, reason, _ := strings.Cut(failed, ": ")
	if _, behind, named := strings.Cut(reason, "->"); named { // read tcp SERVER->CLIENT: i/o timeout
		_, reason, _ = strings.Cut(behind, ": ")
	}
	switch {
	case isHandshake && (reason == "EOF" || strings.HasSuffix(reason, ": connection reset by peer")),
		strings.HasPrefix(text, "http2: "), strings.HasPrefix(text, "timeout waiting for "):
	case isHandshake:
		l.handshakes.Inc()
		l.log.Warn("TLS handshake failed", "reason", reason)
	default:
		l.log.Warn(text)
	}
	return len(line), nil
}
