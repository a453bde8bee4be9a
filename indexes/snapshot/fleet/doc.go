// Package fleet copies generations between folders and an object store, so that many servers can serve a
// build from one machine. It publishes the current generation of a folder, rolls back to an earlier one, and
// mirrors the current generation of a store into a server's folder.
//
// It reads the head, the hash and the sections of a snapshot, but never interprets the bytes of a section.
// Only the command line imports it: package serve reads a folder, however it is filled.
//
// Read pointer.go first, which describes the layout of a store, then publish.go and mirror.go. store.go
// contains the interfaces, which file.go, web.go and s3.go implement. transport.go detects stalled requests.
// patch.go downloads only the changes since the previous generation. follow.go contains the common part of
// Mirror and Copy, which mirrors a single file. sign.go signs and verifies generations.
package fleet
