//go:build amd64

package main_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A traced process waits for the test before each of its file system calls. A seccomp filter sends the calls
// of all threads to the test, one at a time and in order. This requires no privileges, but Linux 5.19.

// A call is a system call of a traced process on a path in the watched folder, before it is executed.
type call struct {
	name string // name such as fsync
	path string // path relative to the folder; "." is the folder
	to   string // target of a rename or link, relative to the folder
	file inode  // inode of an open file
	fd   int    // descriptor of an open file
	made *notification
	p    *traced
}

func (c call) String() string { return strings.TrimSpace(c.name + " " + c.path + " " + c.to) }

// A fate determines what happens to a call. The zero value executes the call.
type fate struct {
	kill  bool       // kill the process before the call
	errno unix.Errno // return this error without executing the call
	short bool       // write only half of the data, as on a disk that is nearly full
}

// A traced is a process whose file system calls the test controls.
type traced struct {
	folder   string // absolute path without symbolic links
	dir      string // working folder
	process  *exec.Cmd
	listener int
	answer   func(call) fate
}

// A shape contains argument indexes of a file system call: fd of a descriptor or of a path's folder, at of a
// path, to of the new path of a rename or link. The index is -1 if the call has no such argument.
type shape struct{ fd, at, to int }

var (
	byFD   = shape{0, -1, -1}
	byPath = shape{-1, 0, -1}
	byAt   = shape{0, 1, -1}
)

// fileCalls contains the calls before which a traced process waits for the test.
var fileCalls = map[int32]struct {
	name string
	shape
}{
	unix.SYS_OPENAT: {"open", byAt}, unix.SYS_OPEN: {"open", byPath}, unix.SYS_NEWFSTATAT: {"stat", byAt},
	unix.SYS_STATX: {"stat", byAt},
	unix.SYS_STAT:  {"stat", byPath}, unix.SYS_LSTAT: {"stat", byPath}, unix.SYS_FSTAT: {"stat", byFD},
	unix.SYS_READ: {"read", byFD}, unix.SYS_PREAD64: {"read", byFD}, unix.SYS_GETDENTS64: {"list", byFD},
	unix.SYS_LSEEK:      {"seek", byFD},
	unix.SYS_READLINKAT: {"readlink", byAt}, unix.SYS_MMAP: {"mmap", shape{4, -1, -1}}, unix.SYS_FLOCK: {"flock", byFD},
	unix.SYS_WRITE: {"write", byFD}, unix.SYS_PWRITE64: {"write", byFD}, unix.SYS_FTRUNCATE: {"truncate", byFD},
	unix.SYS_COPY_FILE_RANGE: {"write", shape{2, -1, -1}}, unix.SYS_SENDFILE: {"write", byFD},
	unix.SYS_FSYNC: {"fsync", byFD}, unix.SYS_FDATASYNC: {"fsync", byFD}, unix.SYS_CLOSE: {"close", byFD},
	unix.SYS_FCHMOD: {"chmod", byFD}, unix.SYS_FCHMODAT: {"chmod", byAt}, unix.SYS_FCHOWN: {"chown", byFD},
	unix.SYS_FCHOWNAT:  {"chown", byAt},
	unix.SYS_UTIMENSAT: {"utimes", byAt}, unix.SYS_UTIMES: {"utimes", byPath},
	unix.SYS_RENAMEAT: {"rename", shape{0, 1, 3}}, unix.SYS_RENAMEAT2: {"rename", shape{0, 1, 3}},
	unix.SYS_LINKAT:   {"link", shape{0, 1, 3}},
	unix.SYS_UNLINKAT: {"unlink", byAt}, unix.SYS_MKDIRAT: {"mkdir", byAt},
	unix.SYS_SYMLINKAT: {"symlink", shape{1, 2, -1}},
}

// notification and response are Linux's struct seccomp_notif and struct seccomp_notif_resp.
type notification struct {
	id         uint64
	tid, flags uint32
	number     int32
	arch       uint32
	pointer    uint64
	args       [6]uint64
}

type response struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

const goOn = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE

const tracedSetting = "TEST_TRACED"

func init() {
	if os.Getenv(tracedSetting) != "" {
		fmt.Fprintln(os.Stderr, becomeTraced())
		os.Exit(notPermitted)
	}
}

const notPermitted = 125 // exit status if the process may not create a listener

// becomeTraced sends the filter's listener to the test over descriptor 3. It then executes the program named
// by its arguments.
func becomeTraced() error {
	goruntime.LockOSThread()
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	program := []unix.SockFilter{load(0)} // number of the system call
	rest := uint8(len(fileCalls))
	for number := range fileCalls {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: rest,
			K: uint32(number)})
		rest--
	}
	program = append(program, unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF})
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	// WAIT_KILLABLE_RECV prevents signals from causing repeated calls.
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags,
		uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	var err error
	for err = unix.EINTR; errors.Is(err, unix.EINTR); {
		err = unix.Sendmsg(3, []byte{0}, unix.UnixRights(int(listener)), nil, 0)
	}
	if err != nil {
		unix.Exit(1) // an error message would block, because no process handles the write
	}
	unix.CloseOnExec(3)
	_ = os.Unsetenv(tracedSetting)
	return unix.Exec(os.Args[0], os.Args, os.Environ())
}

