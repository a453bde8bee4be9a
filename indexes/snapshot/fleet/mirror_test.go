package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sabine/indexes/files"

	"golang.org/x/sys/unix"

	"sabine/indexes/snapshot"
)

func TestFaultsOfAStore(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("acoustic felt ", 200)
	tests := []struct {
		rule   string
		object string // object whose responses fail: CURRENT, or a suffix of the latest generation's names
		by     spoiler
		status string // status after the first poll
		reason string
		comes  bool // whether the generation nevertheless becomes current within a minute
	}{
		{"no fault", "", nil, StatusOK, "", true},
		{"it is down", "", down, StatusAway, "connection refused", false},
		{"it does not respond", "", silent, StatusAway, "no response within 10s", false},
		{"its pointer is missing", pointerName, vanished, StatusAway, "not found", false},
		{"its pointer is not JSON", pointerName, garbage("<html>Please log in"), StatusRefused, "not a list of generations",
			false},
		{"its pointer is of a later version", pointerName, garbage(`{"version":2}`), StatusRefused,
			"expected version 1, got 2", false},
		{"its pointer has an invalid hash", pointerName, garbage(`{"version":1,"generations":[{"hash":"../x"}]}`), StatusRefused,
			"hex digits", false},
		{"its pointer is too large", pointerName, garbage(strings.Repeat(" ", maxPointerSize+1)), StatusRefused, "larger than",
			false},
		{"its pointer is interrupted", pointerName, cut, StatusAway, "unexpected EOF", false},
		{"its pointer is sent slowly", pointerName, dripping, StatusAway, "no response within 10s", false},
		{"its pointer names a missing object", ".snapshot", vanished, StatusAway, "not found", false},
		{"a body has wrong bytes", ".snapshot", wrong, StatusRefused, "SHA-256", false},
		{"a body is too short", ".snapshot", ended(), StatusRefused, "as stated in the pointer", false},
		{"a body is too short, and a range after its end is an error", ".snapshot", refusing(ended()), StatusRefused,
			"as stated in the pointer", false},
		{"a body is interrupted, again and again", ".snapshot", cut, StatusFetching, "", true},
		{"a body stalls, again and again", ".snapshot", stalling, StatusFetching, "", false},
		{"a body is sent slowly", ".snapshot", dripping, StatusFetching, "", false},
		{"a report has wrong bytes", ".report.json", wrong, StatusOK, "", true},
		{"a report is missing", ".report.json", vanished, StatusOK, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				before := w.publish("before" + long).Hash
				w.run()
				object := tt.object
				if strings.HasPrefix(object, ".") {
					object = built(t, snapshot.Folder{Dir: t.TempDir()}, "after"+long) + object
				}
				if tt.by != nil {
					w.store.spoiled(object, tt.by)
				}
				after := w.publishDirectly("after" + long)
				time.Sleep(DefaultPoll + 2*retryPause)
				if tt.object != ".snapshot" {
					time.Sleep(DefaultPoll) // time after which a poll without a response ends
				}
				synctest.Wait()
				s := w.mirror.State()
				if s.Status != tt.status || !strings.Contains(s.Reason, tt.reason) || (s.Reason == "") != (tt.reason == "") {
					t.Errorf("got %s, because of %q; want %s, %q", s.Status, s.Reason, tt.status, tt.reason)
				}
				w.polls(6)
				want := before
				if tt.comes {
					want = after
				}
				if got := w.current(); got != want {
					t.Errorf("the current file is %s, want %s: %+v", got, want, w.mirror.State())
				}
				w.store.spoiled(object, nil)
				time.Sleep(maxBackOff + DefaultPoll)
				synctest.Wait()
				if s := w.mirror.State(); w.current() != after || s.Status != StatusOK || s.Reason != "" || s.Hash != after {
					t.Errorf("after the fault has ended, the current file is %s, want %s: %+v", w.current(), after, s)
				}
				report, err := snapshot.ReadReport(w.mirror.Folder.Path(snapshot.FileName(before)))
				if err != nil || string(report) != "report of before"+long {
					t.Errorf("the report of the first: %.20s, %v", report, err)
				}
			})
		})
	}
}

