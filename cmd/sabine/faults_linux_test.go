//go:build amd64

package main_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// An outcome is the result of an action that ran without a fault.
type outcome struct {
	calls    []call
	old, new string
	after    []string   // tree after the action
	mended   [][]string // trees and states that the next run has repaired
}

// trace runs an action without a fault. It simulates a power failure at each of the action's calls.
func (a action) trace(t *testing.T, w *workshop) (o outcome) {
	t.Helper()
	dir := w.copy(t, a.needs)
	o.old = a.must(t, dir)
	d := newDisk(t, dir)
	var states []map[string]string
	r, _ := runTraced(t, dir, func(c call) fate {
		o.calls = append(o.calls, c)
		d.note(c, fate{})
		states = append(states, d.left()...)
		return fate{}
	}, a.arguments(dir)...)
	if r.status != a.status {
		t.Fatalf("status %d, want %d: %s", r.status, a.status, r.err)
	}
	o.new, o.after = a.must(t, dir), tree(t, dir)
	if got, want := a.changes(o.calls), a.order(); want != nil && !slices.Equal(got, want) {
		t.Errorf("%s changes\n%s\nwant\n%s", a.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	d.recordNames()
	a.checkPower(t, append(states, d.left()...), o.old, o.new)
	a.checkPower(t, d.left()[:1], o.new, o.new)
	return o
}

// orders contains the required orders of changes for some actions, in the format of changes. A file is
// written, synced and renamed, and its folder is synced. Only then is CURRENT written. Files that CURRENT may
// have named are removed last.
var orders = map[string]string{
	"build": `
		unlink .building-*.spill
		write .building-*.spill
		write .building-*.snapshot
		fsync .building-*.snapshot
		rename .building-*.snapshot H.snapshot
		fsync
		unlink .building-*.snapshot
		write .H.report.json*
		fsync .H.report.json*
		rename .H.report.json* H.report.json
		write .CURRENT*
		fsync .CURRENT*
		rename .CURRENT* CURRENT
		fsync
		unlink H.report.json
		unlink H.snapshot
		unlink H.report.json
		unlink H.snapshot
		fsync
		write .H.report.json*
		fsync .H.report.json*
		rename .H.report.json* H.report.json`,
	"publish": `
		fsync
		write .H.snapshot*
		fsync .H.snapshot*
		rename .H.snapshot* H.snapshot
		fsync
		write .H.report.json*
		fsync .H.report.json*
		rename .H.report.json* H.report.json
		fsync
		write .H.from-H.patch*
		fsync .H.from-H.patch*
		rename .H.from-H.patch* H.from-H.patch
		fsync
		write .CURRENT*
		fsync .CURRENT*
		rename .CURRENT* CURRENT
		fsync
		unlink H.report.json
		unlink H.snapshot`,
	"pull": `
		write .building-*.snapshot
		fsync .building-*.snapshot
		rename .building-*.snapshot H.snapshot
		fsync
		unlink .building-*.snapshot
		write .H.report.json*
		fsync .H.report.json*
		rename .H.report.json* H.report.json
		write .MIRROR.json*
		fsync .MIRROR.json*
		rename .MIRROR.json* MIRROR.json
		write .CURRENT*
		fsync .CURRENT*
		rename .CURRENT* CURRENT
		fsync`,
	"revoke": `
		write .keys.json*
		fsync .keys.json*
		rename .keys.json* keys.json
		fsync`,
}

// order returns the required order of the action's changes, or nil.
func (a action) order() (lines []string) {
	for line := range strings.Lines(orders[a.name]) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// changes returns the order in which calls change data or make data durable. H stands for a hash, and * for
// the digits in a temporary name. Consecutive equal changes are returned once.
func (a action) changes(calls []call) (order []string) {
	folder := a.folder
	if strings.HasSuffix(folder, ".json") {
		folder = filepath.Dir(folder)
	}
	for _, c := range calls {
		path, err := filepath.Rel(folder, c.path)
		if err != nil || strings.HasPrefix(path, "..") || strings.HasSuffix(path, ".lock") ||
			!slices.Contains(changing, c.name) {
			continue
		}
		line := c.name
		for _, path := range []string{c.path, c.to} {
			if path != folder && path != "" {
				line += " " + random.ReplaceAllString(anyHash.ReplaceAllString(filepath.Base(path), "H"), "$1*$2")
			}
		}
		order = append(order, line)
	}
	return slices.Compact(order)
}

// changing lists the calls that change data or make data durable.
var changing = []string{"write", "fsync", "rename", "link", "unlink", "mkdir"}

var anyHash = regexp.MustCompile(`[0-9a-f]{64}`)

// checkPower checks that a power failure leaves one of two states in each view.
func (a action) checkPower(t *testing.T, views []map[string]string, old, now string) {
	t.Helper()
	seen := map[string]bool{}
	for _, view := range views {
		maps.DeleteFunc(view, func(path, _ string) bool { return path != a.folder && !strings.HasPrefix(path, a.folder+"/") })
		key := fmt.Sprint(view)
		if seen[key] {
			continue
		}
		seen[key] = true
		dir, err := os.MkdirTemp(work, "")
		if err != nil {
			t.Fatal(err)
		}
		for path, content := range view {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, path), content)
		}
		if state, err := a.state(filepath.Join(dir, a.folder)); err != nil || state != old && state != now {
			t.Errorf("%s: a loss of power may leave %q, %v, want %q or %q, of\n%s", a.name, state, err, old, now,
				strings.Join(tree(t, dir), "\n"))
		}
		_ = os.RemoveAll(dir)
	}
}

func (f fate) String() string {
	switch {
	case f.kill:
		return "killed"
	case f.short:
		return "cut short"
	}
	return f.errno.Error()
}

// A trial is a fault at one of an action's calls. The first call has number 1.
type trial struct {
	at   int
	call call
	fate fate
}

// takesRoom lists calls that fail on a full disk. interrupted lists calls that a signal can interrupt.
var (
	takesRoom   = []string{"open", "write", "fsync", "close", "rename", "link", "mkdir"}
	interrupted = []string{"open", "read", "write", "fsync", "flock"}
)

// trials returns each fault at each call. Of consecutive equal calls, such as section writes, it includes
// only the first two and the last.
func (o *outcome) trials() (all []trial) {
	same := func(i, j int) bool {
		return i >= 0 && j < len(o.calls) && o.calls[i].name == o.calls[j].name && o.calls[i].file == o.calls[j].file &&
			o.calls[i].path == o.calls[j].path
	}
	var names []string
	for i, c := range o.calls {
		if same(i-2, i) && same(i-1, i) && same(i, i+1) {
			continue
		}
		fates := []fate{{kill: true}}
		room := slices.Contains(takesRoom, c.name)
		// a real close closes the file even if it fails; a simulated failure would leave the file locked
		if c.name != "close" || !strings.HasSuffix(c.path, ".lock") {
			fates = append(fates, fate{errno: unix.EIO})
			if room {
				fates = append(fates, fate{errno: unix.ENOSPC})
			}
		}
		if c.name == "write" {
			fates = append(fates, fate{short: true})
		}
		if !slices.Contains(names, c.name) {
			names = append(names, c.name)
			if room {
				fates = append(fates, fate{errno: unix.EDQUOT})
			}
			if slices.Contains(interrupted, c.name) {
				fates = append(fates, fate{errno: unix.EINTR})
			}
		}
		for _, f := range fates {
			all = append(all, trial{i + 1, c, f})
		}
	}
	return all
}

// try executes a trial. It checks the files and the message of the process, and that the next run repairs the
// damage.
func (a action) try(t *testing.T, w *workshop, o *outcome, tr trial) {
	dir := w.copy(t, a.needs)
	d := newDisk(t, dir)
	calls, met := 0, call{}
	r, killed := runTraced(t, dir, func(c call) fate {
		now := fate{}
		if calls++; calls == tr.at {
			met, now = c, tr.fate
		}
		d.note(c, now)
		return now
	}, a.arguments(dir)...)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, %v at call %d, %v: %s\nstatus %d, killed %v, %s%s", a.name, tr.fate, tr.at, met,
			fmt.Sprintf(format, args...), r.status, killed, r.out, r.err)
	}
	if calls < tr.at {
		return // the earlier calls were completed in fewer steps
	}
	state, err := a.state(filepath.Join(dir, a.folder))
	if err != nil || state != o.old && state != o.new {
		fail("the state is %q, %v, want %q or %q", state, err, o.old, o.new)
	}
	d.recordNames()
	a.checkPower(t, d.left(), o.old, o.new)
	switch harmless := tr.fate.short || tr.fate.errno == unix.EINTR; {
	case killed != tr.fate.kill:
		fail("it was to be killed")
	case killed:
	case r.status == a.status:
		if state != o.new {
			fail("it reports success")
		}
		a.checkPower(t, d.left()[:1], o.new, o.new)
	case harmless || r.status != 1:
		fail("it does not go on, or panics")
	case !strings.Contains(r.err, tr.fate.errno.Error()):
		fail("it does not say what has failed")
	case r.out != "" && state == o.old:
		fail("it prints what is not so")
	}
	left := append(tree(t, dir), state)
	if !slices.ContainsFunc(o.mended, func(before []string) bool {
		return slices.Equal(before, left)
	}) || len(d.left()) > 1 {
		o.mended = append(o.mended, left)
		a.mend(t, dir, d, o, fail)
	}
}

