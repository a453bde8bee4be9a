package serve

import (
	"log/slog"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second // maximum time to read a complete request
	bodyTimeout       = time.Second      // maximum time to skip a request body after the response
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10 // four times the longest query string, so that a longer one results in a 400
	maxMessageBytes   = 64 << 10 // maximum size of a request body; only MCP messages have one
	drainTimeout      = 10 * time.Second

	// These limits are for HTTP/2. A stream timeout ends the stream. A write timeout ends the connection,
	// because otherwise a client that does not read would occupy the connection longer.
	maxStreams  = 100 // maximum number of concurrent streams per connection
	pingAfter   = 30 * time.Second
	pingTimeout = 15 * time.Second
)

const (
	// reservedDescriptors are file descriptors that clients of the API cannot use: they are for the admin
	// address, the key file, CURRENT, snapshots, the counters and the rate-limit store. If the limit of open
	// files is small, half of it is reserved.
	reservedDescriptors = 128
	// assumedDescriptors is the limit of open files that is assumed if the system does not report one.
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
// API can use all descriptors except the reserved ones, and the admin address a quarter of the reserved ones.
func connectionsWithin(descriptors uint64) (api, admin int) {
	reserved := min(reservedDescriptors, descriptors/2)
	return int(min(max(descriptors-reserved, 1), maxConnections)), int(max(reserved/4, 1))
}

// A serverLog receives net/http's log. For errors in single connections, it logs only failed handshakes,
// without the client's address. It ignores handshakes that ended immediately, such as port checks.
type serverLog struct {
	log        *slog.Logger
	handshakes prometheus.Counter // failed handshakes; nil without TLS
}

func (l serverLog) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	_, failed, isHandshake := strings.Cut(text, "http: TLS handshake error from ")
	_, reason, _ := strings.Cut(failed, ": ")
	if _, client, found := strings.Cut(reason, "->"); found { // example: read tcp SERVER->CLIENT: i/o timeout
		_, reason, _ = strings.Cut(client, ": ")
	}
	switch {
	case isHandshake && (reason == "EOF" || strings.HasSuffix(reason, ": connection reset by peer")),
		strings.HasPrefix(text, "http2: "), strings.HasPrefix(text, "timeout waiting for "):
		// errors in single connections, which clients can cause at will
	case isHandshake:
		l.handshakes.Inc()
		l.log.Warn("TLS handshake failed", "reason", reason)
	default:
		l.log.Warn(text)
	}
	return len(line), nil
}
