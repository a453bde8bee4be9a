package serve

import (
	"fmt"
	"net"
	"net/http"
	goruntime "runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// metrics are what the server counts, in a registry of its own. Labels are operations, methods and status classes:
// nothing that a client can make up, so their number is bounded; and, in metrics_keys.go, what the key file names.
type metrics struct {
	registry      *prometheus.Registry
	requests      *prometheus.CounterVec
	durations     *prometheus.HistogramVec
	inFlight      prometheus.Gauge
	connections   prometheus.Gauge
	panics        prometheus.Counter
	refusals      map[access]prometheus.Counter // by budget
	storeFailures prometheus.Counter

	accountRefusals *prometheus.CounterVec // by account
}

// The labels of requests by method and by class of status.
var (
	methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions} // others are "other"
	classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}        // none: no status was sent
)

func newMetrics(o *Options, store *outage) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "sabine_http_requests_total", Help: "Requests by operation, method and class of status.",
		}, []string{"route", "method", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "sabine_http_request_duration_seconds", Help: "Time from the request's header to the response's last byte, by operation.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"route"}),
		inFlight:      prometheus.NewGauge(prometheus.GaugeOpts{Name: "sabine_http_requests_in_flight", Help: "Requests being answered."}),
		connections:   prometheus.NewGauge(prometheus.GaugeOpts{Name: "sabine_connections", Help: "Open connections of the API."}),
		panics:        prometheus.NewCounter(prometheus.CounterOpts{Name: "sabine_http_panics_total", Help: "Requests that ended in a panic."}),
		storeFailures: prometheus.NewCounter(prometheus.CounterOpts{Name: "sabine_rate_limit_store_failures_total", Help: "Requests that the rate-limit store could not count."}),
		accountRefusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "sabine_rate_limit_account_refusals_total", Help: "Requests refused with 429 because the account's budget was spent, by the account's name.",
		}, []string{"account"}),
	}
	refusals := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "sabine_rate_limit_refusals_total", Help: "Requests refused with 429, by the budget that was spent.",
	}, []string{"budget"})
	m.refusals = map[access]prometheus.Counter{
		authenticated: refusals.WithLabelValues("account"),
		public:        refusals.WithLabelValues("address"),
	}
	m.registry.MustRegister(m.requests, m.durations, m.inFlight, m.connections, m.panics, m.storeFailures, refusals, m.accountRefusals,
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "sabine_key_reload_failures_total", Help: "Times that the key file could not be read again.",
		}, func() float64 { return float64(o.Keys.ReloadFailures()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "sabine_log_lines_dropped_total", Help: "Lines of the log that its reader did not take.",
		}, func() float64 {
			if o.Queue == nil {
				return 0
			}
			return float64(o.Queue.Dropped())
		}),
		buildInfo(o.Version),
		generationCollector{o.Current},
		keyCollector{o.Keys},
		storeGauge(store),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// buildInfo says which program this is.
func buildInfo(version string) prometheus.Gauge {
	format := fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor)
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "sabine_build_info", Help: "1 for the version of the program, of Go, and of the snapshots that it reads.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": goruntime.Version(), "format": format},
	})
	g.Set(1)
	return g
}

// observe counts an exchange that has ended.
func (m *metrics) observe(x *exchange, ended time.Time) {
	class := x.status / 100
	if class >= len(classes) {
		class = 0
	}
	m.requests.WithLabelValues(x.route(), methodLabel(x.request.Method), classes[class]).Inc()
	m.durations.WithLabelValues(x.route()).Observe(ended.Sub(x.began).Seconds())
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

// A generationCollector reports on the data when it is asked.
type generationCollector struct{ current *runtime.Current }

var (
	descInfo = prometheus.NewDesc("sabine_generation_info", "1 for the snapshot in force and the status of the data.",
		[]string{"name", "status"}, nil)
	descProducts = prometheus.NewDesc("sabine_generation_products", "Products in the snapshot in force.", nil, nil)
	descBytes    = prometheus.NewDesc("sabine_generation_mapped_bytes", "Size of the mapping of the snapshot in force.", nil, nil)
	descSince    = prometheus.NewDesc("sabine_generation_since_seconds", "Unix time at which the snapshot was put in force.", nil, nil)
	descSwitches = prometheus.NewDesc("sabine_generation_switches_total", "Snapshots put in force.", nil, nil)
	descRefused  = prometheus.NewDesc("sabine_generation_refused_total", "Snapshots refused as damaged.", nil, nil)
)

// Describe sends what Collect will report.
func (g generationCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descInfo, descProducts, descBytes, descSince, descSwitches, descRefused} {
		to <- d
	}
}

// Collect reports the state of the data.
func (g generationCollector) Collect(to chan<- prometheus.Metric) {
	state := g.current.State()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(descInfo, 1, state.Name, state.Status)
	gauge(descProducts, float64(state.Products))
	gauge(descBytes, float64(state.Bytes))
	if !state.Since.IsZero() {
		gauge(descSince, float64(state.Since.UnixMilli())/1000)
	}
	to <- prometheus.MustNewConstMetric(descSwitches, prometheus.CounterValue, float64(state.Switches))
	to <- prometheus.MustNewConstMetric(descRefused, prometheus.CounterValue, float64(state.Refused))
}
