package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// lineInterval is the time between two lines of progress when there is no terminal.
const lineInterval = 5 * time.Second

// trackInterval is the time between two progress reports in track.
const trackInterval = 100 * time.Millisecond

// A progress reports the progress of long work on standard error, stage by stage. On a terminal it draws a
// bar; otherwise it prints a line every few seconds. It is not safe for concurrent use.
type progress struct {
	w     io.Writer
	drawn bool // whether w is a terminal
	stage string
	bar   *progressbar.ProgressBar // bar of the current stage, only on a terminal
	last  time.Time                // time of the last line, only without a terminal

	// canceled ends the wait for work that can block indefinitely, such as reading an idle standard input.
	canceled <-chan struct{}
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, drawn: isTerminal(w), last: time.Now()}
}

// newStreamProgress is like newProgress, for work that prints its result while it runs. If the result goes to
// a terminal, it reports no progress, because progress and result would mix.
func newStreamProgress(s streams) *progress {
	if isTerminal(s.out) {
		return newProgress(io.Discard)
	}
	return newProgress(s.err)
}

// fileOf returns the file to which a writer writes, or nil.
func fileOf(w io.Writer) *os.File {
	if results, ok := w.(*resultWriter); ok {
		w = results.w
	}
	f, _ := w.(*os.File)
	return f
}

func isTerminal(w io.Writer) bool {
	f := fileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// terminalColumns returns the width of a terminal, or 0 if w is not a terminal.
func terminalColumns(w io.Writer) int {
	if f := fileOf(w); f != nil {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// wideColumns is the minimum terminal width for a line with stage, bar, numbers and times.
const wideColumns = 70

// report reports how much of a stage is done. A total of 0 means that the total is unknown. The unit is
// "bytes", shown as kB, MB and so on, or another plural.
func (p *progress) report(stage string, done, total int64, unit string) {
	if p.drawn {
		p.draw(stage, done, total, unit)
		return
	}
	if now := time.Now(); now.Sub(p.last) >= lineInterval {
		p.last = now
		fmt.Fprintln(p.w, progressLine(stage, done, total, unit))
	}
}

// track runs work and reports its progress. The work stores the completed amount in done.
func (p *progress) track(stage string, total int64, unit string, work func(done *atomic.Int64) error) error {
	defer p.end()
	var done atomic.Int64
	result := make(chan error, 1)
	go func() { result <- work(&done) }()
	tick := time.NewTicker(trackInterval)
	defer tick.Stop()
	for {
		select {
		case err := <-result:
			return err
		case <-p.canceled:
			return context.Canceled
		case <-tick.C:
			p.report(stage, done.Load(), total, unit)
		}
	}
}

func (p *progress) draw(stage string, done, total int64, unit string) {
	if p.bar == nil || stage != p.stage {
		p.end()
		if total <= 0 {
			total = -1 // shows a spinner
		}
		p.stage = stage
		options := []progressbar.Option{
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(stage),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100 * time.Millisecond),
			progressbar.OptionClearOnFinish(),
		}
		if columns := terminalColumns(p.w); columns > 0 && columns < wideColumns { // a wrapped line can't be redrawn
			options = append(options, progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false))
		} else {
			options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowBytes(unit == "bytes"))
		}
		p.bar = progressbar.NewOptions64(total, options...)
	}
	_ = p.bar.Set64(done) // a drawing error must not stop the work
}

// end removes the bar from the terminal. Call it before printing a result and after the work.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

// progressLine returns the progress of a stage as one line.
func progressLine(stage string, done, total int64, unit string) string {
	switch {
	case total > 0 && unit == "bytes":
		return fmt.Sprintf("%s: %s of %s", stage, byteSize(done), byteSize(total))
	case total > 0:
		return fmt.Sprintf("%s: %d of %d %s", stage, done, total, unit)
	case done > 0 && unit == "bytes":
		return fmt.Sprintf("%s: %s", stage, byteSize(done))
	case done > 0:
		return fmt.Sprintf("%s: %d %s", stage, done, unit)
	}
	return stage
}

// byteSize returns a number of bytes with a decimal unit, as in "1.5 MB".
func byteSize(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	size, unit := float64(n), 0
	for size >= 999.95 && unit < len(byteUnits) {
		size /= 1000
		unit++
	}
	return fmt.Sprintf("%.1f %s", size, byteUnits[unit-1])
}

var byteUnits = []string{"kB", "MB", "GB", "TB", "PB", "EB"}
