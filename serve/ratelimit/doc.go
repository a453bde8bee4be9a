// Package ratelimit counts requests in fixed windows aligned to UTC, in memory or in Redis, and sets the
// RateLimit header fields of responses.
//
// Its caller chooses the budget and the client. The package stores clients only as keyed hashes.
//
// Read ratelimit.go first, then memory.go with state.go and secret.go, and redis.go with address.go,
// cluster.go (which finds the servers) and pipe.go.
package ratelimit
