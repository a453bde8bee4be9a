package serve

import (
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics contains a server's counters, in a separate registry. The values of the labels are operations,
// methods, status classes and names from the key file. Clients cannot invent values, so the number of values
// is bounded.
type metrics struct {
	registry        *prometheus.Registry
	requests        *prometheus.CounterVec
	durations       *prometheus.HistogramVec
	inFlight        prometheus.Gauge
	connections     prometheus.Gauge
	panics          prometheus.Counter
	storeFailures   prometheus.Counter
	refusals        *prometheus.CounterVec // refused requests by budget
	accountRefusals *prometheus.CounterVec // refused requests by account
	streamed        *prometheus.CounterVec // sent bytes of streams
	cut             *prometheus.CounterVec // incomplete responses
	handshakes      prometheus.Counter     // failed TLS handshakes; nil without TLS
}

// Values of the labels method and status class.
var (
	methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost} // other methods are "other"
	classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}                         // none: no status sent
)

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
			"Requests by operation, method and status class.", "route", "method", "status"),
		durations: with.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "sabine_http_request_duration_seconds",
			Help:    "Time from the header of the request to the last byte of the response, by operation.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"route"}),
		inFlight:    gauge("sabine_http_requests_in_flight", "Requests in progress."),
		connections: gauge("sabine_connections", "Open connections of the API."),
		panics:      counter("sabine_http_panics_total", "Requests that failed with a panic."),
		storeFailures: counter("sabine_rate_limit_store_failures_total",
			"Requests that the rate-limit store could not count."),
		refusals: counters("sabine_rate_limit_refusals_total",
			"Requests refused with 429, by exhausted budget.", "budget"),
		accountRefusals: counters("sabine_rate_limit_account_refusals_total",
			"Requests refused with 429 because the budget of the account was exhausted, by account name.", "account"),
		streamed: counters("sabine_http_streamed_bytes_total",
			"Bytes of streamed bodies, such as exports, by operation.", "route"),
		cut: counters("sabine_http_responses_cut_total",
			"Incomplete responses, by operation and reason: client, slow, shutdown, damage or panic.",
			"route", "reason"),
	}
	for _, budget := range []string{"account", "address", "export"} { // so that they are 0 before the first refusal
		m.refusals.WithLabelValues(budget)
	}
	if overTLS {
		m.handshakes = counter("sabine_tls_handshake_failures_total", "Failed TLS handshakes.")
	}
	return m
}

// observe counts a finished request. cut is the reason why the response is incomplete, or "".
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

func (m *metrics) countConnection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.connections.Inc()
	case http.StateClosed:
		m.connections.Dec()
	}
}

func methodLabel(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "other"
}
