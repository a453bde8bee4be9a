package serve

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"

	"sabine/runtime"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// Options of a server. Current, Keys and Limits are needed.
type Options struct {
	Current        *runtime.Current
	Keys           *keys.Store
	Limits         *ratelimit.Limiter
	BasePath       string // default "/api"
	PublicURL      string // for the OpenAPI document's servers; "" leaves it relative to the base path
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
}

// A Server answers the read API.
type Server struct{ unexported int }

// New returns a server.
func New(o Options) (*Server, error) { panic("unwritten") }

// Handler answers the API and the description documents.
func (s *Server) Handler() http.Handler { panic("unwritten") }

// Admin answers /healthz, /readyz and /metrics.
func (s *Server) Admin() http.Handler { panic("unwritten") }

// Serve serves the API and the admin address until the context ends, then drains: it takes no new connections and
// waits for the running requests, at most ten seconds.
func (s *Server) Serve(ctx context.Context, api, admin net.Listener) error { panic("unwritten") }
