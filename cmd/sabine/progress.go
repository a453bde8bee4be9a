package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"sabine/compiler"
)

// lineInterval is how often progress is told where there is no terminal to draw on.
const lineInterval = 5 * time.Second

// compileWithProgress builds a snapshot and tells on standard error how far it is: a bar on a terminal, a line every
// few seconds elsewhere.
func compileWithProgress(ctx context.Context, o compiler.Options, s streams) (*compiler.Report, error) {
	if isTerminal(s.err) {
		p := &bar{w: s.err}
		o.Progress = p.show
		defer p.end()
	} else {
		p := &lines{w: s.err, last: time.Now()}
		o.Progress = p.show
	}
	return compiler.Build(ctx, o)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// bar draws each stage as a progress bar.
type bar struct {
	w     io.Writer
	stage string
	bar   *progressbar.ProgressBar
}

func (b *bar) show(p compiler.Progress) {
	if p.Stage != b.stage || b.bar == nil {
		b.end()
		total := p.Total
		if total <= 0 {
			total = -1 // a spinner
		}
		b.stage = p.Stage
		b.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(p.Stage),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
		)
	}
	_ = b.bar.Set64(p.Done) // what cannot be drawn is no reason to stop the work
}

func (b *bar) end() {
	if b.bar != nil {
		_ = b.bar.Finish()
		b.bar = nil
	}
}

// lines prints a line now and then.
type lines struct {
	w    io.Writer
	last time.Time
}

func (l *lines) show(p compiler.Progress) {
	if now := time.Now(); now.Sub(l.last) >= lineInterval {
		l.last = now
		switch {
		case p.Total > 0:
			fmt.Fprintf(l.w, "%s: %d of %d\n", p.Stage, p.Done, p.Total)
		case p.Done > 0:
			fmt.Fprintf(l.w, "%s: %d\n", p.Stage, p.Done)
		default:
			fmt.Fprintf(l.w, "%s\n", p.Stage)
		}
	}
}
