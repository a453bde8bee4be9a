package serve

import (
	"log/slog"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// What a client can stretch, and how far.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second // the whole request
	bodyTimeout       = time.Second      // a body, which is skipped behind the answer
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10 // four times the longest query string, so that the contract can answer a longer one
	maxMessageBytes   = 64 << 10 // likewise; what reads messages has a limit too, but too late: calls are counted before
	drainTimeout      = 10 * time.Second

	// Of HTTP/2. The time of a stream ends the stream. That of a write ends the connection: what a client
	// that takes nothing at all would hold for longer.
	maxStreams  = 100 // of a connection, at a time
	pingAfter   = 30 * time.Second
	pingTimeout = 15 * time.Second
)

const (
	// reservedDescriptors are kept from clients of the API: for the admin address, the key file, CURRENT and
	// snapshots, the state of the counters and the rate-limit store. A small limit of open files is shared by
	// halves.
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

// connectionsWithin is how many connections of each address a limit of open files leaves: so many of the API
// that its clients run out of descriptors first, and of the admin address a quarter of the reserve, so that
// they leave the rest of it to files.
func connectionsWithin(descriptors uint64) (api, admin int) {
	reserved := min(reservedDescriptors, descriptors/2)
	return int(min(max(descriptors-reserved, 1), mostConnections)), int(max(reserved/4, 1))
}

// A serverLog takes the lines of net/http. Of those about one connection only a failed handshake is worth a
// line, without the client's address; one that ended before it began, as a look at the port does, is none.
type serverLog struct {
	log        *slog.Logger
	handshakes prometheus.Counter // that failed
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
		l.log.Warn("a TLS handshake failed", "reason", reason)
	default:
		l.log.Warn(text)
	}
	return len(line), nil
}
