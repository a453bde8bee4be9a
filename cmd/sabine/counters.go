package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"sabine/serve/ratelimit"
)

// memoryStore is the value of --rate-limit-store for counters in the server itself.
const memoryStore = "memory"

// limitFlags are the flags of serve that say how much clients may ask, and where that is counted.
func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "account-limit", Value: "60/1m,1000/24h", Usage: "requests per time and account"},
		&cli.StringFlag{Name: "export-limit", Value: "10/24h", Usage: "exports per time and account"},
		&cli.StringFlag{Name: "public-limit", Value: "120/1m", Usage: "requests per time and address without a key"},
		&cli.StringFlag{Name: "rate-limit-store", Value: memoryStore, Usage: "where requests are counted: memory, or the `URL` of a Redis or Valkey that servers share: redis://HOST:PORT/DB, redis+cluster:// or redis+sentinel://, with rediss for TLS"},
		&cli.StringFlag{Name: "rate-limit-state", Usage: "`FILE` that carries the counters over a restart", DefaultText: "ratelimit.state beside the key file"},
		&cli.StringFlag{Name: "rate-limit-secret", Usage: "`FILE` of the secret that hides whose counters are kept, the same on all servers that share a store", DefaultText: "ratelimit.secret beside the state file, which the server makes"},
	}
}

// openLimits reads the limits and opens what requests are counted in.
func openLimits(c *cli.Context, keyFile string, log *slog.Logger) (*ratelimit.Limiter, error) {
	var policies [3]ratelimit.Policy // of accounts, exports and the public
	for i, name := range []string{"account-limit", "export-limit", "public-limit"} {
		var err error
		if policies[i], err = ratelimit.ParsePolicy(c.String(name)); err == nil && i == 1 {
			err = policies[1].Beside(policies[0])
		}
		if err != nil {
			return nil, usagef("--%s: %w", name, err)
		}
	}
	counters, err := openCounters(c, keyFile, log)
	if err != nil {
		return nil, err
	}
	return ratelimit.NewLimiter(counters, policies[0], policies[2], policies[1]), nil
}

// openCounters opens what requests are counted in.
func openCounters(c *cli.Context, keyFile string, log *slog.Logger) (ratelimit.Store, error) {
	var secret *ratelimit.Secret // nil: the memory store's own
	if path := c.String("rate-limit-secret"); path != "" {
		var err error
		if secret, err = ratelimit.ReadSecret(path); err != nil {
			return nil, fmt.Errorf("--rate-limit-secret: %w", err)
		}
	}
	address := c.String("rate-limit-store")
	if address == memoryStore {
		return ratelimit.NewMemory(stateFile(c, keyFile), secret, log)
	}
	if secret == nil {
		return nil, usagef("--rate-limit-store needs --rate-limit-secret FILE, the same on all servers that share the store")
	}
	store, err := ratelimit.NewRedis(address, secret)
	if err != nil {
		return nil, usagef("--rate-limit-store: %w", err)
	}
	return store, nil
}

// stateFile returns the path of the counters' state.
func stateFile(c *cli.Context, keyFile string) string {
	return cmp.Or(c.String("rate-limit-state"), filepath.Join(filepath.Dir(keyFile), "ratelimit.state"))
}
