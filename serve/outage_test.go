package serve

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/serve/ratelimit"
)

func TestAnOutageIsTwoLines(t *testing.T) {
	s, log := newServer(t)
	now := time.Now()
	away := func(what string, want bool) {
		t.Helper()
		if got := s.outage.fault.Load() != nil; got != want {
			t.Errorf("%s: away is %t", what, got)
		}
	}
	s.outage.answered(now)
	away("at first", false)
	for range 3 {
		s.outage.failed(errors.New("connection refused"), now)
	}
	away("after failures", true)
	s.outage.answered(now.Add(quietAfterFailure - 1))
	away("an answer between failures", true)
	s.outage.answered(now.Add(quietAfterFailure))
	s.outage.answered(now.Add(2 * quietAfterFailure))
	away("when it answers", false)
	if text := log.String(); strings.Count(text, "\n") != 2 || strings.Count(text, "does not respond") != 1 ||
		strings.Count(text, "responds again") != 1 {
		t.Errorf("want a line for each, got\n%s", text)
	}
}

// A flakyStore counts only while a test allows it.
type flakyStore struct{ err error }

func (f *flakyStore) Take(_ context.Context, _ string, p ratelimit.Policy, now time.Time, _ int) (ratelimit.Count,
	bool, error) {
	if f.err != nil {
		return ratelimit.Count{}, false, f.err
	}
	return ratelimit.Count{N: make([]int, len(p)), At: now}, true, nil
}
func (*flakyStore) Close() error { return nil }

func TestReadyzReportsTheStoreWithoutARequest(t *testing.T) {
	s, _ := newServer(t)
	store := &flakyStore{errors.New("connection refused")}
	policy := ratelimit.Policy{{Limit: 1, Span: time.Minute}}
	s.options.Limits = ratelimit.NewLimiter(store, policy, policy, nil)
	ready := func() string {
		w := httptest.NewRecorder()
		s.Admin().ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
		return w.Body.String()
	}
	body := ready()
	if gjson.Get(body, "rate_limit_store.status").String() != "away" ||
		gjson.Get(body, "rate_limit_store.reason").String() != "connection refused" ||
		gjson.Get(body, "rate_limit_store.since").Time().IsZero() || !strings.Contains(gjson.Get(body, "reason").String(),
		"connection refused") {
		t.Errorf("away: got %s", body)
	}
	store.err = nil
	s.outage.last = s.outage.last.Add(-quietAfterFailure)
	if body := ready(); gjson.Get(body, "rate_limit_store").Raw != `{"status":"ok","reason":null,"since":null}` {
		t.Errorf("back: got %s", body)
	}
}
