package serve

import (
	"bytes"
	_ "embed" // for openapi.json
	"encoding/json"

	"sabine/dataset/jsonwriter"
)

// openAPI is the source of the description: indented JSON for the default base path, with relative servers.
//
//go:embed openapi.json
var openAPI []byte

var (
	getDescription          = describeOperation("getDescription")
	getWellKnownDescription = describeOperation("getWellKnownDescription")
)

func describeOperation(name string) *operation {
	answer := func(x *exchange) (representation, *problem) { return x.server.description, nil }
	return &operation{name: name, cache: cacheDescription, answer: answer}
}

// defaultServer is the server in the compact openAPI: the base address of the API. The description served at
// the site root is not listed as an operation, because clients ignore a server that is declared for a single
// path.
const defaultServer = `"servers":[{"url":"/api"`

// describe returns the OpenAPI document for an address: compact, with this address, in all codings.
func describe(address string) representation {
	var compact bytes.Buffer
	if err := json.Compact(&compact, openAPI); err != nil {
		panic(err) // impossible, because the document is embedded
	}
	server := jsonwriter.AppendString([]byte(`"servers":[{"url":`), address)
	return coded(bytes.Replace(compact.Bytes(), []byte(defaultServer), server, 1), applicationJSON[0])
}
