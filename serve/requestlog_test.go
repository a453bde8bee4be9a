package serve

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidwall/gjson"

	"sabine/serve/keys"
)

func TestTheLineOfARequest(t *testing.T) {
	acme := &keys.Caller{AccountID: "3f1f", Account: "Müller & \"Söhne\"", Key: "key-1a2b3c4d"}
	const (
		start = `{"time":"2026-11-21T09:05:03.12+01:00","level":"INFO","msg":"request","request_id":"b845246a-48c7-441c-a449-ec22707f9dd2",`
		owner = `,"account":"Müller & \"Söhne\"","key":"key-1a2b3c4d"`
		took  = `"duration_ms":1.234,`
		shown = `"generation":"09adf300fdb86240"`
	)
	for _, tt := range []struct {
		rule   string
		change func(*exchange)
		want   string
	}{
		{"a request with a key", func(x *exchange) {
			x.account, x.caller, x.operation, x.status, x.sent = acme.AccountID, acme, getMaterial, 200, 2192
		}, `"method":"GET","route":"getMaterial","status":200,` + took + `"bytes":2192,"client":"account",` + shown + owner},
		{"a key that is refused", func(x *exchange) { x.caller, x.operation, x.status = acme, getMaterial, 403 },
			`"method":"GET","route":"getMaterial","status":403,` + took + `"bytes":0,"client":"address",` + shown + owner},
		{"a request without one", func(x *exchange) { x.operation, x.status = searchProducts, 200 },
			`"method":"GET","route":"searchProducts","status":200,` + took + `"bytes":0,"client":"address",` + shown},
		{"an unknown path", func(x *exchange) { x.status = 404 },
			`"method":"GET","route":"none","status":404,` + took + `"bytes":0,"client":"address",` + shown},
		{"a method that was made up", func(x *exchange) { x.request.Method = `BREW"` },
			`"method":"other","route":"none","status":0,` + took + `"bytes":0,"client":"address",` + shown},
		{"a client that went away", func(x *exchange) { x.cut = cutByClient },
			`"method":"GET","route":"none","status":0,` + took + `"bytes":0,"client":"address",` + shown + `,"cut_short":true`},
		{"no snapshot", func(x *exchange) { x.snapshot = "" },
			`"method":"GET","route":"none","status":0,` + took + `"bytes":0,"client":"address","generation":""`},
		{"a request of whole seconds", func(x *exchange) { x.began = x.began.Add(1_234_567 - 20*time.Second) },
			`"method":"GET","route":"none","status":0,"duration_ms":20000,"bytes":0,"client":"address",` + shown},
	} {
		var got logBuffer
		ended := time.Date(2026, 11, 21, 9, 5, 3, 120_000_000, time.FixedZone("", 3600))
		x := &exchange{
			server:   &Server{log: slog.New(slog.NewJSONHandler(&got, nil))},
			request:  httptest.NewRequest(http.MethodGet, "/", nil),
			began:    ended.Add(-1_234_567),
			id:       "b845246a-48c7-441c-a449-ec22707f9dd2",
			snapshot: "09adf300fdb86240",
		}
		tt.change(x)
		x.log(ended)
		if want := start + tt.want + "}\n"; got.String() != want {
			t.Errorf("%s:\ngot  %swant %s", tt.rule, &got, want)
		}
	}
}

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
	synctest.Test(t, func(t *testing.T) { // all within a second of the bubble's clock
		s, log := newServer(t)
		const requests = 100
		for range requests {
			for _, path := range []string{"/nowhere", "/api/v1/openapi.json"} {
				s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
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
		if refused != maxRefusedLines || refused+left != requests || answered != requests {
			t.Errorf("%d lines of refused requests and %d left out, %d of others", refused, left, answered)
		}
	})
}