// publishDirectly publishes a generation without the faults of the store.
func (w *world) publishDirectly(content string) string {
	w.t.Helper()
	before := w.store.mended()
	hash := w.publish(content).Hash
	for object, by := range before {
		w.store.spoiled(object, by)
	}
	return hash
}

func TestInvalidContentIsNotDownloadedAtEveryPoll(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule string
		by   spoiler
		want int // number of requests in five minutes; there is a poll every eight to ten seconds
	}{
		{"wrong bytes, after 10, 20, 40, 80 and 120 s", wrong, 6},
		{"an outage, at every poll", vanished, 30},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.publish("felt")
				w.store.spoiled(m.snapshotName(), tt.by)
				w.run()
				w.polls(30)
				if got := w.store.openedTimes(m.snapshotName()); got < tt.want-1 || got > tt.want*5/4 {
					t.Errorf("%d requests, want about %d", got, tt.want)
				}
				if lines := strings.Count(w.log.String(), "level=WARN"); lines != 1 {
					t.Errorf("%d warnings:\n%s", lines, &w.log)
				}
				next := w.publish("foam").Hash
				w.polls(1)
				if w.current() != next {
					t.Error("the next generation waits for the failed one")
				}
			})
		})
	}
}

func TestAnEmptyStore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, pointer string // "" if there is no pointer
		status        string
		newer         int
	}{
		{"nothing was published", "", StatusEmpty, 0},
		{"a pointer without generations", `{"version":1,"generations":[]}`, StatusEmpty, 0},
		{"only an older format", pointerOf(t, generationOf(snapshot.FormatMajor-1, 1)), StatusRefused, 0},
		{"only a newer format", pointerOf(t, generationOf(snapshot.FormatMajor+1, 1)), StatusRefused, snapshot.FormatMajor +
			1},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				if tt.pointer != "" {
					w.store.set(pointerName, []byte(tt.pointer))
				}
				if s := w.mirror.State(); s.Status != StatusStarting {
					t.Errorf("before the first poll it is %s", s.Status)
				}
				w.run()
				if s := w.mirror.State(); s.Status != tt.status || s.Reason == "" || s.NewerFormat != tt.newer || w.current() != "" {
					t.Errorf("got %+v", s)
				}
				m := w.publish("felt")
				w.polls(1)
				if s := w.mirror.State(); s.Status != StatusOK || w.current() != m.Hash || s.NewerFormat != tt.newer ||
					m.NewerFormat != tt.newer {
					t.Errorf("after a publication: %+v", s)
				}
			})
		})
	}
}

// generationOf returns a generation in the given format that was published at the given second.
func generationOf(format, second int) Generation {
	return Generation{Hash: fmt.Sprintf("%064x", second), Format: format, Bytes: 1, Published: time.Unix(int64(second),
		0).UTC()}
}

func pointerOf(t *testing.T, generations ...Generation) string {
	t.Helper()
	b, err := (&Pointer{Version: pointerVersion, Generations: generations}).encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnOlderPointerIsRefused(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		w.publish("old")
		old := w.store.objects[pointerName]
		now := w.publish("new").Hash
		stop := w.run()
		check := func(status string) {
			t.Helper()
			if s := w.mirror.State(); s.Status != status || w.current() != now {
				t.Errorf("the current file is %s, want %s: %+v", w.current(), now, s)
			}
		}
		w.store.set(pointerName, old)
		w.polls(1)
		check(StatusRefused)
		stop()
		w.mirror = &Mirror{Follower: Follower{Source: w.store}, Folder: w.mirror.Folder}
		w.run()
		check(StatusRefused) // also refused after a restart
		m, err := (&Publisher{Store: w.store}).Rollback(t.Context(), w.mirror.State().Hash)
		if err != nil || !m.AlreadyCurrent {
			t.Errorf("the generation of the old pointer: %+v, %v", m, err)
		}
		time.Sleep(time.Hour)
		now = w.publish("newest").Hash
		w.polls(1)
		check(StatusOK)
	})
}

func TestAnOlderPointerDoesNotStopADownload(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		w.publish("old")
		w.run()
		pointers := [][]byte{w.store.objects[pointerName]}
		m := w.publish("new" + strings.Repeat(" ", 10*50*int(DefaultPoll/time.Second)))
		pointers = append(pointers, w.store.objects[pointerName], []byte("<html>Please log in"))
		w.store.spoiled(m.snapshotName(), dripping) // this download takes longer than ten polls
		for i := range 20 {
			w.store.set(pointerName, pointers[i%len(pointers)])
			w.polls(1)
		}
		if tries := w.store.openedTimes(m.snapshotName()); w.current() != m.Hash || tries != 1 {
			t.Errorf("the current file is %s after %d tries: %+v", w.current(), tries, w.mirror.State())
		}
	})
}

