package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sabine/runtime"
	"sabine/serve/statefile"
)

// Admin answers /healthz (the process is alive), /readyz (the server serves a verified snapshot and is not
// draining) and /metrics, and 404 for other paths. It requires no key, counts no requests and ignores Host.
// Its data is for operators, so its address must not be reachable from outside.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeState(w, http.StatusOK, map[string]string{"status": partOK})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		now := time.Now()
		if err := s.options.Limits.Probe(r.Context(), now); err == nil { // detects outages without other requests
			s.outage.answered(now)
		} else if r.Context().Err() == nil { // otherwise the client of /readyz disconnected
			s.outage.failed(err, time.Now())
		}
		state, status := s.readiness(), http.StatusOK
		if state.Status == runtime.StatusWaiting || state.Status == statusDraining {
			status = http.StatusServiceUnavailable
		}
		writeState(w, status, state)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{Registry: s.metrics.registry}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = noSniffing
		mux.ServeHTTP(w, r)
	})
}

// readyState is the body of /readyz. Missing values are null.
type readyState struct {
	Status   string     `json:"status"` // waiting, ready, degraded or draining
	Reason   *string    `json:"reason"` // reasons of all parts with a fault, separated by semicolons
	Snapshot *string    `json:"snapshot"`
	Hash     *string    `json:"hash"` // "pending" until the hash of the content was compared with it
	Products int        `json:"products"`
	Since    *time.Time `json:"since"`
	Keys     partState  `json:"keys"`
	Store    partState  `json:"rate_limit_store"`

	// These members are omitted if not configured.
	Mirror      *partState `json:"mirror,omitempty"` // state of the store's mirror
	Certificate *partState `json:"certificate,omitempty"`
}

// A partState is the state of a part of the server. If a part fails, the server continues, but is degraded.
type partState struct {
	Status string     `json:"status"` // ok, stale (keys, certificate), away (a store); more values for a mirror
	Reason *string    `json:"reason"`
	Since  *time.Time `json:"since"`
}

// partStateOf returns the state of a part: ok without a fault, and otherwise the given status with the fault.
func partStateOf(fault *statefile.Fault, status string) partState {
	if fault == nil {
		return partState{Status: partOK}
	}
	return partState{status, &fault.Reason, orNull(fault.Since.UTC())}
}

const (
	partOK         = "ok"
	partStale      = "stale"
	statusDraining = "draining" // the server is stopping, with or without a snapshot
)

// readiness returns the state of the server. A ready server is degraded if one of its parts has a fault.
func (s *Server) readiness() readyState {
	data, o := s.options.Current.State(), &s.options
	r := readyState{
		Status: data.Status, Snapshot: orNull(data.Name), Hash: orNull(data.Hash), Products: data.Products,
		Since: orNull(data.Since.UTC()), Keys: partStateOf(s.staleKeys(), partStale),
		Store: partStateOf(s.outage.fault.Load(), "away"),
	}
	if data.Hash != "" && !data.Hashed {
		r.Hash = orNull("pending")
	}
	if o.KeysMirror != nil && o.KeysMirror().Hash == "" { // no keys yet, so every key would be unknown
		r.Status = runtime.StatusWaiting
	}
	parts := []*partState{{Reason: orNull(data.Reason)}, &r.Keys, &r.Store}
	if o.Mirror != nil {
		m := o.Mirror()
		r.Mirror = &partState{m.Status, orNull(m.Reason), orNull(m.Since.UTC())}
		parts = append(parts, r.Mirror)
	}
	if o.Certificate != nil {
		r.Certificate = orNull(partStateOf(o.Certificate.faults.Now.Load(), partStale))
		parts = append(parts, r.Certificate)
	}
	var reasons []string
	for _, p := range parts { // generations and keys may come from the same unavailable store
		if p.Reason != nil && !slices.Contains(reasons, *p.Reason) {
			reasons = append(reasons, *p.Reason)
		}
	}
	r.Reason = orNull(strings.Join(reasons, "; "))
	switch {
	case s.draining.Load():
		r.Status = statusDraining
	case r.Status == runtime.StatusReady && len(reasons) > 0:
		r.Status = runtime.StatusDegraded
	}
	return r
}

// staleKeys returns why the current keys may differ from the key file, or from the store from which the file
// is copied. It returns nil if they are up to date.
func (s *Server) staleKeys() *statefile.Fault {
	stale := s.options.Keys.Faults.Now.Load()
	if stale != nil || s.options.KeysMirror == nil {
		return stale
	}
	if m := s.options.KeysMirror(); m.Reason != "" {
		return &statefile.Fault{Since: m.Since, Reason: m.Reason}
	}
	return nil
}

// orNull returns nil for a zero value.
func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// writeState sends a state that caches must not store.
func writeState(w http.ResponseWriter, status int, state any) {
	body := must(json.Marshal(state)) // never fails for strings, numbers and times
	w.Header()["Content-Type"], w.Header()["Cache-Control"] = applicationJSON, cacheError
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails if the client has disconnected
}
