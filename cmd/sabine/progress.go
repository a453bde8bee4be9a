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

// lineInterval is how often progress is told where there is no terminal to draw on.
const lineInterval = 5 * time.Second

// lookInterval is how often work is looked at that cannot tell by itself how far it is.
const lookInterval = 100 * time.Millisecond

// A progress tells on standard error how far long work is, stage by stage: as a bar on a terminal, by a line
// every few seconds elsewhere. It is for one goroutine at a time.
type progress struct {
	w     io.Writer
	drawn bool // on a terminal
	stage string
	bar   *progressbar.ProgressBar // of the stage, when drawn
	last  time.Time                // of the line before, when not

	// left ends the wait for work that may be left behind, such as an import whose standard input has no data.
	left <-chan struct{}
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, drawn: isTerminal(w), last: time.Now()}
}

// newStreamProgress is newProgress for work whose result is printed as it comes: it tells nothing where both
// would be on one terminal.
func newStreamProgress(s streams) *progress {
	if isTerminal(s.out) {
		return newProgress(io.Discard)
	}
	return newProgress(s.err)
}

// fileOf returns the file that a writer of results or progress is, nil if it is none.
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

// terminalColumns returns the width of a terminal, 0 for what is none.
func terminalColumns(w io.Writer) int {
	f := fileOf(w)
	if f == nil {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// roomyColumns is the least width of a terminal at which a stage, its numbers and its times fit into a line
// beside the bar.
const roomyColumns = 70

// tell says that a stage has done so much of total, which is 0 when nobody knows it. The unit is what is
// counted: "bytes", which are shown as kB, MB and so on, or the plural of any other word.
func (p *progress) tell(stage string, done, total int64, unit string) {
	if p.drawn {
		p.draw(stage, done, total, unit)
		return
	}
	if now := time.Now(); now.Sub(p.last) >= lineInterval {
		p.last = now
		fmt.Fprintln(p.w, progressLine(stage, done, total, unit))
	}
}

// during does work that cannot tell by itself, and tells while it lasts how much of total it has done so far.
func (p *progress) during(stage string, total int64, unit string, work func(done *atomic.Int64) error) error {
	defer p.end()
	var done atomic.Int64
	result := make(chan error, 1)
	go func() { result <- work(&done) }()
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	for {
		select {
		case err := <-result:
			return err
		case <-p.left:
			return context.Canceled
		case <-look.C:
			p.tell(stage, done.Load(), total, unit)
		}
	}
}

func (p *progress) draw(stage string, done, total int64, unit string) {
	if p.bar == nil || stage != p.stage {
		p.end()
		if total <= 0 {
			total = -1 // a spinner
		}
		p.stage = stage
		options := []progressbar.Option{
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(stage),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100 * time.Millisecond),
			progressbar.OptionClearOnFinish(),
		}
		if columns := terminalColumns(p.w); columns > 0 && columns < roomyColumns { // a broken line can't be drawn over
			options = append(options, progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false))
		} else {
			options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowBytes(unit == "bytes"))
		}
		p.bar = progressbar.NewOptions64(total, options...)
	}
	_ = p.bar.Set64(done) // what cannot be drawn is no reason to stop the work
}

// end takes the bar from the terminal: before a result is printed, and at the end of the work.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

// progressLine is where a stage stands, in a line.
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

// byteSize writes a number of bytes as people do.
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
