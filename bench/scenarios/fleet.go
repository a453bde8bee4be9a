package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"time"

	"aead.dev/minisign"
	"github.com/gomodule/redigo/redis"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/tidwall/gjson"

	"sabine/bench/results"
	"sabine/bench/step"
)

// A fleet is a site with servers that follow the same store and share a Redis.
type fleet struct {
	*site
	store, redis *server
	endpoint     string   // query of the store's URLs
	publisher    []string // flags for the commands that move the pointer
	fleetRecord
	away, back time.Time // start and end of the last Redis outage; zero until then
}

type fleetRecord struct{ results.FleetRun }

func (r *fleetRecord) line() results.Line {
	return results.Line{Key: results.Key{Suite: results.Fleet}, Fleet: &r.FleetRun}
}

const (
	bucket    = "catalogue" // bucket in the store
	storeName = "s3://" + bucket
	poll      = 2 * time.Second      // maximum time between a server's requests to the store
	bound     = poll + 2*time.Second // maximum time until all servers use a generation
	storeAway = 5 * time.Second      // duration of an outage, long enough for servers to detect
	redisAway = 3 * time.Second
	grace     = 2 * time.Second // time for which refusals are valid after Redis is back
)

// A round contains the events around the publication of one generation.
type round struct {
	store    *outage // store outage after the publication; nil for none
	redis    *outage // Redis outage during the build; nil for none
	spends   bool    // whether an account exceeds its budget; implied by redis
	rollback bool    // whether the generation is rolled back
}

// rounds are repeated until all generations are published.
var rounds = []round{
	{spends: true},
	{store: &paused},
	{redis: &paused},
	{rollback: true},
	{spends: true},
	{store: &killed},
	{redis: &killed},
}

func playFleet(r *run) record {
	f := newFleet(r)
	r.excused = f.excuse
	g := f.build()
	f.publish(g)
	for _, s := range f.servers {
		s.start()
	}
	began := time.Now()
	w := f.during(func() {
		for n := range r.generations {
			g = f.play(&rounds[n%len(rounds)], g)
		}
	})
	f.Run, f.Statuses = r.figures(began, len(f.catalogue.published), w), r.statuses
	f.Servers, f.Budget = len(f.servers), r.budget
	f.PerSecond = float64(f.Requests) / f.Seconds
	f.Generations, f.Switch = f.delays(false)
	f.Rollbacks, f.Rollback = f.delays(true)
	return &f.fleetRecord
}

func (f *fleet) delays(rollback bool) (int, results.Delays) {
	moves, all, missed := f.history.followings(rollback)
	return moves, results.Delays{Median: quantile(all, 0.5), Max: quantile(all, 1), Missed: missed}
}

// play plays a round and returns the generation that is current afterwards.
func (f *fleet) play(r *round, before *generation) (g *generation) {
	f.together(func() { g = f.build() }, func() {
		switch {
		case r.redis != nil:
			f.Across = append(f.Across, f.spend(redisAway+3*time.Second, func() { f.takeAway(f.redis, r.redis, redisAway) }))
		case r.spends:
			f.Calm = append(f.Calm, f.spend(3*time.Second, func() {}))
		}
	})
	f.publish(g)
	if r.store != nil {
		f.takeAway(f.store, r.store, storeAway)
		f.history.last(func(m *move) { m.back = time.Now() })
	}
	f.await()
	if r.rollback {
		g = before
		f.move(g, true, "rollback", "previous")
		f.await()
	}
	return g
}

func (f *fleet) publish(g *generation) { f.move(g, false, "publish", "--snapshots", f.made.Dir) }

func (f *fleet) move(to *generation, rollback bool, command ...string) {
	f.history.announce(to, rollback)
	out := f.runSabine(append(command, f.publisher...)...)
	if hash := gjson.Get(out, "hash").String(); hash != to.hash {
		step.Check(fmt.Errorf("sabine %s: expected generation %d, %s, got %s", command[0], to.number, to.hash, out))
	}
	f.history.last(func(m *move) { m.at = gjson.Get(out, "published").Time() })
	log.Printf("sabine %s has made generation %d current", command[0], to.number)
}

// await waits until every server has followed the last move, but at most twice the limit. If a server has not
// followed by then, a promise is broken; delays reports this.
func (f *fleet) await() {
	if err := await(f.site, 2*bound, func() error {
		if _, followed := f.history.made(); !followed {
			return errors.New("a server has not followed")
		}
		return nil
	}); err != nil {
		log.Printf("not all servers have switched: %v", err)
		return
	}
	log.Print("all servers have switched")
}

// An outage is a method to make a part unavailable.
type outage struct {
	name        string
	begin, stop func(*server)
}

var (
	paused = outage{"paused",
		func(s *server) { s.signal(syscall.SIGSTOP) }, func(s *server) { s.signal(syscall.SIGCONT) }}
	killed = outage{"killed", func(s *server) { step.Check(s.stop(syscall.SIGKILL)) }, (*server).start}
)

