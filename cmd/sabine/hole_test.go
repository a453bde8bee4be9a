package main_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// A besieged is a server whose snapshots are damaged while it serves, with the valid responses.
type besieged struct {
	*server
	t      *testing.T
	folder string
	key    string
	newer  string // name of the file in CURRENT
	older  string
	whole  map[string][]byte // valid contents of both files, by name
	right  map[string]string // valid response bodies, by X-Snapshot and request
}

// mixed lists requests that run continuously. A request that begins with { is a message to /mcp.
var mixed = []string{
	"/v1/materials/panel-2", "/v1/materials/akustikpaneel-fichte-40?include=geometry",
	"/v1/materials/search?q=holz&facets=true&include=acoustics",
	"/v1/materials/search?absorption_min=500:0.3&sort=margin_desc", "/public/search?sort=name_asc&locale=en",
	"/v1/export", "/v1/export?format=csv",
	"/public/compare-products?id=panel-2,panel-10", "/public/reverberation?volume=180&surface=stahlbeton-glatt:64",
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_materials","arguments":{"query":"holz"}}}`,
}

// besiege starts a server for a folder with two generations and records the responses from both.
func besiege(t *testing.T, folder string) *besieged {
	b := &besieged{t: t, folder: folder, whole: map[string][]byte{}, right: map[string]string{}}
	dir := t.TempDir()
	build := func(inputs ...string) string {
		must(t, dir, append([]string{"build", "--snapshots", folder}, inputs...)...)
		name := strings.TrimSpace(readFile(t, filepath.Join(folder, "CURRENT")))
		b.whole[name] = []byte(readFile(t, filepath.Join(folder, name)))
		return name
	}
	writeFile(t, filepath.Join(dir, "more.ndjson"), product(t, 99, "Holzplatte"))
	b.older = build(catalogueFolder(t), filepath.Join(dir, "more.ndjson"))
	b.key = createKey(t, dir, "A")
	var err error
	if b.server, err = (command{dir: dir}).launch(t, append(generous, "--snapshots", folder, "--export-limit",
		"4000000/24h")...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.end)
	b.learn(b.older)
	b.newer = build(catalogueFolder(t))
	b.learn(b.newer)
	return b
}

// end ends the server and checks that it was alive. The log can contain errors.
func (b *besieged) end() {
	if b.hasEnded() {
		b.t.Errorf("the server has ended:\n%s", b.log)
		return
	}
	b.client.CloseIdleConnections()
	b.signal(b.t, syscall.SIGTERM)
	if <-b.ended; b.process.ProcessState.ExitCode() != 0 || strings.Contains(b.log.String(), "DATA RACE") {
		b.t.Errorf("the server ended with %v:\n%s", b.process.ProcessState, b.log)
	}
}

// learn records the responses from the generation in the named file.
func (b *besieged) learn(name string) {
	b.await("serves "+name, func() bool { return b.inForce() == name[:16] })
	for _, request := range mixed {
		status, snapshot, body, err := b.send(request)
		if err != nil || status != 200 || snapshot != name[:16] {
			b.t.Fatalf("%s: status %d of %s, %v", request, status, snapshot, err)
		}
		b.right[snapshot+request] = body
	}
}

// inForce returns the current generation, or "".
func (b *besieged) inForce() string {
	return b.get(b.t, "/public/search?page=9").header.Get("X-Snapshot")
}

func (b *besieged) await(what string, holds func() bool) {
	b.t.Helper()
	eventually(b.t, 10*soon, what, holds)
}

func (b *besieged) send(request string) (status int, snapshot, body string, err error) {
	method, target, message := http.MethodGet, b.base+request, ""
	if strings.HasPrefix(request, "{") {
		method, target, message = http.MethodPost, "/mcp", request
	}
	r, err := http.NewRequest(method, b.site+target, strings.NewReader(message))
	if err != nil {
		return 0, "", "", err
	}
	r.Header.Set("Authorization", "Bearer "+b.key)
	r.Header.Set("Content-Type", "application/json")
	resp, err := b.client.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("X-Snapshot"), string(text), err
}