func TestAnotherFormatIsNotOlder(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		b, err := json.Marshal(mirrorRecord{w.store.String(), generationOf(snapshot.FormatMajor-1, int(time.Now().Unix())+1)})
		folder := w.mirror.Folder
		if err := errors.Join(err, os.Mkdir(folder.Dir, 0o755), os.WriteFile(folder.Path(snapshot.MirrorName), b,
			0o644)); err != nil {
			t.Fatal(err)
		}
		hash := w.publish("felt").Hash
		w.run()
		if w.current() != hash {
			t.Errorf("got %+v", w.mirror.State())
		}
	})
}

func TestAMirrorWithAnOlderPointerChangesNothing(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		old := w.publish("old")
		hash := w.publish("new").Hash
		w.run()
		other := &Mirror{Follower: Follower{Source: w.store}, Folder: w.mirror.Folder}
		if err := other.install(t.Context(), &old.Generation); !errors.Is(err, ErrOlder) || w.current() != hash {
			t.Errorf("got %v, the current file is %s", err, w.current())
		}
	})
}

func TestTheFolderIsRepaired(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule   string
		change func(folder snapshot.Folder, name string) error
	}{
		{"CURRENT is missing", func(f snapshot.Folder, _ string) error { return os.Remove(f.Path("CURRENT")) }},
		{"CURRENT is garbage", func(f snapshot.Folder, _ string) error {
			return os.WriteFile(f.Path("CURRENT"), []byte("x"), 0o644)
		}},
		{"the file is missing", func(f snapshot.Folder, name string) error { return os.Remove(f.Path(name)) }},
		{"the file is damaged", func(f snapshot.Folder, name string) error {
			b, err := os.ReadFile(f.Path(name))
			if err == nil {
				b[len(b)-1] ^= 1
				err = os.Chmod(f.Path(name), 0o644)
			}
			if err != nil {
				return err
			}
			return os.WriteFile(f.Path(name), b, 0o644)
		}},
		{"the file is truncated", func(f snapshot.Folder, name string) error {
			if err := os.Chmod(f.Path(name), 0o644); err != nil {
				return err
			}
			return os.Truncate(f.Path(name), 100)
		}},
		{"the folder is missing", func(f snapshot.Folder, _ string) error { return os.RemoveAll(f.Dir) }},
		{"MIRROR.json is garbage", func(f snapshot.Folder, _ string) error {
			return os.WriteFile(f.Path(snapshot.MirrorName), []byte("{"), 0o644)
		}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.publish("felt")
				w.run()
				if err := tt.change(w.mirror.Folder, m.snapshotName()); err != nil {
					t.Fatal(err)
				}
				w.polls(1)
				if w.current() != m.Hash || w.mirror.State().Status != StatusOK {
					t.Errorf("%+v", w.mirror.State())
				}
			})
		})
	}
}

func TestAFolderThatAnotherProcessFills(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		unlock, err := w.mirror.Folder.Lock()
		if err != nil {
			t.Fatal(err)
		}
		m := w.publish("felt")
		w.run()
		w.polls(3)
		if s := w.mirror.State(); s.Status != StatusFetching || s.Reason != "" || s.Failures != 0 || s.Refused != 0 ||
			w.current() != "" {
			t.Errorf("while the folder is locked: %+v", s)
		}
		unlock()
		w.polls(1)
		if unlock, err = w.mirror.Folder.Lock(); err != nil { // the lock is free between two downloads
			t.Fatal(err)
		}
		defer unlock()
		if s := w.mirror.State(); s.Status != StatusOK || w.current() != m.Hash {
			t.Errorf("then: %+v", s)
		}
		other := &Mirror{Follower: Follower{Source: w.store}, Folder: w.mirror.Folder} // mirror of a second server
		if _, err := other.Once(t.Context()); err != nil || other.State().Fetched != 0 {
			t.Errorf("an installed generation needs no lock: %v", err)
		}
	})
}

