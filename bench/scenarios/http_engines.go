package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"sabine/bench/results"
	"sabine/bench/step"
)

const (
	serverCore  = "0"    // of the engine that is measured
	clientCore  = "1"    // of wrk
	bareCommand = "bare" // the first argument with which this program starts itself as the bare handler
)

func (s *server) startAlone() *server {
	s.command = append([]string{"taskset", "-c", serverCore}, s.command...)
	s.env = []string{"GOMAXPROCS=1"}
	s.start()
	return s
}

// startSabine starts the server of the run's snapshots, with more flags than those that a measurement needs.
// Every request is counted and none refused, in the windows of the default.
func (r *run) startSabine(name string, flags ...string) *server {
	return r.newSabine(name, r.path("snapshots"), r.keys, "1000000000/1m,2000000000/24h",
		append(flags, "--rate-limit-state", r.path(name+".state"))...).startAlone()
}

func (r *run) startBare(a *constant) *server {
	step.Check(os.WriteFile(r.path("answer.json"), step.Must(json.Marshal(a)), 0o600))
	s := r.newServer(results.Bare)
	s.command = []string{step.Must(os.Executable()), bareCommand, s.address, r.path("answer.json"),
		r.path("bare-access.log")}
	return s.startAlone()
}

// The time of nginx's file and, for the empty file of a 304, the tag that nginx makes from time and size.
var nginxTime = time.Unix(1_000_000_000, 0)

const nginxTag = `"3b9aca00-0"`

// nginxConfig has one process that keeps the file open, answers every path with it, and logs what the others
// log.
//
//go:embed nginx.conf
var nginxConfig string

func (r *run) startNginx(a *constant) *server {
	step.Check(os.WriteFile(r.path("body"), a.Body, 0o600))
	step.Check(os.Chtimes(r.path("body"), nginxTime, nginxTime))
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;" // else it could not read the folder
	}
	var fields strings.Builder
	for name, values := range a.Header {
		switch name {
		case "Content-Type", "Content-Length", "Etag": // nginx makes its own
		default:
			fmt.Fprintf(&fields, "\t\t\tadd_header %s '%s';\n", name, values[0])
		}
	}
	s := r.newServer(results.Nginx)
	config := fmt.Sprintf(nginxConfig, user, a.Logged[0], a.Logged[1], s.address, fields.String())
	step.Check(os.WriteFile(r.path("nginx.conf"), []byte(config), 0o600))
	s.command = []string{"nginx", "-p", r.path(), "-c", r.path("nginx.conf")}
	return s.startAlone()
}

// bare serves a constant answer until it is killed. It does what every handler with this contract has to do
// and no more: a route, the header fields without a detour, a request's id of its own, one line of access
// log.
func bare(address, answerFile, logFile string) {
	var a constant
	step.Check(json.Unmarshal(step.Must(os.ReadFile(answerFile)), &a), answerFile)
	file := step.Must(os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600))
	uuid.EnableRandPool()  // as cheap as sabine's, which need no system call
	server := http.Server{ // with sabine's limits: nobody serves without any
		Addr: address, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute,
		Handler:     bareHandler(&a, bufio.NewWriterSize(file, 32<<10)), // lines many at a time, as sabine does
	}
	step.Check(server.ListenAndServe())
}

func bareHandler(a *constant, to io.Writer) http.Handler {
	lines, router := log.New(to, "", 0), httprouter.New()
	for _, path := range []string{detailPath + ":id", public + "search"} {
		router.GET(path, func(w http.ResponseWriter, _ *http.Request, _ httprouter.Params) { a.write(w, lines) })
	}
	return router
}

func (a *constant) write(w http.ResponseWriter, lines *log.Logger) {
	began := time.Now()
	id := uuid.NewString()
	h := w.Header()
	for name, values := range a.Header {
		h[name] = values
	}
	h["X-Request-Id"] = []string{id}
	w.WriteHeader(a.Status)
	if len(a.Body) > 0 {
		_, _ = w.Write(a.Body) // a client that has gone away is counted by wrk
	}
	line := make([]byte, 0, 320)
	line = began.AppendFormat(append(line, `{"time":"`...), time.RFC3339Nano)
	line = append(append(line, `","level":"INFO","msg":"request","request_id":"`...), id...)
	line = append(append(line, `",`...), a.Logged[0]...)
	took := float64(time.Since(began).Microseconds()) / 1000
	line = strconv.AppendFloat(append(line, `"duration_ms":`...), took, 'f', -1, 64)
	line = strconv.AppendInt(append(line, `,"bytes":`...), int64(len(a.Body)), 10)
	lines.Print(string(append(append(line, ','), a.Logged[1]...)))
}

// script makes wrk send the requests of a file and print one line of JSON at the end.
//
//go:embed wrk.lua
var script []byte

func (r *run) writeRequests(requests []question) {
	var b bytes.Buffer
	for i := range requests {
		request := requests[i].request("localhost", r.accounts[0], "")
		request.Header.Set("User-Agent", "") // none
		step.Check(request.Write(&b))
	}
	step.Check(os.WriteFile(r.path("wrk.lua"), script, 0o600))
	step.Check(os.WriteFile(r.path("requests"), b.Bytes(), 0o600))
}

// drive sends the requests to an engine for a turn, over 32 connections with one request on its way each.
func (r *run) drive(e *server) results.Line {
	before := r.cpu(e)
	c := exec.CommandContext(r, "taskset", "-c", clientCore, "wrk", "-t1", "-c32", "-d1s", "-s", r.path("wrk.lua"),
		"http://"+e.address, "--", r.path("requests"))
	c.Stderr = os.Stderr
	out, err := c.Output()
	step.Check(err, e.name, "wrk", string(out))
	turn, err := parseTurn(out, r.cpu(e)-before)
	step.Check(err, e.name)
	return turn
}

// cpu returns the processor time that a server has taken so far. Unlike the requests of a second, what it
// takes for a request hardly depends on what else the machine does.
func (r *run) cpu(e *server) time.Duration {
	const ticks = 100 // of /proc a second
	stat := step.Must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", e.process.Pid)))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the name before may hold blanks
	all := 0
	for _, field := range fields[11:13] { // of the program, of the system for it
		all += step.Must(strconv.Atoi(field))
	}
	return time.Duration(all) * time.Second / ticks
}

// parseTurn reads the last line that wrk printed. A turn with a failed request says nothing and is an error.
func parseTurn(out []byte, cpu time.Duration) (turn results.Line, err error) {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var said struct {
		Requests, Errors int64
		US               int64 `json:"us"`
		P99              int64 `json:"p99_us"`
	}
	if err := json.Unmarshal(lines[len(lines)-1], &said); err != nil || said.US <= 0 {
		return turn, fmt.Errorf("wrk: expected a line of JSON at the end, got:\n%s", out)
	}
	if said.Errors > 0 || said.Requests == 0 {
		return turn, fmt.Errorf("wrk: %d of %d requests failed:\n%s", said.Errors, said.Requests, out)
	}
	return results.Line{PerSecond: float64(said.Requests) / (float64(said.US) / 1e6),
		P99: time.Duration(said.P99) * time.Microsecond, CPU: cpu / time.Duration(said.Requests)}, nil
}

// median returns the middle of the turns, of each figure on its own.
func median(turns []results.Line) results.Line {
	return results.Line{PerSecond: medianOf(turns, func(l *results.Line) float64 { return l.PerSecond }),
		P99: medianOf(turns, func(l *results.Line) time.Duration { return l.P99 }),
		CPU: medianOf(turns, func(l *results.Line) time.Duration { return l.CPU })}
}
