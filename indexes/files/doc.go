// Package files knows what a file system leaves to its callers: whether a file is the one it was, how often to ask that,
// and how the names in a folder are made durable. It never reads or writes what is in a file.
//
// stamp.go has the first two, sync.go the third.
package files
