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
	"strings"
	"time"
)

// Every engine works in a process of its own, which is this program again with one of these as its first argument:
//
//	build ENGINE FOLDER CATALOGUE   builds, and writes a built
//	ask ENGINE FOLDER               reads questions and writes a reply to each
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

// A reply is an answer and how long it took, without the way between the processes.
type reply struct {
	Answer answer
	Time   time.Duration
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
	e, err := s.open(args[2])
	if err != nil {
		return err
	}
	return errors.Join(answerAll(e, in, out), e.Close())
}

func answerAll(e engine, in io.Reader, out io.Writer) error {
	questions, replies := gob.NewDecoder(in), gob.NewEncoder(out)
	var before []question
	for {
		var q question
		if err := questions.Decode(&q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		r := answerOne(e, before, &q)
		if err := replies.Encode(&r); err != nil {
			return err
		}
		before = append(before, q)
		before = before[max(0, len(before)-maxBefore):]
	}
}

// While the others were asked, a process slept and lost the processor's caches, which it would not have under load. So it
// answers some of the questions before again, for warmUp at least, and then the one whose time is taken.
const (
	warmUp    = time.Millisecond
	maxBefore = 16
)

func answerOne(e engine, before []question, q *question) (r reply) {
	var err error
	start := time.Now()
	for i := 0; len(before) > 0 && err == nil && time.Since(start) < warmUp; i++ {
		_, err = e.Ask(&before[i%len(before)])
	}
	if err == nil {
		start = time.Now()
		r.Answer, err = e.Ask(q)
		r.Time = time.Since(start)
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
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

func (w *worker) ask(q *question) (reply, error) {
	var r reply
	if err := w.questions.Encode(q); err != nil {
		return r, fmt.Errorf("asking %s: %w", w.name, err)
	}
	if err := w.replies.Decode(&r); err != nil {
		return r, fmt.Errorf("%s ended: %w", w.name, err)
	}
	if r.Error != "" {
		return r, fmt.Errorf("%s: %q: %s", w.name, q.Query.Text, r.Error)
	}
	return r, nil
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
