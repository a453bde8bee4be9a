package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"sabine/serve/ratelimit"
)

// memoryStore is the value of --rate-limit-store that stores counters in the server's memory.
const memoryStore = "memory"

// openLimits parses the limits and opens the counter store.
func openLimits(c *cli.Context, keyFile string, log *slog.Logger) (*ratelimit.Limiter, error) {
	var policies [3]ratelimit.Policy // for accounts, exports and requests without a key
	for i, name := range []string{"account-limit", "export-limit", "public-limit"} {
		var err error
		if policies[i], err = ratelimit.ParsePolicy(c.String(name)); err == nil && i == 1 {
			err = policies[1].CheckConflict(policies[0])
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

func openCounters(c *cli.Context, keyFile string, log *slog.Logger) (ratelimit.Store, error) {
	var secret *ratelimit.Secret // if nil, the memory store generates a secret
	if path := c.String("rate-limit-secret"); path != "" {
		var err error
		if secret, err = ratelimit.ReadSecret(path); err != nil {
			return nil, fmt.Errorf("--rate-limit-secret: %w", err)
		}
	}
	address := c.String("rate-limit-store")
	if address == memoryStore {
		state := cmp.Or(c.String("rate-limit-state"), filepath.Join(filepath.Dir(keyFile), "ratelimit.state"))
		return ratelimit.NewMemory(state, secret, log)
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
