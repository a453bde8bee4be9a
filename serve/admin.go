package serve

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sabine/runtime"
)

// Admin answers /healthz (the process lives), /readyz (a verified snapshot serves, and the server does not drain) and
// /metrics, and 404 for anything else. It asks for no key, counts no request and looks at no Host: what it tells of the
// machine is for those who run it, so its address must not be reachable from outside.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeState(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		state := s.current.State()
		status := http.StatusOK
		if state.Status == runtime.StatusWaiting { // no verified snapshot serves
			status = http.StatusServiceUnavailable
		}
		s.probeStore(r)
		ready := readiness(state)
		ready.add(s.keysState(), s.storeState())
		if s.draining.Load() {
			status, ready.Status = http.StatusServiceUnavailable, statusDraining
		}
		writeState(w, status, ready)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{Registry: s.metrics.registry}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = noSniffing
		mux.ServeHTTP(w, r)
	})
}

// statusDraining is what /readyz says of a server that is about to end, whatever its snapshot is.
const statusDraining = "draining"

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
}

// hashPending stands in place of a hash that the content was not held against yet.
const hashPending = "pending"

func readiness(state runtime.State) readyState {
	r := readyState{
		Status:   state.Status,
		Reason:   orNull(state.Reason),
		Snapshot: orNull(state.Name),
		Hash:     orNull(state.Hash),
		Products: state.Products,
	}
	if state.Hash != "" && !state.Hashed {
		r.Hash = orNull(hashPending)
	}
	if !state.Since.IsZero() {
		since := state.Since.UTC()
		r.Since = &since
	}
	return r
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// writeState sends a state that no cache may keep.
func writeState(w http.ResponseWriter, status int, state any) {
	body, err := json.Marshal(state)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header()["Cache-Control"] = cacheError
	w.WriteHeader(status)
	_, _ = w.Write(body) // whoever asked has gone away
}
