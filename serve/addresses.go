package serve

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// Paths below the base path of the API, and at the root of the site.
const (
	descriptionPath = "/v1/openapi.json"
	referencePath   = "/reference"
	mcpPath         = "/mcp"
	catalogPath     = "/.well-known/api-catalog"
)

// addresses contains the public addresses of a server.
type addresses struct {
	base string // path of the API; "" if it is the root
	home string // address of the API for clients, without a trailing slash
	site string // address of the site, without a trailing slash; "" means the root of any host
	host string // lower-case host of the public URL, without a port; "" if there is no public URL
}

func newAddresses(base, publicURL string) (a addresses, err error) {
	if a.base, err = basePath(base); err != nil {
		return a, err
	}
	a.home, a.host, err = serverAddress(a.base, publicURL)
	a.site = strings.TrimSuffix(a.home, a.base)
	return a, err
}

// pathSegments matches a base path.
var pathSegments = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// basePath normalizes the setting to the prefix of paths: "/api", or "" for the root.
func basePath(setting string) (string, error) {
	base := strings.TrimSuffix(cmp.Or(setting, "/api"), "/")
	switch {
	case base == "":
		return "", nil
	case base[0] != '/':
		return "", fmt.Errorf("base path %q: expected it to begin with a slash, such as /api", setting)
	case !pathSegments.MatchString(base) || path.Clean(base) != base: // path.Clean rejects . and ..
		return "", fmt.Errorf("base path %q: expected segments of letters, digits and -._~, such as /api", setting)
	}
	return base, nil
}

// serverAddress returns the base address of the API without a trailing slash. It is absolute if there is a
// public URL, and otherwise relative to the host. The public URL may already end with the base path.
func serverAddress(base, publicURL string) (home, host string, err error) {
	if publicURL == "" {
		return base, "", nil
	}
	u, err := url.Parse(publicURL)
	if err != nil || !isSite(u) {
		return "", "", fmt.Errorf("public URL %q: expected the address of a site, such as https://api.example.org", publicURL)
	}
	// The base path is only cut off the path: a host can also be called api.
	site := (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
	path := strings.TrimSuffix(strings.TrimRight(u.EscapedPath(), "/"), base)
	return site + path + base, strings.ToLower(u.Hostname()), nil
}

// isSite reports whether a URL consists only of a site and an optional path.
func isSite(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}
