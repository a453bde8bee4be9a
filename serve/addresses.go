package serve

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// Paths below that of the API, and at the root of the site.
const (
	descriptionPath = "/v1/openapi.json"
	referencePath   = "/reference"
	mcpPath         = "/mcp"
	catalogPath     = "/.well-known/api-catalog"
)

// addresses are where clients find a server.
type addresses struct {
	base string // path of the API, "" for the root
	home string // address of the API as clients see it, without a slash behind
	site string // that of the site, likewise; "" for the root of whatever host
	host string // of the public URL in lower case, without a port; "" without one
}

func newAddresses(base, publicURL string) (a addresses, err error) {
	if a.base, err = basePath(base); err != nil {
		return a, err
	}
	a.home, a.host, err = serverAddress(a.base, publicURL)
	a.site = strings.TrimSuffix(a.home, a.base)
	return a, err
}

// pathSegments are what a base path has.
var pathSegments = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// basePath brings the setting into the form that paths begin with: "/api", or "" for the root.
func basePath(setting string) (string, error) {
	base := strings.TrimSuffix(cmp.Or(setting, "/api"), "/")
	switch {
	case base == "":
		return "", nil
	case base[0] != '/':
		return "", fmt.Errorf("base path %q: expected it to begin with a slash, such as /api", setting)
	case !pathSegments.MatchString(base) || path.Clean(base) != base: // of . and ..
		return "", fmt.Errorf("base path %q: expected segments of letters, digits and -._~, such as /api", setting)
	}
	return base, nil
}

// serverAddress returns the base address of the API, without a slash behind: absolute when the public URL is
// known, relative to the host otherwise. A public URL may have the base path at its end already.
func serverAddress(base, publicURL string) (home, host string, err error) {
	if publicURL == "" {
		return base, "", nil
	}
	u, err := url.Parse(publicURL)
	if err != nil || !isSite(u) {
		return "", "", fmt.Errorf("public URL %q: expected the address of a site, such as https://api.example.org", publicURL)
	}
	home = strings.TrimSuffix(strings.TrimRight(u.String(), "/"), base) + base
	return home, strings.ToLower(u.Hostname()), nil
}

// isSite reports whether a URL is of a site, or of a path of one, and nothing more.
func isSite(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil &&
		u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}
