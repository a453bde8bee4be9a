package check

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// deploy is the folder that is checked.
const deploy = ".."

// sabine returns the path of the built program.
func sabine(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../bin/sabine")
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("make build comes first: %v", err)
	}
	return path
}

// need returns the path of a tool. Without it the test is left out, but fails where nobody would read that.
func need(t *testing.T, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatalf("%s is not installed", tool)
	default:
		t.Skipf("NOT CHECKED: %s is not installed", tool)
	}
	return path
}

// run runs a program to its end and returns all that it printed.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A server is a running one on the sample catalogue.
type server struct {
	API   string // the URL of its site
	Admin string
}

// serve starts a server and waits until it is ready.
func serve(t *testing.T, command *exec.Cmd) server {
	t.Helper()
	s := start(t, command)
	await(t, s.Admin+"/readyz")
	return s
}

// start starts the program, by the command that is given, as a server on ports of the kernel's choice. It ends with the test.
func start(t *testing.T, command *exec.Cmd) server {
	t.Helper()
	command.Args = append(command.Args, "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	found, said := make(chan server, 1), new(strings.Builder)
	go func() {
		defer close(found)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			var line struct{ Msg, Explorer, Admin string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
				found <- server{strings.TrimSuffix(line.Explorer, "/"), line.Admin}
				_, _ = io.Copy(io.Discard, log)
				return
			}
			said.WriteString(lines.Text() + "\n")
		}
	}()
	select {
	case s, ok := <-found:
		if !ok {
			t.Fatalf("%s ended:\n%s", command, said)
		}
		return s
	case <-time.After(time.Minute):
		t.Fatalf("%s: not serving after a minute", command)
		return server{}
	}
}

// background starts a program that is ended with the test.
func background(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
}

// freeAddress returns an address of this machine that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// listening waits until somebody listens at an address.
func listening(t *testing.T, address string) {
	t.Helper()
	for range 600 {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("nobody listens at %s after half a minute", address)
}

// client takes any certificate: those here are signed by nobody.
var client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}

// await waits until a URL answers 200.
func await(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		if response, err := client.Get(url); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatalf("%s: no 200 within a minute", url)
}

// get returns the body of a URL.
func get(t *testing.T, url string) string {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, response.Status, err)
	}
	return string(body)
}

// settings returns the variables of the environment that some command takes.
var settings = sync.OnceValues(func() (map[string]bool, error) {
	names := map[string]bool{"SABINE_SIGN_PASSWORD": true} // of no flag, so that it stands in no list of processes
	all, err := exec.Command("../../bin/sabine", "--help").Output()
	for _, command := range regexp.MustCompile(`(?m)^   ([a-z]+) {2,}`).FindAllStringSubmatch(string(all), -1) {
		help, failure := exec.Command("../../bin/sabine", command[1], "--help").Output()
		if failure != nil {
			err = failure
		}
		for _, name := range regexp.MustCompile(`\$(SABINE_[A-Z_]+)`).FindAllStringSubmatch(string(help), -1) {
			names[name[1]] = true
		}
	}
	return names, err
})

func TestSettingsAreThoseOfTheProgram(t *testing.T) {
	sabine(t)
	known, err := settings()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = filepath.WalkDir(deploy, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry.Name() == "check" {
				return filepath.SkipDir
			}
			return err
		}
		for _, name := range regexp.MustCompile(`\bSABINE_[A-Z_]+`).FindAllString(read(t, path), -1) {
			found++
			if !known[name] && name != "SABINE_IMAGE" { // which compose.yaml has for itself
				t.Errorf("%s: no command takes %s", path, name)
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d settings found, %v", found, err)
	}
}

// accepts fails the test unless the program has the command and all flags of a command line.
func accepts(t *testing.T, where string, args ...string) {
	t.Helper()
	if out, err := exec.Command(sabine(t), append(args, "--help")...).CombinedOutput(); err != nil {
		t.Errorf("%s: sabine %s: %s", where, strings.Join(args, " "), out)
	}
}
