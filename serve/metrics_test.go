package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

func TestRequestsAreCountedByTheirLabels(t *testing.T) {
	m := newMetrics(false)
	want := map[string]float64{}
	for _, op := range append([]*operation{nil}, operations...) {
		for method, methodLabel := range map[string]string{"GET": "GET", "HEAD": "HEAD", "OPTIONS": "OPTIONS",
			"BREW": "other", "other": "other"} {
			for status, class := range map[int]string{0: "none", 99: "none", 100: "1xx", 204: "2xx", 304: "3xx", 404: "4xx",
				599: "5xx", 600: "none"} {
				x := &exchange{operation: op}
				for range 2 {
					m.observe(x.route(), method, status, "", time.Second)
				}
				want[fmt.Sprint("sabine_http_requests_total ", methodLabel, " ", x.route(), " ", class)] += 2
				want["sabine_http_request_duration_seconds "+x.route()] += 2
			}
		}
	}
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() { // labels are sorted by name
				name += " " + label.GetValue()
			}
			if n := metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount()); want[name] > 0 {
				got[name] = n
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// mirrored sets the mirror of a server.
func (s *Server) mirrored(m *MirrorState) {
	s.options.Mirror = func() MirrorState { return *m }
	s.registerMetrics()
}

func TestMetricsOfAMirror(t *testing.T) {
	s, _ := newServer(t)
	m := &MirrorState{Status: "starting"}
	s.mirrored(m)
	checkMetric(t, s, `sabine_mirror_info{hash="",status="starting"} 1`)
	checkMetric(t, s, "sabine_mirror_behind 0") // not behind, as far as is known
	for _, name := range []string{"looked", "published"} {
		if text := metricsOf(s).Body.String(); strings.Contains(text, "sabine_mirror_"+name) {
			t.Errorf("sabine_mirror_%s_seconds is there before the store was asked", name)
		}
	}
	*m = MirrorState{
		Status: "away", Reason: "nobody answers", Hash: "abc", Published: time.UnixMilli(1500), LastResponse: time.UnixMilli(2500),
		NewerFormat: 9,
		Failures:    1, Refused: 2, Fetched: 3, Bytes: 4,
	}
	for _, want := range []string{
		`info{hash="abc",status="away"} 1`, "behind 1", "published_seconds 1.5", "looked_seconds 2.5", "newer_format 1",
		"failures_total 1", "refused_total 2", "fetched_total 3", "fetched_bytes_total 4",
	} {
		checkMetric(t, s, "sabine_mirror_"+want)
	}
}

// TestReadinessOfAMirror checks that a state with a reason makes a ready server degraded.
func TestReadinessOfAMirror(t *testing.T) {
	s, _ := newServer(t)
	if body, err := json.Marshal(s.readiness()); err != nil || strings.Contains(string(body), "mirror") ||
		strings.Contains(string(body), "certificate") {
		t.Errorf("without a mirror and TLS: %s, %v", body, err)
	}
	m := &MirrorState{Status: "fetching", Since: time.Unix(1, 0)}
	s.mirrored(m)
	if r := s.readiness(); r.Mirror.Status != "fetching" || !r.Mirror.Since.Equal(m.Since) || r.Mirror.Reason != nil ||
		strings.Contains(*r.Reason, ";") {
		t.Errorf("fetching: got %+v", r)
	}
	m.Status, m.Reason = "away", "nobody answers"
	if r := s.readiness(); r.Mirror.Status != "away" || *r.Mirror.Reason != m.Reason ||
		!strings.HasSuffix(*r.Reason, "; nobody answers") {
		t.Errorf("away: got %+v", r)
	}
}

// TestMetricsAreNamedAsPrometheusAsks checks all possible metrics.
func TestMetricsAreNamedAsPrometheusAsks(t *testing.T) {
	s, _ := newServer(t)
	s.over(t)
	s.mirrored(&MirrorState{LastResponse: time.Unix(1, 0), Published: time.Unix(1, 0)})
	families, err := s.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}
