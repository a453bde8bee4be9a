package serve

import (
	"bytes"
	"cmp"
	_ "embed" // for openapi.json
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"sabine/dataset/jsonwriter"
)

// openAPI is the description as it is written: indented, for the default base path, with relative servers.
//
//go:embed openapi.json
var openAPI []byte

// writtenServer is the server of openAPI, as it stands in its compact form: the base address of the API. The address on
// the root of the site is no operation of the document: callers ignore the servers of a single path.
const writtenServer = `"servers":[{"url":"/api"`

// describe returns the OpenAPI document of a server, compact, with its address filled in and coded once.
func describe(address string, c *compressor) (representation, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, openAPI); err != nil {
		return representation{}, fmt.Errorf("the OpenAPI document: %w", err)
	}
	text := compact.String()
	if n := strings.Count(text, writtenServer); n != 1 {
		return representation{}, fmt.Errorf("the OpenAPI document has %s %d times, not once", writtenServer, n)
	}
	text = strings.Replace(text, writtenServer, string(jsonwriter.AppendString([]byte(`"servers":[{"url":`), address)), 1)
	return coded([]byte(text), c), nil
}

// serverAddress returns the base address of the API: absolute when the public URL is known, relative to the host
// otherwise. A public URL may have the base path at its end already.
func serverAddress(base, publicURL string) (string, error) {
	if publicURL == "" {
		return cmp.Or(base, "/"), nil
	}
	u, err := url.Parse(publicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", fmt.Errorf("public URL %q: expected the address of a site, such as https://api.example.org", publicURL)
	}
	return strings.TrimSuffix(strings.TrimRight(u.String(), "/"), base) + base, nil // no slash behind: a path is appended to it
}
