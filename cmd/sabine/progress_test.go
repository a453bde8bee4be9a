package main

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestProgressLines(t *testing.T) {
	tests := []struct {
		rule        string
		done, total int64
		unit        string
		want        string
	}{
		{"the total is reported when it is known", 3, 31, "sections", "stage: 3 of 31 sections"},
		{"an unknown total is not reported", 4711, 0, "records", "stage: 4711 records"},
		{"a stage at its start is only named", 0, 0, "records", "stage"},
		{"less than a kilobyte is in bytes", 999, 1000, "bytes", "stage: 999 bytes of 1.0 kB"},
		{"a larger size has a larger unit", 12_345_678, 1_999_960_000, "bytes", "stage: 12.3 MB of 2.0 GB"},
		{"a size that rounds to 1000 has the next unit", 999_950, 1 << 62, "bytes", "stage: 1.0 MB of 4.6 EB"},
	}
	for _, test := range tests {
		if got := progressLine("stage", test.done, test.total, test.unit); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestProgressLinesHaveAnInterval(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.report("read", 1, 0, "records")
	if out.Len() > 0 {
		t.Errorf("a line at once: %q", out.String())
	}
	p.last = time.Now().Add(-lineInterval)
	p.report("read", 2, 0, "records")
	p.report("read", 3, 0, "records")
	p.end()
	if got, want := out.String(), "read: 2 records\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A channelWriter sends everything that is written to it to the channel.
type channelWriter chan string

func (w channelWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestTrackReportsTheProgressOfWork(t *testing.T) {
	lines := make(channelWriter)
	p := newProgress(lines)
	p.last = time.Now().Add(-lineInterval)
	failed := errors.New("failed")
	err := p.track("compare", 10, "products", func(done *atomic.Int64) error {
		done.Store(3)
		// 0 if the tick precedes the start of the work
		if line := <-lines; line != "compare: 3 of 10 products\n" && line != "compare: 0 of 10 products\n" {
			t.Errorf("got %q while the work runs", line)
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want the error of the work", err)
	}
}
