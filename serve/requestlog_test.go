package serve

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

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
		var logged, appended logBuffer
		ended := time.Date(2026, 11, 21, 9, 5, 3, 120_000_000, time.FixedZone("", 3600))
		for _, o := range []Options{{Log: slog.New(slog.NewJSONHandler(&logged, nil))}, {Requests: &appended}} {
			x := &exchange{
				server:   &Server{options: o},
				request:  httptest.NewRequest(http.MethodGet, "/", nil),
				began:    ended.Add(-1_234_567),
				id:       "b845246a-48c7-441c-a449-ec22707f9dd2",
				snapshot: "09adf300fdb86240",
			}
			tt.change(x)
			x.log(ended)
		}
		want := start + tt.want + "}\n"
		for way, got := range map[string]string{"by slog": logged.String(), "appended": appended.String()} {
			if got != want {
				t.Errorf("%s, %s:\ngot  %swant %s", tt.rule, way, got, want)
			}
		}
	}
}
