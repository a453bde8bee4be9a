package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// The cores: one for the engine that is measured, one for wrk.
const (
	serverCore = "0"
	clientCore = "1"
)

// start runs a server on its core.
func (l *load) start(s *trial.Server, command ...string) *trial.Server {
	s.Command = append([]string{"taskset", "-c", serverCore}, command...)
	s.Env = []string{"GOMAXPROCS=1"}
	s.Start()
	return s
}

// startSabine starts the server of the run's snapshots, with more flags than those that a measurement needs.
// Every request is counted and none refused, in the windows of the default.
func (l *load) startSabine(name string, flags ...string) *trial.Server {
	s := l.NewSabine(l.sabine, name, append([]string{"--snapshots", l.Path("snapshots"), "--keys", l.Path("keys.json"),
		"--rate-limit-state", l.Path(name + ".state"), "--account-limit", "1000000000/1m,2000000000/24h",
		"--public-limit", "1000000000/1m"}, flags...)...)
	return l.start(s, s.Command...)
}

// startBare starts this program as the bare handler of an answer.
func (l *load) startBare(a *answer) *trial.Server {
	self, err := os.Executable()
	l.Check(err)
	text, err := json.Marshal(a)
	l.Check(err)
	l.Check(os.WriteFile(l.Path("answer.json"), text, 0o600))
	s := l.NewServer(results.Bare)
	return l.start(s, self, bareCommand, s.Address, l.Path("answer.json"), l.Path("bare-access.log"))
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
func (l *load) startNginx(a *answer) *trial.Server {
	l.Check(os.WriteFile(l.Path("body"), a.Body, 0o600))
	l.Check(os.Chtimes(l.Path("body"), nginxTime, nginxTime))
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
	s := l.NewServer(results.Nginx)
	config := fmt.Sprintf(nginxConfig, user, a.Logged[0], a.Logged[1], s.Address, fields.String())
	l.Check(os.WriteFile(l.Path("nginx.conf"), []byte(config), 0o600))
	return l.start(s, "nginx", "-p", l.Path(), "-c", l.Path("nginx.conf"))
}
