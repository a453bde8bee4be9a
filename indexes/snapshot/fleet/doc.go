// Package fleet copies generations between folders and an object store, so that many servers can serve the
// build of one machine. It publishes the current generation of a folder, rolls back to an earlier one, and
// mirrors the generation in force into the folder of a server.
//
// It knows the head, the hash and the sections of a snapshot, but it never interprets the bytes of a section.
// Only the command line imports it: package serve reads a folder, and does not know how it is filled.
//
// Read pointer.go first, which describes the layout of a store, then publish.go and mirror.go. store.go has
// the interfaces of stores, which file.go, web.go and s3.go implement. transport.go detects stalled requests.
// patch.go downloads only the changes since the previous generation. follow.go has the common part of Mirror
// and of Copy, which mirrors a single file. sign.go signs and verifies generations.
package fleet