// while sends each request at least once, repeats all requests while work runs, and counts the responses by
// kind. No complete response may be incorrect, unless tolerant is set. Set tolerant if numbers in an index
// are damaged: only the section checksum protects these numbers, so a response can be incorrect until the
// server has verified the file.
func (b *besieged) while(tolerant bool, work func()) (answered map[int]int) {
	answered = map[int]int{}
	var mu sync.Mutex
	var over atomic.Bool
	var senders sync.WaitGroup
	for first := range 2 { // each goroutine sends half of the requests
		senders.Go(func() {
			for n := first; n < len(mixed) || !over.Load(); n += 2 {
				request := mixed[n%len(mixed)]
				status, snapshot, body, err := b.send(request)
				mu.Lock()
				switch {
				case err != nil && strings.Contains(request, "export") && status == 200: // the stream was interrupted
					status = -1
				case err != nil:
					b.t.Errorf("%s: %v", request, err)
				case status == 200 && !tolerant && body != b.right[snapshot+request]:
					b.t.Errorf("%s: a wrong answer of %q: %.300s", request, snapshot, body)
				case status != 200 && status != 500 && status != 503 && !tolerant:
					b.t.Errorf("%s: status %d: %.300s", request, status, body)
				}
				answered[status]++
				mu.Unlock()
			}
		})
	}
	defer senders.Wait()
	defer over.Store(true)
	work()
	return answered
}

// restore replaces damaged files with valid files. It then waits until the newer file is current and its hash
// is verified. It does not replace valid files, because the server would then map the old file and would not
// detect later damage.
func (b *besieged) restore() {
	b.t.Helper()
	for name, content := range b.whole {
		path := filepath.Join(b.folder, name)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && readFile(b.t, path) == string(content) {
			continue
		}
		_ = os.RemoveAll(path)
		temporary := filepath.Join(b.folder, "whole")
		if err := os.WriteFile(temporary, content, 0o644); err != nil {
			b.t.Fatal(err)
		}
		if err := os.Rename(temporary, path); err != nil {
			b.t.Fatal(err)
		}
	}
	writeFile(b.t, filepath.Join(b.folder, "CURRENT"), b.newer+"\n")
	b.await("recovers", func() bool {
		_, ready := b.readiness(b.t)
		return ready.Get("status").String() == "ready" && ready.Get("hash").String()+".snapshot" == b.newer
	})
}

// TestTheFileUnderTheMapping repeatedly damages the current file in place during requests of every kind.
func TestTheFileUnderTheMapping(t *testing.T) {
	t.Parallel()
	b := besiege(t, filepath.Join(t.TempDir(), "snapshots"))
	write := func(at int64, content []byte) func(*os.File) error {
		return func(f *os.File) error { _, err := f.WriteAt(content, at); return err }
	}
	replaced := func(by func(path string) error) func(*os.File) error {
		return func(f *os.File) error {
			if err := os.Remove(f.Name()); err != nil || by == nil {
				return err
			}
			return by(f.Name())
		}
	}
	bodies := b.section(indexes.KindBodies)
	size := int64(len(b.whole[b.newer]))
	for _, tt := range []struct {
		rule     string
		do       func(f *os.File) error
		then     aftermath
		tolerant bool
	}{
		{"truncated to nothing", func(f *os.File) error { return f.Truncate(0) }, falls, false},
		{"truncated to nothing, the only one", func(f *os.File) error { return f.Truncate(0) }, ends, false},
		{"truncated to a page", func(f *os.File) error { return f.Truncate(4096) }, falls, false},
		{"truncated in the middle, the only one", func(f *os.File) error { return f.Truncate(size / 2 &^ 4095) }, ends, false},
		{"truncated by a byte", func(f *os.File) error { return f.Truncate(size - 1) }, falls, true},
		{"all bodies overwritten in place", write(bodies.Offset, make([]byte, bodies.Length)), falls, false},
		{"all bodies overwritten in place, the only one", write(bodies.Offset, make([]byte, bodies.Length)), ends, false},
		{"everything except the header overwritten in place", write(2048, bytes.Repeat([]byte{0x5a}, int(size-2048))), falls,
			true},
		{"grown", write(size, []byte("more")), falls, false},
		{"grown, alone", write(size, []byte("more")), ends, false},
		{"removed", replaced(nil), stays, false},
		{"replaced by a folder", replaced(func(path string) error { return os.Mkdir(path, 0o755) }), stays, false},
		{"replaced by a FIFO", replaced(func(path string) error { return unix.Mkfifo(path, 0o644) }), stays, false},
		{"replaced by a dangling link", replaced(func(path string) error {
			return os.Symlink("nowhere", path)
		}), stays, false},
		{"replaced by a circular link", replaced(func(path string) error {
			return os.Symlink(b.newer, path)
		}), stays, false},
		{"replaced by an empty file", replaced(func(path string) error {
			return os.WriteFile(path, nil, 0o644)
		}), stays, false},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			b.t = t
			b.restore()
			if tt.then == ends {
				if err := os.Remove(filepath.Join(b.folder, b.older)); err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.OpenFile(filepath.Join(b.folder, b.newer), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			answered := b.while(tt.tolerant, func() {
				if err := tt.do(f); err != nil {
					t.Fatal(err)
				}
				b.await("/readyz reports it", func() bool { return b.is(tt.then) })
			})
			after := b.while(false, func() {})
			t.Logf("answered %v, then %v", answered, after)
			if want := tt.then.status(); len(after) != 1 || after[want] == 0 {
				t.Errorf("once the damage is known: answered %v, want %d alone", after, want)
			}
		})
	}
	b.t = t
	b.restore()
}

