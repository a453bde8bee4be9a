package serve

import (
	"fmt"
	goruntime "runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sabine/indexes/snapshot"
	"sabine/serve/keys"
)

// A stateCollector reports on the program, the data, the keys, the rate-limit store, the log, and the mirror
// and the certificate when there are any, when it is asked. The ids of keys and their accounts' names are the
// key file's, never a client's.
type stateCollector struct{ *Server }

// Describe sends nothing: which metrics there are depends on the state.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

func (c stateCollector) Collect(to chan<- prometheus.Metric) {
	report, o := reporter(to), &c.options
	report.gauge(1, "sabine_build_info", "1 for the version of the program, of Go, and of the snapshots that it reads.",
		"version", o.Version, "goversion", goruntime.Version(),
		"format", fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor))
	state := o.Current.State()
	report.gauge(1, "sabine_generation_info", "1 for the snapshot in force and the status of the data.",
		"name", state.Name, "status", state.Status)
	report.gauge(float64(state.Products), "sabine_generation_products", "Products in the snapshot in force.")
	report.gauge(float64(state.Bytes), "sabine_generation_mapped_bytes", "Size of the mapping of the snapshot in force.")
	report.time(state.Since, "sabine_generation_since_seconds", "Unix time at which the snapshot was put in force.")
	report.counter(int64(state.Switches), "sabine_generation_switches_total", "Snapshots put in force.")
	report.counter(int64(state.Refused), "sabine_generation_refused_total", "Snapshots refused as damaged.")
	o.Keys.EachKey(func(key *keys.Caller, requests int64) {
		report.counter(requests, "sabine_key_requests_total",
			"Requests that carried the key, refused ones too, by its id and its account's name.",
			"key", key.Key, "account", key.Account)
	})
	report.flag(c.staleKeys() != nil, "sabine_keys_stale",
		"1 while the key file, or the store that it is copied from, cannot be read, so that the keys in force may be old.")
	report.counter(o.Keys.Faults.Count.Load(), "sabine_key_reload_failures_total",
		"Times that the key file could not be read again.")
	report.flag(c.outage.fault.Load() != nil, "sabine_rate_limit_store_away",
		"1 while the rate-limit store does not answer.")
	report.flag(o.Limits.Refusing(), "sabine_rate_limit_store_breaker_open",
		"1 while requests are refused without asking the rate-limit store, but for a trial now and then.")
	if fingerprint := o.Limits.Fingerprint(); fingerprint != "" {
		report.gauge(1, "sabine_rate_limit_secret_info",
			"1 for the fingerprint of the rate-limit secret: servers that share a store have the same.",
			"fingerprint", fingerprint)
	}
	report.counter(o.Queue.Dropped(), "sabine_log_lines_dropped_total", "Lines of the log that its reader did not take.")
	if o.Mirror != nil {
		reportMirror(report, o.Mirror(), state.Hash)
	}
	if o.Certificate != nil {
		report.gauge(float64(o.Certificate.expires().Unix()), "sabine_tls_certificate_expires_seconds",
			"Unix time at which the TLS certificate in force expires.")
		report.counter(o.Certificate.faults.Count.Load(), "sabine_tls_reload_failures_total",
			"Times that the TLS certificate in force had expired or could not be replaced.")
	}
}

// reportMirror reports how the folder of generations, of which one is in force, follows its store.
func reportMirror(report reporter, m MirrorState, inForce string) {
	report.gauge(1, "sabine_mirror_info", "1 for the status of the mirror and the generation that the store has in force.",
		"status", m.Status, "hash", m.Hash)
	report.flag(m.Hash != "" && m.Hash != inForce, "sabine_mirror_behind",
		"1 while another generation serves than the store has in force.")
	report.flag(m.Newer > 0, "sabine_mirror_newer_format",
		"1 while the store holds a newer snapshot format than this program reads.")
	report.time(m.Looked, "sabine_mirror_looked_seconds", "Unix time at which the store answered last.")
	report.time(m.Published, "sabine_mirror_published_seconds",
		"Unix time at which what the store has in force was brought into force there.")
	report.counter(m.Failures, "sabine_mirror_failures_total", "Looks at the store and downloads that failed.")
	report.counter(m.Refused, "sabine_mirror_refused_total", "Looks at the store that found what may not come into force.")
	report.counter(m.Fetched, "sabine_mirror_fetched_total", "Generations that were downloaded.")
	report.counter(m.Bytes, "sabine_mirror_fetched_bytes_total", "Bytes that were downloaded for generations.")
}

// A reporter takes metrics whose values are read when they are asked for. Labels are names and values by
// turns.
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

// time reports a time; the zero time is none.
func (r reporter) time(at time.Time, name, help string) {
	if !at.IsZero() {
		r.gauge(float64(at.UnixMilli())/1000, name, help)
	}
}