func TestAFolderThatCannotBeFilledIsRefused(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		w.publish("felt")
		// This error needs an operator, as a full disk does.
		if err := os.WriteFile(w.mirror.Folder.Dir, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		w.run()
		if s := w.mirror.State(); s.Status != StatusRefused || !strings.Contains(s.Reason, "not a directory") {
			t.Errorf("got %+v", s)
		}
	})
}

func TestTheStoreIsNotACache(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := OpenStore("file://"+dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	from := snapshot.Folder{Dir: t.TempDir()}
	built(t, from, "felt")
	if _, err := (&Publisher{Store: store}).Publish(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	before, _ := files.StampOf(dir + "/CURRENT")
	_, err = (&Mirror{Follower: Follower{Source: store}, Folder: snapshot.Folder{Dir: dir}}).Once(t.Context())
	after, _ := files.StampOf(dir + "/CURRENT")
	if err == nil || !strings.Contains(err.Error(), "is the store itself") || before != after {
		t.Errorf("got %v", err)
	}
	if _, err := (&Publisher{Store: store}).Publish(t.Context(), snapshot.Folder{Dir: dir}); err == nil {
		t.Error("the store was published into itself")
	}
}

func TestAPointerThatMovesDuringADownload(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		slow := w.publish(strings.Repeat("felt", 1000))
		w.store.spoiled(slow.snapshotName(), dripping)
		w.run()
		w.polls(2)
		if s := w.mirror.State(); s.Status != StatusFetching || s.Hash != slow.Hash {
			t.Errorf("%+v", s)
		}
		quick := w.publish("foam").Hash
		w.polls(1)
		if s := w.mirror.State(); s.Status != StatusOK || w.current() != quick || s.Fetched != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestAnInvalidResumedDownloadRestartsOnce(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		m := w.publish(strings.Repeat("felt", 1000))
		content := w.store.objects[m.snapshotName()]
		other := []byte(strings.Repeat("x", len(content)))
		answers := []spoiler{cut, garbage(string(other[len(other)-len(other)/2:]))}
		w.store.spoiled(m.snapshotName(), func(ctx context.Context, b []byte) (io.Reader, error) {
			if len(answers) == 0 {
				return bytes.NewReader(b), nil
			}
			next := answers[0]
			answers = answers[1:]
			return next(ctx, b)
		})
		w.run()
		time.Sleep(retryPause)
		synctest.Wait()
		if s := w.mirror.State(); s.Status != StatusOK || w.current() != m.Hash || s.Refused != 0 {
			t.Errorf("%+v, the current file is %s", s, w.current())
		}
	})
}

func TestTheFolderKeepsThreeGenerations(t *testing.T) {
	t.Parallel()
	inWorld(t, func(t *testing.T, w *world) {
		w.run()
		var hashes []string
		for _, content := range []string{"a", "b", "c", "d", "e", "f"} {
			hashes = append(hashes, w.publish(content).Hash)
			w.polls(1)
			if content == "c" { // makes a generation current that is still in the folder
				if _, err := (&Publisher{Store: w.store}).Rollback(t.Context(), hashes[0]); err != nil {
					t.Fatal(err)
				}
				w.polls(1)
			}
			if content == "d" {
				if _, err := os.Stat(w.mirror.Folder.Path(snapshot.FileName(hashes[0]))); err != nil {
					t.Errorf("the previous generation was removed: %v", err)
				}
			}
		}
		if stored, err := w.mirror.Folder.Generations(); err != nil || len(stored) != keepLocal {
			t.Errorf("%d generations, %v", len(stored), err)
		}
		if s := w.mirror.State(); s.Fetched != 6 || w.current() != hashes[5] {
			t.Errorf("%+v", s)
		}
	})
}

// TestCurrentStaysIntact checks the main promise of a mirror: the current snapshot is always complete and
// undamaged. current verifies its content.
func TestCurrentStaysIntact(t *testing.T) {
	t.Parallel()
	spoilers := []spoiler{nil, nil, down, silent, vanished, wrong, ended(), cut, stalling, dripping, garbage("{}")}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				random := rand.New(rand.NewPCG(seed, 15))
				w.patched = seed%2 == 0
				stop := w.run()
				for i := range 25 {
					switch random.IntN(6) {
					case 0, 1:
						w.publishDirectly(fmt.Sprint("content ", random.IntN(8), strings.Repeat(" felt", 300)))
					case 2:
						names := append(w.store.names(), "", pointerName)
						w.store.spoiled(names[random.IntN(len(names))], spoilers[random.IntN(len(spoilers))])
					case 3:
						w.store.mended()
					case 4:
						stop()
						w.mirror = &Mirror{Follower: Follower{Source: w.store}, Folder: w.mirror.Folder}
						stop = w.run()
					case 5:
						_ = os.Remove(w.mirror.Folder.Path([]string{"CURRENT", snapshot.MirrorName}[random.IntN(2)]))
					}
					time.Sleep(time.Duration(random.IntN(30)) * time.Second)
					w.current()
					if t.Failed() {
						t.Fatalf("after step %d", i)
					}
				}
				w.store.mended()
				last := w.publish("the last").Hash
				time.Sleep(maxBackOff)
				synctest.Wait()
				if w.current() != last || w.mirror.State().Status != StatusOK {
					t.Errorf("at the end the current file is %s, want %s: %+v", w.current(), last, w.mirror.State())
				}
			})
		})
	}
}

