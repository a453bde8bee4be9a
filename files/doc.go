// Package files knows two things of a file system that the standard library leaves to its callers: whether a file is the
// one it was, and how often to ask; and how the names in a folder are made durable. It never reads or writes what is in a file.
//
// stamp.go has the first, sync.go the second.
package files
