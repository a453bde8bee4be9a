package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/queryreport"
)

// gcPercent is the GOGC of a server if the environment does not set GOGC. The live heap is only a few
// megabytes. With Go's default of 100, a collection would start every thousand requests and account for 4 %
// of the time for a small response.
const gcPercent = 400

// serveUntilDone configures the server and runs it until the context ends.
func serveUntilDone(c *cli.Context, s streams) (err error) {
	reload := reloads() // must be first, because an unhandled SIGHUP ends the program
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signal.Ignore(syscall.SIGPIPE) // otherwise the program ends when the reader of its log ends
	queue, log := serve.NewLogQueue(s.err, logHandler(s))
	defer queue.Close()
	exitAfter(c.Context, c.Duration("drain-delay")+shutdownTimeout, s) // must precede all reads that can hang
	o, err := serverOptions(c, log)
	if err != nil {
		return err
	}
	follow, err := openSources(c, log)
	if err != nil {
		return err
	}
	follow.fetchFirstKeys(c.Context)
	if o.Keys, err = keys.OpenStore(follow.keyFile, log); err != nil {
		return err
	}
	if o.Limits, err = openLimits(c, follow.keyFile, log); err != nil { // the state file is next to the key file
		return err
	}
	defer func() { err = errors.Join(err, o.Limits.Close()) }()
	if path := c.String("query-report"); path != "" {
		if o.QueryReport, err = queryreport.Open(path, log); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, o.QueryReport.Close()) }()
	}
	if c.Bool("sample") {
		if err := fillFolder(c.Context, follow.folder, s); err != nil {
			return err
		}
	}
	o.Current = runtime.NewCurrent(follow.folder, log)
	defer func() { err = errors.Join(err, o.Current.Close()) }()
	if err := o.Current.Load(c.Context); err != nil && (follow.mirror == nil || c.Err() != nil) {
		return err // with a mirror, serving continues: the error is logged, and the next download repairs it
	}
	o.Mirror, o.KeysMirror, o.Queue, o.Reload = follow.mirrorState, follow.keysState, queue, reload
	if !isTerminal(s.err) { // log lines for a terminal are text
		o.Requests = queue
	}
	server, err := serve.New(o)
	if err != nil {
		return usageError{err}
	}
	api, admin, err := listen(c)
	if err != nil {
		return err
	}
	warnOfExposure(log, c.String("addr"), admin.Addr(), o.TrustedProxies)
	if o.Explorer && (c.Bool("sample") || isTerminal(s.err)) {
		fmt.Fprintln(s.err, "The explorer:", siteAddress(api.Addr(), o.Certificate != nil))
	}
	ctx, cancel := context.WithCancel(c.Context)
	var background sync.WaitGroup
	defer func() { cancel(); background.Wait() }() // Serve also returns if a listener fails
	background.Go(func() { notifySystemd(ctx, admin.Addr().String(), log) })
	background.Go(func() { follow.run(ctx) })
	return server.Serve(ctx, api, admin)
}

// serverOptions returns the options that depend only on flags, and the certificate.
func serverOptions(c *cli.Context, log *slog.Logger) (o serve.Options, err error) {
	o = serve.Options{
		BasePath:       c.String("base-path"),
		PublicURL:      c.String("public-url"),
		Explorer:       c.Bool("explorer"),
		MCP:            c.Bool("mcp"),
		PublicDetail:   c.Bool("public-detail"),
		ImageOrigins:   strings.Split(c.String("image-origins"), ","),
		MaxConnections: c.Int("max-connections"),
		DrainDelay:     c.Duration("drain-delay"),
		Version:        version(),
		Log:            log,
	}
	if o.DrainDelay < 0 {
		return o, usagef("--drain-delay must not be negative, got %v", o.DrainDelay)
	}
	if c.IsSet("max-connections") && o.MaxConnections < 1 {
		return o, usagef("--max-connections must be at least 1, got %d", o.MaxConnections)
	}
	if o.TrustedProxies, err = serve.ParseProxies(c.String("trusted-proxies")); err != nil {
		return o, usagef("--trusted-proxies: %w", err)
	}
	o.Certificate, err = openCertificate(c, log)
	return o, err
}