// An aftermath is the effect of damage to the newer generation.
type aftermath int

const (
	stays aftermath = iota // it remains current, because its mapping is complete
	falls                  // the older generation becomes current
	ends                   // there is no other generation
)

// status returns the HTTP status of the following responses.
func (o aftermath) status() int { return [...]int{stays: 200, falls: 200, ends: 503}[o] }

// is reports whether /readyz and the responses are as expected for the aftermath.
func (b *besieged) is(o aftermath) bool {
	status, ready := b.readiness(b.t)
	inForce := [...]string{stays: b.newer[:16], falls: b.older[:16], ends: ""}[o]
	state := [...]string{stays: "degraded", falls: "degraded", ends: "waiting"}[o]
	known := o == stays || strings.Contains(b.log.String(), "the current snapshot is damaged")
	return status == o.status() && ready.Get("status").String() == state && b.inForce() == inForce && known
}

// section returns a row of the newer file's section table.
func (b *besieged) section(kind snapshot.Kind) snapshot.SectionInfo {
	f, err := snapshot.OpenBytes("whole", b.whole[b.newer])
	if err != nil {
		b.t.Fatal(err)
	}
	for _, s := range f.Sections() {
		if s.Kind == kind {
			return s
		}
	}
	b.t.Fatalf("no section %s", kind)
	return snapshot.SectionInfo{}
}

// mountDisk mounts a small file system in a folder and returns its image file. Without permission, it skips
// the test.
func mountDisk(t *testing.T, folder string) (image string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may mount")
	}
	image = filepath.Join(t.TempDir(), "image")
	for _, command := range [][]string{
		{"mkdir", "-p", folder}, {"truncate", "-s", "16M", image}, {"mkfs.ext4", "-q", image},
		{"mount", "-o", "loop", image, folder},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("a file system on a file cannot be mounted: %v: %v %s", command, err, out)
		}
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", folder).Run() })
	return image
}

