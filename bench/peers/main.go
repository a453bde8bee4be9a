package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/dataset/synthetic"
	"sabine/runtime"
)

type options struct {
	products int
	engines  []string // engines in the first table
	own      []string // engines in the second table, sabine first; empty to omit the table
	results  string   // file to which results are appended
	judged   bool     // whether to run only the judged collections
}

func main() {
	err := step.Try(func() {
		if len(os.Args) == 4 && os.Args[1] == roleWorker {
			serve(os.Args[2], os.Args[3])
		} else {
			o := step.Must(parseOptions(os.Args[1:]))
			o.run()
		}
	})
	if err != nil {
		log.Fatalln("peers:", err)
	}
}

func parseOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("peers", flag.ExitOnError)
	flags.IntVar(&o.products, "products", 10_000, "`number` of products to generate")
	engines := flags.String("engines", "sabine,bleve,sqlite,postgres",
		"`names` of engines of the first table, separated by commas; with sabine only, there is no second table")
	flags.BoolVar(&o.judged, "judged", false,
		"run only the judged collections of bench/quality, with the engines of the second table")
	flags.StringVar(&o.results, "results", "", "`file` to which results are appended as JSON lines")
	_ = flags.Parse(args) // exits on an error
	if flags.NArg() > 0 {
		return o, fmt.Errorf("expected only flags, got %q", flags.Arg(0))
	}
	o.engines = strings.Split(*engines, ",")
	for i, name := range o.engines {
		if s := setupOf(name); s == nil || s.own || s.open == nil || (i == 0) != (name == results.Sabine) {
			return o, fmt.Errorf(
				"engines %q: expected sabine first, and then any of bleve, sqlite, postgres", *engines)
		}
	}
	if len(o.engines) > 1 {
		o.own = []string{results.Sabine}
		for _, s := range setups {
			if s.own {
				o.own = append(o.own, s.name)
			}
		}
	}
	return o, nil
}

func (o *options) run() {
	dir := step.Must(os.MkdirTemp("", "sabine-peers"))
	defer os.RemoveAll(dir)
	step.Check(os.Chmod(dir, 0o755)) // allows the user postgres to read the folder
	catalogue := filepath.Join(dir, "catalogue.ndjson")
	generate(catalogue, o.products)
	file := step.Must(results.Append(o.results))
	defer file.Close()
	if judge(dir, o.own, file); o.judged {
		return
	}
	for _, name := range slices.Concat(o.engines, o.own) {
		build(name, dir, catalogue, file)
	}
	p := newPanel(dir, catalogue, file)
	p.measure(results.Search, o.engines)
	p.measure(results.Own, o.own)
	p.open(catalogue)
}

// build builds an engine's index in a separate process, unless its folder is already built.
func build(name, dir, catalogue string, file *results.File) {
	folder := filepath.Join(dir, setupOf(name).folder)
	if _, err := os.Stat(folder); err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "building", name)
	step.Check(os.MkdirAll(folder, 0o755))
	w := start(name, dir)
	defer w.end()
	var line results.Line
	w.call("Build", catalogue, &line)
	step.Check(file.Add(line))
}

func generate(path string, products int) {
	f := step.Must(os.Create(path))
	step.Check(errors.Join(synthetic.Generate(f, products, queries.Seed), f.Close()))
}

const (
	roleWorker      = "worker" // first argument of a worker process, before the engine's name and folder
	serverGCPercent = 400      // GOGC of sabine serve, used for every engine written in Go
)

// A Worker is an engine in a separate process. Its methods are remote procedures, called over standard input
// and output.
type Worker struct {
	*setup
	dir    string
	engine engine // nil before the first question
	heap   int64  // largest heap in use, set by Heap
}

