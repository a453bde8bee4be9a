// Package fleet copies generations between folders and an object store, so that many servers can serve a
// build made on one machine. It publishes the current generation of a folder, rolls back to an earlier one,
// and mirrors the store's current generation into the folder of a server.
//
// The package reads the head, the hash and the sections of a snapshot, but does not interpret the sections.
// Only the command line imports it. Package serve does not depend on what fills its folder.
//
// Read pointer.go first. It describes the layout of a store. Then read publish.go and mirror.go. store.go
// contains the interfaces that file.go, web.go and s3.go implement. transport.go detects stalled requests.
// download.go downloads generations, and patch.go only the changes since the previous one; patch_write.go
// makes these patches. follow.go contains the state that Mirror shares with Copy, which mirrors a single
// file. sign.go signs and verifies generations.
package fleet
