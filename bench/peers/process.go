package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"strings"
	"time"

	"sabine/bench/results"
	"sabine/runtime"
)

// roleWorker is the first argument of this program when it is an engine in a process of its own; the engine's name and
// folder follow. It answers remote procedure calls, methods of Worker, over standard input and output.
const roleWorker = "worker"

// serverGCPercent is what sabine serve sets GOGC to; here it is set for every engine written in Go.
const serverGCPercent = 400

// A Worker is an engine in this process.
type Worker struct {
	*setup
	dir    string
	engine engine // once it is asked
}

// serve answers calls until the caller closes the connection.
func serve(name, dir string) error {
	s, err := setupOf(name)
	if err != nil {
		return err
	}
	w := &Worker{setup: s, dir: dir}
	if err := rpc.Register(w); err != nil {
		return err
	}
	rpc.ServeConn(pipes{os.Stdin, os.Stdout})
	if w.engine == nil {
		return nil
	}
	return w.engine.Close()
}

// pipes are a connection.
type pipes struct {
	io.ReadCloser
	out io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p pipes) Close() error                { return errors.Join(p.ReadCloser.Close(), p.out.Close()) }

// A Block is questions that are answered in a row and over again, as a server under load answers them: with
// its own data in the processor's caches, which the other engines have emptied before.
type Block struct {
	Questions []runtime.Query
	Least     int           // questions that are answered in any case
	Limit     time.Duration // after which no other is begun; 0: none
	Busy      time.Duration // how long they are answered over again; the first time does not count then
}

// A reply is an answer and how long it took each time, without the way between the processes.
type reply struct {
	Answer answer
	Times  []time.Duration
}

// Ask answers a block. It opens the engine first, once.
func (w *Worker) Ask(b *Block, replies *[]reply) (err error) {
	if w.engine == nil {
		debug.SetGCPercent(serverGCPercent)
		if w.engine, err = w.open(w.dir); err != nil {
			return err
		}
	}
	*replies, err = b.answers(w.engine)
	return err
}

// answers returns the replies up to the limit.
func (b *Block) answers(e engine) ([]reply, error) {
	replies := make([]reply, 0, len(b.Questions))
	begun := time.Now()
	for i := range b.Questions {
		if b.Limit > 0 && i >= b.Least && time.Since(begun) > b.Limit {
			break
		}
		replies = append(replies, reply{})
		if err := replies[i].take(e, &b.Questions[i]); err != nil {
			return nil, err
		}
	}
	for first := true; time.Since(begun) < b.Busy; first = false {
		for i := range replies {
			if first {
				replies[i].Times = replies[i].Times[:0]
			}
			if err := replies[i].take(e, &b.Questions[i]); err != nil {
				return nil, err
			}
		}
	}
	return replies, nil
}

// take takes an engine's answer to a question.
func (r *reply) take(e engine, q *runtime.Query) (err error) {
	start := time.Now()
	r.Answer, err = e.Ask(q)
	r.Times = append(r.Times, time.Since(start))
	if err != nil {
		return fmt.Errorf("%q: %w", q.Text, err)
	}
	r.Answer.tell()
	return nil
}

// Heap answers a question and reports how much of Go's heap is in use then.
func (w *Worker) Heap(q *runtime.Query, bytes *int64) error {
	var replies []reply
	err := w.Ask(&Block{Questions: []runtime.Query{*q}}, &replies)
	var memory goruntime.MemStats
	goruntime.ReadMemStats(&memory)
	*bytes = int64(memory.HeapInuse)
	return err
}

// Build builds the engine's index, and reports time, memory and size.
func (w *Worker) Build(catalogue string, line *results.Line) error {
	source, err := os.Stat(catalogue)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := w.build(w.dir, catalogue); err != nil {
		return err
	}
	*line = results.Line{Key: results.Key{Suite: results.Build, Engine: w.name}, SourceBytes: source.Size(),
		Seconds: time.Since(start).Seconds()}
	if !w.server {
		if line.PeakRSS, err = peakRSS(); err != nil {
			return err
		}
	}
	return filepath.WalkDir(w.dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			line.IndexBytes += info.Size()
		}
		return err
	})
}

// peakRSS returns the peak memory of this process. The kernel's count in rusage would begin with that of the
// process that started this one.
func peakRSS() (kB int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	if _, scanErr := fmt.Sscanf(line, "%d kB", &kB); err == nil && scanErr != nil {
		err = errors.New("/proc/self/status: expected a line VmHWM: n kB")
	}
	return kB << 10, err
}

// A worker calls an engine in a process of its own.
type worker struct {
	*setup
	command *exec.Cmd
	client  *rpc.Client
}

// start starts this program as a worker for an engine whose folder is in dir.
func start(name, dir string) (*worker, error) {
	s, err := setupOf(name)
	if err != nil {
		return nil, err
	}
	return s.start(filepath.Join(dir, s.folder))
}

func (s *setup) start(folder string) (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, roleWorker, s.name, folder)
	command.Stderr = os.Stderr
	stdin, inErr := command.StdinPipe()
	stdout, outErr := command.StdoutPipe()
	if err := errors.Join(inErr, outErr, command.Start()); err != nil {
		return nil, err
	}
	return &worker{s, command, rpc.NewClient(pipes{stdout, stdin})}, nil
}

// call calls a method of Worker.
func (w *worker) call(method string, argument, result any) error {
	if err := w.client.Call("Worker."+method, argument, result); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	return nil
}

// end ends a worker.
func (w *worker) end() error { return errors.Join(w.client.Close(), w.command.Wait()) }
