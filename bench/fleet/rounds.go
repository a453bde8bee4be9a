package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"
)

// poll is the longest time between two looks of a server at the store, and bound how long it may take until a move is in
// force everywhere.
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
func (f *fleet) begin(ctx context.Context) (*generation, error) {
	g, err := f.build(ctx, 0)
	if err != nil {
		return nil, err
	}
	if err := f.reference.start(ctx); err != nil {
		return nil, err
	}
	if err := f.learn(ctx, g); err != nil {
		return nil, err
	}
	if err := f.move(ctx, g, false, "publish", "--snapshots", f.path(publishedName)); err != nil {
		return nil, err
	}
	for _, s := range f.servers {
		if err := s.start(ctx); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// play plays one round. An error says that it could not be played; promises that are broken are noted elsewhere.
func (f *fleet) play(ctx context.Context, number int, before *generation) (*generation, error) {
	r := rounds[(number-1)%len(rounds)]
	var beside errgroup.Group
	switch {
	case r.spends:
		beside.Go(func() error { return f.spend(ctx, nil) })
	case r.redis != nil:
		beside.Go(func() error { return f.spend(ctx, r.redis) })
	}
	var g *generation
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
func (f *fleet) build(ctx context.Context, number int) (*generation, error) {
	source := f.path("catalogue.ndjson")
	published, err := f.catalogue.write(number, source)
	if err != nil {
		return nil, err
	}
	out, err := f.run(ctx, "build", source, "--snapshots", f.path(publishedName), "--max-drop", "10", "--json")
	if err != nil {
		return nil, err
	}
	g := &generation{number: number, hash: gjson.Get(out, "hash").String(), products: published}
	for deadline := time.Now().Add(startTime); number > 0; time.Sleep(10 * time.Millisecond) {
		a, err := ask(ctx, f.reference.address, &f.questions[0], f.accounts[0], "")
		if err == nil && a.shown == g.shown() {
			break
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("the reference does not serve generation %d, %s, after %v: it answers %v: %w", number, g.hash, startTime, a, err)
		}
	}
	return g, nil
}

// move moves the pointer by a command of sabine.
func (f *fleet) move(ctx context.Context, to *generation, rollback bool, command ...string) error {
	n := f.history.announce(to, rollback)
	out, err := f.run(ctx, append(command, f.publisher...)...)
	if err != nil {
		return err
	}
	if hash := gjson.Get(out, "hash").String(); hash != to.hash {
		return fmt.Errorf("sabine %s: expected generation %d, %s, got %s", command[0], to.number, to.hash, out)
	}
	f.history.moved(n, gjson.Get(out, "published").Time())
	tell("sabine %s has brought generation %d into force", command[0], to.number)
	return nil
}

// away makes a part go away for a time.
func (f *fleet) away(ctx context.Context, p *process, how *fault, d time.Duration) error {
	back := f.outages.begin(p.name)
	if err := how.leave(ctx, p); err != nil {
		return err
	}
	tell("%s is %s", p.name, how.name)
	time.Sleep(d)
	if err := how.comeBack(ctx, p); err != nil {
		return err
	}
	back()
	tell("%s is back", p.name)
	return nil
}

// await waits until every server has followed the last move, but not for ever: who does not has broken a promise.
func (f *fleet) await() {
	n := f.history.last()
	for deadline := time.Now().Add(2 * bound); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if f.history.allReached(n) {
			tell("all servers have followed")
			return
		}
	}
	tell("not all servers have followed")
}

// tell tells of a step, for who watches.
func tell(format string, what ...any) {
	fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().UTC().Format("15:04:05.000"), fmt.Sprintf(format, what...))
}
