package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// script makes wrk send the requests of a file and print one line of JSON at the end.
//
//go:embed wrk.lua
var script []byte

// connections that wrk keeps open, each with one request on its way.
const connections = 32

// A round is what wrk measured in one run.
type round struct {
	perSecond float64
	p99       time.Duration
	cpu       time.Duration // that the engine took for a request
}

// A load is the files that wrk needs.
type load struct{ script, requests string }

func newLoad(dir string, requests []request) (load, error) {
	l := load{filepath.Join(dir, "wrk.lua"), filepath.Join(dir, "requests")}
	var b bytes.Buffer
	for _, r := range requests {
		b.WriteString(r.text())
	}
	if err := os.WriteFile(l.script, script, 0o600); err != nil {
		return l, err
	}
	return l, os.WriteFile(l.requests, b.Bytes(), 0o600)
}

// run sends requests to an engine for a time.
func (l load) run(ctx context.Context, e *engine, seconds int) (round, error) {
	before, err := e.cpu()
	if err != nil {
		return round{}, err
	}
	out, err := onCore(ctx, clientCore, "wrk", "-t1", "-c"+strconv.Itoa(connections), "-d"+strconv.Itoa(seconds)+"s",
		"-s", l.script, "http://"+e.address, "--", l.requests).Output()
	if err != nil {
		return round{}, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	after, err := e.cpu()
	if err != nil {
		return round{}, err
	}
	return parseRound(out, after-before)
}

// parseRound reads the last line that wrk printed. A round with a failed request says nothing and is an
// error.
func parseRound(out []byte, cpu time.Duration) (round, error) {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var said struct {
		Requests, Errors int64
		US               int64 `json:"us"`
		P99              int64 `json:"p99_us"`
	}
	if err := json.Unmarshal(lines[len(lines)-1], &said); err != nil || said.US <= 0 {
		return round{}, fmt.Errorf("wrk: expected a line of JSON at the end, got:\n%s", out)
	}
	if said.Errors > 0 || said.Requests == 0 {
		return round{}, fmt.Errorf("wrk: %d of %d requests failed:\n%s", said.Errors, said.Requests, out)
	}
	return round{
		perSecond: float64(said.Requests) / (float64(said.US) / 1e6),
		p99:       time.Duration(said.P99) * time.Microsecond,
		cpu:       cpu / time.Duration(said.Requests),
	}, nil
}

// median returns the middle of the rounds, of each figure on its own.
func median(rounds []round) round {
	var rates []float64
	var p99s, cpus []time.Duration
	for _, r := range rounds {
		rates, p99s, cpus = append(rates, r.perSecond), append(p99s, r.p99), append(cpus, r.cpu)
	}
	return round{middle(rates), middle(p99s), middle(cpus)}
}

// middle returns the median of a list that is not empty: the lower one of two. It sorts the list.
func middle[T float64 | time.Duration | int](list []T) T {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// onCore is a command that runs on one core and ends with the context.
func onCore(ctx context.Context, core int, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "taskset", slices.Concat([]string{"-c", strconv.Itoa(core), name}, args)...)
	c.Stderr = os.Stderr
	return c
}
