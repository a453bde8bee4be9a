package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"sabine/bench/results"
	"sabine/bench/step"
)

const (
	serverCore  = "0"    // core of the measured engine
	clientCore  = "1"    // core of wrk
	bareCommand = "bare" // first argument that makes this program the bare handler
)

func (s *server) startAlone() *server {
	s.command = append([]string{"taskset", "-c", serverCore}, s.command...)
	s.env = []string{"GOMAXPROCS=1"}
	s.start()
	return s
}

// startSabine starts a server for a side's snapshots. The server counts every request in the default windows,
// but refuses none.
func (r *run) startSabine(s *side) *server {
	e := r.newSabine(s.name, s.snapshots, r.keys, "1000000000/1m,2000000000/24h",
		append(s.flags, "--rate-limit-state", r.path(s.name+".state"))...)
	e.command[0] = s.program
	return e.startAlone()
}

func (r *run) startBare(a *constant) *server {
	step.Check(os.WriteFile(r.path("answer.json"), step.Must(json.Marshal(a)), 0o600))
	s := r.newServer(results.Bare)
	s.command = []string{step.Must(os.Executable()), bareCommand, s.address, r.path("answer.json")}
	return s.startAlone()
}

// bare serves a constant answer until it is killed. It does not route, log, count or limit.
func bare(address, answerFile string) {
	var a constant
	step.Check(json.Unmarshal(step.Must(os.ReadFile(answerFile)), &a), answerFile)
	server := http.Server{ // has sabine's timeouts, which every public server needs
		Addr: address, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, Handler: &a,
	}
	step.Check(server.ListenAndServe())
}

func (a *constant) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	if len(a.Body) > 0 {
		_, _ = w.Write(a.Body) // wrk counts failed requests
	}
}

// script makes wrk send the requests in a file and print a line of JSON when it ends.
//
//go:embed wrk.lua
var script []byte

func (r *run) writeRequests(name string, requests []question) {
	var b bytes.Buffer
	for i := range requests {
		request := requests[i].request("localhost", r.accounts[0], "")
		request.Header.Set("User-Agent", "") // suppresses the header field
		step.Check(request.Write(&b))
	}
	step.Check(os.WriteFile(r.path("wrk.lua"), script, 0o600))
	step.Check(os.WriteFile(r.path(name+".requests"), b.Bytes(), 0o600))
}

// driveInTurn drives one engine after the other for a second each.
func (r *run) driveInTurn(engines []*server) (turns []results.Line) {
	for _, e := range engines {
		turns = append(turns, r.drive(e, time.Second))
	}
	return turns
}

// driveTogether drives engines at the same time, so that changes in the speed of the machine affect all of
// them. They share a core, so only their processor times can be compared.
func (r *run) driveTogether(engines []*server) []results.Line {
	turns := make([]results.Line, len(engines))
	var group errgroup.Group
	for i, e := range engines {
		group.Go(func() error { return step.Try(func() { turns[i] = r.drive(e, 2*time.Second) }) })
	}
	step.Check(group.Wait())
	return turns
}

// drive sends requests to an engine for one turn, over 32 connections with one request at a time on each.
func (r *run) drive(e *server, turn time.Duration) results.Line {
	before := r.cpu(e)
	c := exec.CommandContext(r, "taskset", "-c", clientCore, "wrk", "-t1", "-c32", "-d", turn.String(),
		"-s", r.path("wrk.lua"), "http://"+e.address, "--", r.path(e.name+".requests"))
	c.Stderr = os.Stderr
	out, err := c.Output()
	step.Check(err, e.name, "wrk", string(out))
	line, err := parseTurn(out, r.cpu(e)-before)
	step.Check(err, e.name)
	return line
}

// cpu returns the processor time that a server has used so far. Unlike requests per second, the processor
// time per request hardly depends on other programs on the machine.
func (r *run) cpu(e *server) time.Duration {
	const ticks = 100 // clock ticks per second in /proc
	stat := step.Must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", e.process.Pid)))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the name can contain blanks
	all := 0
	for _, field := range fields[11:13] { // user time and system time
		all += step.Must(strconv.Atoi(field))
	}
	return time.Duration(all) * time.Second / ticks
}

// parseTurn reads the last line that wrk printed. It returns an error if a request failed.
func parseTurn(out []byte, cpu time.Duration) (turn results.Line, err error) {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var printed struct {
		Requests, Errors int64
		US               int64 `json:"us"`
		P99              int64 `json:"p99_us"`
	}
	if err := json.Unmarshal(lines[len(lines)-1], &printed); err != nil || printed.US <= 0 {
		return turn, fmt.Errorf("wrk: expected a line of JSON at the end, got:\n%s", out)
	}
	if printed.Errors > 0 || printed.Requests == 0 {
		return turn, fmt.Errorf("wrk: %d of %d requests failed:\n%s", printed.Errors, printed.Requests, out)
	}
	return results.Line{PerSecond: float64(printed.Requests) / (float64(printed.US) / 1e6),
		P99: time.Duration(printed.P99) * time.Microsecond, CPU: cpu / time.Duration(printed.Requests)}, nil
}

func median(turns []results.Line) results.Line {
	return results.Line{PerSecond: medianOf(turns, func(l *results.Line) float64 { return l.PerSecond }),
		Seconds:    medianOf(turns, func(l *results.Line) float64 { return l.Seconds }),
		PeakRSS:    medianOf(turns, func(l *results.Line) int64 { return l.PeakRSS }),
		IndexBytes: medianOf(turns, func(l *results.Line) int64 { return l.IndexBytes }),
		P99:        medianOf(turns, func(l *results.Line) time.Duration { return l.P99 }),
		CPU:        medianOf(turns, func(l *results.Line) time.Duration { return l.CPU })}
}
