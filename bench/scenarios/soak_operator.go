package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/step"
	"sabine/indexes/snapshot"
)

// A host is a site with one server that follows a folder.
type host struct {
	*site
	*server
	folder  snapshot.Folder // folder that the server serves
	inForce *generation     // current generation, used only by the goroutine that switches

	keeping sync.Mutex
	kept    []*generation // generations in the served folder, oldest first
}

// newHost creates a catalogue and two generations, makes the first generation current, and starts the server.
// The catalogue is sufficient for a thousand generations, each with fewer products than the previous one.
func (r *run) newHost(name string, products int) *host {
	h := &host{site: r.newSite(name, products, min(1000, products/20))}
	h.folder.Dir = r.path(name, "served")
	step.Check(os.Mkdir(h.folder.Dir, 0o700))
	h.server = h.addServer(name, h.folder.Dir, r.keys, "--rate-limit-state", r.path(name, "state"))
	h.makeNext()
	h.makeNext()
	h.point(h.kept[0])
	h.start()
	return h
}

func (h *host) makeNext() {
	g := h.build()
	h.keeping.Lock()
	defer h.keeping.Unlock()
	step.Check(os.Rename(h.made.Path(g.file()), h.folder.Path(g.file())))
	h.kept = append(h.kept, g)
}

func (h *host) generations() []*generation {
	h.keeping.Lock()
	defer h.keeping.Unlock()
	return slices.Clone(h.kept)
}

// forget removes all generations from the folder except the newest keep generations and the current one.
func (h *host) forget(keep int) {
	h.keeping.Lock()
	defer h.keeping.Unlock()
	old := len(h.kept) - keep
	h.kept = slices.DeleteFunc(h.kept, func(g *generation) bool {
		if old <= 0 || g == h.inForce {
			return false
		}
		old--
		step.Check(os.Remove(h.folder.Path(g.file())))
		return true
	})
}

// switchOver makes another generation in the folder current and waits until the server uses that generation.
func (h *host) switchOver() {
	others := slices.DeleteFunc(h.generations(), func(g *generation) bool { return g == h.inForce })
	h.point(others[rand.IntN(len(others))])
	h.await("ready", "")
}

func (h *host) point(g *generation) {
	h.history.announce(g, false)
	step.Check(h.folder.Switch(g.file()))
	h.inForce = g
}

const (
	switchTime  = 20 * time.Second // time limit for a switch or a refusal
	keyFileTime = time.Second      // time limit for a change of the key file to take effect
)

// await waits until the server uses the current generation and reports the given status, with a reason that
// contains file.
func (h *host) await(status, file string) {
	step.Check(await(h, switchTime, func() error {
		ready := gjson.Parse(h.get("/readyz"))
		if ready.Get("status").String() == status && strings.Contains(ready.Get("reason").String(), file) &&
			ready.Get("snapshot").String() == h.inForce.file() {
			return nil
		}
		return fmt.Errorf("%s is not %s: /readyz returns %v", h.server.name, status, ready)
	}))
}

func (h *host) get(path string) string {
	resp := step.Must((&http.Client{Timeout: switchTime}).Get("http://" + h.admin + path))
	defer resp.Body.Close()
	return string(step.Must(io.ReadAll(resp.Body)))
}

// operate changes the large host's folder as operators do. It switches generations every two seconds. After
// some switches, it performs another action.
func (s *soak) operate(ctx context.Context) {
	const kept = 3     // number of generations, the same as after a build
	hangUp := func() { // makes the server verify the current generation
		s.happened("SIGHUP", 0)
		s.signal(syscall.SIGHUP)
	}
	others := []func(){nil, hangUp, nil,
		func() { s.refusedBuild(s.smallSource, "--max-drop", "10") }, nil, // refused: it has too few products
		func() { s.unserved(refusals[0], func(b []byte) []byte { b[len(b)/3] ^= 4; return b }) }, hangUp,
		func() { s.refusedBuild(s.keys) }, // refused: it is not a catalogue
		func() { s.unserved(refusals[1], func(b []byte) []byte { return b[:len(b)/2] }) },
		func() { s.unserved(refusals[2], func([]byte) []byte { return []byte("no snapshot\n") }) }}
	began := time.Now()
	s.switchOver()
	s.happened("switches", time.Since(began))
	s.forget(kept)
	pause(ctx, time.Second)
	if do := others[s.operated%len(others)]; do != nil {
		do()
	}
	s.operated++
}

