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
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/julienschmidt/httprouter"

	"sabine/runtime"
	"sabine/serve/explorer"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// Options of a server. Current, Keys and Limits are needed.
type Options struct {
	Current        *runtime.Current
	Keys           *keys.Store
	Limits         *ratelimit.Limiter
	BasePath       string          // path that the API lives under, "/" for the root; default "/api"
	PublicURL      string          // of the site as clients see it, for the OpenAPI document's servers and the pages that may use /mcp; "" leaves addresses relative
	TrustedProxies []netip.Prefix  // whose X-Forwarded-For and X-Request-Id are believed
	Log            *slog.Logger    // takes the line of each request too; default: none
	Queue          *LogQueue       // what Log writes to, for its metric; default: none
	Explorer       bool            // serve it at the root of the site
	MCP            bool            // serve the agents' tools at /mcp
	PublicDetail   bool            // show details and geometry without a key
	ImageOrigins   []string        // of pictures that the explorer may show, such as https://images.example.org; default: none
	MaxConnections int             // of the API; default: what the limit of open files leaves
	DrainDelay     time.Duration   // how long /readyz says that the server drains before it takes no more connections
	Reload         <-chan struct{} // has CURRENT looked at and what is in force verified again, without waiting for a change; default: never
	Version        string          // of the program, for its metric and for agents

	Certificate *Certificate // of the API, which is then served over TLS; nil: plain HTTP

	Mirror     func() MirrorState // how the folder of generations follows a store; nil: it follows none
	KeysMirror func() MirrorState // how the key file follows a store, likewise
}

// A Server answers the read API, the description documents and the pages: it is their handler.
type Server struct {
	base         string // path of the API, "" for the root
	home         string // address of the API as clients see it, without a slash behind
	site         string // that of the site, likewise; "" for the root of whatever host
	current      *runtime.Current
	reload       <-chan struct{}
	keys         *keys.Store
	limits       *ratelimit.Limiter
	proxies      proxies
	log          *slog.Logger
	connections  int // of the API, at most
	adminPlaces  int // connections of the admin address, at most
	drainDelay   time.Duration
	draining     atomic.Bool
	cutting      atomic.Bool // the time to drain is over
	router       *httprouter.Router
	pages        map[string]page // by path
	explorer     bool
	publicDetail bool
	imageOrigins string   // with blanks between them
	policy       []string // Content-Security-Policy of the explorer
	link         []string // the Link field of every response
	description  representation
	compressor   *compressor
	metrics      *metrics
	agents       http.Handler // of messages; nil: there are no tools
	host         string       // of the public URL in lower case, without a port; "" without one
	outage       outage       // of the rate-limit store
	certificate  *Certificate // nil: plain HTTP
	mirror       func() MirrorState
	keysMirror   func() MirrorState
	exchanges    sync.Pool // of *exchange
}

