// Command confined runs a program in the parts of a systemd unit's sandbox that do not require root: only the
// system calls and sockets that the unit allows, and no memory that is both writable and executable.
//
//	confined UNIT PROGRAM [ARGUMENT...]
package main

import (
	"errors"
	"log"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

func main() {
	unit, program := os.Args[1], os.Args[2:]
	text, err := os.ReadFile(unit)
	check(err)
	settings := map[string][]string{}
	for _, match := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(string(text), -1) {
		settings[match[1]] = append(settings[match[1]], match[2])
	}
	if !slices.Equal(settings["MemoryDenyWriteExecute"], []string{"yes"}) {
		log.Fatalf("%s: expected MemoryDenyWriteExecute=yes", unit)
	}
	if !slices.Equal(settings["SystemCallErrorNumber"], []string{"EPERM"}) { // refused calls fail with EPERM
		log.Fatalf("%s: expected SystemCallErrorNumber=EPERM", unit)
	}
	calls := map[string]bool{}
	for _, line := range settings["SystemCallFilter"] {
		names, refused := strings.CutPrefix(line, "~")
		for _, call := range callsOf(strings.Fields(names)) {
			calls[call] = !refused
		}
	}
	info, err := arch.GetInfo("")
	check(err)
	group := seccomp.SyscallGroup{Action: seccomp.ActionAllow}
	for call, allowed := range calls { // some calls exist only on other processors
		if _, known := info.SyscallNames[call]; known && allowed && call != "socket" {
			group.Names = append(group.Names, call)
		}
	}
	families := map[string]uint64{
		"AF_INET": unix.AF_INET, "AF_INET6": unix.AF_INET6, "AF_UNIX": unix.AF_UNIX, "none": unix.AF_MAX,
	}
	for _, name := range strings.Fields(strings.Join(settings["RestrictAddressFamilies"], " ")) {
		family, ok := families[name]
		if !ok {
			log.Fatalf("%s: unsupported RestrictAddressFamilies=%s", unit, name)
		}
		group.NamesWithCondtions = append(group.NamesWithCondtions, seccomp.NameWithConditions{
			Name: "socket", Conditions: seccomp.ArgumentConditions{{Operation: seccomp.Equal, Value: family}},
		})
	}
	const mdwe, refuseExecGain = 65, 1 // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: Linux 6.3
	if err := unix.Prctl(mdwe, refuseExecGain, 0, 0, 0); !errors.Is(err, unix.EINVAL) {
		check(err)
	}
	policy := seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: []seccomp.SyscallGroup{group}}
	check(seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: policy}))
	check(syscall.Exec(program[0], program, os.Environ()))
}

// callsOf returns the system calls in a list of calls and sets. The names of sets begin with @.
func callsOf(names []string) (calls []string) {
	for _, name := range names {
		if !strings.HasPrefix(name, "@") {
			calls = append(calls, name)
			continue
		}
		out, err := exec.Command("systemd-analyze", "syscall-filter", "--no-pager", name).Output()
		check(err)
		_, set, _ := strings.Cut(regexp.MustCompile(`#.*`).ReplaceAllString(string(out), ""), "\n")
		calls = append(calls, callsOf(strings.Fields(set))...)
	}
	return calls
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
