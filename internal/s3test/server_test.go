package s3test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

func TestAServerIsPausedKilledAndRestarted(t *testing.T) {
	t.Parallel()
	s := Start(t)
	client := http.Client{Timeout: 5 * time.Second}
	ask := func() error {
		answer, err := client.Get(s.Endpoint + "/health")
		if err != nil {
			return err
		}
		return answer.Body.Close()
	}
	s.Pause(t)
	client.Timeout = 100 * time.Millisecond
	if err := ask(); !os.IsTimeout(err) {
		t.Errorf("paused: got %v, want no answer", err)
	}
	client.Timeout = 5 * time.Second
	s.Continue(t)
	if err := ask(); err != nil {
		t.Error(err)
	}
	s.Kill()
	if ask() == nil {
		t.Error("a server that was killed answers")
	}
	s.Run(t)
	if err := ask(); err != nil {
		t.Error(err)
	}
}

func TestAProxyDoesWhatItIsTold(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = io.WriteString(w, "abc")
	}))
	t.Cleanup(server.Close)
	proxy := StartProxy(t, server.URL)
	tests := []struct {
		rule   string
		fault  Fault
		asked  int
		status int // 0 for no answer
		body   string
		whole  bool // whether the body is complete
	}{
		{"without a fault everything passes", Fault{}, 1, 200, "abc", true},
		{"a status stands for the server's", Fault{Status: 503}, 0, 503, "", true},
		{"a body is cut", Fault{Cut: 2}, 1, 200, "ab", false},
		{"a body stalls", Fault{Stall: 2}, 1, 200, "ab", false},
		{"a body has wrong bytes, as many", Fault{Wrong: true}, 1, 200, "`cb", true},
		{"an answer is lost", Fault{Lost: true}, 1, 0, "", false},
		{"a request is never answered", Fault{Silent: true}, 0, 0, "", false},
	}
	for _, test := range tests {
		asked = 0
		proxy.Inject(Always(test.fault))
		client := http.Client{Timeout: 5 * time.Second}
		if test.fault.Silent || test.fault.Stall > 0 {
			client.Timeout = 200 * time.Millisecond
		}
		answer, err := client.Post(proxy.URL, "", nil) // clients do not repeat this request
		if err != nil {
			answer = &http.Response{Body: http.NoBody}
		}
		body, cut := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		whole := errors.Join(err, cut) == nil
		if answer.StatusCode != test.status || string(body) != test.body || whole != test.whole || asked != test.asked {
			t.Errorf("%s: got status %d, body %q, whole %t, after asking %d times: %v, %v",
				test.rule, answer.StatusCode, body, whole, asked, err, cut)
		}
	}
}
