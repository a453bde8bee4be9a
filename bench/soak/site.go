package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/trial"
	"sabine/indexes/snapshot"
)

// A site is a server, the catalogue that it serves, and what is right to answer.
type site struct {
	*trial.Process
	admin     string          // address
	folder    snapshot.Folder // that it serves
	catalogue *trial.Catalogue
	questions []trial.Question // of the load
	exports   []trial.Question // whole ones
	history   *trial.History
	key       string // that the reference is asked with

	sabine    string
	made      snapshot.Folder // that is built into, and served by
	reference *trial.Process  // a server that nothing happens to

	inForce *trial.Generation // of who switches alone

	mu      sync.Mutex
	built   int                         // how many generations were
	kept    []*trial.Generation         // in the folder that is served, oldest first
	exactly map[string][]trial.Expected // the exports by X-Snapshot
}

// maxGenerations is how many may be built of a catalogue: each has fewer products.
const maxGenerations = 1000

// newSite makes a catalogue and two generations of it, puts the first in force, and starts the server.
func newSite(ctx context.Context, s *soak, name string, products int) (*site, error) {
	dir := filepath.Join(s.dir, name)
	t := &site{
		folder: snapshot.Folder{Dir: filepath.Join(dir, "served")}, made: snapshot.Folder{Dir: filepath.Join(dir, "made")},
		sabine: s.sabine, key: s.accounts[0], history: trial.NewHistory(1), exactly: map[string][]trial.Expected{},
		exports: []trial.Question{
			{Class: "whole export", Path: "/api/v1/export", Keyed: true},
			{Class: "whole export", Path: "/api/v1/export?format=csv", Keyed: true, Coding: "zstd"},
		},
	}
	var err error
	if err = os.MkdirAll(t.folder.Dir, 0o700); err != nil {
		return nil, err
	}
	if t.catalogue, err = trial.NewCatalogue(products, min(maxGenerations, products/20)); err != nil {
		return nil, err
	}
	t.questions = t.catalogue.Questions()
	serve := func(name string, folder snapshot.Folder, flags ...string) (*trial.Process, string, error) {
		flags = append([]string{"--snapshots", folder.Dir, "--keys", s.keys, "--public-url", "https://soak.example",
			"--public-limit", "1000000000/1m",
			"--export-limit", "500000000/24h", "--rate-limit-state", filepath.Join(dir, name+".state")}, flags...)
		return trial.NewServer(s.sabine, name, filepath.Join(s.dir, name+".log"), flags...)
	}
	if t.reference, _, err = serve(name+"-reference", t.made, "--account-limit", "2000000000/1m"); err != nil {
		return nil, err
	}
	if t.Process, t.admin, err = serve(name, t.folder, "--account-limit", fmt.Sprintf("%d/%v,2000000000/24h", budget,
		span)); err != nil {
		return nil, err
	}
	s.running = append(s.running, t.reference, t.Process)
	for range 2 {
		if err := t.build(ctx); err != nil {
			return nil, err
		}
	}
	t.inForce = t.kept[0]
	t.history.Moved(t.history.Announce(t.inForce, false), time.Now())
	if err := t.folder.Switch(snapshot.FileName(t.inForce.Hash)); err != nil {
		return nil, err
	}
	return t, t.Start(ctx)
}

// build makes the next generation, learns what is right to answer from it, and lays it into the folder that
// is served.
func (t *site) build(ctx context.Context) error {
	source := filepath.Join(t.made.Dir, "..", "catalogue.ndjson")
	published, err := t.catalogue.Write(t.built, source)
	if err != nil {
		return err
	}
	out, err := trial.Run(ctx, nil, t.sabine, "build", source, "--snapshots", t.made.Dir, "--json")
	if err := errors.Join(err, os.Remove(source)); err != nil {
		return err
	}
	g := &trial.Generation{Number: t.built, Hash: gjson.Get(out, "hash").String(), Products: published}
	t.built++
	if !t.reference.Started() {
		err = t.reference.Start(ctx)
	}
	if err != nil {
		return err
	}
	if err := t.learn(ctx, g); err != nil {
		return err
	}
	name := snapshot.FileName(g.Hash)
	if err := os.Rename(t.made.Path(name), t.folder.Path(name)); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, g)
	return nil
}

