package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"sabine/serve/ratelimit"
)

// openLimits parses the limits and opens the counter store.
func openLimits(c *cli.Context, keyFile string, log *slog.Logger) (*ratelimit.Limiter, error) {
	policies := map[string]ratelimit.Policy{} // by flag
	for _, flag := range []string{"account-limit", "export-limit", "public-limit"} {
		policy, err := ratelimit.ParsePolicy(c.String(flag))
		if err == nil && flag == "export-limit" {
			err = policy.CheckConflict(policies["account-limit"])
		}
		if err != nil {
			return nil, usagef("--%s: %w", flag, err)
		}
		policies[flag] = policy
	}
	counters, err := openCounters(c, keyFile, log)
	if err != nil {
		return nil, err
	}
	return ratelimit.NewLimiter(counters, policies["account-limit"], policies["public-limit"],
		policies["export-limit"]), nil
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
	if address == "memory" { // the memory of the server
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
