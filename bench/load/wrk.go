package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"sabine/bench/trial"
)

// script makes wrk send the requests of a file and print one line of JSON at the end.
//
//go:embed wrk.lua
var script []byte

// connections that wrk keeps open, each with one request on its way.
const connections = "32"

// A round is what wrk measured in one run.
type round struct {
	perSecond float64
	p99       time.Duration
	cpu       time.Duration // that the engine took for a request
}

// writeRequests writes the files that wrk needs.
func (l *load) writeRequests(requests []request) {
	var b bytes.Buffer
	for _, r := range requests {
		b.WriteString(r.text())
	}
	l.Check(os.WriteFile(l.Path("wrk.lua"), script, 0o600))
	l.Check(os.WriteFile(l.Path("requests"), b.Bytes(), 0o600))
}

// drive sends the requests to an engine for a turn.
func (l *load) drive(e *trial.Server) round {
	before := l.cpu(e)
	c := exec.CommandContext(l, "taskset", "-c", clientCore, "wrk", "-t1", "-c", connections, "-d", turn.String(),
		"-s", l.Path("wrk.lua"), "http://"+e.Address, "--", l.Path("requests"))
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		l.Check(fmt.Errorf("%s: wrk: %w\n%s", e.Name, err, out))
	}
	r, err := parseRound(out, l.cpu(e)-before)
	l.Check(err)
	return r
}

// cpu returns the processor time that a server has taken so far. Unlike the requests of a second, what it
// takes for a request hardly depends on what else the machine does.
func (l *load) cpu(e *trial.Server) time.Duration {
	const ticks = 100 // of /proc a second
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", e.ID()))
	l.Check(err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the name before may hold blanks
	user, err := strconv.Atoi(fields[11])
	l.Check(err)
	system, err := strconv.Atoi(fields[12])
	l.Check(err)
	return time.Duration(user+system) * time.Second / ticks
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
	return round{trial.Quantile(rates, 0.5), trial.Quantile(p99s, 0.5), trial.Quantile(cpus, 0.5)}
}