// If the link to the folder is replaced during a download, the download ends in the old folder, and the next
// poll fills the new one. Neither folder may contain a partial file afterwards.
func TestTheFolderIsReplacedDuringADownload(t *testing.T) {
	t.Parallel()
	dir, store := t.TempDir(), newMemStore()
	moved := publishTo(t, &Publisher{Store: store}, "felt")
	link := filepath.Join(dir, "link")
	folders := []string{filepath.Join(dir, "one"), filepath.Join(dir, "two")}
	if err := errors.Join(os.Mkdir(folders[0], 0o755), os.Mkdir(folders[1], 0o755), os.Symlink("one", link)); err != nil {
		t.Fatal(err)
	}
	m := &Mirror{Follower: Follower{Source: store}, Folder: snapshot.Folder{Dir: link}}
	exchange := sync.OnceFunc(func() {
		if err := errors.Join(os.Remove(link), os.Symlink("two", link)); err != nil {
			t.Error(err)
		}
	})
	m.Progress = func(int64, int64) { exchange() }
	if _, err := m.Once(t.Context()); err == nil {
		t.Error("it reports that the new folder is filled")
	}
	if _, err := m.Once(t.Context()); err != nil {
		t.Error(err)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".building") || e.Name() == pointerName && folder == folders[0] {
				t.Errorf("%s is in %s, %v", e.Name(), folder, err)
			}
		}
	}
	if name, err := (snapshot.Folder{Dir: folders[1]}).Current(); err != nil || name != moved.snapshotName() {
		t.Errorf("CURRENT is %s, %v", name, err)
	}
}

// TestAPipeAsMirrorRecordDoesNotBlock checks that reading the files in a folder never blocks.
func TestAPipeAsMirrorRecordDoesNotBlock(t *testing.T) {
	t.Parallel()
	store, folder := newMemStore(), snapshot.Folder{Dir: t.TempDir()}
	publishTo(t, &Publisher{Store: store}, "felt")
	if err := unix.Mkfifo(folder.Path(snapshot.MirrorName), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Mirror{Follower: Follower{Source: store}, Folder: folder}).Once(t.Context()); err != nil {
		t.Error(err)
	}
}

func FuzzPointer(f *testing.F) {
	b,
		err := (&Pointer{Version: pointerVersion, Generations: []Generation{generationOf(6, 1), generationOf(7, 2)}}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte(`{"version":1,"generations":null} x`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := parsePointer(b)
		if err != nil {
			return
		}
		g, newer := p.Current(snapshot.FormatMajor)
		if g != nil && g.Format != snapshot.FormatMajor || newer != 0 && newer <= snapshot.FormatMajor {
			t.Errorf("the current generation is %+v, the newer format %d", g, newer)
		}
		again, err := p.encode()
		if err != nil {
			return // too large to be read as a pointer
		}
		if q, err := parsePointer(again); err != nil || fmt.Sprintf("%+v", p) != fmt.Sprintf("%+v", q) {
			one, _ := json.Marshal(p)
			t.Errorf("%s is %s when it was written and read: %v", one, again, err)
		}
	})
}
