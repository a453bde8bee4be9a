package serve

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

func TestLinesOfOneAddressAreThinned(t *testing.T) {
	var out logBuffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	var th thinner
	now := time.Unix(1_000_000, 0)
	count := func(address string, n int, at time.Time) (lines int) {
		for range n {
			if th.takes(address, at, log) {
				lines++
			}
		}
		return lines
	}
	for _, tt := range []struct {
		rule, address string
		n             int
		at            time.Time
		want          int
	}{
		{"as many as are told", "a", 20, now, 20},
		{"the rest of the second", "a", 5, now, 0},
		{"another address", "b", 25, now, 20},
		{"the next second", "a", 25, now.Add(time.Second), 20},
	} {
		if got := count(tt.address, tt.n, tt.at); got != tt.want {
			t.Errorf("%s: got %d lines, want %d", tt.rule, got, tt.want)
		}
	}
	th.tell(log)
	th.tell(log)
	if n := strings.Count(out.String(), "\n"); n != 1 || gjson.Get(out.String(), "lines").Int() != 15 {
		t.Errorf("the log says %s", &out)
	}
}

func TestAddressesThatAreThinnedAreBounded(t *testing.T) {
	var th thinner
	now := time.Unix(1_000_000, 0)
	for n := range 2 * maxThinnedAddresses {
		th.takes(fmt.Sprint(n), now, slog.New(slog.DiscardHandler))
	}
	if n := len(th.refused); n != maxThinnedAddresses+1 {
		t.Errorf("%d addresses are kept", n)
	}
}

// TestRefusedRequestsAreAllAccountedFor: each has a line or is among those that were left out, and no other request is.
func TestRefusedRequestsAreAllAccountedFor(t *testing.T) {
	s, log := newServer(t)
	web := httptest.NewServer(s.Handler())
	const requests = 100
	for range requests {
		get(t, web.URL+"/nowhere")
		get(t, web.URL+"/api/v1/openapi.json")
	}
	web.Close()
	s.refused.tell(s.log)
	refused, answered, left := 0, 0, 0
	for line := range strings.Lines(log.String()) {
		switch {
		case gjson.Get(line, "status").Int() == 404:
			refused++
		case gjson.Get(line, "status").Int() == 200:
			answered++
		default:
			left += int(gjson.Get(line, "lines").Int())
		}
	}
	if refused+left != requests || answered != requests || left == 0 {
		t.Errorf("%d lines of refused requests and %d left out, %d of others", refused, left, answered)
	}
}
