package fleet

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A slowBody returns bytes at regular intervals.
type slowBody struct {
	left  int
	pause time.Duration
	reads atomic.Int64
}

func (b *slowBody) Read(p []byte) (int, error) {
	b.reads.Add(1)
	if b.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(b.pause)
	b.left--
	return copy(p, "x"), nil
}

func TestASlowTransferIsNotAStall(t *testing.T) {
	t.Parallel()
	const slow, never = stallTimeout - time.Second, stallTimeout + time.Second
	for _, tt := range []struct {
		rule         string
		sent, answer time.Duration // time between two bytes of the request, and of the response
		taken        bool          // whether the server reads the request body
		stall        bool
	}{
		{"both bodies are slow", slow, slow, true, false},
		{"the response body stalls", slow, never, true, true},
		{"the request body is not read", 0, 0, false, true},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := net.Pipe()
				dial := func(context.Context, string, string) (net.Conn, error) { return client, nil }
				w := &stallWatch{stall: stallTimeout, Transport: &http.Transport{DialContext: dial}}
				defer w.CloseIdleConnections()
				go func() {
					defer server.Close()
					r, err := http.ReadRequest(bufio.NewReader(server))
					if err != nil {
						t.Error(err)
						return
					}
					if !tt.taken {
						time.Sleep(time.Hour)
						return
					}
					_, _ = io.Copy(io.Discard, r.Body)
					_, _ = io.WriteString(server, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
					_, _ = io.Copy(server, &slowBody{left: 4, pause: tt.answer})
				}()
				sent := &slowBody{left: 1 << 20, pause: tt.sent}
				if tt.taken {
					sent.left = 4
				}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://store", sent)
				if err != nil {
					t.Fatal(err)
				}
				var b []byte
				answer, err := w.RoundTrip(r)
				if err == nil {
					b, err = io.ReadAll(answer.Body)
					_ = answer.Body.Close()
				}
				if tt.stall && (err == nil || err.Error() != "no data received for 30s") || !tt.stall &&
					(err != nil || string(b) != strings.Repeat("x", 4)) {
					t.Errorf("got %q, %v", b, err)
				}
				reads := sent.reads.Load()
				time.Sleep(2 * time.Hour)
				if now := sent.reads.Load(); now != reads {
					t.Errorf("%d reads of the request body after its end", now-reads)
				}
			})
		})
	}
}
