package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sabine/bench/results"
)

// Every engine works in a process of its own, which is this program again with one of these as its first argument. They speak gob
// over standard input and output.
const (
	roleBuild = "build" // ENGINE FOLDER CATALOGUE: builds, and writes the line of a result
	roleAsk   = "ask"   // ENGINE FOLDER: reads blocks of questions and writes the replies to each
	roleOpen  = "open"  // sabine FOLDER: opens the snapshot, reads questions, answers them, and writes lines of results
)

// serverGCPercent is what sabine serve sets GOGC to; here it is set for whatever engine is written in Go.
const serverGCPercent = 400

// isRole reports whether arguments are those of such a process.
func isRole(args []string) bool {
	return len(args) > 1 && slices.Contains([]string{roleBuild, roleAsk, roleOpen}, args[1])
}

// work plays the role that the arguments name.
func work(args []string, in io.Reader, out io.Writer) error {
	s, err := setupOf(args[1])
	if err != nil {
		return err
	}
	var lines []results.Line
	switch args[0] {
	case roleAsk:
		debug.SetGCPercent(serverGCPercent)
		e, err := s.open(args[2])
		if err != nil {
			return err
		}
		return errors.Join(answerAll(e, in, out), e.Close())
	case roleBuild:
		lines, err = s.measureBuild(args[2], args[3])
	case roleOpen:
		lines, err = measureOpen(args[2], in)
	}
	if err != nil {
		return err
	}
	return gob.NewEncoder(out).Encode(lines)
}

func answerAll(e engine, in io.Reader, out io.Writer) error {
	blocks, replies := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var b block
		if err := blocks.Decode(&b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := replies.Encode(b.answers(e)); err != nil {
			return err
		}
	}
}

// A block is questions that are answered in a row and over again, as a server under load answers them: with its own data
// in the processor's caches, which the other engines have emptied before.
type block struct {
	Questions []question
	Least     int           // questions that are answered in any case
	Limit     time.Duration // behind which no other is begun; 0: none
	Busy      time.Duration // how long they are answered over again; the first time does not count then
}

// A reply is an answer and how long it took each time, without the way between the processes.
type reply struct {
	Answer answer
	Times  []time.Duration
	Error  string
}

// answers returns the replies up to the limit, or up to the first error.
func (b *block) answers(e engine) []reply {
	replies := make([]reply, 0, len(b.Questions))
	begun := time.Now()
	for i := range b.Questions {
		if b.Limit > 0 && i >= b.Least && time.Since(begun) > b.Limit {
			break
		}
		replies = append(replies, reply{})
		if !replies[i].take(e, &b.Questions[i]) {
			return replies
		}
	}
	for first := true; time.Since(begun) < b.Busy; first = false {
		for i := range replies {
			if first {
				replies[i].Times = replies[i].Times[:0]
			}
			if !replies[i].take(e, &b.Questions[i]) {
				return replies[:i+1]
			}
		}
	}
	return replies
}

// take takes an engine's answer to a question; ok is false when it has none.
func (r *reply) take(e engine, q *question) (ok bool) {
	start := time.Now()
	a, err := e.Ask(q)
	r.Times = append(r.Times, time.Since(start))
	a.tell()
	if r.Answer = a; err != nil {
		r.Error = err.Error()
	}
	return err == nil
}

// measureBuild tells time, memory and size of a build.
func (s *setup) measureBuild(dir, catalogue string) ([]results.Line, error) {
	source, err := os.Stat(catalogue)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := s.build(dir, catalogue); err != nil {
		return nil, err
	}
	line := results.Line{Key: results.Key{Suite: results.Build, Engine: s.name}, SourceBytes: source.Size(), Seconds: time.Since(start).Seconds()}
	if !s.server {
		if line.PeakRSS, err = peakRSS(); err != nil {
			return nil, err
		}
	}
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			line.IndexBytes += info.Size()
		}
		return err
	})
	return []results.Line{line}, err
}

// peakRSS returns the peak memory of this process. The kernel's count in rusage would begin with that of the process that
// started this one.
func peakRSS() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	var kB int64
	_, line, found := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(line, "%d kB", &kB); !found || err != nil {
		return 0, fmt.Errorf("/proc/self/status: expected a line VmHWM: n kB")
	}
	return kB << 10, nil
}

// A worker is an engine in a process of its own.
type worker struct {
	name      string
	command   *exec.Cmd
	stdin     io.WriteCloser
	questions *gob.Encoder
	replies   *gob.Decoder
}

// start starts this program in a role.
func start(role, name string, args ...string) (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, append([]string{role, name}, args...)...)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &worker{name, command, stdin, gob.NewEncoder(stdin), gob.NewDecoder(bufio.NewReader(stdout))}, command.Start()
}

func (w *worker) ask(b *block) ([]reply, error) {
	var replies []reply
	if err := w.questions.Encode(b); err != nil {
		return nil, fmt.Errorf("asking %s: %w", w.name, err)
	}
	if err := w.replies.Decode(&replies); err != nil {
		return nil, fmt.Errorf("%s ended: %w", w.name, err)
	}
	if last := len(replies) - 1; last >= 0 && replies[last].Error != "" {
		return nil, fmt.Errorf("%s: %q: %s", w.name, b.Questions[last].Query.Text, replies[last].Error)
	}
	return replies, nil
}

// end ends a worker.
func (w *worker) end() error { return errors.Join(w.stdin.Close(), w.command.Wait()) }

// lines returns the results of a worker that has been told everything, and ends it.
func (w *worker) lines() (lines []results.Line, err error) {
	err = w.stdin.Close()
	if decoded := w.replies.Decode(&lines); decoded != nil {
		err = errors.Join(err, fmt.Errorf("results of %s: %w", w.name, decoded))
	}
	return lines, errors.Join(err, w.command.Wait())
}
