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
	"strings"
	"time"
)

// Every engine works in a process of its own, which is this program again with one of these as its first argument:
//
//	build ENGINE FOLDER CATALOGUE   builds, and writes a built
//	ask ENGINE FOLDER               reads blocks of questions and writes the replies to each
//	open sabine FOLDER              opens the snapshot, reads questions, answers them, and writes an opened
//
// They speak gob over standard input and output.
const (
	roleBuild = "build"
	roleAsk   = "ask"
	roleOpen  = "open"
)

// A built says what a build cost.
type built struct {
	Time    time.Duration
	PeakRSS int64 // bytes; 0: not measured
	Bytes   int64 // of the files
}

// A reply is an answer and how long it took each time, without the way between the processes.
type reply struct {
	Answer answer
	Times  []time.Duration
	Error  string
}

// work plays the role that the arguments name.
func work(args []string, in io.Reader, out io.Writer) error {
	s, err := setupOf(args[1])
	if err != nil {
		return err
	}
	if args[0] == roleBuild {
		b, err := s.measureBuild(args[2], args[3])
		if err != nil {
			return err
		}
		return gob.NewEncoder(out).Encode(b)
	}
	if args[0] == roleOpen {
		o, err := measureOpen(args[2], in)
		if err != nil {
			return err
		}
		return gob.NewEncoder(out).Encode(o)
	}
	debug.SetGCPercent(serverGCPercent) // of whatever engine is written in Go
	e, err := s.open(args[2])
	if err != nil {
		return err
	}
	return errors.Join(answerAll(e, in, out), e.Close())
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

// answers returns the replies up to the limit, or up to the first error.
func (b *block) answers(e engine) []reply {
	replies := make([]reply, 0, len(b.Questions))
	begun := time.Now()
	for i := range b.Questions {
		if b.Limit > 0 && i >= b.Least && time.Since(begun) > b.Limit {
			break
		}
		r := reply{Times: make([]time.Duration, 1)}
		ok := r.take(e, &b.Questions[i], &r.Times[0])
		replies = append(replies, r)
		if !ok {
			return replies
		}
	}
	if time.Since(begun) < b.Busy {
		for i := range replies {
			replies[i].Times = replies[i].Times[:0]
		}
	}
	for time.Since(begun) < b.Busy {
		for i := range replies {
			var took time.Duration
			if !replies[i].take(e, &b.Questions[i], &took) {
				return replies[:i+1]
			}
			replies[i].Times = append(replies[i].Times, took)
		}
	}
	return replies
}

// take takes an engine's answer to a question; ok is false when it has none.
func (r *reply) take(e engine, q *question, took *time.Duration) (ok bool) {
	start := time.Now()
	a, err := e.Ask(q)
	*took = time.Since(start)
	a.tell()
	if r.Answer = a; err != nil {
		r.Error = err.Error()
	}
	return err == nil
}

func (s *setup) measureBuild(dir, catalogue string) (b built, err error) {
	start := time.Now()
	if err := s.build(dir, catalogue); err != nil {
		return b, err
	}
	b.Time = time.Since(start)
	if !s.server {
		if b.PeakRSS, err = peakRSS(); err != nil {
			return b, err
		}
	}
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			b.Bytes += info.Size()
		}
		return err
	})
	return b, err
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
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &worker{name, command, stdin, gob.NewEncoder(stdin), gob.NewDecoder(bufio.NewReader(stdout))}, nil
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

func (w *worker) end() error {
	err := w.stdin.Close()
	return errors.Join(err, w.command.Wait())
}

// buildApart builds an engine in a process of its own. The folder gets its name when all is well.
func buildApart(name, dir, catalogue string) (b built, err error) {
	unfinished := dir + ".unfinished"
	if err := errors.Join(os.RemoveAll(unfinished), os.MkdirAll(unfinished, 0o755)); err != nil {
		return b, err
	}
	w, err := start(roleBuild, name, unfinished, catalogue)
	if err != nil {
		return b, err
	}
	err = w.replies.Decode(&b)
	if ended := w.end(); ended != nil {
		return b, fmt.Errorf("building %s: %w", name, ended)
	}
	if err != nil {
		return b, fmt.Errorf("building %s: %w", name, err)
	}
	return b, os.Rename(unfinished, dir)
}
