// Package fleet carries generations between a folder and an object store, so that a build on one machine is
// served by many: it publishes a folder's current generation, takes a bad one back, and mirrors what a store
// says is current into the folder of a server.
//
// It knows the head of a snapshot, its hash and the bytes of its sections, but not what the bytes mean. It
// never serves. Only the command line calls it: whoever serves knows a folder, and not how it is filled.
//
// Read pointer.go first, which has the layout of a store, then publish.go and mirror.go. store.go says what a
// store has to promise; file.go, web.go and s3.go are the stores, transport.go how the latter two wait for an
// answer. patch.go downloads only what has changed since the generation before. follow.go has the follower
// that mirror.go and copy.go, which mirrors a single file, share; sign.go says who vouches for a generation,
// and for which store.
package fleet
