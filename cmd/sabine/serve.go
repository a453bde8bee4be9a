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

// gcPercent is the GOGC of a server unless the environment sets another. The heap holds a few megabytes and
// what requests leave behind: with Go's 100 it is collected for every thousandth request, which costs a small
// answer 4 % of its time.
const gcPercent = 400

// serveUntilDone puts the server together and runs it until the context ends.
func serveUntilDone(c *cli.Context, s streams) (err error) {
	reload := reloads() // first: a SIGHUP that nobody listens for ends the program
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signal.Ignore(syscall.SIGPIPE) // else a log whose reader has gone ends the program
	queue, log := serve.NewLogQueue(s.err, logHandler(s))
	defer queue.Close()
	endWithin(c.Context, c.Duration("drain-delay")+endTimeout, s) // before anything that can hang is read
	o, err := serverOptions(c, log)
	if err != nil {
		return err
	}
	follow, err := followed(c, log)
	if err != nil {
		return err
	}
	follow.firstKeys(c.Context)
	if o.Keys, err = keys.OpenStore(follow.keyFile, log); err != nil {
		return err
	}
	if o.Limits, err = openLimits(c, follow.keyFile, log); err != nil {
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
		return err // else it is logged, and the mirror repairs it
	}
	o.Mirror, o.KeysMirror, o.Queue, o.Reload = follow.mirrorState, follow.keysState, queue, reload
	if !isTerminal(s.err) { // whose lines are text
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
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { superviseBySystemd(c.Context, admin.Addr().String(), log) })
	beside.Go(func() { follow.run(c.Context) })
	return server.Serve(c.Context, api, admin)
}

// serverOptions returns what the flags say of the server itself.
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
		return o, usagef("--drain-delay: %v is negative", o.DrainDelay)
	}
	if c.IsSet("max-connections") && o.MaxConnections < 1 {
		return o, usagef("--max-connections: %d is less than one", o.MaxConnections)
	}
	if o.TrustedProxies, err = serve.ParseProxies(c.String("trusted-proxies")); err != nil {
		return o, usagef("--trusted-proxies: %w", err)
	}
	o.Certificate, err = openCertificate(c, log)
	return o, err
}

// reloads delivers whenever SIGHUP asks for a reload, for as long as the program runs: given back, the signal
// would end it.
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
		return nil // there is one; whether it is good is for the server to say
	}
	fmt.Fprintf(s.err, "There is no snapshot in %s yet: compiling the sample catalogue into it.\n", folder.Dir)
	_, err := compileWithProgress(ctx, compiler.Options{Inputs: dataset.Sample(), Folder: folder, Tool: "sabine " +
		version()}, s)
	return err
}

// openCertificate returns the certificate of the API, nil when it is served over plain HTTP.
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

// siteAddress returns the address by which a browser on this machine reaches a server that listens on
// listens.
func siteAddress(listens net.Addr, tls bool) string {
	scheme, host := "http", listens.String()
	if tls {
		scheme = "https"
	}
	if a, ok := listens.(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		host = net.JoinHostPort("localhost", strconv.Itoa(a.Port))
	}
	return scheme + "://" + host + "/"
}

// warnOfExposure tells of settings that open more than their writer may have meant.
func warnOfExposure(log *slog.Logger, addr string, admin net.Addr, proxies []netip.Prefix) {
	if host, _, err := net.SplitHostPort(addr); err == nil && host == "" {
		log.Warn("--addr has no host: the API is served on every interface", "addr", addr)
	}
	if a, ok := admin.(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		log.Warn("--admin-addr is not a loopback address: it answers without a key and must not be reachable from outside",
			"addr", a.String())
	}
	for _, p := range proxies {
		if p.Bits() == 0 {
			log.Warn("--trusted-proxies holds every address: any client can claim another's, and so its budget", "network",
				p.String())
		}
	}
}

// endTimeout is how long a server may take to end, a second less than the fifteen that supervisors may count
// on. It drains for ten seconds at most; what hangs for longer, a disk or a log that nobody reads, is left
// behind.
const endTimeout = 14 * time.Second

// lastWordTimeout is how long saying so may take: standard error may be what hangs.
const lastWordTimeout = 100 * time.Millisecond

// endWithin ends the program when it still runs so long after its context has ended.
func endWithin(ctx context.Context, d time.Duration, s streams) {
	late := func() {
		time.AfterFunc(lastWordTimeout, func() { os.Exit(exitFailed) })
		fmt.Fprintf(s.err, "sabine: the server did not end within %v: what still runs is cut off\n", d)
		os.Exit(exitFailed)
	}
	context.AfterFunc(ctx, func() { time.AfterFunc(d, late) })
}

// logHandler formats lines for people on a terminal and for machines elsewhere.
func logHandler(s streams) func(io.Writer) slog.Handler {
	if isTerminal(s.err) {
		return func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }
	}
	return func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) }
}