// start starts a prepared process as a traced process. The test binary installs the filter.
func (p *traced) start(t testing.TB) {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(pair[0]) }()
	theirs := os.NewFile(uintptr(pair[1]), "socket")
	if p.process.Path, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	p.process.ExtraFiles = []*os.File{theirs}
	p.process.Env = append(p.process.Env, tracedSetting+"=1", "GOMAXPROCS=1")
	err = p.process.Start()
	_ = theirs.Close()
	if err != nil {
		t.Fatal(err)
	}
	oob, n := make([]byte, unix.CmsgSpace(4)), 0
	for err = unix.EINTR; errors.Is(err, unix.EINTR); {
		_, n, _, _, err = unix.Recvmsg(pair[0], make([]byte, 1), oob, unix.MSG_CMSG_CLOEXEC)
	}
	messages, _ := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) == 0 {
		if end := p.process.Wait(); p.process.ProcessState.ExitCode() != notPermitted {
			t.Fatalf("the process is not traced: %v, %v", err, end)
		}
		t.Skip("NOT TESTED: faults of file system calls: this system permits no seccomp listener")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		t.Fatal(err)
	}
	p.listener = fds[0]
}

// serve handles the calls of the process until the process ends.
func (p *traced) serve() error {
	defer func() { _ = unix.Close(p.listener) }()
	ended := make(chan struct{})
	go func() {
		_ = p.process.Wait()
		close(ended)
	}()
	for {
		const pause = 100 // in milliseconds; needed because some systems do not report the end of the process
		poll := []unix.PollFd{{Fd: int32(p.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, pause); err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if poll[0].Revents&unix.POLLHUP != 0 {
			<-ended
		}
		select {
		case <-ended:
			return nil
		default:
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			continue
		}
		var n notification
		if errno := p.ioctl(unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)); errno != 0 {
			continue // the thread has ended
		}
		r := p.decide(&n)
		r.id = n.id
		_ = p.ioctl(unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r)) // fails if the thread has ended
	}
}

func (p *traced) ioctl(request uintptr, argument unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(p.listener), request, uintptr(argument))
	return errno
}

// decide lets the test decide a call in the folder. It executes all other calls.
func (p *traced) decide(n *notification) response {
	c, watched := p.describe(n)
	if !watched {
		return response{flags: goOn}
	}
	switch v := p.answer(c); {
	case v.kill:
		_ = p.process.Process.Kill()
		return response{errno: -int32(unix.EIO)} // the process ignores this error
	case v.errno != 0:
		return response{errno: -int32(v.errno)}
	case v.short && c.name == "write":
		return p.writeHalf(n)
	}
	return response{flags: goOn}
}

// describe returns a call with its path or file, and reports whether the path or file is in the folder.
func (p *traced) describe(n *notification) (call, bool) {
	kind := fileCalls[n.number]
	c := call{name: kind.name, fd: -1, made: n, p: p}
	dir := p.dir
	if kind.fd >= 0 && int32(n.args[kind.fd]) != unix.AT_FDCWD {
		link := fmt.Sprintf("/proc/%d/fd/%d", n.tid, int32(n.args[kind.fd]))
		c.path, _ = os.Readlink(link)
		dir = c.path
		if kind.at < 0 {
			c.fd, c.file = int(n.args[kind.fd]), inodeOf(link, 0)
		}
	}
	if kind.at >= 0 {
		c.path = resolve(dir, p.text(n, kind.at))
	}
	if kind.to >= 0 {
		c.to = resolve(p.dir, p.text(n, kind.to))
		c.to, _ = filepath.Rel(p.folder, c.to)
	}
	inside := c.path == p.folder || strings.HasPrefix(c.path, p.folder+"/")
	c.path, _ = filepath.Rel(p.folder, strings.TrimSuffix(c.path, " (deleted)"))
	return c, inside
}

func resolve(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// text reads a path from the memory of the process.
func (p *traced) text(n *notification, argument int) string {
	b := make([]byte, unix.PathMax)
	got, _ := p.memory(n, b, n.args[argument])
	text, _, _ := strings.Cut(string(b[:got]), "\x00")
	return text
}

func (p *traced) memory(n *notification, b []byte, at uint64) (int, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/mem", n.tid))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return file.ReadAt(b, int64(at))
}

// writeHalf writes the first half of a call's data and returns the number of bytes.
func (p *traced) writeHalf(n *notification) response {
	b := make([]byte, (n.args[2]+1)/2)
	failed := response{errno: -int32(unix.EIO)}
	if _, err := p.memory(n, b, n.args[1]); err != nil {
		return failed
	}
	pid, err := unix.PidfdOpen(p.process.Process.Pid, 0)
	if err != nil {
		return failed
	}
	defer func() { _ = unix.Close(pid) }()
	fd, err := unix.PidfdGetfd(pid, int(n.args[0]), 0)
	if err != nil {
		return failed
	}
	defer func() { _ = unix.Close(fd) }()
	var wrote int
	if n.number == unix.SYS_PWRITE64 {
		wrote, err = unix.Pwrite(fd, b, int64(n.args[3]))
	} else {
		wrote, err = unix.Write(fd, b)
	}
	if err != nil {
		return failed
	}
	return response{value: int64(wrote)}
}

// runTraced runs a command line in a folder. answer decides each file system call in the folder.
func runTraced(t testing.TB, dir string, answer func(call) fate, args ...string) (r result, killed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out, stderr strings.Builder
	p := &traced{folder: dir, dir: dir, answer: answer, process: command{dir: dir}.process(ctx, t, args)}
	p.process.Stdout, p.process.Stderr = &out, &stderr
	p.start(t)
	if err := p.serve(); err != nil {
		t.Error(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("sabine %s: it hangs\n%s", strings.Join(args, " "), &stderr)
	}
	checkLog(t, stderr.String())
	status, _ := p.process.ProcessState.Sys().(syscall.WaitStatus)
	return result{p.process.ProcessState.ExitCode(), out.String(), stderr.String()}, status.Signaled()
}
