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
	getDescription          = descriptionOperation("getDescription")
	getWellKnownDescription = descriptionOperation("getWellKnownDescription")
)

func descriptionOperation(name string) *operation {
	return &operation{name: name, cache: cacheDescription,
		answer: func(x *exchange) (representation, *problem) { return x.server.description, nil }}
}

// defaultServer is the server in the compact openAPI: the base address of the API. openAPI does not list the
// description at the site root as an operation, because it has another server, and clients ignore a server
// that is declared for a single path.
const defaultServer = `"servers":[{"url":"/api"`

// newDescription returns the OpenAPI document for an address: compact, with this address, in all codings.
func newDescription(address string) representation {
	var compact bytes.Buffer
	err := json.Compact(&compact, openAPI)
	server := jsonwriter.AppendString([]byte(`"servers":[{"url":`), address)
	return coded(bytes.Replace(must(compact.Bytes(), err), []byte(defaultServer), server, 1), applicationJSON[0])
}
