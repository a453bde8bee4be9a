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
		{"a total is told when it is known", 3, 31, "sections", "stage: 3 of 31 sections"},
		{"what is done is told without a total", 4711, 0, "records", "stage: 4711 records"},
		{"a stage that has only begun is named", 0, 0, "records", "stage"},
		{"few bytes are counted", 999, 1000, "bytes", "stage: 999 bytes of 1.0 kB"},
		{"many bytes are told with their unit", 12_345_678, 1_999_960_000, "bytes", "stage: 12.3 MB of 2.0 GB"},
		{"a size is never rounded up to 1000 of a unit", 999_950, 1 << 62, "bytes", "stage: 1.0 MB of 4.6 EB"},
	}
	for _, test := range tests {
		if got := progressLine("stage", test.done, test.total, test.unit); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestProgressIsALineNowAndThen(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.tell("read", 1, 0, "records")
	if out.Len() > 0 {
		t.Errorf("a line at once: %q", out.String())
	}
	p.last = time.Now().Add(-lineInterval)
	p.tell("read", 2, 0, "records")
	p.tell("read", 3, 0, "records")
	p.end()
	if got, want := out.String(), "read: 2 records\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A toldWriter says on a channel what is written to it.
type toldWriter chan string

func (w toldWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestProgressOfWorkThatCannotTellByItself(t *testing.T) {
	told := make(toldWriter)
	p := newProgress(told)
	p.last = time.Now().Add(-lineInterval)
	failed := errors.New("failed")
	err := p.during("compare", 10, "products", func(done *atomic.Int64) error {
		done.Store(3)
		// 0: looked at before it began
		if line := <-told; line != "compare: 3 of 10 products\n" && line != "compare: 0 of 10 products\n" {
			t.Errorf("got %q while the work lasts", line)
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want what the work returns", err)
	}
}
