package serve

import (
	"net/http"
	"strings"
	"time"

	"sabine/runtime"
)

// A partState is what /readyz says of a part without which the server goes on, but not as it should.
type partState struct {
	Status string     `json:"status"` // ok, or what is wrong: stale (the keys), away (the rate-limit store)
	Reason *string    `json:"reason"`
	Since  *time.Time `json:"since"`
}

const partOK = "ok"

func wrong(status, reason string, since time.Time) partState {
	since = since.UTC()
	return partState{status, &reason, &since}
}

// keysState says whether the keys in force are those of the file.
func (s *Server) keysState() partState {
	if stale := s.keys.Stale(); stale != nil {
		return wrong("stale", stale.Reason, stale.Since)
	}
	return partState{Status: partOK}
}

// storeState says whether the rate-limit store answers.
func (s *Server) storeState() partState {
	if away, since, reason := s.outage.state(); away {
		return wrong("away", reason, since)
	}
	return partState{Status: partOK}
}

// probeStore asks the rate-limit store, so that its state is known without requests too.
func (s *Server) probeStore(r *http.Request) {
	now := time.Now()
	if err := s.limits.Probe(r.Context(), now); err == nil {
		s.outage.answered(now)
	} else if r.Context().Err() == nil { // else it is the prober that went away
		s.outage.failed(err, time.Now())
	}
}

// add adds the parts to the state of the data: when one is not as it should be, a server that is ready is degraded.
func (r *readyState) add(keys, store partState) {
	r.Keys, r.Store = keys, store
	var reasons []string
	if r.Reason != nil {
		reasons = append(reasons, *r.Reason)
	}
	for _, p := range []partState{keys, store} {
		if p.Status != partOK {
			reasons = append(reasons, *p.Reason)
		}
	}
	r.Reason = orNull(strings.Join(reasons, "; "))
	if r.Status == runtime.StatusReady && len(reasons) > 0 {
		r.Status = runtime.StatusDegraded
	}
}