// serve executes calls until the caller closes the connection.
func serve(name, dir string) {
	w := &Worker{setup: setupOf(name), dir: dir}
	step.Check(rpc.Register(w))
	rpc.ServeConn(pipes{os.Stdin, os.Stdout})
	if w.engine != nil {
		step.Check(w.engine.Close())
	}
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// A Block contains questions that are answered one after the other and repeatedly, as by a server under load,
// whose data are in the processor's caches. Earlier engines have displaced these data from the caches.
type Block struct {
	Questions []runtime.Query
	Least     int           // number of questions that are answered regardless of Limit
	Limit     time.Duration // time after which no further question starts; 0 for no limit
	Busy      time.Duration // time during which the questions are repeated; if they are, the first times do not count
}

// A reply contains an answer and its times, which exclude communication between the processes.
type reply struct {
	Answer answer
	Times  []time.Duration
}

// Ask answers a block. The first call opens the engine.
func (w *Worker) Ask(b *Block, replies *[]reply) error {
	return step.Try(func() {
		if w.engine == nil {
			debug.SetGCPercent(serverGCPercent)
			w.engine = w.open(w.dir)
		}
		*replies = b.answers(w.engine)
	})
}

func (b *Block) answers(e engine) []reply {
	replies := make([]reply, 0, len(b.Questions))
	begun := time.Now()
	for i := range b.Questions {
		if b.Limit > 0 && i >= b.Least && time.Since(begun) > b.Limit {
			break
		}
		replies = append(replies, reply{})
		replies[i].take(e, &b.Questions[i])
	}
	for first := true; time.Since(begun) < b.Busy; first = false {
		for i := range replies {
			if first {
				replies[i].Times = replies[i].Times[:0]
			}
			replies[i].take(e, &b.Questions[i])
		}
	}
	return replies
}

func (r *reply) take(e engine, q *runtime.Query) {
	start := time.Now()
	r.Answer = e.Ask(q)
	r.Times = append(r.Times, time.Since(start))
	r.Answer.countFacets()
}

// Heap answers questions and returns the largest heap in use after any question so far.
func (w *Worker) Heap(questions []runtime.Query, largest *int64) error {
	for _, q := range questions {
		if err := w.Ask(&Block{Questions: []runtime.Query{q}}, new([]reply)); err != nil {
			return err
		}
		var memory goruntime.MemStats
		goruntime.ReadMemStats(&memory)
		w.heap = max(w.heap, int64(memory.HeapInuse))
	}
	*largest = w.heap
	return nil
}

func (w *Worker) Build(catalogue string, line *results.Line) error {
	return step.Try(func() {
		start := time.Now()
		w.build(w.dir, catalogue)
		*line = results.Line{Key: results.Key{Suite: results.Build, Engine: w.name}, Seconds: time.Since(start).Seconds(),
			SourceBytes: sizeOf(catalogue), IndexBytes: sizeOf(w.dir)}
		if !w.server {
			// The maximum in rusage would include the process that started this one.
			_, peak, _ := strings.Cut(string(step.Must(os.ReadFile("/proc/self/status"))), "VmHWM:")
			_, err := fmt.Sscanf(peak, "%d kB", &line.PeakRSS)
			step.Check(err, "/proc/self/status: expected a line VmHWM: n kB")
			line.PeakRSS <<= 10
		}
	})
}

func sizeOf(path string) (bytes int64) {
	step.Check(filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if step.Check(err); entry.Type().IsRegular() {
			bytes += step.Must(entry.Info()).Size()
		}
		return nil
	}))
	return bytes
}

// A worker calls an engine in a separate process.
type worker struct {
	*setup
	command *exec.Cmd
	client  *rpc.Client
}

// start starts this program as a worker for an engine whose index is in a folder inside dir.
func start(name, dir string) *worker {
	s := setupOf(name)
	command := exec.Command(step.Must(os.Executable()), roleWorker, name, filepath.Join(dir, s.folder))
	command.Stderr = os.Stderr
	stdin, stdout := step.Must(command.StdinPipe()), step.Must(command.StdoutPipe())
	step.Check(command.Start())
	return &worker{s, command, rpc.NewClient(pipes{stdout, stdin})}
}

func (w *worker) call(method string, argument, result any) {
	step.Check(w.client.Call("Worker."+method, argument, result), w.name)
}

func (w *worker) end() { step.Check(errors.Join(w.client.Close(), w.command.Wait()), w.name) }
