// Package agents provides the tools and resources of a Model Context Protocol server for a catalogue.
//
// It does not use HTTP or the indexes. Package serve provides a Catalogue, which accepts the parameters of
// the API and returns products, so that tools search like the API. This package adds typed arguments, limits
// on the size of answers, and notes in each answer that state what was left out and how to get it.
//
// Read server.go first. The tools are in search.go, material.go, compare.go and room.go, with the types of
// their arguments and answers; hits.go creates the answer for both searches, and setup.go describes set-ups
// for these answers. arguments.go derives schemas and API parameters from arguments, and answer.go limits
// the size of answers. message.go reads JSON-RPC messages and restores their ids, for HTTP and for stdio.go,
// which transports one message per line.
package agents
