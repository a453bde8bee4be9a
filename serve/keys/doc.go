// Package keys is the file of accounts and API keys: how it is written by the command line and read, watched
// and reloaded by the server, which notes beside it when each key was last used.
//
// It never stores or logs a key itself, only its SHA-256 hash.
//
// Read file.go first, then store.go.
package keys