// takeAway makes a part unavailable for the given time. During a Redis outage, refusals are valid.
func (f *fleet) takeAway(part *server, how *outage, d time.Duration) {
	began := time.Now()
	set := func(back time.Time) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if part == f.redis {
			f.away, f.back = began, back
		}
	}
	set(time.Time{})
	f.Outages[part.name]++
	how.begin(part)
	log.Printf("%s is %s", part.name, how.name)
	pause(f.site, d)
	how.stop(part)
	log.Printf("%s is back", part.name)
	set(time.Now())
}

// excuse reports whether an answer is a valid refusal during or shortly after a Redis outage.
func (f *fleet) excuse(a *answer, at time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.status != http.StatusServiceUnavailable || f.away.IsZero() || at.Before(f.away) {
		return false
	}
	back := time.Duration(0)
	if !f.back.IsZero() {
		back = max(0, at.Sub(f.back))
	}
	f.Late = max(f.Late, back)
	if back > grace || a.code() != "rate_limit_unavailable" {
		return false
	}
	f.Unavailable++
	return true
}

func (r *fleetRecord) judge(hold hold) {
	inTime := func(d results.Delays) bool { return d.Max <= bound && d.Missed == 0 }
	hold(r.Late <= grace, "no 503 later than %v after Redis is back: the last one came after %v", grace, r.Late)
	hold(inTime(r.Switch), "a generation is in use everywhere within %v: it took %+v", bound, r.Switch)
	hold(inTime(r.Rollback), "a rollback is in use everywhere within %v: it took %+v", bound, r.Rollback)
	for _, got := range r.Calm {
		hold(got == r.Budget, "a budget of %d is exact over all servers: an account got %d", r.Budget, got)
	}
	for _, got := range r.Across {
		hold(got <= r.Budget, "a budget of %d is never exceeded: an account got %d", r.Budget, got)
	}
}

// newFleet starts the store and Redis, creates the catalogue and configures the servers.
func newFleet(r *run) *fleet {
	f := &fleet{store: r.newServer("store"), redis: r.newServer("Redis")}
	f.Outages = map[string]int{}
	public, private, err := minisign.GenerateKey(rand.Reader)
	step.Check(err)
	secret := r.path("ratelimit.secret")
	step.Check(os.WriteFile(r.path("sign.key"), step.Must(private.MarshalText()), 0o600))
	step.Check(os.WriteFile(secret, []byte(rand.Text()), 0o600))
	client := f.startStore(r)
	f.startRedis(r)
	r.createKeys(r.generations)
	keys := step.Must(os.ReadFile(r.keys))
	for name, b := range map[string][]byte{"keys.json": keys, "keys.json.minisig": minisign.Sign(private, keys)} {
		step.Must(client.PutObject(r, bucket, name, bytes.NewReader(b), int64(len(b)), minio.PutObjectOptions{}))
	}
	f.site = r.newSite("published", r.products, r.generations)
	f.buildFlags = []string{"--max-drop", "10"}
	f.publisher = []string{"--store", f.address("acoustics"), "--sign", r.path("sign.key"), "--json"}
	for _, name := range []string{"server0", "server1", "server2"} {
		f.addServer(name, f.address("acoustics"), f.address("keys.json"), "--cache", r.path(name), "--poll", poll.String(),
			"--trust", public.String(), "--rate-limit-secret", secret, "--rate-limit-store",
			"redis://"+f.redis.address+"/0")
	}
	return f
}

func (f *fleet) address(name string) string { return storeName + "/" + name + "?" + f.endpoint }

func (f *fleet) startStore(r *run) *minio.Client {
	step.Check(os.MkdirAll(r.path("s3", bucket), 0o700))
	id, secret := rand.Text(), rand.Text()
	r.env = []string{"AWS_ACCESS_KEY_ID=" + id, "AWS_SECRET_ACCESS_KEY=" + secret}
	r.keyFlags = []string{"--store-name", storeName}
	f.endpoint = "endpoint=" + url.QueryEscape("http://"+f.store.address)
	f.store.command = []string{r.s3, "--quiet", "--port", f.store.address, "posix", r.path("s3")}
	f.store.env = []string{"ROOT_ACCESS_KEY=" + id, "ROOT_SECRET_KEY=" + secret}
	f.store.start()
	return step.Must(minio.New(f.store.address, &minio.Options{Creds: credentials.NewStaticV4(id, secret, "")}))
}

// startRedis starts a Redis with an append-only file, so that a kill loses no counts. The file is in memory
// if possible. Otherwise, while builds keep the disk busy, a write could take longer than the 250 ms for
// which a request waits for Redis.
func (f *fleet) startRedis(r *run) {
	_, port, err := net.SplitHostPort(f.redis.address)
	step.Check(err)
	dir := r.path()
	if r.memory, err = os.MkdirTemp("/dev/shm", "sabine"); err == nil {
		dir = r.memory
	}
	f.redis.command = []string{"redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "",
		"--appendonly", "yes"}
	f.redis.ready = func() error { // fails until Redis has read its file
		return step.Try(func() {
			c := step.Must(redis.Dial("tcp", f.redis.address, redis.DialConnectTimeout(probeTime),
				redis.DialReadTimeout(probeTime)))
			_, err := c.Do("PING")
			step.Check(errors.Join(err, c.Close()))
		})
	}
	f.redis.start()
}
