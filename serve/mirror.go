package serve

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sabine/runtime"
	"sabine/serve/keys"
	"sabine/serve/statefile"
)

// MirrorState is how the folder of generations follows the store that fills it. Who fills it says so.
type MirrorState struct {
	Status    string    // ok, starting, fetching, empty, away, refused
	Reason    string    // why it is not ok
	Since     time.Time // when Status became what it is
	Hash      string    // of the generation that the store has in force, as far as is known
	Published time.Time // when that one was brought into force
	Looked    time.Time // when the store answered last
	Newer     int       // a newer snapshot format that waits in the store, 0: there is none
	Failures  int64     // looks and downloads that failed
	Refused   int64     // looks that found what may not come into force
	Fetched   int64     // generations that were downloaded
	Bytes     int64     // that were downloaded for them
}

// staleKeys returns why the keys in force may not be those of the file, or of the store that the file is copied from, nil when
// they are.
func staleKeys(store *keys.Store, mirror func() MirrorState) *statefile.Fault {
	if stale := store.Faults.Now.Load(); stale != nil || mirror == nil {
		return stale
	}
	if m := mirror(); m.Reason != "" {
		return &statefile.Fault{Since: m.Since, Reason: m.Reason}
	}
	return nil
}

// part is what /readyz says of a mirror.
func (m MirrorState) part() partState {
	return partState{m.Status, orNull(m.Reason), orNull(m.Since.UTC())}
}

// A mirrorCollector reports how the folder of generations follows its store when it is asked.
type mirrorCollector struct {
	mirror  func() MirrorState
	current *runtime.Current
}

// Describe sends nothing: see stateCollector.
func (mirrorCollector) Describe(chan<- *prometheus.Desc) {}

// Collect reports the state.
func (c mirrorCollector) Collect(to chan<- prometheus.Metric) {
	report, m := reporter(to), c.mirror()
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	report(gauge, 1, "sabine_mirror_info", "1 for the status of the mirror and the generation that the store has in force.",
		prometheus.Labels{"status": m.Status, "hash": m.Hash})
	report(gauge, oneIf(m.Hash != "" && m.Hash != c.current.State().Hash), "sabine_mirror_behind",
		"1 while another generation serves than the store has in force.", nil)
	report(gauge, oneIf(m.Newer > 0), "sabine_mirror_newer_format", "1 while the store holds a newer snapshot format than this program reads.", nil)
	if !m.Looked.IsZero() {
		report(gauge, float64(m.Looked.UnixMilli())/1000, "sabine_mirror_looked_seconds", "Unix time at which the store answered last.", nil)
	}
	if !m.Published.IsZero() {
		report(gauge, float64(m.Published.UnixMilli())/1000, "sabine_mirror_published_seconds",
			"Unix time at which what the store has in force was brought into force there.", nil)
	}
	report(counter, float64(m.Failures), "sabine_mirror_failures_total", "Looks at the store and downloads that failed.", nil)
	report(counter, float64(m.Refused), "sabine_mirror_refused_total", "Looks at the store that found what may not come into force.", nil)
	report(counter, float64(m.Fetched), "sabine_mirror_fetched_total", "Generations that were downloaded.", nil)
	report(counter, float64(m.Bytes), "sabine_mirror_fetched_bytes_total", "Bytes that were downloaded for generations.", nil)
}