// mend runs an action again after a fault. It checks that the result is the same as without the fault.
func (a action) mend(t *testing.T, dir string, d *disk, o *outcome, fail func(string, ...any)) {
	t.Helper()
	again, _ := runTraced(t, dir, func(c call) fate {
		d.note(c, fate{})
		return fate{}
	}, a.arguments(dir)...)
	if again.status != a.status {
		fail("the next one fails as well: %+v", again)
	}
	if got := a.settled(tree(t, dir)); !slices.Equal(got, a.settled(o.after)) {
		fail("after the next run, the folder has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(o.after, "\n"))
	}
	d.recordNames()
	state := a.must(t, dir)
	if state == o.old && o.new != o.old { // a second key leads to an unexpected state
		fail("the next run reports success")
	}
	a.checkPower(t, d.left()[:1], state, state)
}

// settled removes from a tree the names that can remain even after the next run.
func (a action) settled(tree []string) []string {
	return slices.DeleteFunc(slices.Clone(tree), a.later.MatchString)
}

// TestFaults injects faults into actions that change a folder, a store or a key file. At each file system
// call, it kills the process, makes the call fail, or simulates a power failure. The current data must be
// complete, either old or new. The exit status must be correct, and the next run must repair the damage.
func TestFaults(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	tried := map[string]bool{} // kinds of calls in the sample
	for _, a := range w.actions {
		if !a.sampled && *faultStride == 0 {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			if *faultStride > 0 {
				t.Parallel()
			}
			o := a.trace(t, w)
			all, trials := o.trials(), []trial(nil)
			if *faultStride == 0 {
				trials = sample(all, tried)
			}
			for i, tr := range all { // only this fault detects that an error of sync is ignored
				if *faultStride > 0 && (i%*faultStride == 0 || tr.call.name == "fsync" && tr.fate.errno == unix.EIO) {
					trials = append(trials, tr)
				}
			}
			for _, tr := range trials {
				a.try(t, w, &o, tr)
			}
			t.Logf("%d faults at %d calls", len(trials), len(o.calls))
		})
	}
}

// sample returns one fault for each kind of call that has not been tried, and alternates the faults. With
// -short, it uses only half of the kinds, because each takes a second with the race detector.
func sample(all []trial, tried map[string]bool) (some []trial) {
	kinds := map[string][]trial{}
	for _, tr := range all {
		kinds[tr.call.name] = append(kinds[tr.call.name], tr)
	}
	for i, name := range slices.Sorted(maps.Keys(kinds)) {
		if of := kinds[name]; !tried[name] && (!testing.Short() || i%2 == 0) {
			tried[name] = true
			some = append(some, of[(2*i+1)*len(of)/7%len(of)])
		}
	}
	return some
}
