package serve

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidwall/gjson"
)

func jsonLines(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) }

// TestAStalledLogReaderBlocksNoRequest writes much more than the queue retains before it reads.
func TestAStalledLogReaderBlocksNoRequest(t *testing.T) {
	read, written := io.Pipe()
	q, _ := NewLogQueue(written, jsonLines)
	line := []byte(strings.Repeat("x", 1023) + "\n")
	const lines = 4 * maxQueuedBytes / 1024
	for range lines {
		if n, err := q.Write(line); n != len(line) || err != nil {
			t.Fatalf("got %d, %v", n, err)
		}
	}
	if q.Dropped() < lines/2 {
		t.Errorf("%d lines were dropped", q.Dropped())
	}
	taken, told := int64(0), int64(0)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for all := bufio.NewScanner(read); all.Scan(); {
			if strings.HasPrefix(all.Text(), "{") {
				told += gjson.Get(all.Text(), "lines").Int()
			} else {
				taken++
			}
		}
	}()
	q.Close()
	if err := written.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if told != q.Dropped() || taken+told != lines {
		t.Errorf("%d lines were read and %d were told to be dropped, of %d; counted are %d", taken, told, lines, q.Dropped())
	}
}

// A brokenWriter returns errors while it is broken.
type brokenWriter struct {
	broken atomic.Bool
	logBuffer
	tried chan struct{} // receives a value for each write
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	defer func() { w.tried <- struct{}{} }()
	if w.broken.Load() {
		return 0, errors.New("broken pipe")
	}
	return w.logBuffer.Write(p)
}

func TestALogReaderThatIsGoneBlocksNoRequest(t *testing.T) {
	w := &brokenWriter{tried: make(chan struct{})}
	w.broken.Store(true)
	q, _ := NewLogQueue(w, jsonLines)
	for range 3 {
		if _, err := q.Write([]byte("a\nb\n")); err != nil {
			t.Fatal(err)
		}
		<-w.tried
	}
	w.broken.Store(false)
	if _, err := q.Write([]byte("c\n")); err != nil {
		t.Fatal(err)
	}
	<-w.tried // for the line c
	<-w.tried // for the line with the number of dropped lines
	q.Close()
	got := w.String()
	if !strings.HasPrefix(got, "c\n") || gjson.Get(got[2:], "lines").Int() != 6 || q.Dropped() != 6 {
		t.Errorf("%d lines were dropped, and the log has %s", q.Dropped(), got)
	}
}

func TestAQueueClosesEvenIfItsReaderStalls(t *testing.T) {
	_, written := io.Pipe()
	q, _ := NewLogQueue(written, jsonLines)
	if _, err := q.Write([]byte("a\n")); err != nil {
		t.Fatal(err)
	}
	q.Close()
	if _, err := q.Write([]byte("too late\n")); err != nil || q.Dropped() != 1 {
		t.Errorf("got %v, and %d lines were dropped", err, q.Dropped())
	}
}

func TestTheLastLinesOfAQueueAreWritten(t *testing.T) {
	var b logBuffer
	q, _ := NewLogQueue(&b, jsonLines)
	want := bytes.Repeat([]byte("a line\n"), 100)
	for line := range bytes.Lines(want) {
		if _, err := q.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	if b.String() != string(want) {
		t.Errorf("got %s", &b)
	}
}

func TestALineDoesNotWaitForAnother(t *testing.T) {
	read, written := io.Pipe()
	q, _ := NewLogQueue(written, jsonLines)
	if _, err := q.Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(read).ReadString('\n'); err != nil || line != "a line\n" {
		t.Errorf("got %q, %v", line, err)
	}
}