// learn asks the reference, once it serves the generation.
func (t *site) learn(ctx context.Context, g *trial.Generation) error {
	for deadline := time.Now().Add(trial.StartTime); ; time.Sleep(10 * time.Millisecond) {
		a, err := trial.Ask(ctx, t.reference.Address, &t.questions[0], t.key, "")
		if err == nil && a.Shown == g.Shown() {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the reference does not serve generation %d after %v: %v, %w", g.Number, trial.StartTime, a, err)
		}
	}
	if err := g.Learn(ctx, t.reference.Address, t.key, t.catalogue, t.questions); err != nil {
		return err
	}
	var exports []trial.Expected
	for i := range t.exports {
		a, err := trial.Stream(ctx, t.reference.Address, &t.exports[i], t.key, func(int) {})
		if err != nil || a.Status != http.StatusOK || a.Shown != g.Shown() {
			return fmt.Errorf("the reference, asked for %s of generation %d: %v, %w", t.exports[i].Path, g.Number, a, err)
		}
		exports = append(exports, trial.Expected{Status: a.Status, Shown: true, Tag: a.Tag, Sum: a.Sum})
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.exactly[g.Shown()] = exports
	return nil
}

// generations returns those in the folder, oldest first.
func (t *site) generations() []*trial.Generation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]*trial.Generation(nil), t.kept...)
}

// other returns a generation of the folder that is not in force.
func (t *site) other(now *trial.Generation) *trial.Generation {
	for all := t.generations(); ; {
		if g := all[rand.IntN(len(all))]; g != now {
			return g
		}
	}
}

// forget takes all but the newest generations, and the one in force, out of the folder.
func (t *site) forget(keep int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := 0; len(t.kept) > keep && i < len(t.kept); {
		if t.kept[i] == t.inForce {
			i++
			continue
		}
		if err := os.Remove(t.folder.Path(snapshot.FileName(t.kept[i].Hash))); err != nil {
			return err
		}
		t.kept = append(t.kept[:i:i], t.kept[i+1:]...)
	}
	return nil
}

// switchTo puts a generation in force and waits until it is.
func (t *site) switchTo(g *trial.Generation) error {
	n := t.history.Announce(g, false)
	if err := t.folder.Switch(snapshot.FileName(g.Hash)); err != nil {
		return err
	}
	t.history.Moved(n, time.Now())
	t.inForce = g
	return t.await(func(ready gjson.Result) bool {
		return ready.Get("status").String() == "ready" && ready.Get("snapshot").String() == snapshot.FileName(g.Hash)
	})
}

// inForceTime is how long a switch, or a refusal, may take.
const inForceTime = 20 * time.Second

// await waits until what /readyz says is what it should be.
func (t *site) await(holds func(ready gjson.Result) bool) error {
	for deadline := time.Now().Add(inForceTime); ; time.Sleep(2 * time.Millisecond) {
		said, err := t.told("/readyz")
		switch {
		case err != nil:
			return err
		case holds(gjson.Parse(said)):
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("%s: not within %v: /readyz says %s", t.Name, inForceTime, said)
		}
	}
}

// told returns what an address of the admin answers.
func (t *site) told(path string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), inForceTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+t.admin+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// bytes is the size of the snapshot in force.
func (t *site) bytes() (int64, error) {
	info, err := os.Stat(t.folder.Path(snapshot.FileName(t.inForce.Hash)))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// exactExport returns what is right to answer from a generation to whoever takes a whole export.
func (t *site) exactExport(g *trial.Generation, export int) *trial.Expected {
	t.mu.Lock()
	defer t.mu.Unlock()
	return &t.exactly[g.Shown()][export]
}
