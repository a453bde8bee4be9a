package serve

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"sabine/indexes"
	"sabine/serve/assets"
	"sabine/serve/explorer"
)

// A page is an address beside the API, which people and agents read. It is an operation whose query string is never refused.
type page struct {
	operation *operation
	file      *assets.File    // of pageFile
	text      *representation // of what is the same for everybody
}

// The values of Cache-Control of pages.
var (
	cachePage      = []string{"no-cache"}
	cacheImmutable = []string{"public, max-age=31536000, immutable"}
)

var (
	pageHome       = &operation{name: "pageHome", page: true, cache: cachePage, vary: ofLanguages, answer: answerHomePage}
	pageProduct    = &operation{name: "pageProduct", page: true, cache: cachePage, vary: ofLanguages, answer: answerProductPage}
	pageComparison = &operation{name: "pageComparison", page: true, cache: cachePage, vary: ofLanguages, answer: answerComparisonPage}
	pageRoom       = &operation{name: "pageRoom", page: true, cache: cachePage, vary: ofLanguages, answer: answerRoomPage}
	pageFile       = &operation{name: "pageFile", page: true, cache: cacheImmutable, answer: answerFile}
)

// Addresses of the explorer that have parameters behind them, and of its assets.
const (
	productPages = "/products/"
	assetFiles   = "/assets/"
)

// ofLanguages is the Vary of pages that follow Accept-Language.
var ofLanguages = []string{"Accept-Encoding, Accept-Language"}

// newPages returns the pages by their paths. Those of products, which only the explorer has, are found by checkPage. They
// are asked for only when the API has nothing at a path, so that no base path takes an address from it.
func newPages(o *Options) (map[string]page, error) {
	pages := map[string]page{}
	if o.MCP {
		pages[mcpPath] = page{operation: speakMCP}
	}
	if !o.Explorer {
		return pages, nil
	}
	pages["/"] = page{operation: pageHome}
	pages["/compare"] = page{operation: pageComparison}
	pages["/room"] = page{operation: pageRoom}
	files, err := explorer.Assets()
	addFiles(pages, assetFiles, files)
	return pages, err
}

// addFiles adds files whose names hold a hash of their content, below a folder.
func addFiles(pages map[string]page, folder string, files map[string]*assets.File) {
	for name, file := range files {
		pages[folder+name] = page{operation: pageFile, file: file}
	}
}

// checkPage finds the page at a path that the API does not have.
func (x *exchange) checkPage(path string) *problem {
	if p, ok := x.server.pages[path]; ok {
		x.operation, x.page = p.operation, p
		return nil
	}
	if id, ok := strings.CutPrefix(path, productPages); ok && x.server.explorer && id != "" && !strings.Contains(id, "/") {
		x.operation, x.target = pageProduct, id
		return nil
	}
	return errUnknownPath
}

// answerFile answers with a file of a page.
func answerFile(x *exchange) representation {
	r := representation{hash: x.page.file.Hash, mediaType: []string{x.page.file.MediaType}}
	if x.page.file.Size >= indexes.MinCoded {
		r.codings = [numCodings][]byte{gzipped: x.page.file.Gzip, zstandard: x.page.file.Zstd}
	}
	if x.choose(&r) == identity {
		r.body = x.page.file.Plain()
	}
	return r
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
