package main_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gomodule/redigo/redis"
	"github.com/tidwall/gjson"

	"sabine/internal/freeport"
)

// A redisServer is a redis-server process on a free port.
type redisServer struct {
	address string
	process *exec.Cmd
}

// startRedis starts a redis-server. If it is not installed, startRedis skips the test, or fails it in CI.
func startRedis(t testing.TB) *redisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("redis-server is not installed")
	}
	r := &redisServer{address: "127.0.0.1:" + freeport.New()}
	r.run(t)
	t.Cleanup(func() { r.kill() })
	return r
}

// run starts the process and waits until it responds.
func (r *redisServer) run(t testing.TB) {
	t.Helper()
	_, port, _ := net.SplitHostPort(r.address)
	r.process = exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no",
		"--dir", t.TempDir())
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, "redis-server answers", func() bool {
		client, err := redis.Dial("tcp", r.address)
		if err != nil {
			return false
		}
		defer func() { _ = client.Close() }()
		_, err = client.Do("PING")
		return err == nil
	})
}

func (r *redisServer) kill() {
	_ = r.process.Process.Kill()
	_ = r.process.Wait()
}

// TestASharedRateLimitStore runs two servers with one Redis.
func TestASharedRateLimitStore(t *testing.T) {
	t.Parallel()
	store := startRedis(t)
	dir := builtFolder(t)
	key := createKey(t, dir, "A")
	secret := filepath.Join(dir, "secret")
	writeFile(t, secret, "the same on all servers\n")
	args := []string{"--rate-limit-store", "redis://" + store.address + "/0", "--rate-limit-secret", secret,
		"--account-limit", "3/" + longWindow + ",5/" + longerWindow, "--public-limit", "4/" + longWindow}
	one, two := start(t, dir, args...), start(t, dir, args...)
	const product = "/v1/materials/panel-2"
	check := func(t *testing.T, got *answer, want string) {
		t.Helper()
		if budget(got) != want {
			t.Errorf("got %s, want %s", budget(got), want)
		}
	}
	t.Run("servers count an account together", func(t *testing.T) {
		check(t, one.getAs(t, key, product), "200: 2 of 3")
		check(t, two.getAs(t, key, product), "200: 1 of 3")
		check(t, one.getAs(t, key, product), "200: 0 of 3")
		check(t, two.getAs(t, key, product), "429: 0 of 3")
		check(t, one.getAs(t, key, product), "429: 0 of 3")
	})
	t.Run("servers count an address together", func(t *testing.T) {
		check(t, one.get(t, "/public/search"), "200: 3 of 4")
		check(t, two.get(t, product), "401: 2 of 4")
		check(t, one.get(t, "/public/search"), "200: 1 of 4")
	})

	away := func(t *testing.T) {
		t.Helper()
		for _, s := range []*server{one, two} {
			if a := s.getAs(t, key, product); a.status != 503 || a.code() != "rate_limit_unavailable" ||
				budget(a) != "503: 0 of 3" {
				t.Errorf("with a key: got %s %s", budget(a), a.body)
			}
			if a := s.get(t, "/public/search"); a.status != 503 || a.code() != "rate_limit_unavailable" ||
				budget(a) != "503: 0 of 4" {
				t.Errorf("public: got %s %s", budget(a), a.body)
			}
			check(t, s.get(t, product), "401: 4 of 4")
			check(t, s.get(t, "/v1/openapi.json"), "200: 4 of 4")
			if ready := fetch(t, s.admin+"/readyz"); ready.status != 200 ||
				gjson.Get(ready.body, "status").String() != "degraded" ||
				gjson.Get(ready.body, "rate_limit_store.status").String() != "away" {
				t.Errorf("/readyz: got %d %s", ready.status, ready.body)
			}
		}
	}
	breaker := func(t *testing.T, open string) {
		t.Helper()
		for _, s := range []*server{one, two} {
			if !strings.Contains(fetch(t, s.admin+"/metrics").body, "\nsabine_rate_limit_store_breaker_open "+open+"\n") {
				t.Errorf("the metric of the breaker is not %s", open)
			}
		}
	}
	t.Run("while Redis does not respond: 503, but an invalid key is still reported and the description is served", func(t *testing.T) {
		if err := store.process.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		away(t)
		away(t) // from now on, requests are refused immediately
		breaker(t, "1")
		if err := store.process.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("when Redis responds again, its counters are used", func(t *testing.T) {
		for _, s := range []*server{one, two} {
			eventually(t, patience, "the store is used again", func() bool { return s.getAs(t, key, product).status == 429 })
		}
		breaker(t, "0")
	})
	t.Run("while Redis is not running", func(t *testing.T) {
		store.kill()
		away(t)
	})
	three := start(t, dir, args...)
	t.Run("a server starts without Redis", func(t *testing.T) {
		if a := three.getAs(t, key, product); a.status != 503 {
			t.Errorf("got %s", budget(a))
		}
	})
	t.Run("a new Redis is used at once, by all servers", func(t *testing.T) {
		store.run(t)
		for _, s := range []*server{three, one, two} {
			eventually(t, patience, "the store is used again", func() bool {
				return s.get(t, "/v1/openapi.json").status == 200 && s.getAs(t, key, product).status == 200
			})
		}
		check(t, three.getAs(t, key, product), "429: 0 of 3")
	})
	t.Run("counters expire with their windows", func(t *testing.T) {
		client, err := redis.Dial("tcp", store.address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = client.Close() }()
		names, err := redis.Strings(client.Do("KEYS", "*"))
		if err != nil || len(names) == 0 {
			t.Fatalf("got %v, %v", names, err)
		}
		for _, name := range names {
			if ttl, err := redis.Int(client.Do("TTL", name)); err != nil || ttl <= 0 {
				t.Errorf("%s lives %v, %v", name, ttl, err)
			}
			if !regexp.MustCompile("^sabine:[0-9a-f]{32}$").MatchString(name) {
				t.Errorf("the store reveals a client: %s", name)
			}
		}
	})
	t.Run("the log has one line at the start and one at the end of an outage", func(t *testing.T) {
		const gone, back = "the rate-limit store does not respond; requests are refused with 503 until it does",
			"the rate-limit store responds again"
		eventually(t, patience, "/readyz finds it back", func() bool {
			return gjson.Get(fetch(t, one.admin+"/readyz").body, "status").String() == "ready"
		})
		eventually(t, patience, "the last line", func() bool {
			return strings.Count(one.log.String(), back) == strings.Count(one.log.String(), gone)
		})
		// one for the pause and one for the kill, or one for both
		if n := strings.Count(one.log.String(), gone); n < 1 || n > 2 {
			t.Errorf("got %d lines for two outages:\n%s", n, one.log)
		}
	})
	t.Run("the metrics have the number of uncounted requests", func(t *testing.T) {
		if metrics := fetch(t, one.admin+"/metrics").body; strings.Contains(metrics,
			"\nsabine_rate_limit_store_failures_total 0\n") ||
			!strings.Contains(metrics, "\nsabine_rate_limit_store_failures_total ") {
			t.Error("they do not")
		}
	})
}
