package main_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
	"sabine/indexes/snapshot/fleet"
	"sabine/serve/keys"
)

var faultStride = flag.Int("fault-stride", 0,
	"try every `N`th fault at the file system calls of each action; 0: one fault at each kind of call")

// An action is a command that changes data which must remain complete after any fault.
type action struct {
	name   string
	args   string // command line, in which @ is the working folder
	status int    // exit status without a fault
	needs  string // the action's files in the workshop
	folder string // folder or file that the action changes
	kind
	sampled bool // whether the action is included if only a sample of the faults is tried
}

// A kind is a kind of data that an action changes.
type kind struct {
	state func(path string) (string, error) // returns the current data, or an error if the data are incomplete
	later *regexp.Regexp                    // files that can remain even after the next run
}

var (
	nothing    = regexp.MustCompile(`^\b$`)
	folderKind = kind{inFolder, regexp.MustCompile(`^\.report\.json\*$`)} // a build removes them after an hour
	// a publisher removes these files after a day, because another publisher may still use them
	storeKind = kind{inStore, regexp.MustCompile(`/\.?[0-9a-f]{64}\.`)}
	keysKind  = kind{inKeys, nothing}
)

// inFolder returns the hash of a folder's current generation, or "". It verifies that each file's content
// matches its name, and that verify accepts the file that CURRENT names.
func inFolder(dir string) (string, error) {
	folder := snapshot.Folder{Dir: dir}
	if err := checkHashes(dir); err != nil {
		return "", err
	}
	name, err := folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	f, err := snapshot.Open(folder.Path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	return f.Hash(), f.VerifyChecksums(context.Background())
}

var hashed = regexp.MustCompile(`^[0-9a-f]{64}\.(snapshot|refused)$`)

func checkHashes(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !hashed.MatchString(e.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != e.Name()[:64] {
			return fmt.Errorf("%s does not have the content that its name states, but %d bytes of another", e.Name(), len(b))
		}
	}
	return nil
}

// inStore returns the hash of a store's current generation, or "". It verifies that the store contains all
// generations that its pointer names.
func inStore(dir string) (string, error) {
	if err := checkHashes(dir); err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(dir, "CURRENT"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var pointer fleet.Pointer
	if err := json.Unmarshal(b, &pointer); err != nil {
		return "", fmt.Errorf("the pointer is %q: %w", b, err)
	}
	for _, g := range pointer.Generations {
		if _, err := os.Stat(filepath.Join(dir, g.Hash+".snapshot")); err != nil {
			return "", fmt.Errorf("the pointer names what is not there: %w", err)
		}
	}
	return pointer.Generations[0].Hash, nil
}

// inKeys returns the statuses of the keys and accounts in a key file, or "" if the file does not exist.
func inKeys(path string) (string, error) {
	f, err := keys.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var state []string
	for _, k := range f.Keys {
		state = append(state, string(k.Status))
	}
	for _, a := range f.Accounts {
		state = append(state, fmt.Sprintf("%s:%v", a.Name, a.Active))
	}
	return strings.Join(state, " "), nil
}

// actions returns the actions in a workshop, whose key file contains the key keyID and whose second store
// contains the generation earlier.
func actions(keyID, earlier string) []action {
	return []action{
		{"first build", "build c.ndjson --snapshots fresh", 0, "c.ndjson", "fresh", folderKind, false},
		{"build", "build c.ndjson --keep 1 --report report.json", 0, "c.ndjson snapshots", "snapshots", folderKind, true},
		{"refused build", "build c.ndjson --snapshots many --max-drop 10", 1, "c.ndjson many", "many", folderKind, false},
		{"first publish", "publish --store file://@/fresh", 0, "snapshots", "fresh", storeKind, false},
		{"publish", "publish --store file://@/store --keep 1", 0, "snapshots store", "store", storeKind, true},
		{"rollback", "rollback " + earlier + " --store file://@/store2", 0, "store2", "store2", storeKind, false},
		{"first pull", "pull --store file://@/store2 --snapshots fresh", 0, "store2", "fresh", folderKind, false},
		{"pull", "pull --store file://@/store2 --snapshots pulled", 0, "store2 pulled", "pulled", folderKind, true},
		{"first key", "keys create --account A --keys fresh.json", 0, "", "fresh.json", keysKind, false},
		{"key", "keys create --account B", 0, "keys.json", "keys.json", keysKind, false},
		{"revoke", "keys revoke " + keyID, 0, "keys.json", "keys.json", keysKind, true},
		{"pause", "keys pause " + keyID, 0, "keys.json", "keys.json", keysKind, false},
		{"account", "keys account disable A", 0, "keys.json", "keys.json", keysKind, false},
	}
}

// A workshop is a working folder with all files that the actions need. Each run uses a copy.
type workshop struct {
	template string
	actions  []action
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	dir := t.TempDir()
	w := &workshop{template: dir}
	earlier := buildOne(t, dir, "Alt")
	must(t, dir, "publish", "--store", "file://"+dir+"/store")
	must(t, dir, "publish", "--store", "file://"+dir+"/store2")
	must(t, dir, "pull", "--store", "file://"+dir+"/store2", "--snapshots", "pulled")
	buildOne(t, dir, "Mittel")
	must(t, dir, "publish", "--store", "file://"+dir+"/store2")
	writeFile(t, filepath.Join(dir, "c.ndjson"), product(t, 1, "A")+product(t, 2, "B"))
	must(t, dir, "build", "c.ndjson", "--snapshots", "many")
	writeFile(t, filepath.Join(dir, "c.ndjson"), product(t, 1, "Neu"))
	createKey(t, dir, "A")
	f, err := keys.Read(filepath.Join(dir, "keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	w.actions = actions(f.Keys[0].ID, earlier)
	return w
}

// copy returns a copy of the files that an action needs. It preserves their times, on which pruning depends.
func (w *workshop) copy(t testing.TB, needs string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.fill(t, dir, needs)
	return dir
}

func (w *workshop) fill(t testing.TB, dir, needs string) {
	t.Helper()
	for name := range strings.FieldsSeq(needs) {
		if out, err := exec.Command("cp", "-a", filepath.Join(w.template, name), dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if mirror := filepath.Join(dir, name, "MIRROR.json"); name == "pulled" { // contains the store's path
			writeFile(t, mirror, strings.ReplaceAll(readFile(t, mirror), w.template, dir))
		}
	}
}

// arguments returns the action's command line for a folder.
func (a action) arguments(dir string) []string {
	return strings.Fields(strings.ReplaceAll(a.args, "@", dir))
}

// random matches the digits in temporary names.
var random = regexp.MustCompile(`^(\..*?)[0-9]+(\.[a-z]+)?$`)

// tree returns the sorted names in a folder, with * for the digits in temporary names.
func tree(t testing.TB, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		path, _ = filepath.Rel(dir, path)
		names = append(names, filepath.Join(filepath.Dir(path), random.ReplaceAllString(filepath.Base(path), "$1*$2")))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// must returns the action's current data in dir. It fails the test if they are incomplete.
func (a action) must(t testing.TB, dir string) string {
	t.Helper()
	state, err := a.state(filepath.Join(dir, a.folder))
	if err != nil {
		t.Fatal(err)
	}
	return state
}
