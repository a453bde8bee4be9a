package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// installed lays the units out as they are installed, but for the program, which is the built one.
func installed(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, as := range map[string]string{
		"sabine.service": "", "sabine-build.service": "", "sabine-build.timer": "", "fleet.conf": "sabine.service.d/fleet.conf",
	} {
		text := read(t, filepath.Join(deploy, "systemd", name))
		if as == "" {
			as = name
		}
		write(t, filepath.Join(folder, as), strings.ReplaceAll(text, "/usr/local/bin/sabine", sabine(t)))
	}
	return folder
}

func TestUnitsAreSystemds(t *testing.T) {
	analyze, folder := need(t, "systemd-analyze"), installed(t)
	t.Setenv("SYSTEMD_UNIT_PATH", folder+":")
	out := run(t, analyze, "verify", "--man=no", folder+"/sabine.service", folder+"/sabine-build.service", folder+"/sabine-build.timer")
	if out != "" { // what it only warns of is a fault too
		t.Error(out)
	}
	// In tenths, from 0 (closed) to 100 (open): what the units have today, so that nothing is opened unseen.
	for unit, most := range map[string]string{"sabine.service": "12", "sabine-build.service": "5"} {
		run(t, analyze, "security", "--offline=true", "--no-pager", "--threshold="+most, folder+"/"+unit)
	}
}

func TestUnitsCallTheProgram(t *testing.T) {
	for _, unit := range []string{"sabine.service", "sabine-build.service"} {
		for _, line := range settingsOf(t, unit, "ExecStart") {
			accepts(t, unit, strings.Fields(line)[1:]...)
		}
	}
}

// The server and a build have to live in the sandbox of their unit: each runs under the system calls that are left to it,
// without memory that is written and executed, and without other kinds of sockets.
func TestUnitsLetTheProgramLive(t *testing.T) {
	folder := t.TempDir()
	build := sandbox(t, "sabine-build.service", exec.Command(sabine(t), "build", "--sample", "--snapshots", folder, "--max-drop", "10"))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("a build: %v\n%s", err, out)
	}
	command := exec.Command(sabine(t), "serve", "--snapshots", folder, "--keys", folder+"/keys.json")
	command.Env = append(os.Environ(), "NOTIFY_SOCKET="+folder+"/notify", "WATCHDOG_USEC=2000000")
	notices, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: folder + "/notify", Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = notices.Close() }()
	s := serve(t, sandbox(t, "sabine.service", command))
	if body := get(t, s.API+"/api/public/search?q=holz"); !strings.Contains(body, `"total"`) {
		t.Errorf("a search: %s", body)
	}
	for _, want := range []string{"READY=1", "WATCHDOG=1"} { // Type=notify and WatchdogSec rely on them
		if err := notices.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		for b, got := make([]byte, 4096), ""; !strings.Contains(got, want); {
			n, err := notices.Read(b)
			if err != nil {
				t.Fatalf("systemd is not told %s: %v", want, err)
			}
			got = string(b[:n])
		}
	}
}

func TestSandboxRefuses(t *testing.T) {
	command := sandbox(t, "sabine.service", exec.Command(sabine(t), "version"))
	command.Env = append(command.Env, "CHECK_PROBE=1")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// settingsOf returns the values of a setting of a unit, in their order.
func settingsOf(t *testing.T, unit, name string) (values []string) {
	t.Helper()
	for _, match := range regexp.MustCompile(`(?m)^`+name+`=(.*)$`).FindAllStringSubmatch(read(t, filepath.Join(deploy, "systemd", unit)), -1) {
		values = append(values, match[1])
	}
	if len(values) == 0 {
		t.Fatalf("%s has no %s", unit, name)
	}
	return values
}

// A confinement is what a sandbox leaves to a program.
type confinement struct {
	Calls    []string // names of system calls
	Families []uint64 // of sockets
}

// sandbox returns a command that runs another as a unit confines it, as far as that needs no root.
func sandbox(t *testing.T, unit string, inside *exec.Cmd) *exec.Cmd {
	t.Helper()
	analyze := need(t, "systemd-analyze")
	if settingsOf(t, unit, "MemoryDenyWriteExecute")[0] != "yes" || settingsOf(t, unit, "SystemCallErrorNumber")[0] != "EPERM" {
		t.Fatalf("%s: the sandbox of this test is another", unit)
	}
	var c confinement
	calls := map[string]bool{}
	for _, line := range settingsOf(t, unit, "SystemCallFilter") {
		names, refused := strings.CutPrefix(line, "~")
		for _, name := range strings.Fields(names) {
			for _, call := range callsOf(t, analyze, name) {
				calls[call] = !refused
			}
		}
	}
	for call, allowed := range calls {
		if allowed {
			c.Calls = append(c.Calls, call)
		}
	}
	families := map[string]uint64{"AF_INET": unix.AF_INET, "AF_INET6": unix.AF_INET6, "AF_UNIX": unix.AF_UNIX, "none": unix.AF_MAX}
	for _, name := range strings.Fields(settingsOf(t, unit, "RestrictAddressFamilies")[0]) {
		family, ok := families[name]
		if !ok {
			t.Fatalf("%s: RestrictAddressFamilies: %s is unknown here", unit, name)
		}
		c.Families = append(c.Families, family)
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0], append([]string{inside.Path}, inside.Args[1:]...)...)
	command.Env = append(inside.Environ(), "CHECK_SANDBOX="+string(b))
	return command
}

// callsOf returns the system calls that a name of a filter stands for: itself, or those of a set and the sets in it.
func callsOf(t *testing.T, analyze, name string) (calls []string) {
	t.Helper()
	if !strings.HasPrefix(name, "@") {
		return []string{name}
	}
	for _, line := range strings.Split(run(t, analyze, "syscall-filter", "--no-pager", name), "\n")[1:] {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			calls = append(calls, callsOf(t, analyze, line)...)
		}
	}
	return calls
}

// sandboxed returns what this process was started to confine itself to, if it was.
func sandboxed() (c confinement, ok bool) {
	text, ok := os.LookupEnv("CHECK_SANDBOX")
	if ok && json.Unmarshal([]byte(text), &c) != nil {
		panic(text)
	}
	return c, ok
}

// enter confines this process and becomes the program that its arguments say. It returns only an error.
func enter(c confinement) error {
	info, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	c.Calls = slices.DeleteFunc(c.Calls, func(name string) bool { // those of other processors, and those with conditions below
		_, known := info.SyscallNames[name]
		return !known || name == "socket"
	})
	policy := seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: []seccomp.SyscallGroup{{Action: seccomp.ActionAllow, Names: c.Calls}}}
	for _, family := range c.Families {
		policy.Syscalls[0].NamesWithCondtions = append(policy.Syscalls[0].NamesWithCondtions, seccomp.NameWithConditions{
			Name: "socket", Conditions: seccomp.ArgumentConditions{{Argument: 0, Operation: seccomp.Equal, Value: family}},
		})
	}
	const mdwe, refuseExecGain = 65, 1 // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: Linux 6.3
	if err := unix.Prctl(mdwe, refuseExecGain, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("memory: %w", err)
	}
	if err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: policy}); err != nil {
		return fmt.Errorf("system calls: %w", err)
	}
	if os.Getenv("CHECK_PROBE") != "" {
		return probe()
	}
	return syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
}

// probe ends the process well when the sandbox refuses what it should.
func probe() error {
	if _, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("a netlink socket: expected EPERM, got %w", err)
	}
	if err := unix.Setuid(0); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("setuid: expected EPERM, got %w", err)
	}
	os.Exit(0)
	return nil
}
