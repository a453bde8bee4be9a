package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"sabine/indexes"
	"sabine/serve/assets"
)

var (
	cachePage      = []string{"no-cache"}
	cacheIcon      = []string{"public, max-age=86400"}
	cacheImmutable = []string{"public, max-age=31536000, immutable"}
)

var textHTML = []string{"text/html; charset=utf-8"}

// securityHeader returns a function that sets the security header fields of an HTML page: the given content
// security policy, and a field that hides the address of the page from the sites to which it links.
func securityHeader(policy string) func(http.Header) {
	policies, referrer := []string{policy}, []string{"same-origin"}
	return func(h http.Header) { h["Content-Security-Policy"], h["Referrer-Policy"] = policies, referrer }
}

// addConstant adds a page that does not depend on the request.
func (s *Server) addConstant(path, name string, cache []string, r representation) {
	s.pages[path] = &operation{name: name, page: true, cache: cache,
		answer: func(*exchange) (representation, *problem) { return r, nil }}
}

// addFiles adds files below a folder. Their names contain a hash of the content, so caches may keep them.
func (s *Server) addFiles(folder string, files map[string]*assets.File) {
	for name, file := range files {
		stored := representation{hash: file.Hash, mediaType: []string{file.MediaType}}
		if file.Size >= indexes.MinCoded {
			stored.codings = [numCodings][]byte{gzipped: file.Gzip, zstandard: file.Zstd}
		}
		answer := func(x *exchange) (representation, *problem) {
			r := stored
			if x.choose(&r) == identity { // file.Plain decodes the file
				r.body = file.Plain()
			}
			return r, nil
		}
		s.pages[folder+name] = &operation{name: "pageFile", page: true, cache: cacheImmutable, answer: answer}
	}
}

// originList returns the origins of pictures, separated by spaces, in the form of a Content-Security-Policy
// and of URL.origin in browsers: https://host or https://host:port.
func originList(origins []string) (string, error) {
	const hostCharacters = "abcdefghijklmnopqrstuvwxyz0123456789.-:[]" // without special meaning in policies
	var list []string
	for _, given := range origins {
		if given = strings.TrimSpace(given); given == "" {
			continue
		}
		u, err := url.Parse(strings.ToLower(given))
		if err != nil || !isSite(u) || strings.Trim(u.Host, hostCharacters) != "" || strings.HasSuffix(u.Host, ":") ||
			cmp.Or(u.Path, "/") != "/" {
			return "", fmt.Errorf("image origin %q: expected scheme and host, such as https://images.example.org", given)
		}
		list = append(list, u.Scheme+"://"+u.Host)
	}
	return strings.Join(list, " "), nil
}