func (s *soak) rebuild(context.Context) {
	began := time.Now()
	s.makeNext()
	s.happened("builds", time.Since(began))
}

// refusedBuild runs a build into the served folder. The build must fail and leave CURRENT unchanged.
func (s *soak) refusedBuild(source string, flags ...string) {
	before := step.Must(s.folder.Current())
	out, err := s.try(s.sabine, append([]string{"build", source, "--snapshots", s.folder.Dir}, flags...)...)
	if err == nil {
		s.fault(careless, "a build of %s was not refused: %s", source, out)
	}
	if now, err := s.folder.Current(); now != before || err != nil {
		s.fault(careless, "a build that was refused moved CURRENT from %s to %s, %v", before, now, err)
	}
	s.happened("builds refused", 0)
}

// unserved adds a changed generation of the small catalogue to the folder, and names it in CURRENT until the
// server has refused it. Meanwhile the server must continue to serve the current generation.
func (s *soak) unserved(what string, change func([]byte) []byte) {
	name := s.small.generations()[0].file()
	whole := step.Must(os.ReadFile(s.small.folder.Path(name)))
	step.Check(os.WriteFile(s.folder.Path(name), change(whole), 0o400))
	began := time.Now()
	step.Check(s.folder.Switch(name))
	s.await("degraded", name)
	s.happened(what, time.Since(began))
	step.Check(errors.Join(s.folder.Switch(s.inForce.file()), os.Remove(s.folder.Path(name))))
	s.await("ready", "")
}

// changeKeys creates, pauses, resumes and revokes a key. Each change must take effect within a second. The
// key file retains revoked keys. A run creates at most fifty keys.
func (s *soak) changeKeys(ctx context.Context) {
	key := s.createKey(s.sabine, "changing")
	file := step.Must(os.ReadFile(s.keys))
	id := gjson.GetBytes(file, "keys.@reverse.0.id").String() // no other goroutine creates keys now
	s.awaitCode(key, "", "keys created")
	for _, step := range [][2]string{{"pause", "token_paused"}, {"resume", ""}, {"revoke", "token_revoked"}} {
		pause(ctx, s.time/200)
		s.runSabine("keys", step[0], id, "--keys", s.keys)
		s.awaitCode(key, step[1], "keys "+step[0]+"d")
	}
}

// awaitCode sends requests with a key until the answer contains the given error code, or none if code is "".
// If this takes too long, awaitCode records a fault.
func (s *soak) awaitCode(key, code, what string) {
	q, changed := question{path: searchPath + "?limit=1", keyed: true}, time.Now()
	var asked time.Time
	err := await(s, keyFileTime, func() error {
		asked = time.Now()
		a, err := ask(s, s.address, &q, key, "")
		if err != nil {
			s.fault(failed, "%s: %v", what, err)
		} else if a.code() != code {
			err = fmt.Errorf("the answer is %v", a)
			time.Sleep(20 * time.Millisecond) // each request spends part of the key's budget
		}
		return err
	})
	if err != nil {
		s.fault(careless, "%s: %v", what, err)
	}
	s.happened(what, asked.Sub(changed))
}

// spendBudgets makes an account exceed its budget. The server must grant exactly the budget.
func (s *soak) spendBudgets(context.Context) {
	if got := s.spend(s.span*6/10, func() {}); got != s.budget {
		s.fault(careless, "a budget of %d requests let %d through", s.budget, got)
	}
	s.happened("budgets spent", 0)
}
