// Package ratelimit counts requests in fixed windows aligned to UTC, in memory or in Redis, and says what the
// RateLimit header fields of a response are.
//
// It never decides whom to count: its caller names the budget and the client.
//
// Clients are kept under names that a secret hides. Read ratelimit.go first, then memory.go with state.go and
// secret.go, and redis.go with address.go, cluster.go, which says what servers there are, and pipe.go.
package ratelimit
