package main

import (
	"context"
	"fmt"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"

	"sabine/bench/trial"
)

// poll is the longest time between two looks of a server at the store, and bound how long it may take until a
// move is in force everywhere.
const (
	poll  = 2 * time.Second
	bound = poll + 2*time.Second
)

// How long the store and Redis stay away: the store for longer than a server takes to notice.
const (
	storeAway = 5 * time.Second
	redisAway = 3 * time.Second
)

// A round is what happens beside the publication of one generation.
type round struct {
	store    *fault // the store goes as soon as the generation is published, nil: it stays
	redis    *fault // Redis goes while the generation is built, nil: it stays
	spends   bool   // an account spends its budget in the calm
	rollback bool   // the generation is taken back
}

// rounds are repeated for as long as there are generations.
var rounds = []round{
	{spends: true},
	{store: &paused},
	{redis: &paused},
	{rollback: true},
	{spends: true},
	{store: &killed},
	{redis: &killed},
}

// begin publishes generation 0, which it returns, and starts the servers.
func (f *fleet) begin(ctx context.Context) (*trial.Generation, error) {
	g, err := f.build(ctx, 0)
	if err != nil {
		return nil, err
	}
	if err := f.reference.Start(ctx); err != nil {
		return nil, err
	}
	if err := f.learn(ctx, g); err != nil {
		return nil, err
	}
	if err := f.move(ctx, g, false, "publish", "--snapshots", f.path(publishedName)); err != nil {
		return nil, err
	}
	for _, s := range f.servers {
		if err := s.Start(ctx); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// play plays one round. An error says that it could not be played; promises that are broken are noted
// elsewhere.
func (f *fleet) play(ctx context.Context, number int, before *trial.Generation) (*trial.Generation, error) {
	r := rounds[(number-1)%len(rounds)]
	var beside errgroup.Group
	switch {
	case r.spends:
		beside.Go(func() error { return f.spend(ctx, nil) })
	case r.redis != nil:
		beside.Go(func() error { return f.spend(ctx, r.redis) })
	}
	var g *trial.Generation
	beside.Go(func() (err error) {
		g, err = f.build(ctx, number)
		if err == nil {
			err = f.learn(ctx, g)
		}
		return err
	})
	if err := beside.Wait(); err != nil {
		return nil, err
	}
	if err := f.move(ctx, g, false, "publish", "--snapshots", f.path(publishedName)); err != nil {
		return nil, err
	}
	if r.store != nil {
		if err := f.away(ctx, f.store, r.store, storeAway); err != nil {
			return nil, err
		}
	}
	f.await()
	if !r.rollback {
		return g, nil
	}
	err := f.move(ctx, before, true, "rollback", "previous")
	f.await()
	return before, err
}

// build makes a generation and waits until the reference, if it runs, serves it.
func (f *fleet) build(ctx context.Context, number int) (*trial.Generation, error) {
	source := f.path("catalogue.ndjson")
	published, err := f.catalogue.Write(number, source)
	if err != nil {
		return nil, err
	}
	out, err := f.run(ctx, "build", source, "--snapshots", f.path(publishedName), "--max-drop", "10", "--json")
	if err != nil {
		return nil, err
	}
	g := &trial.Generation{Number: number, Hash: gjson.Get(out, "hash").String(), Products: published}
	for deadline := time.Now().Add(trial.StartTime); number > 0; time.Sleep(10 * time.Millisecond) {
		a, err := trial.Ask(ctx, f.reference.Address, &f.questions[0], f.accounts[0], "")
		if err == nil && a.Shown == g.Shown() {
			break
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("the reference does not serve generation %d, %s, after %v: it answers %v: %w", number,
				g.Hash, trial.StartTime, a, err)
		}
	}
	return g, nil
}

// learn asks the reference, a server that has the publisher's folder and nothing to do with the fleet, for
// the right answers.
func (f *fleet) learn(ctx context.Context, g *trial.Generation) error {
	return g.Learn(ctx, f.reference.Address, f.accounts[0], f.catalogue, f.questions)
}

// move moves the pointer by a command of sabine.
func (f *fleet) move(ctx context.Context, to *trial.Generation, rollback bool, command ...string) error {
	n := f.history.Announce(to, rollback)
	out, err := f.run(ctx, append(command, f.publisher...)...)
	if err != nil {
		return err
	}
	if hash := gjson.Get(out, "hash").String(); hash != to.Hash {
		return fmt.Errorf("sabine %s: expected generation %d, %s, got %s", command[0], to.Number, to.Hash, out)
	}
	f.history.Moved(n, gjson.Get(out, "published").Time())
	trial.Tell("sabine %s has brought generation %d into force", command[0], to.Number)
	return nil
}

// away makes a part go away for a time.
func (f *fleet) away(ctx context.Context, p *trial.Process, how *fault, d time.Duration) error {
	back := f.outages.begin(p.Name)
	if err := how.leave(ctx, p); err != nil {
		return err
	}
	trial.Tell("%s is %s", p.Name, how.name)
	time.Sleep(d)
	if err := how.comeBack(ctx, p); err != nil {
		return err
	}
	back()
	trial.Tell("%s is back", p.Name)
	return nil
}

// await waits until every server has followed the last move, but not for ever: who does not has broken a
// promise.
func (f *fleet) await() {
	n := f.history.Last()
	for deadline := time.Now().Add(2 * bound); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if f.history.AllReached(n) {
			trial.Tell("all servers have followed")
			return
		}
	}
	trial.Tell("not all servers have followed")
}
