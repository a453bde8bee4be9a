// Package agents is what agents see of a catalogue: the tools and resources of a server of the Model Context
// Protocol.
//
// It knows no HTTP and no index: package serve gives it a Catalogue, which takes the API's own parameters and
// returns products, so that there is no second way to search. What it adds is for readers that pay by the
// word: arguments with types, answers that fit, and what was left out of them with the way to it.
//
// Read server.go first. The tools are in search.go, material.go, compare.go and room.go, each with the types
// of its arguments and of its answer; hits.go has the answer of both searches. arguments.go reads the tags of
// arguments, which have their limits, and makes parameters of them; answer.go says how large an answer may be.
// message.go reads messages of JSON-RPC and restores their ids, for HTTP and for stdio.go, which takes a
// message a line.
package agents
