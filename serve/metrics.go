package serve

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	goruntime "runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// metrics are what the server counts, in a registry of its own. Labels are operations, methods and status classes:
// nothing that a client can make up, so their number is bounded; and the names of the key file.
type metrics struct {
	registry        *prometheus.Registry
	requests        *prometheus.CounterVec
	durations       *prometheus.HistogramVec
	inFlight        prometheus.Gauge
	connections     prometheus.Gauge
	panics          prometheus.Counter
	storeFailures   prometheus.Counter
	refusals        map[access]prometheus.Counter // by budget
	exportRefusals  prometheus.Counter            // of the budget of exports
	accountRefusals *prometheus.CounterVec        // by account
	streamed        *prometheus.CounterVec        // bytes
	cut             *prometheus.CounterVec        // responses
	handshakes      prometheus.Counter            // that failed
}

// The labels of requests by method and by class of status.
var (
	methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost} // others are "other"
	classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}                         // none: no status was sent
)

func newMetrics(o *Options, store *outage) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(stateCollector{o.Current, o.Keys, o.KeysMirror, o.Limits, store, cmp.Or(o.Queue, new(LogQueue)), o.Version},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if o.Mirror != nil {
		registry.MustRegister(mirrorCollector{o.Mirror, o.Current})
	}
	with, handshakes := promauto.With(registry), prometheus.Counter(nil)
	if o.Certificate != nil {
		registry.MustRegister(o.Certificate)
		handshakes = with.NewCounter(prometheus.CounterOpts{Name: "sabine_tls_handshake_failures_total", Help: "TLS handshakes that failed."})
	}
	refusals := with.NewCounterVec(prometheus.CounterOpts{
		Name: "sabine_rate_limit_refusals_total", Help: "Requests refused with 429, by the budget that was spent.",
	}, []string{"budget"})
	return &metrics{
		registry:   registry,
		handshakes: handshakes,
		requests: with.NewCounterVec(prometheus.CounterOpts{
			Name: "sabine_http_requests_total", Help: "Requests by operation, method and class of status.",
		}, []string{"route", "method", "status"}),
		durations: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "sabine_http_request_duration_seconds", Help: "Time from the request's header to the response's last byte, by operation.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"route"}),
		inFlight:      with.NewGauge(prometheus.GaugeOpts{Name: "sabine_http_requests_in_flight", Help: "Requests being answered."}),
		connections:   with.NewGauge(prometheus.GaugeOpts{Name: "sabine_connections", Help: "Open connections of the API."}),
		panics:        with.NewCounter(prometheus.CounterOpts{Name: "sabine_http_panics_total", Help: "Requests that ended in a panic."}),
		storeFailures: with.NewCounter(prometheus.CounterOpts{Name: "sabine_rate_limit_store_failures_total", Help: "Requests that the rate-limit store could not count."}),
		refusals: map[access]prometheus.Counter{
			authenticated: refusals.WithLabelValues("account"),
			public:        refusals.WithLabelValues("address"),
		},
		exportRefusals: refusals.WithLabelValues("export"),
		accountRefusals: with.NewCounterVec(prometheus.CounterOpts{
			Name: "sabine_rate_limit_account_refusals_total", Help: "Requests refused with 429 because the account's budget was spent, by the account's name.",
		}, []string{"account"}),
		streamed: with.NewCounterVec(prometheus.CounterOpts{
			Name: "sabine_http_streamed_bytes_total", Help: "Bytes of bodies that were sent while they were made, as exports are, by operation.",
		}, []string{"route"}),
		cut: with.NewCounterVec(prometheus.CounterOpts{
			Name: "sabine_http_responses_cut_total", Help: "Responses that ended before they were whole, by operation and reason: client, slow, shutdown, damage or panic.",
		}, []string{"route", "reason"}),
	}
}

// observe counts an exchange that has ended.
func (m *metrics) observe(x *exchange, ended time.Time) {
	class := x.status / 100
	if class >= len(classes) {
		class = 0
	}
	m.requests.WithLabelValues(x.route(), methodLabel(x.request.Method), classes[class]).Inc()
	m.durations.WithLabelValues(x.route()).Observe(ended.Sub(x.began).Seconds())
	if x.cut != "" {
		m.cut.WithLabelValues(x.route(), x.cut).Inc()
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

// A stateCollector reports on the program, the data, the keys, the rate-limit store and the log when it is asked. The
// ids of keys and their accounts' names are the key file's, never a client's.
type stateCollector struct {
	current *runtime.Current
	keys    *keys.Store
	mirror  func() MirrorState // of the key file; nil: there is none
	limits  *ratelimit.Limiter
	store   *outage
	queue   *LogQueue
	version string
}

// Describe sends nothing: which metrics there are depends on the state.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

// Collect reports the state.
func (c stateCollector) Collect(to chan<- prometheus.Metric) {
	report := reporter(to)
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	state, format := c.current.State(), fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor)
	report(gauge, 1, "sabine_build_info", "1 for the version of the program, of Go, and of the snapshots that it reads.",
		prometheus.Labels{"version": c.version, "goversion": goruntime.Version(), "format": format})
	report(gauge, 1, "sabine_generation_info", "1 for the snapshot in force and the status of the data.",
		prometheus.Labels{"name": state.Name, "status": state.Status})
	report(gauge, float64(state.Products), "sabine_generation_products", "Products in the snapshot in force.", nil)
	report(gauge, float64(state.Bytes), "sabine_generation_mapped_bytes", "Size of the mapping of the snapshot in force.", nil)
	if !state.Since.IsZero() {
		report(gauge, float64(state.Since.UnixMilli())/1000, "sabine_generation_since_seconds", "Unix time at which the snapshot was put in force.", nil)
	}
	report(counter, float64(state.Switches), "sabine_generation_switches_total", "Snapshots put in force.", nil)
	report(counter, float64(state.Refused), "sabine_generation_refused_total", "Snapshots refused as damaged.", nil)
	c.keys.EachKey(func(key *keys.Caller, requests int64) {
		report(counter, float64(requests), "sabine_key_requests_total", "Requests that carried the key, refused ones too, by its id and its account's name.",
			prometheus.Labels{"key": key.Key, "account": key.Account})
	})
	report(gauge, oneIf(staleKeys(c.keys, c.mirror) != nil), "sabine_keys_stale", "1 while the key file, or the store that it is copied from, cannot be read, so that the keys in force may be old.", nil)
	report(counter, float64(c.keys.Faults.Count.Load()), "sabine_key_reload_failures_total", "Times that the key file could not be read again.", nil)
	report(gauge, oneIf(c.store.away.Load()), "sabine_rate_limit_store_away", "1 while the rate-limit store does not answer.", nil)
	report(gauge, oneIf(c.limits.Refusing()), "sabine_rate_limit_store_breaker_open", "1 while requests are refused without asking the rate-limit store, but for a trial now and then.", nil)
	if fingerprint := c.limits.Fingerprint(); fingerprint != "" {
		report(gauge, 1, "sabine_rate_limit_secret_info", "1 for the fingerprint of the rate-limit secret: servers that share a store have the same.",
			prometheus.Labels{"fingerprint": fingerprint})
	}
	report(counter, float64(c.queue.Dropped()), "sabine_log_lines_dropped_total", "Lines of the log that its reader did not take.", nil)
}

// reporter returns what sends a metric whose value is read when it is asked for.
func reporter(to chan<- prometheus.Metric) func(kind prometheus.ValueType, value float64, name, help string, labels prometheus.Labels) {
	return func(kind prometheus.ValueType, value float64, name, help string, labels prometheus.Labels) {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), kind, value)
	}
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