// TestADiskThatFails tests a disk that is full, is removed or has read errors.
func TestADiskThatFails(t *testing.T) {
	t.Parallel()
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	folder := filepath.Join(t.TempDir(), "disk")
	image := mountDisk(t, folder)
	b := besiege(t, filepath.Join(folder, "snapshots"))
	steady := func(rule string, do, undo func()) {
		t.Helper()
		answered := b.while(false, func() { do(); time.Sleep(5 * time.Millisecond) })
		if answered[200] == 0 || len(answered) > 1 {
			t.Errorf("%s: answered %v", rule, answered)
		}
		undo()
		b.restore()
	}
	filler := filepath.Join(folder, "filler")
	steady("a full disk", func() {
		if err := exec.Command("dd", "if=/dev/zero", "of="+filler, "bs=4k").Run(); err == nil {
			t.Error("the disk never fills")
		}
		if r := sabine(t, b.dir, "build", "--snapshots", b.folder, "more.ndjson"); r.status != 1 ||
			!strings.Contains(r.err, "no space left") {
			t.Errorf("a build on a full disk: status %d, %s", r.status, r.err)
		}
	}, func() { run("rm", filler) })
	steady("an unmounted folder", func() {
		run("umount", "-l", folder)
		b.await("/readyz reports that CURRENT is missing", func() bool {
			_, ready := b.readiness(t)
			return ready.Get("status").String() == "degraded"
		})
	}, func() { run("mount", "-o", "loop", image, folder) })

	run("sync", "-f", b.folder)                   // unwritten data would remain in memory
	if err := os.Truncate(image, 0); err != nil { // every later read from the device fails
		t.Fatal(err)
	}
	answered := b.while(false, func() {
		b.pageOut()
		b.await("the fault is known", func() bool {
			return strings.Contains(b.log.String(), "the current snapshot is damaged")
		})
	})
	if answered[500] == 0 {
		t.Errorf("a device that gives errors: answered %v", answered)
	}
	t.Logf("a device that gives errors: answered %v", answered)
	run("umount", "-l", folder)
	mountDisk(t, folder)
	run("mkdir", b.folder)
	b.restore()
	b.while(false, func() { time.Sleep(5 * time.Millisecond) })
}

// pageOut removes the server's mapped pages from memory, so that they must be read again. Without permission,
// it skips the test.
func (b *besieged) pageOut() {
	b.t.Helper()
	process := b.process.Process.Pid
	fd, err := unix.PidfdOpen(process, 0)
	if err != nil {
		b.t.Skip("the memory of a process cannot be paged out: ", err)
	}
	defer func() { _ = unix.Close(fd) }()
	for line := range strings.Lines(readFile(b.t, fmt.Sprintf("/proc/%d/maps", process))) {
		var from, to uintptr
		if !strings.Contains(line, ".snapshot") {
			continue
		}
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			b.t.Fatal(err)
		}
		memory := unix.RemoteIovec{Base: from, Len: int(to - from)}
		if _, _, err := unix.Syscall6(unix.SYS_PROCESS_MADVISE, uintptr(fd), uintptr(unsafe.Pointer(&memory)), 1,
			unix.MADV_PAGEOUT, 0, 0); err != 0 {
			b.t.Skip("the memory of a process cannot be paged out: ", err)
		}
	}
}

var cuts = flag.Int("cuts", 1, "times that TestCommandsReportATruncatedFile cuts the file under each command")

// TestCommandsReportATruncatedFile checks that a command ends, successfully or with a message, if its file is
// truncated while it runs.
func TestCommandsReportATruncatedFile(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	name := current(t, dir)
	path := filepath.Join(dir, "snapshots", name)
	whole := []byte(readFile(t, path))
	intact := filepath.Join(dir, "intact.snapshot")
	writeFile(t, intact, string(whole))
	rng := rand.New(rand.NewPCG(16, 2))
	for _, args := range [][]string{
		{"verify", "--deep"}, {"inspect"}, {"search", "holz", "--explain"}, {"show", "panel-2"}, {"export"},
		{"export", "--format", "csv"},
		{"diff", intact, path}, {"diff", "--json", path, intact}, {"room", "--volume", "180", "--surface",
			"stahlbeton-glatt:64"},
		{"build", "--max-drop", "10", catalogueFolder(t)}, {"publish", "--store", "file://" + t.TempDir()},
	} {
		for range *cuts {
			replace(t, path, whole)
			p := command{dir: dir}.process(t.Context(), t, args)
			var stderr bytes.Buffer
			p.Stderr = &stderr
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(rng.Int64N(int64(60 * time.Millisecond))))
			if err := os.Truncate(path, int64(rng.IntN(len(whole)))&^4095); err != nil {
				t.Fatal(err)
			}
			_ = p.Wait()
			if status := p.ProcessState.ExitCode(); status != 0 &&
				(status != 1 || !strings.Contains(stderr.String(), "sabine: ")) {
				t.Errorf("%v: status %d: %s", args, status, &stderr)
			}
		}
	}
}
