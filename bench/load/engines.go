package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sabine/bench/results"
)

// The cores: one for the engine that is measured, one for wrk.
const (
	serverCore = 0
	clientCore = 1
)

// startTime is how long an engine may take until it listens.
const startTime = time.Minute

// An engine is a running server.
type engine struct {
	name    string
	address string
	log     string // its standard error: sabine's access log
	process *exec.Cmd
}

// start runs a server on its core and waits until it listens.
func start(ctx context.Context, name, address, logFile string, command ...string) (*engine, error) {
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	e := &engine{name, address, logFile, onCore(ctx, serverCore, command[0], command[1:]...)}
	e.process.Env = append(os.Environ(), "GOMAXPROCS=1")
	e.process.Stderr = log
	if err := e.process.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return e, c.Close()
		}
	}
	said, _ := os.ReadFile(logFile)
	return nil, errors.Join(fmt.Errorf("%s does not listen on %s after %v: %s", name, address, startTime, said), e.stop())
}

// logged returns the parts of a request's line in sabine's log, see answer. The line comes some milliseconds
// after the answer.
func (e *engine) logged(id string) (parts [2]string, err error) {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		log, err := os.ReadFile(e.log)
		if err != nil {
			return parts, err
		}
		_, line, _ := strings.Cut(string(log), `"request_id":"`+id+`",`)
		before, rest, _ := strings.Cut(line, `"duration_ms":`)
		_, behind, _ := strings.Cut(rest, `"client":`)
		if behind, _, ended := strings.Cut(behind, "\n"); ended {
			return [2]string{before, `"client":` + behind}, nil
		}
	}
	return parts, fmt.Errorf("%s: expected a line of the request %s in %s", e.name, id, e.log)
}

// stop ends the server.
func (e *engine) stop() error {
	if err := e.process.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("%s ended by itself: %w", e.name, err)
	}
	_ = e.process.Wait() // the status is that of a signal
	return nil
}

// cpu returns the processor time that the server has taken so far. Unlike the requests of a second, what it
// takes for a request hardly depends on what else the machine does.
func (e *engine) cpu() (time.Duration, error) {
	const ticks = 100 // of /proc a second
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", e.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the name before may hold blanks
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticks, err
}

// freeAddress returns an address that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// unlimited is a policy whose every request is counted and none refused. It has the windows of the default.
const unlimited = "1000000000/1m,2000000000/24h"

// What a server finds in the folder of a run.
const (
	snapshotsName = "snapshots"
	keysName      = "keys.json"
)

// startSabine starts the server of the run's snapshots, with more flags than those that a measurement needs.
func (o *options) startSabine(ctx context.Context, address, name, dir string, flags ...string) (*engine, error) {
	command := []string{o.sabine, "serve", "--snapshots", filepath.Join(dir, snapshotsName), "--keys",
		filepath.Join(dir, keysName),
		"--rate-limit-state", filepath.Join(dir, name+".state"), "--addr", address, "--admin-addr", "127.0.0.1:0",
		"--account-limit", unlimited, "--public-limit", "1000000000/1m"}
	return start(ctx, name, address, filepath.Join(dir, name+".log"), append(command, flags...)...)
}

// startBeside starts the sabine that has other flags.
func (o *options) startBeside(ctx context.Context, address string, _ *answer, dir string) (*engine, error) {
	return o.startSabine(ctx, address, "beside", dir, strings.Fields(o.beside)...)
}

// startBare starts this program as the bare handler of an answer.
func startBare(ctx context.Context, address string, a *answer, dir string) (*engine, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "answer.json")
	text, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return start(ctx, results.Bare, address, filepath.Join(dir, "bare.log"), self, bareCommand, address, file,
		filepath.Join(dir, "bare-access.log"))
}

// The time of nginx's file and, for the empty file of a 304, the tag that nginx makes from time and size.
var nginxTime = time.Unix(1_000_000_000, 0)

const nginxTag = `"3b9aca00-0"`

// nginxConfig has one process that keeps the file open, answers every path with it, and logs what the others
// log.
const nginxConfig = `
daemon off;
master_process off;
%s
pid nginx.pid;
error_log stderr;
events {}
http {
	log_format line escape=none '{"time":"$time_iso8601","level":"INFO","msg":"request","request_id":"$request_id",'
		'%s"duration_ms":$request_time,"bytes":$body_bytes_sent,%s';
	access_log access.log line;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	open_file_cache max=16 inactive=1h;
	types {}
	default_type application/json;
	server {
		listen %s;
		location / {
			root .;
			rewrite ^ /body break;
			add_header X-Request-Id $request_id;
%s		}
	}
}
`

// startNginx starts nginx with an answer's body in a file.
func startNginx(ctx context.Context, address string, a *answer, dir string) (*engine, error) {
	body := filepath.Join(dir, "body")
	if err := os.WriteFile(body, a.Body, 0o600); err != nil {
		return nil, err
	}
	if err := os.Chtimes(body, nginxTime, nginxTime); err != nil {
		return nil, err
	}
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
	config := fmt.Sprintf(nginxConfig, user, a.Logged[0], a.Logged[1], address, fields.String())
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	return start(ctx, results.Nginx, address, filepath.Join(dir, "nginx.log"), "nginx", "-p", dir, "-c", file)
}
