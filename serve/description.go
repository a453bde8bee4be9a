package serve

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for openapi.json
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// openAPI is the description as it is written: indented, for the default base path, with relative servers.
//
//go:embed openapi.json
var openAPI []byte

// The two servers of openAPI, as they stand in its compact form: the base address of the API, and the site root of the
// one path that lies outside of it.
const (
	writtenBase = `"servers":[{"url":"/api"`
	writtenSite = `"servers":[{"url":"/"`
)

// describe returns the OpenAPI document of a server, compact, with its addresses filled in and coded once.
func describe(base, publicURL string, c *compressor) (representation, error) {
	baseURL, siteURL, err := addresses(base, publicURL)
	if err != nil {
		return representation{}, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, openAPI); err != nil {
		return representation{}, fmt.Errorf("the OpenAPI document: %w", err)
	}
	text := compact.String()
	for _, server := range []struct{ written, address string }{
		{writtenSite, siteURL}, // first: the base address may become "/" too
		{writtenBase, baseURL},
	} {
		if n := strings.Count(text, server.written); n != 1 {
			return representation{}, fmt.Errorf("the OpenAPI document has %s %d times, not once", server.written, n)
		}
		text = strings.Replace(text, server.written, string(appendString([]byte(`"servers":[{"url":`), server.address)), 1)
	}
	sum := sha256.Sum256([]byte(text))
	r := representation{body: []byte(text), hash: hex.EncodeToString(sum[:16]), stored: true}
	for _, to := range []coding{gzipped, zstandard} {
		r.codings[to] = c.encode(nil, to, r.body)
	}
	return r, nil
}

// addresses returns the base address of the API and the root of its site: absolute when the public URL is known,
// relative to the host otherwise. A public URL may have the base path at its end already.
func addresses(base, publicURL string) (baseURL, siteURL string, err error) {
	if publicURL == "" {
		if base == "" {
			return "/", "/", nil
		}
		return base, "/", nil
	}
	u, err := url.Parse(publicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", "", fmt.Errorf("public URL %q: expected the address of a site, such as https://api.example.org", publicURL)
	}
	site := strings.TrimSuffix(strings.TrimRight(u.String(), "/"), base)
	return site + base, site, nil // no slash behind: a path is appended to it
}
