package serve

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"sabine/indexes"
	"sabine/serve/assets"
)

// A page is an address beside the API, which people and agents read.

// The values of Cache-Control of pages.
var (
	cachePage      = []string{"no-cache"}
	cacheImmutable = []string{"public, max-age=31536000, immutable"}
)

var (
	textHTML = []string{"text/html; charset=utf-8"}
	// referrerPolicy keeps what somebody looks at from the sites that the pages link to.
	referrerPolicy = []string{"same-origin"}
)

// textPage returns a page that is the same for everybody.
func textPage(name string, cache []string, r representation) *operation {
	return &operation{name: name, page: true, cache: cache, answer: func(*exchange) (representation, *problem) {
		return r, nil
	}}
}

// coded returns a body that does not change, in every coding that is worth it.
func coded(body []byte) representation {
	r := representation{body: body, hash: indexes.ETag(body)}
	if len(body) >= indexes.MinCoded {
		for _, to := range []coding{gzipped, zstandard} {
			r.codings[to] = appendCoded(nil, to, body)
		}
	}
	return r
}

// addFiles adds files whose names hold a hash of their content, below a folder.
func (s *Server) addFiles(folder string, files map[string]*assets.File) {
	for name, file := range files {
		of := representation{hash: file.Hash, mediaType: []string{file.MediaType}}
		if file.Size >= indexes.MinCoded {
			of.codings = [numCodings][]byte{gzipped: file.Gzip, zstandard: file.Zstd}
		}
		answer := func(x *exchange) (representation, *problem) {
			r := of
			if x.choose(&r) == identity {
				r.body = file.Plain()
			}
			return r, nil
		}
		s.operations[folder+name] = &operation{name: "pageFile", page: true, cache: cacheImmutable, answer: answer}
	}
}

// originList brings the origins of pictures into the form of a Content-Security-Policy and of the browser's URL.origin:
// https://host or https://host:port, with blanks between them.
func originList(origins []string) (string, error) {
	var list []string
	for _, given := range origins {
		if given = strings.TrimSpace(given); given == "" {
			continue
		}
		u, err := url.Parse(strings.ToLower(given))
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || !isHost(u.Host) || cmp.Or(u.Path, "/") != "/" ||
			u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
			return "", fmt.Errorf("image origin %q: expected scheme and host, such as https://images.example.org", given)
		}
		list = append(list, u.Scheme+"://"+u.Host)
	}
	return strings.Join(list, " "), nil
}

// isHost reports whether a text is a host and perhaps a port, and nothing that means something in a
// Content-Security-Policy.
func isHost(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") == ""
}
