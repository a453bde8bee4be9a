package serve

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve/keys"
)

func TestRequestsAreCountedByTheirLabels(t *testing.T) {
	store, err := keys.OpenStore(filepath.Join(t.TempDir(), "keys.json"), nil) // there is none
	if err != nil {
		t.Fatal(err)
	}
	m := newMetrics(&Options{Current: runtime.NewCurrent(snapshot.Folder{Dir: t.TempDir()}, nil), Keys: store}, new(outage))
	want := map[string]float64{}
	for _, op := range append([]*operation{nil}, operations...) {
		for method, methodLabel := range map[string]string{"GET": "GET", "HEAD": "HEAD", "OPTIONS": "OPTIONS", "BREW": "other", "other": "other"} {
			for status, class := range map[int]string{0: "none", 99: "none", 100: "1xx", 204: "2xx", 304: "3xx", 404: "4xx", 599: "5xx", 600: "none"} {
				x := &exchange{request: httptest.NewRequest(method, "/", http.NoBody), operation: op, status: status}
				for range 2 {
					m.observe(x, time.Time{})
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
			for _, label := range metric.GetLabel() { // in the order of their names
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
