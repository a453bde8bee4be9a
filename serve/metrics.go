package serve

import (
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are what the server counts, in a registry of its own. Labels are operations, methods and status
// classes: nothing that a client can make up, so their number is bounded; and the names of the key file.
type metrics struct {
	registry        *prometheus.Registry
	requests        *prometheus.CounterVec
	durations       *prometheus.HistogramVec
	inFlight        prometheus.Gauge
	connections     prometheus.Gauge
	panics          prometheus.Counter
	storeFailures   prometheus.Counter
	refusals        *prometheus.CounterVec // by budget
	accountRefusals *prometheus.CounterVec // by account
	streamed        *prometheus.CounterVec // bytes
	cut             *prometheus.CounterVec // responses
	handshakes      prometheus.Counter     // that failed; nil without TLS
}

// The labels of refusals by budget, and of requests by method and by class of status.
var (
	budgets = []string{"account", "address", "export"}
	methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost} // others are "other"
	classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}                         // none: no status was sent
)

// newMetrics returns what a server counts, over TLS or not.
func newMetrics(overTLS bool) *metrics {
	registry := prometheus.NewRegistry()
	with := promauto.With(registry)
	counter := func(name, help string) prometheus.Counter {
		return with.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return with.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	gauge := func(name, help string) prometheus.Gauge {
		return with.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	m := &metrics{
		registry: registry,
		requests: counters("sabine_http_requests_total",
			"Requests by operation, method and class of status.", "route", "method", "status"),
		durations: with.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "sabine_http_request_duration_seconds",
			Help:    "Time from the request's header to the response's last byte, by operation.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"route"}),
		inFlight:    gauge("sabine_http_requests_in_flight", "Requests being answered."),
		connections: gauge("sabine_connections", "Open connections of the API."),
		panics:      counter("sabine_http_panics_total", "Requests that ended in a panic."),
		storeFailures: counter("sabine_rate_limit_store_failures_total",
			"Requests that the rate-limit store could not count."),
		refusals: counters("sabine_rate_limit_refusals_total",
			"Requests refused with 429, by the budget that was spent.", "budget"),
		accountRefusals: counters("sabine_rate_limit_account_refusals_total",
			"Requests refused with 429 because the account's budget was spent, by the account's name.", "account"),
		streamed: counters("sabine_http_streamed_bytes_total",
			"Bytes of bodies that were sent while they were made, as exports are, by operation.", "route"),
		cut: counters("sabine_http_responses_cut_total",
			"Responses that ended before they were whole, by operation and reason: client, slow, shutdown, damage or panic.",
			"route", "reason"),
	}
	for _, budget := range budgets {
		m.refusals.WithLabelValues(budget)
	}
	if overTLS {
		m.handshakes = counter("sabine_tls_handshake_failures_total", "TLS handshakes that failed.")
	}
	return m
}

// observe counts a request that has ended.
func (m *metrics) observe(route, method string, status int, cut string, took time.Duration) {
	class := status / 100
	if class >= len(classes) {
		class = 0
	}
	m.requests.WithLabelValues(route, methodLabel(method), classes[class]).Inc()
	m.durations.WithLabelValues(route).Observe(took.Seconds())
	if cut != "" {
		m.cut.WithLabelValues(route, cut).Inc()
	}
}

// countConnection follows a connection of the API through its states.
func (m *metrics) countConnection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.connections.Inc()
	case http.StateClosed:
		m.connections.Dec()
	}
}

// methodLabel keeps methods that clients make up out of labels and logs.
func methodLabel(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "other"
}
