package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestTheTimesInAFolderIncrease fills a folder while the clock is years ahead, and continues after the clock
// was corrected. It checks that new files are the newest, that older generations are pruned first, and that
// Refused returns a refused snapshot until the next switch.
func TestTheTimesInAFolderIncrease(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	ahead := time.Now().AddDate(200, 0, 0)
	bringIntoForce := func(name string) {
		t.Helper()
		if err := f.Switch(name); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Prune(3); err != nil {
			t.Fatal(err)
		}
	}
	received := func(content string) string {
		t.Helper()
		other := Folder{Dir: t.TempDir()}
		name := generation(t, other, content)
		b, err := os.ReadFile(other.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		in, err := f.Receive()
		if err != nil {
			t.Fatal(err)
		}
		hash := hashOf(name)
		if _, err := in.Write(b); err != nil || in.Commit(hash) != nil {
			t.Fatal(err)
		}
		return name
	}
	var came []string // generations, newest first
	for _, content := range []string{"a", "b", "c"} {
		name := generation(t, f, content)
		bringIntoForce(name)
		for _, touched := range []string{name, "CURRENT"} {
			if err := os.Chtimes(f.Path(touched), ahead, ahead); err != nil {
				t.Fatal(err)
			}
		}
		came = slices.Insert(came, 0, name)
		ahead = ahead.Add(time.Hour)
	}
	for _, bring := range []func() string{
		func() string { return generation(t, f, "d") },
		func() string { return received("e") },
		func() string { return generation(t, f, "d") }, // the generation already exists
		func() string { return generation(t, f, "f") },
	} {
		name := bring()
		bringIntoForce(name)
		came = slices.Insert(slices.DeleteFunc(came, func(n string) bool { return n == name }), 0, name)
		generations, err := f.Generations()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range generations {
			got = append(got, g.Name)
		}
		if !slices.Equal(got, came[:3]) {
			t.Errorf("got the generations %v, want the latest, %v", got, came[:3])
		}
		aside := refuse(t, f, "of "+name)
		if got, err := f.Refused(); got != aside || err != nil {
			t.Errorf("the refused snapshot: got %q, %v, want %q", got, err, aside)
		}
		if err := f.Switch(name); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Refused(); got != "" || err != nil {
			t.Errorf("CURRENT is newer than the refused snapshot: got %q, %v", got, err)
		}
	}
}

// TestNothingOutsideIsTouched puts symbolic and hard links into a folder. It checks that their targets are
// not written or removed, and that their modification times do not change.
func TestNothingOutsideIsTouched(t *testing.T) {
	outside := Folder{Dir: t.TempDir()}
	f := Folder{Dir: t.TempDir()}
	then := time.Now().Add(-time.Hour).Truncate(time.Second)
	name, kept := generation(t, f, "new"), generation(t, f, "kept")
	report, old := ReportOf(name), FileName(string(slices.Repeat([]byte("0"), hashDigits)))
	leftovers := []string{tempPrefix + "1" + suffix, ".CURRENT1", "." + report + "1", old[:hashDigits] + refusedSuffix}
	links := append([]string{name, currentName, old, ReportOf(old)}, leftovers...)
	if err := os.Rename(f.Path(name), outside.Path(name)); err != nil { // a build finds it through the link
		t.Fatal(err)
	}
	before := map[string]string{}
	for i, link := range links {
		target := outside.Path(link)
		if link != name {
			if err := os.WriteFile(target, []byte(link), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		content, err := os.ReadFile(target)
		if err := errors.Join(err, os.Chtimes(target, then, then)); err != nil {
			t.Fatal(err)
		}
		before[link] = string(content)
		lay := os.Symlink
		if i%2 == 1 && link != name {
			lay = os.Link
		}
		if err := lay(target, f.Path(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside.Path("lock"), f.Path(lockName)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lock(); err == nil {
		t.Error("a lock that is a link was followed")
	}
	if err := os.Remove(f.Path(lockName)); err != nil {
		t.Fatal(err)
	}
	unlock, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if again := generation(t, f, "new"); again != name {
		t.Fatalf("got %s, want %s", again, name)
	}
	if err := f.Switch(name); err != nil {
		t.Fatal(err)
	}
	refuse(t, f, "refused")
	f.Touch(name)
	if _, err := f.Prune(1); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Current(); got != name || err != nil {
		t.Errorf("current is %s, %v", got, err)
	}
	if got, want := names(t, f.Dir), []string{lockName, "CURRENT", name, kept}; !slices.Contains(got, name) ||
		len(got) > len(want) {
		t.Errorf("the folder has %v", got)
	}
	for _, link := range links {
		content, err := os.ReadFile(outside.Path(link))
		info, statErr := os.Stat(outside.Path(link))
		if err := errors.Join(err, statErr); err != nil || string(content) != before[link] || !info.ModTime().Equal(then) {
			t.Errorf("%s outside was changed: %v, %v", link, err, info)
		}
	}
	if _, err := os.Lstat(outside.Path("lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a lock was created outside: %v", err)
	}
}

// TestResolved checks that the resolved folder does not change when a link to it is replaced.
func TestResolved(t *testing.T) {
	dir := t.TempDir()
	link := Folder{Dir: filepath.Join(dir, "link")}
	if got := link.Resolved(); got != link {
		t.Errorf("a missing folder: got %v", got)
	}
	for _, target := range []string{"one", "two"} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, target), 0o755), os.RemoveAll(link.Dir),
			os.Symlink(target, link.Dir)); err != nil {
			t.Fatal(err)
		}
		if got, err := filepath.EvalSymlinks(filepath.Join(dir, target)); err != nil || link.Resolved().Dir != got {
			t.Errorf("got %v, want %s", link.Resolved(), got)
		}
	}
}
