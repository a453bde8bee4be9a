package serve

import (
	"fmt"
	goruntime "runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sabine/indexes/snapshot"
	"sabine/serve/keys"
)

// A stateCollector, which registerMetrics registers, reports metrics for the program, the data, the keys, the
// rate-limit store and the log, and for the mirror and the certificate if they exist. Key ids and account
// names in labels are from the key file, never from clients.
type stateCollector struct{ *Server }

// Describe sends nothing, because the set of metrics depends on the state.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

func (c stateCollector) Collect(to chan<- prometheus.Metric) {
	report, o := reporter(to), &c.options
	report.gauge(1, "sabine_build_info", "Always 1, with the versions of the program, of Go and of the snapshot format as labels.",
		"version", o.Version, "goversion", goruntime.Version(),
		"format", fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor))
	state := o.Current.State()
	report.gauge(1, "sabine_generation_info", "Always 1, with the current snapshot and the status of the data as labels.",
		"name", state.Name, "status", state.Status)
	report.gauge(float64(state.Products), "sabine_generation_products", "Number of products in the current snapshot.")
	report.gauge(float64(state.Bytes), "sabine_generation_mapped_bytes", "Size in bytes of the mapping of the current snapshot.")
	report.time(state.Since, "sabine_generation_since_seconds", "Unix time when the snapshot became current.")
	report.counter(int64(state.Switches), "sabine_generation_switches_total", "Number of switches to a snapshot.")
	report.counter(int64(state.Refused), "sabine_generation_refused_total", "Number of snapshots refused as damaged.")
	o.Keys.EachKey(func(key *keys.Caller, requests int64) {
		report.counter(requests, "sabine_key_requests_total",
			"Requests with the key, including refused requests, by key id and account name.",
			"key", key.Key, "account", key.Account)
	})
	report.flag(c.staleKeys() != nil, "sabine_keys_stale",
		"1 while the key file, or the store that it is copied from, cannot be read and the current keys may be outdated.")
	report.counter(o.Keys.Faults.Count.Load(), "sabine_key_reload_failures_total",
		"Failures to reload the key file; failures in a row with the same reason count once.")
	report.flag(c.outage.fault.Load() != nil, "sabine_rate_limit_store_away",
		"1 while the rate-limit store does not respond.")
	report.flag(o.Limits.Refusing(), "sabine_rate_limit_store_breaker_open",
		"1 while requests are refused without calling the rate-limit store, except for occasional trials.")
	if fingerprint := o.Limits.Fingerprint(); fingerprint != "" {
		report.gauge(1, "sabine_rate_limit_secret_info",
			"Always 1, with the fingerprint of the rate-limit secret as label; servers that share a store must have the same.",
			"fingerprint", fingerprint)
	}
	report.counter(o.Queue.Dropped(), "sabine_log_lines_dropped_total", "Log lines dropped because the reader of the log was too slow or gone.")
	if o.Mirror != nil {
		reportMirror(report, o.Mirror(), state.Hash)
	}
	if o.Certificate != nil {
		report.gauge(float64(o.Certificate.expires().Unix()), "sabine_tls_certificate_expires_seconds",
			"Unix time at which the current TLS certificate expires.")
		report.counter(o.Certificate.faults.Count.Load(), "sabine_tls_reload_failures_total",
			"Number of times that the current TLS certificate expired or could not be replaced; faults in a row with the same "+
				"reason count once.")
	}
}

// reportMirror reports how current the folder of generations is, compared with its store.
func reportMirror(report reporter, m MirrorState, servedHash string) {
	report.gauge(1, "sabine_mirror_info", "Always 1, with the status of the mirror and the current generation of the store as labels.",
		"status", m.Status, "hash", m.Hash)
	report.flag(m.Hash != "" && m.Hash != servedHash, "sabine_mirror_behind",
		"1 while the server serves a different generation than the current one of the store.")
	report.flag(m.NewerFormat > 0, "sabine_mirror_newer_format",
		"1 while the store has a snapshot in a newer format than this program can read.")
	report.time(m.LastResponse, "sabine_mirror_looked_seconds", "Unix time of the last response of the store.")
	report.time(m.Published, "sabine_mirror_published_seconds",
		"Unix time when the current generation of the store was published.")
	report.counter(m.Failures, "sabine_mirror_failures_total", "Failed polls of the store and failed downloads.")
	report.counter(m.Refused, "sabine_mirror_refused_total", "Store polls that found a generation that must not be used.")
	report.counter(m.Fetched, "sabine_mirror_fetched_total", "Downloaded generations.")
	report.counter(m.Bytes, "sabine_mirror_fetched_bytes_total", "Downloaded bytes of generations.")
}

// A reporter sends metrics whose values are read at collection. Labels are alternating names and values.
type reporter chan<- prometheus.Metric

func (r reporter) send(kind prometheus.ValueType, value float64, name, help string, labels []string) {
	of := prometheus.Labels{}
	for i := 0; i < len(labels); i += 2 {
		of[labels[i]] = labels[i+1]
	}
	r <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, of), kind, value)
}

func (r reporter) gauge(value float64, name, help string, labels ...string) {
	r.send(prometheus.GaugeValue, value, name, help, labels)
}

func (r reporter) counter(value int64, name, help string, labels ...string) {
	r.send(prometheus.CounterValue, float64(value), name, help, labels)
}

func (r reporter) flag(is bool, name, help string) {
	value := 0.0
	if is {
		value = 1
	}
	r.gauge(value, name, help)
}

// time reports a time, unless it is the zero time.
func (r reporter) time(at time.Time, name, help string) {
	if !at.IsZero() {
		r.gauge(float64(at.UnixMilli())/1000, name, help)
	}
}