// reloads returns a channel that receives a value after SIGHUP; signals during a load are merged. The program
// handles SIGHUP until it exits, because an unhandled SIGHUP would end it.
func reloads() <-chan struct{} {
	signals, reload := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		for range signals {
			reload <- struct{}{}
		}
	}()
	return reload
}

// fillFolder compiles the sample catalogue into a folder that has no current snapshot.
func fillFolder(ctx context.Context, folder snapshot.Folder, s streams) error {
	if _, err := folder.Current(); !errors.Is(err, snapshot.ErrNoCurrent) {
		return nil // a snapshot exists, or the server will report the error
	}
	fmt.Fprintf(s.err, "There is no snapshot in %s yet: compiling the sample catalogue into it.\n", folder.Dir)
	_, err := compileWithProgress(ctx, compiler.Options{Inputs: dataset.Sample(), Folder: folder, Tool: "sabine " +
		version()}, s)
	return err
}

// openCertificate returns the certificate for the API, or nil for plain HTTP.
func openCertificate(c *cli.Context, log *slog.Logger) (*serve.Certificate, error) {
	certFile, keyFile := c.String("tls-cert"), c.String("tls-key")
	switch {
	case certFile == "" && keyFile == "":
		return nil, nil
	case certFile == "":
		return nil, usagef("--tls-key is given without --tls-cert: expected both or neither")
	case keyFile == "":
		return nil, usagef("--tls-cert is given without --tls-key: expected both or neither")
	}
	return serve.OpenCertificate(certFile, keyFile, log)
}

func listen(c *cli.Context) (api, admin net.Listener, err error) {
	if api, err = net.Listen("tcp", c.String("addr")); err != nil {
		return nil, nil, fmt.Errorf("--addr: %w", err)
	}
	if admin, err = net.Listen("tcp", c.String("admin-addr")); err != nil {
		api.Close()
		return nil, nil, fmt.Errorf("--admin-addr: %w", err)
	}
	return api, admin, nil
}

// siteAddress returns the server's URL for a browser on this machine.
func siteAddress(addr net.Addr, tls bool) string {
	scheme, host := "http", addr.String()
	if tls {
		scheme = "https"
	}
	if a, ok := addr.(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		host = net.JoinHostPort("localhost", strconv.Itoa(a.Port))
	}
	return scheme + "://" + host + "/"
}

// warnOfExposure logs settings that may expose the server more than the operator intended.
func warnOfExposure(log *slog.Logger, addr string, admin net.Addr, proxies []netip.Prefix) {
	if host, _, err := net.SplitHostPort(addr); err == nil && host == "" {
		log.Warn("--addr has no host: the API is served on every interface", "addr", addr)
	}
	if a, ok := admin.(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		log.Warn("--admin-addr is not a loopback address: it needs no key, so block access to it from outside",
			"addr", a.String())
	}
	for _, p := range proxies {
		if p.Bits() == 0 {
			log.Warn("--trusted-proxies contains every address: any client can pose as another and use its rate limit",
				"network", p.String())
		}
	}
}

// shutdownTimeout is the time limit for the shutdown. It is one second less than the 15 seconds that
// supervisors can rely on. The server drains for at most ten seconds. After the limit, the program does not
// wait any longer for a disk that hangs or a log without a reader.
const shutdownTimeout = 14 * time.Second

// exitMessageTimeout is the time limit for the last message, because a write to standard error can hang.
const exitMessageTimeout = 100 * time.Millisecond

// exitAfter ends the program if it is still running when d has passed since the end of the context.
func exitAfter(ctx context.Context, d time.Duration, s streams) {
	exit := func() {
		time.AfterFunc(exitMessageTimeout, func() { os.Exit(exitFailed) })
		fmt.Fprintf(s.err, "sabine: the server did not shut down within %v: exiting\n", d)
		os.Exit(exitFailed)
	}
	context.AfterFunc(ctx, func() { time.AfterFunc(d, exit) })
}

// logHandler returns a function that creates a log handler: text for a terminal, and JSON otherwise.
func logHandler(s streams) func(io.Writer) slog.Handler {
	if isTerminal(s.err) {
		return func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }
	}
	return func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) }
}
