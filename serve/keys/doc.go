// Package keys manages the file of accounts and API keys. The command line writes the file. The server reads,
// watches and reloads it, and records the last use of each key in a second file.
//
// It never stores or logs a key. It stores only the SHA-256 hash of the key.
//
// Read file.go first, then store.go.
package keys
