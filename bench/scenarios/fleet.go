package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	"aead.dev/minisign"
	"github.com/gomodule/redigo/redis"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/tidwall/gjson"

	"sabine/bench/trial"
)

// A fleet is a site of servers that follow a store and share a Redis.
type fleet struct {
	*site
	store, redis *trial.Server
	endpoint     string   // the part of the store's addresses after the question mark
	publisher    []string // flags of who moves the pointer
	outages      outages

	unavailable  int           // 503s in an outage of Redis and its grace
	late         time.Duration // the longest time from Redis's return to a 503
	calm, across []int         // what accounts got of their budgets, without an outage of Redis and with one
}

// The bucket of the store, and the address that needs nothing else.
const (
	bucket    = "catalogue"
	storeName = "s3://" + bucket
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
	store    *leave // the store goes as soon as the generation is published, nil: it stays
	redis    *leave // Redis goes while the generation is built, nil: it stays
	spends   bool   // an account spends its budget; always, when Redis goes
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

// playFleet publishes generation 0, starts the servers and plays every round under load.
func playFleet(r *run) record {
	f := newFleet(r)
	r.excused = f.excuse
	g := f.build()
	f.publish(g)
	for _, s := range f.servers {
		s.Start()
	}
	began := time.Now()
	var w *window
	loaded, unload := context.WithCancel(r)
	defer unload()
	f.All(func() { w = f.load(loaded) }, func() {
		defer unload()
		for n := range r.generations {
			g = f.play(&rounds[n%len(rounds)], g)
		}
	})
	return f.record(r.figures(began, len(f.catalogue.published), w))
}

// play plays one round after a generation, and returns the one that is in force after it.
func (f *fleet) play(r *round, before *generation) (g *generation) {
	f.All(func() { g = f.build() }, func() {
		switch {
		case r.redis != nil:
			got := f.spendNext(redisAway+3*time.Second, func() { f.away(f.redis, r.redis, redisAway) })
			f.across = append(f.across, got)
		case r.spends:
			f.calm = append(f.calm, f.spendNext(3*time.Second, func() {}))
		}
	})
	f.publish(g)
	if r.store != nil {
		f.away(f.store, r.store, storeAway)
	}
	f.await()
	if r.rollback {
		g = before
		f.move(g, true, "rollback", "previous")
		f.await()
	}
	return g
}

// spendNext lets the next account spend its budget, while something happens that is over before its last
// request.
func (f *fleet) spendNext(takes time.Duration, beside func()) int {
	key := f.spenders[0]
	f.spenders = f.spenders[1:]
	return f.spend(key, takes, beside)
}

func (f *fleet) publish(g *generation) { f.move(g, false, "publish", "--snapshots", f.made.Dir) }

// move moves the pointer by a command of sabine.
func (f *fleet) move(to *generation, rollback bool, command ...string) {
	moved := f.history.announce(to, rollback)
	out := f.Run(append(append([]string{f.sabine}, command...), f.publisher...)...)
	if hash := gjson.Get(out, "hash").String(); hash != to.hash {
		f.Check(fmt.Errorf("sabine %s: expected generation %d, %s, got %s", command[0], to.number, to.hash, out))
	}
	moved(gjson.Get(out, "published").Time())
	tell("sabine %s has brought generation %d into force", command[0], to.number)
}

// await waits until every server has followed the last move, but not for ever: who does not has broken a
// promise.
func (f *fleet) await() {
	err := trial.Await(f, 2*bound, func() error {
		if _, followed := f.history.made(); !followed {
			return errors.New("not all servers have followed")
		}
		return nil
	})
	tell("all servers are to have followed: %v", err)
}

// newFleet starts the store and Redis, makes the catalogue and puts the servers together.
func newFleet(r *run) *fleet {
	f := &fleet{store: r.NewServer("store"), redis: r.NewServer("Redis")}
	public, private, err := minisign.GenerateKey(rand.Reader)
	r.Check(err)
	signing, err := private.MarshalText()
	r.Check(err)
	secret := r.Path("ratelimit.secret")
	r.Check(os.WriteFile(r.Path("sign.key"), signing, 0o600))
	r.Check(os.WriteFile(secret, []byte(rand.Text()), 0o600))
	client := f.startStore(r)
	f.startRedis(r)
	r.createKeys(r.generations)
	keys, err := os.ReadFile(r.keys)
	r.Check(err)
	for name, b := range map[string][]byte{"keys.json": keys, "keys.json.minisig": minisign.Sign(private, keys)} {
		_, err := client.PutObject(r, bucket, name, bytes.NewReader(b), int64(len(b)), minio.PutObjectOptions{})
		r.Check(err)
	}
	f.site = r.newSite("published", r.products, r.generations)
	f.buildFlags = []string{"--max-drop", "10"}
	f.publisher = []string{"--store", f.address("acoustics"), "--sign", r.Path("sign.key"), "--json"}
	for _, name := range []string{"server0", "server1", "server2"} {
		f.addServer(name, "--snapshots", f.address("acoustics"), "--keys", f.address("keys.json"), "--cache",
			r.Path(name), "--poll", poll.String(), "--trust", public.String(), "--rate-limit-store", "redis://"+f.redis.Address+"/0",
			"--rate-limit-secret", secret)
	}
	return f
}

// address is where the store has an object, or the objects of a prefix.
func (f *fleet) address(name string) string { return storeName + "/" + name + "?" + f.endpoint }

// startStore starts an S3 server with a bucket in a folder.
func (f *fleet) startStore(r *run) *minio.Client {
	r.Check(os.MkdirAll(r.Path("s3", bucket), 0o700))
	id, secret := rand.Text(), rand.Text()
	r.Env = []string{"AWS_ACCESS_KEY_ID=" + id, "AWS_SECRET_ACCESS_KEY=" + secret}
	r.keyFlags = []string{"--store-name", storeName}
	f.endpoint = "endpoint=" + url.QueryEscape("http://"+f.store.Address)
	f.store.Command = []string{r.s3, "--quiet", "--port", f.store.Address, "posix", r.Path("s3")}
	f.store.Env = []string{"ROOT_ACCESS_KEY=" + id, "ROOT_SECRET_KEY=" + secret}
	f.store.Start()
	client, err := minio.New(f.store.Address, &minio.Options{Creds: credentials.NewStaticV4(id, secret, "")})
	r.Check(err)
	return client
}

// startRedis starts a Redis that writes down what it counts, so that a kill loses nothing. It writes to
// memory where it can: while builds keep the disk busy a write may take longer than the quarter of a second
// that a request waits for Redis.
func (f *fleet) startRedis(r *run) {
	_, port, err := net.SplitHostPort(f.redis.Address)
	r.Check(err)
	f.redis.Command = []string{"redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", r.Memory(), "--save", "",
		"--appendonly", "yes"}
	f.redis.Ready = func() error { // one that still reads what it has written down says so
		c, err := redis.Dial("tcp", f.redis.Address, redis.DialConnectTimeout(trial.ProbeTime),
			redis.DialReadTimeout(trial.ProbeTime))
		if err != nil {
			return err
		}
		_, err = c.Do("PING")
		return errors.Join(err, c.Close())
	}
	f.redis.Start()
}
