package serve

import (
	"github.com/prometheus/client_golang/prometheus"

	"sabine/serve/keys"
)

// A keyCollector reports on the keys when it is asked. Their ids and their accounts' names are the key file's, never a
// client's.
type keyCollector struct{ store *keys.Store }

var (
	descKeyRequests = prometheus.NewDesc("sabine_key_requests_total", "Requests that carried the key, refused ones too, by its id and its account's name.",
		[]string{"key", "account"}, nil)
	descKeysStale = prometheus.NewDesc("sabine_keys_stale", "1 while the key file cannot be read, so that the keys in force may be old.", nil, nil)
)

// Describe sends what Collect will report.
func (k keyCollector) Describe(to chan<- *prometheus.Desc) {
	to <- descKeyRequests
	to <- descKeysStale
}

// Collect reports the state of the keys.
func (k keyCollector) Collect(to chan<- prometheus.Metric) {
	k.store.EachKey(func(c *keys.Caller, requests int64) {
		to <- prometheus.MustNewConstMetric(descKeyRequests, prometheus.CounterValue, float64(requests), c.Key, c.Account)
	})
	stale := 0.0
	if k.store.Stale() != nil {
		stale = 1
	}
	to <- prometheus.MustNewConstMetric(descKeysStale, prometheus.GaugeValue, stale)
}

// storeGauge reports whether the rate-limit store answers.
func storeGauge(o *outage) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "sabine_rate_limit_store_away", Help: "1 while the rate-limit store does not answer.",
	}, func() float64 {
		if o.away.Load() {
			return 1
		}
		return 0
	})
}