// New returns a server. The error is about a setting.
func New(o Options) (*Server, error) {
	if o.Current == nil || o.Keys == nil || o.Limits == nil {
		return nil, errors.New("a server needs Current, Keys and Limits")
	}
	base, err := basePath(o.BasePath)
	if err != nil {
		return nil, err
	}
	home, err := serverAddress(base, o.PublicURL)
	if err != nil {
		return nil, err
	}
	images, err := originList(o.ImageOrigins)
	if err != nil {
		return nil, err
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	home = strings.TrimSuffix(home, "/")
	site, err := url.Parse(home)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	s := &Server{
		base:         base,
		home:         home,
		site:         strings.TrimSuffix(home, base),
		router:       newRouter(base),
		explorer:     o.Explorer,
		publicDetail: o.PublicDetail,
		imageOrigins: images,
		policy:       []string{explorer.Policy(images)},
		current:      o.Current,
		reload:       o.Reload,
		keys:         o.Keys,
		limits:       o.Limits,
		proxies:      o.TrustedProxies,
		log:          o.Log,
		link:         []string{"<" + home + descriptionPath + `>; rel="service-desc"`},
		connections:  o.MaxConnections,
		drainDelay:   o.DrainDelay,
		host:         strings.ToLower(site.Hostname()),
		certificate:  o.Certificate,
		mirror:       o.Mirror,
		keysMirror:   o.KeysMirror,
		outage:       outage{log: o.Log},
		exchanges:    sync.Pool{New: func() any { return new(exchange) }},
	}
	if s.pages, err = newPages(&o); err != nil {
		return nil, err
	}
	if o.MCP {
		s.agents = newAgents(o.Version)
	}
	s.limitConnections(descriptorLimit())
	s.metrics = newMetrics(&o, &s.outage)
	if s.compressor, err = newCompressor(); err != nil {
		return nil, fmt.Errorf("compressor: %w", err)
	}
	if s.description, err = describe(cmp.Or(home, "/"), s.compressor); err != nil {
		return nil, err
	}
	if err := s.addReference(); err != nil {
		return nil, err
	}
	if err := s.addTexts(&o); err != nil {
		return nil, err
	}
	return s, nil
}

// What a client can stretch, and how far.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second // the whole request
	bodyTimeout       = time.Second      // a body, which is skipped behind the answer
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10 // four times the longest query string, so that the contract can answer a longer one
	drainTimeout      = 10 * time.Second

	// Of HTTP/2. The time of a stream ends the stream. That of a write ends the connection: what a client that takes nothing
	// at all would hold for longer.
	maxStreams  = 100 // of a connection, at a time
	pingAfter   = 30 * time.Second
	pingTimeout = 15 * time.Second
)

// Serve serves the API and the admin address and follows the key file, the certificate and CURRENT, until the context ends.
// Then it drains: from then on /readyz says so, and after the delay that is set the server takes no new connections and waits
// for the running requests, at most ten seconds. The admin address goes last. The error is that of a listener, or says that
// requests had to be cut off.
func (s *Server) Serve(ctx context.Context, api, admin net.Listener) error {
	site := "http://" + api.Addr().String()
	if s.certificate != nil {
		site = "https://" + api.Addr().String()
	}
	addresses := []any{"api", site + cmp.Or(s.base, "/"), "admin", "http://" + admin.Addr().String()}
	if s.explorer {
		addresses = append([]any{"explorer", site + "/"}, addresses...)
	}
	s.log.Info("serving", addresses...)
	// A server that drains still answers, by the keys and the data of the moment.
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	var followers sync.WaitGroup
	defer followers.Wait()
	defer stop()
	followers.Go(func() { s.keys.Watch(following) })
	followers.Go(func() { s.current.Watch(following, s.reload) })
	if s.certificate != nil {
		followers.Go(func() { s.certificate.watch(following) })
	}

	servers := []*http.Server{s.httpServer(s), s.httpServer(s.Admin())}
	failed := make(chan error, len(servers))
	var serving sync.WaitGroup
	serving.Go(func() { failed <- s.serveAPI(servers[0], api) })
	serving.Go(func() { failed <- servers[1].Serve(bounded(admin, s.adminPlaces)) })
	defer serving.Wait() // one that is shut down before it came to serve closes its listener only then
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		s.draining.Store(true)
		s.log.Info("draining")
		select {
		case err = <-failed:
		case <-time.After(s.drainDelay):
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

// serveAPI serves the API on a listener, over TLS when there is a certificate. Then clients speak HTTP/2 too.
func (s *Server) serveAPI(server *http.Server, l net.Listener) error {
	server.ConnState = s.metrics.countConnection
	if s.certificate == nil {
		return server.Serve(bounded(l, s.connections))
	}
	server.TLSConfig = s.certificate.config()
	return server.ServeTLS(bounded(l, s.connections), "", "")
}

// httpServer returns a server with every limit set.
func (s *Server) httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:                      h,
		DisableGeneralOptionsHandler: true, // its answer would lack the header fields of the contract
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     log.New(serverLog{s}, "", 0),
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
