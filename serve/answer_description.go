package serve

import (
	"bytes"
	_ "embed" // for openapi.json
	"encoding/json"

	"sabine/dataset/jsonwriter"
)

// openAPI is the description as it is written: indented, for the default base path, with relative servers.
//
//go:embed openapi.json
var openAPI []byte

var (
	getDescription          = describing("getDescription")
	getWellKnownDescription = describing("getWellKnownDescription")
)

func describing(name string) *operation {
	answer := func(x *exchange) (representation, *problem) { return x.server.description, nil }
	return &operation{name: name, cache: cacheDescription, answer: answer}
}

// writtenServer is the server of openAPI, as it stands in its compact form: the base address of the API. The
// address on the root of the site is no operation of the document: callers ignore the servers of a single
// path.
const writtenServer = `"servers":[{"url":"/api"`

// describe returns the OpenAPI document of a server, compact, with its address filled in and coded once.
func describe(address string) representation {
	var compact bytes.Buffer
	if err := json.Compact(&compact, openAPI); err != nil {
		panic(err) // it is embedded
	}
	server := jsonwriter.AppendString([]byte(`"servers":[{"url":`), address)
	return coded(bytes.Replace(compact.Bytes(), []byte(writtenServer), server, 1), applicationJSON[0])
}
