package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/julienschmidt/httprouter"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/net/netutil"

	"sabine/serve/explorer"
)

// New returns a server. It returns an error if a setting is invalid.
func New(o Options) (*Server, error) {
	if o.Current == nil || o.Keys == nil || o.Limits == nil {
		return nil, errors.New("missing option: Current, Keys and Limits are required")
	}
	o.Log, o.Queue = cmp.Or(o.Log, slog.New(slog.DiscardHandler)), cmp.Or(o.Queue, new(LogQueue))
	s := &Server{
		options:       o,
		router:        httprouter.New(),
		pages:         map[string]*operation{},
		pagesByPrefix: map[string]*operation{},
		outage:        outage{log: o.Log},
		exchanges:     sync.Pool{New: func() any { return new(exchange) }},
	}
	var err error
	if s.addresses, err = newAddresses(o.BasePath, o.PublicURL); err != nil {
		return nil, err
	}
	if s.imageOrigins, err = originList(o.ImageOrigins); err != nil {
		return nil, err
	}
	s.secureExplorer = securityHeader(explorer.Policy(s.imageOrigins))
	s.link = []string{"<" + s.addresses.home + descriptionPath + `>; rel="service-desc"`}
	s.limitConnections(descriptorLimit())
	s.registerMetrics()
	s.description = newDescription(cmp.Or(s.addresses.home, "/"))
	s.addSiteFiles()
	if err := s.addReference(); err != nil {
		return nil, err
	}
	if o.Explorer {
		if err := s.addExplorer(); err != nil {
			return nil, err
		}
	}
	if o.MCP {
		s.agents, s.pages[mcpPath] = newAgents(o.Version), speakMCP
	}
	s.addOperations(s.addresses.base)
	return s, nil
}

// addOperations adds the paths of the API's operations. The router only looks up paths. The checks handle
// unknown paths and unsupported methods.
func (s *Server) addOperations(base string) {
	s.addOperation(base+"/v1/materials", getMaterials)
	s.addOperation(base+"/v1/materials/:id", getMaterial)
	s.addOperation(base+"/v1/export", exportMaterials)
	s.addOperation(base+"/v1/changes", getChanges)
	s.addOperation(base+"/public/search", searchProducts)
	s.addOperation(base+"/public/compare-products", compareProducts)
	s.addOperation(base+"/public/materials/:id", getPublicMaterial)
	s.addOperation(base+"/public/reverberation", getReverberation)
	s.addOperation(base+"/public/building-surfaces", getBuildingSurfaces)
	s.addOperation(base+descriptionPath, getDescription)
	s.addOperation("/.well-known/openapi.json", getWellKnownDescription)
}

// addOperation adds an operation at a path. checkPath passes an exchange as the response writer, and the
// handler stores the operation in it. The router knows only GET, because checkMethod checks the method.
func (s *Server) addOperation(path string, op *operation) {
	s.router.GET(path, func(w http.ResponseWriter, _ *http.Request, p httprouter.Params) {
		x := w.(*exchange)
		x.operation, x.identifier = op, p.ByName("id")
		if op == getMaterial && x.identifier == "search" { // the router supports no fixed name next to a parameter
			x.operation, x.identifier = searchMaterials, ""
		}
	})
}

// registerMetrics registers the metrics that /metrics reports.
func (s *Server) registerMetrics() {
	s.metrics = newMetrics(s.options.Certificate != nil)
	s.metrics.registry.MustRegister(stateCollector{s}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
}

// limitConnections sets the maximum numbers of connections to the API and to the admin address. If a setting
// exceeds the limit of open files, it is accepted and logged.
func (s *Server) limitConnections(descriptors uint64) {
	left, admin := connectionsWithin(descriptors)
	s.connections, s.adminConnections = s.options.MaxConnections, admin
	if s.connections <= 0 {
		s.connections = left
	} else if s.connections > left {
		s.options.Log.Warn("the maximum number of connections is too large for the limit on open files: "+
			"opening the admin address, the key file and CURRENT can fail",
			"max_connections", s.connections, "advised", left, "open_files", descriptors)
	}
}

// Serve serves the API and the admin address until the context ends. It also follows the key file, the
// certificate and CURRENT. Then it drains: /readyz reports "draining", and after DrainDelay the server
// accepts no new connections and waits at most ten seconds for running requests. It closes the admin address
// last. It returns an error if a listener fails or if requests were cut off.
func (s *Server) Serve(ctx context.Context, api, admin net.Listener) error {
	site := "http://" + api.Addr().String()
	if s.options.Certificate != nil {
		site = "https://" + api.Addr().String()
	}
	addresses := []any{"api", site + cmp.Or(s.addresses.base, "/"), "admin", "http://" + admin.Addr().String()}
	if s.options.Explorer {
		addresses = append([]any{"explorer", site + "/"}, addresses...)
	}
	s.options.Log.Info("serving", addresses...)
	// While the server drains, keys and data are still updated.
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	var followers sync.WaitGroup
	defer followers.Wait()
	defer stop()
	followers.Go(func() { s.options.Keys.Watch(following) })
	followers.Go(func() { s.options.Current.Watch(following, s.options.Reload) })
	if s.options.Certificate != nil {
		followers.Go(func() { s.options.Certificate.watch(following) })
	}

	servers := []*http.Server{s.httpServer(s), s.httpServer(s.Admin())}
	failed := make(chan error, len(servers))
	var serving sync.WaitGroup
	serving.Go(func() { failed <- s.serveAPI(servers[0], api) })
	serving.Go(func() { failed <- servers[1].Serve(netutil.LimitListener(admin, s.adminConnections)) })
	defer serving.Wait() // if the server is shut down first, its Serve still closes the listener
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		s.draining.Store(true)
		s.options.Log.Info("draining")
		select {
		case err = <-failed:
		case <-time.After(s.options.DrainDelay):
		}
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	for _, server := range servers {
		if late := server.Shutdown(drain); late != nil {
			s.cutting.Store(true)
			err = errors.Join(err, fmt.Errorf("requests were still running after %v: %w", drainTimeout, late), server.Close())
		}
	}
	return err
}

// serveAPI serves the API on a listener. With a certificate, it uses TLS and supports HTTP/2.
func (s *Server) serveAPI(server *http.Server, l net.Listener) error {
	server.ConnState = s.metrics.countConnection
	l = netutil.LimitListener(l, s.connections)
	if s.options.Certificate == nil {
		return server.Serve(l)
	}
	server.TLSConfig = s.options.Certificate.config()
	return server.ServeTLS(l, "", "")
}

// httpServer returns an HTTP server with all limits set.
func (s *Server) httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:                      h,
		DisableGeneralOptionsHandler: true, // its response would lack the contract's header fields
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     log.New(serverLog{s.options.Log, s.metrics.handshakes}, "", 0),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReceiveBufferPerConnection: maxMessageBytes,
			MaxReceiveBufferPerStream:     maxMessageBytes,
			SendPingTimeout:               pingAfter,
			PingTimeout:                   pingTimeout,
			WriteByteTimeout:              writeTimeout,
		},
	}
}
