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

// Admin answers /healthz (the process lives), /readyz (a verified snapshot serves, and the server does not
// drain) and /metrics, and 404 for anything else. It asks for no key, counts no request and looks at no Host:
// what it tells of the machine is for those who run it, so its address must not be reachable from outside.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeState(w, http.StatusOK, map[string]string{"status": partOK})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		now := time.Now()
		if err := s.options.Limits.Probe(r.Context(), now); err == nil { // so that it is known without requests too
			s.outage.answered(now)
		} else if r.Context().Err() == nil { // else it is the prober that went away
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

// readyState is the body of /readyz. What there is none of is null.
type readyState struct {
	Status   string     `json:"status"` // waiting, ready, degraded or draining
	Reason   *string    `json:"reason"` // why it is waiting or degraded
	Snapshot *string    `json:"snapshot"`
	Hash     *string    `json:"hash"` // "pending" until the content was held against it
	Products int        `json:"products"`
	Since    *time.Time `json:"since"`
	Keys     partState  `json:"keys"`
	Store    partState  `json:"rate_limit_store"`

	// Absent where there is none.
	Mirror      *partState `json:"mirror,omitempty"` // of the store that generations come from
	Certificate *partState `json:"certificate,omitempty"`
}

// A partState is what /readyz says of a part without which the server goes on, but not as it should.
type partState struct {
	Status string     `json:"status"` // ok, or what is wrong: stale (keys, certificate), away (a store); a mirror has more
	Reason *string    `json:"reason"`
	Since  *time.Time `json:"since"`
}

// partWith returns the state of a part by what is wrong with it: nil for nothing.
func partWith(fault *statefile.Fault, status string) partState {
	if fault == nil {
		return partState{Status: partOK}
	}
	return partState{status, &fault.Reason, orNull(fault.Since.UTC())}
}

const (
	partOK         = "ok"
	partStale      = "stale"
	statusDraining = "draining" // of a server that is about to end, whatever its snapshot is
	hashPending    = "pending"  // in place of a hash that the content was not compared with yet
)

// readiness returns the state of the server: when one of its parts is not as it should be, one that is ready
// is degraded.
func (s *Server) readiness() readyState {
	data, o := s.options.Current.State(), &s.options
	r := readyState{
		Status: data.Status, Snapshot: orNull(data.Name), Hash: orNull(data.Hash), Products: data.Products,
		Since: orNull(data.Since.UTC()), Keys: partWith(s.staleKeys(), partStale),
		Store: partWith(s.outage.fault.Load(), "away"),
	}
	if data.Hash != "" && !data.Hashed {
		r.Hash = orNull(hashPending)
	}
	if o.KeysMirror != nil && o.KeysMirror().Hash == "" { // none have come yet: every key would be an unknown one
		r.Status = runtime.StatusWaiting
	}
	parts := []*partState{{Reason: orNull(data.Reason)}, &r.Keys, &r.Store}
	if o.Mirror != nil {
		m := o.Mirror()
		r.Mirror = &partState{m.Status, orNull(m.Reason), orNull(m.Since.UTC())}
		parts = append(parts, r.Mirror)
	}
	if o.Certificate != nil {
		r.Certificate = orNull(partWith(o.Certificate.faults.Now.Load(), partStale))
		parts = append(parts, r.Certificate)
	}
	var reasons []string
	for _, p := range parts { // generations and keys may come from one store that is away
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

// staleKeys returns why the keys in force may not be those of the file, or of the store that the file is
// copied from, nil when they are.
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

// writeState sends a state that no cache may keep.
func writeState(w http.ResponseWriter, status int, state any) {
	body := must(json.Marshal(state)) // of texts, numbers and times
	w.Header()["Content-Type"], w.Header()["Cache-Control"] = applicationJSON, cacheError
	w.WriteHeader(status)
	_, _ = w.Write(body) // whoever asked has gone away
}
